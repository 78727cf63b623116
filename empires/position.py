"""All that lies on the table in one playthrough, what is hidden too, and how it changes by itself.

What changes in place is a list or a dictionary of things that do not change, so that a copy costs
little: solvers copy positions all the time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from empires import rules
from empires.layout import FIRST_VISIBLE, block_rows
from empires.orders import Orders
from empires.plain import around
from empires.rules import Rules

Card = tuple[int, int]  # on the table: seat, number
#: What happened; what is known of it to those who do not know all; who does, None for all.
Event = tuple[tuple[Any, ...], tuple[Any, ...], frozenset[int] | None]

DECIDED_BY_ALL = ("mulligan", "card")
DECISIONS = (*DECIDED_BY_ALL, "pick", "gift", "discard")


@dataclass(frozen=True)
class Facts:
    """Values of rules, computed once: `Rules` computes them whenever it is asked."""

    players: int
    decks: int
    hand: int
    turns: int
    max_rounds: int
    revealed: int
    eggs: tuple[int, ...]
    cards: tuple[int, ...]  # numbers of a player's cards, ascending
    waits: int  # 1 if Blacksmiths wait for Shepherds
    con_pub: int
    tokens_to_win: int
    rows: int  # of what a seat sees


@lru_cache(maxsize=64)
def facts_of(variant: Rules) -> Facts:
    """Return the facts of some rules."""
    return Facts(
        players=variant.players,
        decks=variant.cards_a_turn,
        hand=variant.hand_size,
        turns=variant.turns,
        max_rounds=variant.max_rounds,
        revealed=variant.eggs_a_turn,
        eggs=variant.eggs,
        cards=tuple(sorted(variant.adventurers * variant.cards_a_turn)),
        waits=rules.SHEPHERDS.index(variant.shepherd),
        con_pub=int(variant.con_pub),
        tokens_to_win=variant.tokens_to_win,
        rows=block_rows(len(variant.eggs)) - FIRST_VISIBLE,
    )


class Position:
    """A position in a playthrough.

    Eggs are named by their place in the round's egg deck; masks of the eggs on offer count from the
    first of these. All lists are seat by seat where nothing else is said.
    """

    rules: Rules
    facts: Facts
    orders: Orders | None
    round: int
    turn: int
    stage: str
    totals: list[int]  # points of the rounds that are over
    tokens: list[int]
    holder: Any  # of the marker, a seat; None before it is out
    hands: list[tuple[int, ...]]  # ascending
    piles: list[tuple[int, ...]]  # from the top, if the order is known
    drawn: list[tuple[int, ...]]
    old_hands: dict[int, tuple[int, ...]]  # by seat, until they are shuffled back
    mulligans: list[int]  # seats that redrew their hand
    played: list[tuple[int, ...]]  # ascending
    owned: list[tuple[int, ...]]  # places, in the order in which the eggs came
    bonuses: list[int]
    egg_pile: tuple[int, ...]  # values of eggs not yet drawn, from the top, if the order is known
    eggs: list[int]  # values, by place, of those drawn
    hidden: int  # bit p: the egg of place p was laid face down and never shown to all
    known: list[int]  # the same, of eggs whose value the seat has seen
    base: int  # place of the first egg on offer
    face_up: int  # how many eggs on offer were turned up; they come first
    offered: int  # how many are on offer in all
    left: int  # mask of those that nobody has taken
    negative: int  # mask of those worth less than 0
    scouts: list[int]  # who laid the face-down ones
    table: list[tuple[int, ...]]
    seen: int  # the set of all cards on the table
    got: dict[Card, int]  # the place of the egg that a card took
    queue: list[Card]  # whose pick or power is still to be
    acting: Card
    draws: list[tuple[str, int]]  # what comes before the next stage: "card", "egg" or "holder"
    events: list[Event]

    def __init__(self, variant: Rules, orders: Orders | None) -> None:
        self.rules, self.facts, self.orders = variant, facts_of(variant), orders
        players = self.facts.players
        self.round = self.turn = 0
        self.stage = ""
        self.holder = None
        self.totals, self.tokens = [0] * players, [0] * players
        self.draws, self.events = [], []
        self.clear_round()

    def clear_round(self) -> None:
        """Shuffle, and clear what belongs to a round."""
        players, orders = self.facts.players, self.orders
        self.piles = (
            list(orders.empire_decks[self.round]) if orders else [self.facts.cards] * players
        )
        self.egg_pile = orders.egg_decks[self.round] if orders else self.facts.eggs
        none: tuple[int, ...] = ()
        self.hands, self.drawn, self.played, self.owned = ([none] * players for _ in range(4))
        self.old_hands, self.mulligans = {}, []
        self.bonuses, self.known = [0] * players, [0] * players
        self.eggs, self.hidden = [], 0
        self.clear_offer(0)
        self.clear_turn()

    def clear_offer(self, face_up: int) -> None:
        """Discard the eggs on offer, of which so many will come next face up."""
        self.base, self.face_up = len(self.eggs), face_up
        self.offered = self.left = self.negative = 0
        self.scouts = []

    def clear_turn(self) -> None:
        """Clear what belongs to a turn."""
        self.table, self.seen = [()] * self.facts.players, 0
        self.got, self.queue, self.acting = {}, [], (0, 0)

    def copy(self) -> "Position":
        """Return a copy that goes its own way."""
        other = Position.__new__(Position)
        values = other.__dict__
        values.update(self.__dict__)
        for name in IN_PLACE:
            values[name] = values[name].copy()
        return other

    def deciders(self) -> Sequence[int]:
        """Return the seats that are to decide now."""
        if self.draws or self.stage not in DECISIONS:
            return ()
        return range(self.facts.players) if self.stage in DECIDED_BY_ALL else self.acting[:1]

    # --- Draws ------------------------------------------------------------------------------------

    def next_outcome(self) -> int:
        """Return what the orders say of the next draw."""
        assert self.orders is not None
        what, seat = self.draws[0]
        if what == "holder":
            return self.orders.holder
        return self.egg_pile[0] if what == "egg" else self.piles[seat][0]

    def draw(self, outcome: int) -> None:
        """Carry out the first of the draws."""
        what, seat = self.draws.pop(0)
        if what == "holder":
            self.holder = outcome
        elif what == "card":
            self.piles[seat] = _without(self.piles[seat], outcome)
            self.hands[seat] = tuple(sorted((*self.hands[seat], outcome)))
            self.drawn[seat] += (outcome,)
        else:
            self.egg_pile = _without(self.egg_pile, outcome)
            self._lay(outcome, seat)

    def _lay(self, value: int, scout: int) -> None:
        """Lay an egg in the middle: a Scout's seat lays it face down, -1 face up."""
        place, bit = len(self.eggs), 1 << self.offered
        self.eggs.append(value)
        self.offered += 1
        self.left |= bit
        self.negative |= bit if value < 0 else 0
        if scout >= 0:
            self.hidden |= 1 << place
            self.known[scout] |= 1 << place
            self.scouts.append(scout)
            self.log(("scout", scout, place))

    def reveal(self) -> None:
        """Turn up new eggs, as many as there are (R-E14)."""
        self.clear_offer(min(self.facts.revealed, len(self.egg_pile)))
        self.draws += [("egg", -1)] * self.face_up

    def log_reveal(self, turn: int) -> None:
        """Write down which eggs were turned up for a turn."""
        places = tuple(range(self.base, self.base + self.face_up))
        self.log(("reveal", self.round, turn, places))

    # --- Eggs and cards ---------------------------------------------------------------------------

    def take(self, seat: int, place: int) -> None:
        """Lay an egg before a seat, who then knows it."""
        self.owned[seat] += (place,)
        self.known[seat] |= self.hidden & 1 << place

    def give_up(self, seat: int, place: int) -> None:
        """Take an egg from a seat."""
        self.owned[seat] = _without(self.owned[seat], place)

    def places_left(self) -> tuple[int, ...]:
        """Return the places of the eggs on offer that nobody has taken."""
        return tuple(self.base + w for w in range(self.offered) if self.left >> w & 1)

    def collected(self, number: int) -> list[Card]:
        """Return the cards of a number that collected an egg, from the marker's holder on."""
        seats = around(self.holder, self.facts.players)
        return [(seat, number) for seat in seats if (seat, number) in self.got]

    def won(self, seat: int) -> int:
        """Return a seat's points of this round."""
        return sum([self.eggs[place] for place in self.owned[seat]]) + self.bonuses[seat]

    def has_winner(self) -> bool:
        """Return whether somebody has tokens enough to win (rule 11)."""
        return bool(self.facts.con_pub) and max(self.tokens) >= self.facts.tokens_to_win

    def returns(self) -> list[float]:
        """Return each player's share of the win, if this is the end (rules 9 and 11)."""
        needed, con_pub = self.facts.tokens_to_win, self.facts.con_pub
        standings = [
            int(rules.standing_of(total & 0xFFFFFFFF, tokens, needed, con_pub))
            for total, tokens in zip(self.totals, self.tokens, strict=True)
        ]
        best = max(standings)
        share = int(rules.win_units(standings.count(best))) / rules.SHARE_UNITS
        return [share if standing == best else 0.0 for standing in standings]

    # --- What happened ----------------------------------------------------------------------------

    def log(
        self,
        event: tuple[Any, ...],
        public: tuple[Any, ...] | None = None,
        knowers: frozenset[int] | None = None,
    ) -> None:
        """Write down what happened; if there are `knowers`, others know `public` only."""
        self.events.append((event, event if public is None else public, knowers))


#: The attributes that change in place.
IN_PLACE = [
    name
    for name, kind in Position.__annotations__.items()
    if getattr(kind, "__origin__", None) in (list, dict)
]


def _without(items: tuple[int, ...], item: int) -> tuple[int, ...]:
    """Return items without the first of those that equal `item`."""
    at = items.index(item)
    return items[:at] + items[at + 1 :]
