"""Eggs and Empires, written from the rule text as slowly and plainly as possible: a test oracle.

Quotations are from the rule text, with the heading they stand under; R-E1 ... R-E23 are the
rulings. An Empire card is its number. An egg is its place in the round's egg deck, 0 being the
top; its value is looked up only when it is needed. Seats, rounds and turns count from 0, and
"clockwise" or "on the left" is seat + 1.

All chance is dealt before the game starts and handed to `play`; nothing here is random but
`random_game`, which deals.
"""

import random
from dataclasses import dataclass
from fractions import Fraction

SCOUT, SHEPHERD, COURIER, MERCHANT, PRIEST, MAGE, BLACKSMITH, DARK_PRIESTESS = range(2, 10)
# "Winning with Egg Tokens", and the longest that this can take (R-E21), by number of players.
TOKENS_NEEDED = {2: 3, 3: 3, 4: 3, 5: 2, 6: 2}
LONGEST_CON_PUB = {2: 5, 3: 7, 4: 9, 5: 6, 6: 7}


@dataclass
class Options:
    players: int
    eggs: list[int]
    adventurers: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    decks: int = 1
    hand: int = 3
    turns: int = 9
    rounds: int = 3
    revealed: int = 2
    mulligan: str = "every_round"
    shepherd: str = "shepherd_first"
    con_pub: bool = False


class Table:
    """Everything that lies on the table, and the list of what happened there."""

    def __init__(self, options, holder, choose):
        assert options.players in range(2, 7)
        assert options.mulligan in ("every_round", "first_round", "off")
        assert options.shepherd in ("shepherd_first", "blacksmith_waits")
        assert options.turns <= len(options.adventurers), "not enough cards for that many turns"
        self.options = options
        self.seats = range(options.players)
        self.holder = holder  # of the Tie Breaker Marker; the first one is drawn at random (R-E18)
        self._choose = choose
        self.events = []
        self.totals = [0 for _ in self.seats]
        self.tokens = [0 for _ in self.seats]  # stay at 0 without the Con/Pub variant
        self.all_merchants = [0 for _ in self.seats]  # bonuses and penalties of the whole game
        self.all_blacksmiths = [0 for _ in self.seats]

    def choose(self, seat, kind, choices):
        """ "A forced choice is still a decision" (R-E23), so this is asked with one choice too."""
        assert len(choices) > 0
        answer = self._choose(seat, kind, list(choices))
        assert answer in choices, f"{kind} of seat {seat}: {answer!r} is not one of {choices!r}"
        return answer

    def happened(self, *event):
        self.events.append(event)

    def clockwise(self, first):
        return [(first + step) % self.options.players for step in self.seats]

    # ---- Setup, and "Prepare the Next Round" ----

    def set_up_round(self, r, egg_deck, empire_decks, reshuffle):
        assert sorted(egg_deck) == sorted(self.options.eggs)
        self.r = r
        self.value = list(egg_deck)
        self.egg_deck = list(range(len(egg_deck)))  # places, top first
        self.face_up = []
        self.face_down = []
        self.owned = [[] for _ in self.seats]  # "Collect all Egg Cards": nothing is carried over
        self.merchants = [0 for _ in self.seats]
        self.blacksmiths = [0 for _ in self.seats]
        # "Shuffle", "place them face-down as your personal draw pile", "draw the top 3 cards".
        self.pile = []
        self.hand = []
        for seat in self.seats:
            deck = list(empire_decks[seat])
            assert sorted(deck) == sorted(self.options.adventurers * self.options.decks)
            self.hand.append(deck[: self.options.hand])
            self.pile.append(deck[self.options.hand :])
        # The order is that of "Prepare the Next Round": mulligans, marker, starting eggs.
        self.mulligans(reshuffle)
        for seat in self.seats:
            self.happened("hand", r, seat, tuple(sorted(self.hand[seat])))
        if r > 0:
            self.holder = self.marker_for_the_lowest()
        self.happened("holder", r, self.holder)
        self.reveal_eggs(0)

    def mulligans(self, reshuffle):
        """Player Setup: "each player may once choose to discard their entire starting hand and draw
        3 new Empire Cards"; later rounds "as in previous rounds". The new hand is drawn first, then
        the old one is shuffled into the rest; "all decide at the same time" (R-E15)."""
        if self.options.mulligan == "off":
            return
        if self.options.mulligan == "first_round" and self.r > 0:
            return
        wishes = [self.choose(seat, "mulligan", [False, True]) for seat in self.seats]
        for seat in self.seats:
            if wishes[seat]:
                size = self.options.hand
                assert len(self.pile[seat]) >= size, "not enough cards for a whole new hand"
                old_hand = self.hand[seat]
                self.hand[seat] = self.pile[seat][:size]
                rest = self.pile[seat][size:]
                assert sorted(reshuffle[seat]) == sorted(old_hand + rest)
                self.pile[seat] = list(reshuffle[seat])
            self.happened("mulligan", self.r, seat, wishes[seat])

    def marker_for_the_lowest(self):
        """ "Give the Tie Breaker Marker to the player with the lowest total VP"; of several the one
        nearest clockwise from the present holder's left, the holder itself being last (R-E17)."""
        for seat in self.clockwise(self.holder + 1):
            if self.totals[seat] == min(self.totals):
                return seat
        raise AssertionError("somebody has the lowest total")

    def reveal_eggs(self, t):
        """ "Eggs Revealed Each Turn"; if they run out, as many as there are (R-E14)."""
        self.face_up = self.egg_deck[: self.options.revealed]
        self.egg_deck = self.egg_deck[self.options.revealed :]
        self.happened("reveal", self.r, t, tuple(self.face_up))

    # ---- Gameplay: one turn, steps 1 to 5 ----

    def play_turn(self, t):
        played = self.choose_cards()
        self.happened("cards", self.r, t, tuple(played))
        collected = self.collect_eggs(played)
        self.set_aside_scoring_cards(played, collected)
        self.prepare_next_turn(t)
        self.resolve_powers(t, played, collected)
        self.draw_back()
        self.move_marker(played)

    def choose_cards(self):
        """Step 1. In the two-player game: "Each player plays 2 Empire Cards per turn" and "may not
        choose to play two copies of the same Empire Card" (2-Player Turns; R-E20).
        Returns a sorted tuple of numbers for each seat."""
        played = []
        for seat in self.seats:
            numbers = sorted(set(self.hand[seat]))
            if self.options.decks == 1:
                played.append((self.choose(seat, "card", numbers),))
            else:
                pairs = [(a, b) for a in numbers for b in numbers if a < b]
                played.append(self.choose(seat, "card", pairs))
        # "Once everyone has chosen: Reveal all selected Empire Cards simultaneously."
        for seat in self.seats:
            for number in played[seat]:
                self.hand[seat].remove(number)
        return played

    def collecting_order(self, played):
        """Step 2: (seat, number) of all the cards, in the order in which they come to collect."""
        numbers = sorted({number for cards in played for number in cards}, reverse=True)
        # "The Shepherd always collects an Egg before any Blacksmith." Which of the two moves: R-E6.
        if SHEPHERD in numbers and BLACKSMITH in numbers:
            if self.options.shepherd == "shepherd_first":
                numbers.remove(SHEPHERD)
                numbers.insert(numbers.index(BLACKSMITH), SHEPHERD)
            else:
                numbers.remove(BLACKSMITH)
                numbers.insert(numbers.index(SHEPHERD) + 1, BLACKSMITH)
        # "Begin with the player holding the Tie Breaker Marker. Proceed clockwise" (R-E7).
        seats = self.clockwise(self.holder)
        return [(seat, number) for number in numbers for seat in seats if number in played[seat]]

    def collect_eggs(self, played):
        """Step 3. Returns {(seat, number): place} for the cards that collected an egg."""
        collected = {}
        priestesses = [seat for seat in self.seats if DARK_PRIESTESS in played[seat]]
        for seat, number in self.collecting_order(played):
            # "All Dark Priestesses cancel. None of them collect an Egg." (R-E8)
            if number == DARK_PRIESTESS and len(priestesses) > 1:
                continue
            choices = self.eggs_for(number)
            if len(choices) == 0:  # no decision (R-E5, R-E23): "move to the next" card
                continue
            place = self.choose(seat, "pick", choices)
            if place is None:
                self.happened("refuse", seat, number)
                continue
            if place in self.face_up:
                self.face_up.remove(place)
            else:
                self.face_down.remove(place)
            self.owned[seat].append(place)
            collected[seat, number] = place
            self.happened("take", seat, number, place, self.value[place])
        return collected

    def eggs_for(self, number):
        """The places that this card may take, then None if it may take nothing by choice."""
        if number != MAGE:  # "Players must take an Egg if able", any egg (R-E2)
            return sorted(self.face_up + self.face_down)
        # "The Mage never collects a face-up Exploding Egg with negative VP"; 0 is not negative.
        harmless = [place for place in self.face_up if self.value[place] >= 0]
        if len(harmless) > 0:
            return sorted(harmless + self.face_down)  # not nothing (R-E3)
        if len(self.face_down) > 0:
            return [*sorted(self.face_down), None]  # "may choose whether to collect it" (R-E4)
        return []  # R-E5

    def set_aside_scoring_cards(self, played, collected):
        """Merchant: "did not collect an Egg", +6 VP; Blacksmith: the same, -4 VP. Each card counts
        for itself, for whatever reason it went without (R-E16). A matter of this card's egg only:
        what a Courier gives later changes nothing."""
        for seat in self.seats:
            for number in played[seat]:
                if number == MERCHANT and (seat, number) not in collected:
                    self.merchants[seat] += 1
                if number == BLACKSMITH and (seat, number) not in collected:
                    self.blacksmiths[seat] += 1

    def prepare_next_turn(self, t):
        """Step 4: "Discard any unclaimed Egg Cards", the face-down ones unseen (R-E13), and "reveal
        new Egg Cards", but none after the last turn (R-E9)."""
        unclaimed = sorted(self.face_up + self.face_down)
        self.happened("unclaimed", tuple(unclaimed))
        self.face_up, self.face_down = [], []
        if t < self.options.turns - 1:
            self.reveal_eggs(t + 1)

    def resolve_powers(self, t, played, collected):
        """Step 5: Courier, Priest, Scout and, within one, from the marker's holder (R-E9)."""
        seats = self.clockwise(self.holder)
        for seat in seats:
            # "If the Courier collected an Egg: You may give that Egg to any other player." (R-E10)
            if (seat, COURIER) in collected:
                place = collected[seat, COURIER]
                others = [other for other in self.seats if other != seat]
                to = self.choose(seat, "gift", [None, *others])
                if to is not None:
                    self.owned[seat].remove(place)
                    self.owned[to].append(place)
                self.happened("gift", seat, to, place)
        for seat in seats:
            # "If the Priest collected an Egg: You may discard any Egg Card you previously
            # collected": one that it owns now, of any turn of this round (R-E11).
            if (seat, PRIEST) in collected:
                place = self.choose(seat, "discard", [None, *sorted(self.owned[seat])])
                if place is not None:
                    self.owned[seat].remove(place)
                self.happened("priest", seat, place)
        for seat in seats:
            # "Take the top card of the Egg Deck ... Place it face-down in the center": always, but
            # not on the last turn or from an empty deck (R-E12).
            if SCOUT in played[seat] and t < self.options.turns - 1 and len(self.egg_deck) > 0:
                place = self.egg_deck.pop(0)
                self.face_down.append(place)
                self.happened("scout", seat, place)

    def draw_back(self):
        """ "Then each player draws back up to 3 Empire Cards", while there are any."""
        for seat in self.seats:
            drawn = []
            while len(self.hand[seat]) < self.options.hand and len(self.pile[seat]) > 0:
                card = self.pile[seat].pop(0)
                self.hand[seat].append(card)
                drawn.append(card)
            self.happened("draw", seat, tuple(drawn))

    def move_marker(self, played):
        """ "After any turn in which a tie occurred: Pass the Tie Breaker Marker to the player on
        the left", once; Dark Priestesses are no tie (R-E7)."""
        shown = [number for cards in played for number in cards if number != DARK_PRIESTESS]
        if len(shown) > len(set(shown)):
            self.holder = (self.holder + 1) % self.options.players
        self.happened("marker", self.holder)

    # ---- Round End, Game End ----

    def score_round(self):
        """Round Scoring; and with Con/Pub: "The player with the highest VP for that round collects
        1 Egg Token", each of them if tied."""
        points = []
        for seat in self.seats:
            eggs = sum(self.value[place] for place in self.owned[seat])
            points.append(eggs + 6 * self.merchants[seat] - 4 * self.blacksmiths[seat])
            self.totals[seat] += points[seat]
            self.all_merchants[seat] += self.merchants[seat]
            self.all_blacksmiths[seat] += self.blacksmiths[seat]
        if self.options.con_pub:
            for seat in self.seats:
                if points[seat] == max(points):
                    self.tokens[seat] += 1
        self.happened("round", self.r, tuple(points), tuple(self.totals), tuple(self.tokens))

    def is_over(self, rounds_played):
        if self.options.con_pub:
            return max(self.tokens) >= TOKENS_NEEDED[self.options.players]
        return rounds_played == self.options.rounds

    def shares(self):
        """ "The player with the highest total VP wins. If tied: The tied players share the victory"
        (R-E22). With Con/Pub only those with enough tokens compete for that (R-E21)."""
        candidates = list(self.seats)
        if self.options.con_pub:
            needed = TOKENS_NEEDED[self.options.players]
            candidates = [seat for seat in self.seats if self.tokens[seat] >= needed]
        best = max(self.totals[seat] for seat in candidates)
        winners = [seat for seat in candidates if self.totals[seat] == best]
        return [Fraction(1, len(winners)) if s in winners else Fraction(0) for s in self.seats]


def play(options, egg_decks, empire_decks, reshuffle, holder, choose):
    """Play a game with these decks, choose(seat, kind, choices) making every decision.
    Returns the list of events and a dict with the result."""
    table = Table(options, holder, choose)
    rounds_played = 0
    while not table.is_over(rounds_played):
        r = rounds_played
        table.set_up_round(r, egg_decks[r], empire_decks[r], reshuffle[r])
        for t in range(options.turns):
            table.play_turn(t)
        table.score_round()
        rounds_played += 1
    shares = table.shares()
    table.happened("end", tuple(table.totals), tuple(table.tokens), tuple(shares))
    result = {
        "totals": table.totals,
        "tokens": table.tokens,
        "shares": shares,
        "rounds_played": rounds_played,
        "merchants": table.all_merchants,
        "blacksmiths": table.all_blacksmiths,
    }
    return table.events, result


def random_game(options: Options, rng: random.Random):
    """Deal all that chance decides, for as many rounds as the game can take.
    Returns (egg_decks, empire_decks, reshuffle, holder) as `play` wants them."""
    rounds = LONGEST_CON_PUB[options.players] if options.con_pub else options.rounds
    egg_decks, empire_decks, reshuffle = [], [], []
    for _ in range(rounds):
        egg_decks.append(shuffled(options.eggs, rng))
        decks = [shuffled(options.adventurers * options.decks, rng) for _ in range(options.players)]
        empire_decks.append(decks)
        # After a mulligan the pile is the old hand and what lies below the new one (R-E15).
        size = options.hand
        reshuffle.append([shuffled(deck[:size] + deck[2 * size :], rng) for deck in decks])
    return egg_decks, empire_decks, reshuffle, rng.randrange(options.players)


def shuffled(cards, rng):
    cards = list(cards)
    rng.shuffle(cards)
    return cards
