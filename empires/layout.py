"""The rows of a block of playthroughs: one array, each lane (column) a playthrough.

The rows that some seat may see come first after the scratch rows, so that what one seat sees is a
copy of them with everything blanked that it may not know (`seeing.see`). "+ seat" marks one row for
each of six seats; rows of seats that are not in the game hold 0.
"""

from empires import rules

SEATS = rules.MAX_PLAYERS
NOBODY = SEATS
PILE_WORDS = 3  # a pile has at most 17 cards, eight to a word
VALUE_WORDS = 3  # at most ten eggs are on offer
MAX_OPTIONS = 32  # of any decision, the one to do nothing included
WORDS_A_SEAT = 8  # random words a seat may need in a turn

# Scratch: nothing here outlasts a turn, or it is hidden from all seats.
ACTIONS = 0  # + seat: numbers played, the lower and << 4 the higher; or 1 for a mulligan
SHARES = ACTIONS + SEATS  # + seat: sixtieths of the win
ORDER = SHARES + SEATS  # + place: card that collects in this place, 0 for none (`turns.send`)
SEEN = ORDER + SEATS  # cards on the table of all players
POWERS = (
    SEEN + 1
)  # powers due: bit seat a Courier's, who collected; 8 + seat a Priest's, 16 + seat a Scout's
PENDING = POWERS + 1  # numbers of the lanes in which somebody is to use a power
NEGATIVE = PENDING + 1  # mask of the eggs on offer that are worth less than 0
VALUES = NEGATIVE + 1  # + word: values of the eggs on offer, a byte each (`columns.value_of`)
PILES = VALUES + VALUE_WORDS  # + 3 * seat + word: cards yet to be drawn, four bits each
REDRAWN = PILES + PILE_WORDS * SEATS  # + seat: the hand after a mulligan
REPILES = REDRAWN + SEATS  # + 3 * seat + word: the pile after a mulligan
DECIDERS = REPILES + PILE_WORDS * SEATS  # + seat or NOBODY: lanes in which the seat decides
ENTRY = DECIDERS + SEATS + 1  # options of who decides in a lane, bit 0 for nothing; number << 16
WHO = ENTRY + 1  # seat that decides in a lane, NOBODY if none does
OPTIONS = WHO + 1  # options, entry by entry, of the seat whose agent decides just now
CHOICES = OPTIONS + 1  # + seat: what it chose, entry by entry: 0 for nothing, or 1 + what
TAKEN = CHOICES + SEATS  # a choice in the lane it belongs to; then 1 + the place of the egg, or 0
TAKEN_VALUE = TAKEN + 1  # its value, 0 unless it lies face up
WORTH = TAKEN_VALUE + 1  # + 2 * seat + which: points that a card on the table has brought
DRAWN = WORTH + 2 * SEATS  # random words, entry by entry
WORDS = DRAWN + 1  # + 8 * seat + kind: random words of this turn
SORTED = WORDS + WORDS_A_SEAT * SEATS  # + place: keys of an Empire deck that is shuffled
SIDE = SORTED  # + 0 OFFER, 1 SCOUTS, 2 on VALUES, entry by entry, of the seat that picks just now
RESORTED = SORTED + 20  # + place: of the pile after a mulligan
FIRST_VISIBLE = RESORTED + 20

# What all see.
HOLDER = FIRST_VISIBLE  # seat that holds the tie breaker marker
ENDED = HOLDER + 1  # 1 once the playthrough is over (Con/Pub, before the last possible round)
MULLIGANS = ENDED + 1  # bit seat: took a mulligan this round
OFFER = MULLIGANS + 1  # the eggs on offer, packed (`columns.offer_of`)
SCOUTS = OFFER + 1  # seat of the Scout who laid the w-th egg on offer face down, << 3 w
ACTING = SCOUTS + 1  # Adventurer whose decision is due in this lane, 0 for none
HIDDEN = ACTING + 1  # + word: bit p: the egg of place p was laid face down and never shown to all
TOTALS = HIDDEN + 2  # + seat: points of the rounds that are over
TOKENS = TOTALS + SEATS  # + seat: egg tokens
PLAYED = TOKENS + SEATS  # + seat: cards played this round, those on the table included
TABLE = PLAYED + SEATS  # + seat: cards on the table, the lower number and << 4 the higher
GOT = TABLE + SEATS  # + seat: place + 1 of the egg that the first card took, << 8 the second
OWNED = GOT + SEATS  # + 2 * seat + word: bit p: the egg of place p lies before the seat
POINTS = OWNED + 2 * SEATS  # + seat: points of this round that all know of

# What one seat alone sees. The eggs' values: those that it knows.
HANDS = POINTS + SEATS  # + seat: cards in hand
KNOWN = HANDS + SEATS  # + 2 * seat + word: hidden eggs whose value the seat has seen
SECRET = KNOWN + 2 * SEATS  # + 6 * seat + other: further points of the other that the seat knows of
EGGS = SECRET + SEATS * SEATS  # + place in the round's egg deck: value

# Random words of a turn, by kind of decision.
CARD_WORD, PICK_WORD, GIFT_WORD, DISCARD_WORD = 0, 1, 2, 3
# With two cards a turn: card, pick of the lower and the higher number, the second card; the rest.
SECOND_CARD_WORD, HIGH_PICK_WORD, TWO_GIFT_WORD, TWO_DISCARD_WORD = 3, 2, 4, 5

#: Places in the counts that steps take, after the six of the seats and that of NOBODY.
COURIERS, PRIESTS = 7, 8  # lanes times seats in which this power is still to be used this turn
LISTED = 9  # lanes that PENDING lists


def block_rows(eggs: int) -> int:
    """Return the rows of a block: keys of eggs are drawn by fours."""
    return EGGS + 4 * ((eggs + 3) // 4)


#: What is summed for each seat, in this order. Units and squares serve the intervals; `plays_n` and
#: `points_n` are how often Adventurer n was played and what it brought.
COUNTERS = (
    "win_units",
    "win_units_squared",
    "score",
    "score_squared",
    "eggs",
    "merchants",
    "blacksmiths",
    "gifts",
    "discards",
    *(f"plays_{number}" for number in range(1, 11)),
    *(f"points_{number}" for number in range(1, 11)),
)
(WIN_UNITS, WIN_UNITS_SQUARED, SCORE, SCORE_SQUARED, EGGS_COUNT, MERCHANT_COUNT, BLACKSMITH_COUNT,
 GIFT_COUNT, DISCARD_COUNT) = range(9)  # fmt: skip
PLAYS, BROUGHT = 9 - 1, 19 - 1  # + number
