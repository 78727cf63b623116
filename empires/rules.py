"""The rules of Eggs and Empires, here and nowhere else.

In words
--------
1. Every player has an Empire deck, the Adventurers 1 to 10. A game has three rounds of nine turns.
2. A round begins: each shuffles the deck and draws three cards; who likes may once discard this
   hand, draw three new cards and shuffle the old ones into the rest (the mulligan) [R-E15]. The
   eggs are shuffled, and two (three with five players, four with six) are turned up.
3. Each turn all players choose a card at the same time. Cards collect in order, the highest number
   first; the same number goes clockwise from the holder of the tie breaker marker [R-E7].
4. A card takes one of the eggs that lie there, any that it may take; it must if it can [R-E2].
   Eggs that nobody took are discarded, and new ones are turned up [R-E9, R-E13, R-E14].
5. Shepherds (3) collect before any Blacksmith [R-E6]. A Mage (7) never takes a negative egg that
   lies face up, and takes a face-down one only if it likes [R-E3, R-E4, R-E5]. Two or more Dark
   Priestesses (9) in one turn all collect nothing, and are no tie [R-E8].
6. At the end of a turn, in this order and each from the marker's holder clockwise [R-E9]: a Courier
   (4) who collected may give that egg away [R-E10]; a Priest (6) who collected may discard one egg
   that it owns [R-E11]; a Scout (2) lays the top egg of the deck face down for the next turn, and
   alone looks at it [R-E12]. Then all draw back to three cards.
7. A Merchant (5) who collected nothing is worth +6, a Blacksmith (8) who did not, -4 [R-E16].
8. After a turn with a tie the marker passes to the left [R-E7]. At a round's start it goes to the
   lowest total [R-E17]; in the first, to a random player [R-E18].
9. Most points over all rounds win; tied players share the win [R-E22].
10. Two players have two Empire decks each, shuffled together, hold four cards, and play two of
    different numbers a turn; each of the four cards may collect an egg [R-E20].
11. Con/Pub: the best of each round get an egg token; three (two with five or six players) win
    [R-E21].

Who knows what: R-E19, in `observation.py`. The rulings are listed in `empires/README.md`.

Conventions
-----------
A hand, like any set of a player's cards, is one 32-bit word: bit n - 1 if Adventurer n is there,
bit 15 + n if it is there twice. Eggs are named by their place in the round's egg deck, from 0.
Those on offer in a turn lie at neighbouring places, the face-down ones last; bit w of a mask stands
for the w-th of them. Points are signed, in two's complement where they stand in words.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy import int32, uint32

from empires.decks import Deck, own_deck, shipped_deck
from simulator.compiling import compiled
from simulator.variants import Variant, one_of, truth, whole, wholes, within
from simulator.words import Word, Words, shift_left

#: Raised when, and only when, the same actions on the same cards may give another result.
RULES_VERSION = 1

(BARD, SCOUT, SHEPHERD, COURIER, MERCHANT, PRIEST, MAGE, BLACKSMITH, DARK_PRIESTESS, HERO) = range(
    1, 11
)
ADVENTURERS = (
    "Bard", "Scout", "Shepherd", "Courier", "Merchant",
    "Priest", "Mage", "Blacksmith", "Dark Priestess", "Hero",
)  # fmt: skip

MERCHANT_BONUS, BLACKSMITH_PENALTY = 6, 4
SHARE_UNITS = 60  # shares of the win are counted in sixtieths: whole for 1 to 6 winners

MIN_PLAYERS, MAX_PLAYERS = 2, 6
MAX_NUMBER = 10  # the highest Adventurer
MAX_ROUNDS = 9
MAX_REVEALED = 4
#: Of a mulligan decision: what kernels know a redrawn hand by.
REDRAW = 1
MAX_OFFERED = MAX_REVEALED + MAX_PLAYERS  # every player may have laid an egg with a Scout

TWICE = 16  # place of the first bit that marks a second copy
_ONCE_MASK = uint32(0x3FF)

MULLIGANS = ("every_round", "first_round", "off")
SHEPHERDS = ("shepherd_first", "blacksmith_waits")

#: Places in the array of rule values that kernels take (`Rules.facts`); the eggs' values come last.
(PLAYERS, DECKS, HAND, TURNS, ROUNDS, REVEALED, CARDS, MULLIGAN, BLACKSMITH_WAITS, CON_PUB,
 TOKENS, EGGS) = range(12)  # fmt: skip


@dataclass(frozen=True)
class Rules(Variant):
    """A variant of the game; the defaults are the published one with three players.

    Parameters
    ----------
    players : int
        2 to 6.
    deck : Deck, str or sequence of int
        The eggs: a deck, the name of one that comes with the game, or values of one's own, of
        which there may be fewer than the turns need (R-E14).
    adventurers : tuple of int
        Which Adventurers each Empire deck holds; kept in ascending order.
    turns, rounds : int
        Turns a round, rounds a game (Con/Pub plays on for as many as it takes).
    decks : int, optional
        Empire decks a player has, and cards played a turn: 2 with two players, else 1.
    hand : int, optional
        Cards in hand: 3, or 4 with two decks.
    revealed : int, optional
        Eggs turned up a turn: 2, with five players 3, with six 4.
    mulligan : {"every_round", "first_round", "off"}
        Ruling R-E15.
    shepherd : {"shepherd_first", "blacksmith_waits"}
        Ruling R-E6: who moves in the order when both are played.
    con_pub : bool
        Play for egg tokens (R-E21).

    Raises
    ------
    ValueError
        For an impossible combination, naming the value.
    """

    players: int = 3
    deck: Deck = shipped_deck("assumed")  # noqa: RUF009
    adventurers: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    turns: int = 9
    rounds: int = 3
    decks: int | None = None
    hand: int | None = None
    revealed: int | None = None
    mulligan: str = "every_round"
    shepherd: str = "shepherd_first"
    con_pub: bool = False

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name in ("players", "turns", "rounds"):
            put(self, name, whole(name, getattr(self, name)))
        for name in ("decks", "hand", "revealed"):
            if getattr(self, name) is not None:
                put(self, name, whole(name, getattr(self, name)))
        if not isinstance(self.deck, Deck):
            own = shipped_deck if isinstance(self.deck, str) else own_deck  # type: ignore[unreachable]
            put(self, "deck", own(self.deck))
        put(self, "adventurers", wholes("adventurers", self.adventurers))
        one_of("mulligan", self.mulligan, MULLIGANS)
        one_of("shepherd", self.shepherd, SHEPHERDS)
        truth("con_pub", self.con_pub)
        within("players", self.players, MIN_PLAYERS, MAX_PLAYERS)
        within("rounds", self.rounds, 1, MAX_ROUNDS)
        within("revealed", self.eggs_a_turn, 1, MAX_REVEALED)
        self._check_cards()
        self._check_eggs()

    def _check_cards(self) -> None:
        """Refuse Empire decks that the turns cannot be played with."""
        within("decks", self.cards_a_turn, 1, 2 if self.players == 2 else 1)
        within("the number of adventurers", len(self.adventurers), 1, MAX_NUMBER)
        for number in self.adventurers:
            within("an adventurer", number, BARD, HERO)
        if len(set(self.adventurers)) < len(self.adventurers):
            raise ValueError(f"adventurers={self.adventurers} names one twice; each deck has one")
        cards, each = len(self.adventurers) * self.cards_a_turn, self.cards_a_turn
        # three cards of two decks hold two different numbers, as a turn needs
        least = 1 if each == 1 else 3
        within("hand", self.hand_size, least, cards)
        most = (cards - least) // each + 1
        if not 1 <= self.turns <= most:
            raise ValueError(f"turns={self.turns} must be from 1 to {most} with {cards} cards each")
        if self.mulligan != "off" and cards < 2 * self.hand_size:
            raise ValueError(
                f"mulligan={self.mulligan!r} needs {2 * self.hand_size} cards each, for two hands "
                f'of {self.hand_size}; there are {cards} (mulligan="off" needs no more)'
            )

    def _check_eggs(self) -> None:
        """Refuse a deck that is empty, or too small for the turns if it is meant to suffice."""
        eggs, wanted = len(self.eggs), self.turns * self.eggs_a_turn
        if not eggs or (eggs < wanted and not self.deck.may_run_out):
            raise ValueError(
                f"deck {self.deck} has {eggs} eggs for {self.players} players; {self.turns} turns "
                f"with {self.eggs_a_turn} eggs each need {wanted}"
            )

    @property
    def eggs(self) -> tuple[int, ...]:
        """The values of the eggs in play, ascending."""
        return self.deck.values(self.players)

    @property
    def cards_a_turn(self) -> int:
        """Cards that each player plays a turn, as many as Empire decks each has (rule 10)."""
        return self.decks if self.decks is not None else 2 if self.players == 2 else 1

    @property
    def hand_size(self) -> int:
        """Cards that each player holds."""
        return self.hand if self.hand is not None else 4 if self.cards_a_turn == 2 else 3

    @property
    def eggs_a_turn(self) -> int:
        """Eggs turned up a turn (rule 2)."""
        return self.revealed if self.revealed is not None else max(2, self.players - 2)

    @property
    def cards_each(self) -> int:
        """Cards that each player has."""
        return len(self.adventurers) * self.cards_a_turn

    @property
    def tokens_to_win(self) -> int:
        """Egg tokens that win (rule 11)."""
        return 3 if self.players <= 4 else 2

    @property
    def max_rounds(self) -> int:
        """Rounds at most: in Con/Pub until somebody must have enough tokens."""
        return self.players * (self.tokens_to_win - 1) + 1 if self.con_pub else self.rounds

    def has_mulligan(self, round_number: int) -> bool:
        """Return whether hands may be exchanged in a round (from 0)."""
        return self.mulligan == "every_round" or (
            self.mulligan == "first_round" and round_number == 0
        )

    def facts(self) -> Words:
        """Return the values that kernels need, uint32[11 + eggs], in the order of the names above.

        The set of Adventurers is a word as a hand is; the eggs' values, ascending, are signed.
        """
        cards = sum(1 << (number - 1) for number in self.adventurers)
        values = [
            self.players,
            self.cards_a_turn,
            self.hand_size,
            self.turns,
            self.max_rounds,
            self.eggs_a_turn,
            cards | cards << TWICE if self.cards_a_turn == 2 else cards,
            MULLIGANS.index(self.mulligan),
            SHEPHERDS.index(self.shepherd),
            int(self.con_pub),
            self.tokens_to_win,
        ]
        return np.array([*values, *self.eggs], dtype=np.int64).astype(np.uint32)

    @staticmethod
    def read_deck(text: str) -> Any:
        """Return what a text on the command line says of the deck: a name, or values."""
        return text if text[:1] not in "-+0123456789([" else _numbers(text)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """Return the rules that `as_data` told."""
        return super().from_data({**data, "deck": Deck.from_data(data["deck"])})


def _numbers(text: str) -> tuple[int, ...]:
    """Return the whole numbers in a text, or raise ValueError."""
    return tuple(int(part) for part in text.strip("()[] ").split(",") if part.strip())


# --- A set of cards -----------------------------------------------------------------------------


@compiled("uint32(uint32)", inline=True)
def bit_of(number: Word) -> Word:
    """Return the bit of an Adventurer in a set of cards; 0 for no Adventurer (number 0)."""
    return uint32(shift_left(uint32(1), number) >> uint32(1))


@compiled("uint32(uint32,uint32)", inline=True)
def holds(cards: Word, number: Word) -> Word:
    """Return 1 if an Adventurer is in a set of cards, else 0."""
    return uint32(uint32(uint32(cards) & uint32(bit_of(number))) != uint32(0))


@compiled("uint32(uint32,uint32)", inline=True)
def with_card(cards: Word, number: Word) -> Word:
    """Return a set of cards with one more."""
    cards, bit = uint32(cards), uint32(bit_of(number))
    second = uint32(uint32(cards & bit) << uint32(TWICE))
    return uint32(uint32(cards | bit) | second)


@compiled("uint32(uint32,uint32)", inline=True)
def without_card(cards: Word, number: Word) -> Word:
    """Return a set of cards without one that is in it."""
    cards, bit = uint32(cards), uint32(bit_of(number))
    twice = uint32(uint32(cards >> uint32(TWICE)) & bit)
    return uint32(cards & ~uint32(uint32(twice << uint32(TWICE)) | uint32(bit & ~twice)))


@compiled("uint32(uint32,uint32,uint32,uint32)", inline=True)
def may_send(hand: Word, first: Word, second: Word, decks: Word) -> Word:
    """Return 1 if a player may play these cards: in hand, and different ones (rules 3, 10).

    `second` is 0 where one card a turn is played; both are 0 of a player whose hand is empty since
    the playthrough is over.
    """
    first, second, hand = uint32(first), uint32(second), uint32(hand)
    one = uint32(holds(hand, first) & uint32(first <= uint32(MAX_NUMBER)))
    another = uint32(holds(hand, second) & uint32(second <= uint32(MAX_NUMBER)))
    another = uint32(another & uint32(first != second))
    none = uint32(second == uint32(0))
    sent = uint32(one & (another if uint32(decks) == uint32(2) else none))
    nothing = uint32(uint32(uint32(first | second) == uint32(0)) & uint32(hand == uint32(0)))
    return uint32(sent | nothing)


# --- The order in which cards collect -----------------------------------------------------------


@compiled("uint32(uint32,uint32)", inline=True)
def both_in(seen: Word, number: Word) -> Word:
    """Return 1 if an Adventurer was played twice or more; `seen` is the set of cards played."""
    return holds(uint32(uint32(seen) >> uint32(TWICE)), number)


@compiled("uint32(uint32)", inline=True)
def is_tie(seen: Word) -> Word:
    """Return 1 if any number but the Dark Priestess was played twice or more (R-E7)."""
    twice = uint32(uint32(uint32(seen) >> uint32(TWICE)) & _ONCE_MASK)
    return uint32(uint32(twice & ~uint32(1 << (DARK_PRIESTESS - 1))) != uint32(0))


@compiled("uint32(uint32,uint32,uint32)", inline=True)
def rank_of(number: Word, seen: Word, blacksmith_waits: Word) -> Word:
    """Return a card's rank, higher collects earlier; 0 for one that collects nothing.

    Twice the number, but for Shepherds and Blacksmiths in one turn (R-E6) and for Dark Priestesses
    that cancel each other (R-E8).
    """
    number = uint32(number)
    waits = uint32(blacksmith_waits) != uint32(0)
    usual = uint32(number << uint32(1))
    rushes = number == uint32(SHEPHERD) and holds(seen, BLACKSMITH) == uint32(1) and not waits
    stays = number == uint32(BLACKSMITH) and holds(seen, SHEPHERD) == uint32(1) and waits
    rank = uint32(2 * BLACKSMITH + 1) if rushes else usual
    rank = uint32(2 * SHEPHERD - 1) if stays else rank
    cancelled = number == uint32(DARK_PRIESTESS) and both_in(seen, DARK_PRIESTESS) == uint32(1)
    return uint32(0) if cancelled else rank


@compiled("uint32(uint32,uint32,uint32)", inline=True)
def clockwise(seat: Word, holder: Word, players: Word) -> Word:
    """Return how many places clockwise from the holder a seat is."""
    ahead = int32(int32(seat) - int32(holder))  # signed: LLVM makes a call of the other comparison
    around = int32(ahead + int32(players))
    return uint32(around) if ahead < int32(0) else uint32(ahead)


@compiled("uint32(uint32,uint32,uint32)", inline=True)
def seat_after(seat: Word, steps: Word, players: Word) -> Word:
    """Return the seat `steps` (fewer than there are players) places clockwise of a seat."""
    there = int32(int32(seat) + int32(steps))
    around = int32(there - int32(players))
    return uint32(there) if around < int32(0) else uint32(around)


# --- Collecting ---------------------------------------------------------------------------------


@compiled("uint32(uint32,uint32,uint32,uint32)", inline=True)
def eggs_allowed(number: Word, left: Word, negative: Word, face_down: Word) -> Word:
    """Return which of the eggs left a card may take (rules 4, 5).

    Parameters
    ----------
    number : uint32
        The Adventurer.
    left, negative, face_down : uint32
        Masks of the eggs on offer: not yet taken; worth less than 0; lying face down.
    """
    left = uint32(left)
    spurned = uint32(uint32(negative) & ~uint32(face_down))
    return uint32(left & ~spurned) if uint32(number) == uint32(MAGE) else left


@compiled("uint32(uint32,uint32,uint32,uint32)", inline=True)
def may_refuse(number: Word, left: Word, negative: Word, face_down: Word) -> Word:
    """Return 1 if a card may choose to take nothing: a Mage who could take face-down eggs only."""
    allowed = uint32(eggs_allowed(number, left, negative, face_down))
    open_ones = uint32(allowed & ~uint32(face_down))
    only_face_down = uint32(open_ones == uint32(0)) & uint32(allowed != uint32(0))
    return uint32(only_face_down & uint32(uint32(number) == uint32(MAGE)))


@compiled("uint32(uint32,uint32)", inline=True)
def bonus_of(number: Word, collected: Word) -> Word:
    """Return what a card is worth itself: +6 or -4 for two that collected nothing (rule 7)."""
    number = uint32(number)
    bonus = uint32(MERCHANT_BONUS) if number == uint32(MERCHANT) else uint32(0)
    bonus = uint32(int32(-BLACKSMITH_PENALTY)) if number == uint32(BLACKSMITH) else bonus
    return bonus if uint32(collected) == uint32(0) else uint32(0)


# --- Rounds and the end -------------------------------------------------------------------------


@compiled("uint32(uint32,uint32,uint32)", inline=True)
def holder_after(holder: Word, tie: Word, players: Word) -> Word:
    """Return who holds the marker after a turn (rule 8); `tie` is 0 or 1.

    Where nothing changes it is computed too: a store in some lanes only is slow (a masked one).
    """
    return uint32(seat_after(holder, tie, players))


@compiled("int32(uint32,uint32,uint32,uint32)", inline=True)
def claim_to_marker(total: Word, seat: Word, holder: Word, players: Word) -> Any:
    """Return what the marker goes by at a round's start: to the seat where this is least (R-E17).

    The total first, then the distance clockwise from the left of the present holder. The lowest
    three bits hold the distance.
    """
    distance = uint32(clockwise(seat, seat_after(holder, 1, players), players))
    return int32(uint32(uint32(uint32(total) << uint32(3)) + distance))


@compiled("int32(uint32,uint32,uint32,uint32)", inline=True)
def standing_of(total: Word, tokens: Word, needed: Word, con_pub: Word) -> Any:
    """Return what players are compared by at the end (rules 9, 11): the most wins.

    In Con/Pub the totals of those who have enough tokens count, above all others (R-E21).
    """
    enough = uint32(tokens) >= uint32(needed)
    lifted = int32(uint32(uint32(total) + uint32(1 << 20)))
    in_con_pub = lifted if enough else int32(0)
    return in_con_pub if uint32(con_pub) != uint32(0) else lifted


@compiled("uint32(uint32)", inline=True)
def win_units(winners: Word) -> Word:
    """Return a winner's share of the win in sixtieths, with 1 to 6 winners."""
    winners = uint32(winners)
    few = uint32(60) if winners == uint32(1) else uint32(30)
    some = uint32(20) if winners == uint32(3) else uint32(15)
    many = uint32(12) if winners == uint32(5) else uint32(10)
    more = some if winners < uint32(5) else many
    return few if winners < uint32(3) else more
