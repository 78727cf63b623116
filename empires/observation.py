"""What one seat sees, in plain Python.

R-E19: cards and discards once played, and who took which egg, are seen by all; hands and decks by
their owner or nobody. A face-up egg's value is known to all, also once it lies face down before its
owner; a face-down one's to the Scout who laid it, to whoever took it and to whom it was given; that
of an egg that a Priest discards to all.

An observation holds one column of a block (`layout`), in which all is 0 that the seat cannot know.
"""

from typing import Any, NamedTuple

from empires import legal, rules
from empires.columns import number_on
from empires.layout import (
    ACTING,
    EGGS,
    FIRST_VISIBLE,
    GOT,
    HANDS,
    HIDDEN,
    HOLDER,
    KNOWN,
    MULLIGANS,
    OFFER,
    OWNED,
    PLAYED,
    POINTS,
    SCOUTS,
    SEATS,
    SECRET,
    TABLE,
    TOKENS,
    TOTALS,
)
from empires.plain import base_in, face_up_in, left_in, offered_in, signed
from empires.rules import Rules


class Egg(NamedTuple):
    """An egg as a seat knows it."""

    place: int  # in the round's egg deck, from 0
    value: int | None  # None if the seat cannot know it


class Observation:
    """What `player` sees; it cannot be changed.

    Attributes
    ----------
    player : int
        The seat that observes.
    phase : str
        The kind of decision: "mulligan", "card", "pick", "gift" or "discard"; "draw" at a chance
        node, "over" at the end.
    round, turn : int
        From 0.
    rules : Rules
    """

    __slots__ = ("_column", "phase", "player", "round", "rules", "turn")

    rules: Rules
    player: int
    phase: str
    round: int
    turn: int
    _column: tuple[int, ...]

    def __init__(
        self, rules: Rules, player: int, phase: str, round: int, turn: int, column: tuple[int, ...]
    ) -> None:
        put = object.__setattr__
        put(self, "rules", rules)
        put(self, "player", player)
        put(self, "phase", phase)
        put(self, "round", round)
        put(self, "turn", turn)
        put(self, "_column", column)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an observation cannot be changed (its {name!r} was to be)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an observation cannot be changed (its {name!r} was to go)")

    def _key(self) -> tuple[Any, ...]:
        return (self.rules, self.player, self.phase, self.round, self.turn, self._column)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Observation, self._key()

    def __repr__(self) -> str:
        return (
            f"Observation(player={self.player}, phase={self.phase!r}, round={self.round}, "
            f"turn={self.turn}, hand={self.hand}, offer={self.offer})"
        )

    def _at(self, row: int) -> int:
        return self._column[row - FIRST_VISIBLE]

    def column(self) -> tuple[int, ...]:
        """Return the rows from `layout.FIRST_VISIBLE` on."""
        return self._column

    # --- Cards ----------------------------------------------------------------------------------

    @property
    def hand(self) -> tuple[int, ...]:
        """The numbers in hand, ascending."""
        return _numbers(self._at(HANDS + self.player))

    def played(self, player: int | None = None) -> tuple[int, ...]:
        """Return what a player (by default oneself) has played this round, ascending."""
        return _numbers(self._at(PLAYED + self._seat(player)))

    def unplayed(self, player: int | None = None) -> tuple[int, ...]:
        """Return what a player holds or is still to draw this round, ascending."""
        cards = sorted(self.rules.adventurers * self.rules.cards_a_turn)
        for number in self.played(player):
            cards.remove(number)
        return tuple(cards)

    def table(self, player: int | None = None) -> tuple[int, ...]:
        """Return what lies before a player this turn, ascending; () before all have chosen."""
        cards = self._at(TABLE + self._seat(player))
        return tuple(number for i in (0, 1) if (number := int(number_on(cards, i))))

    @property
    def acting(self) -> int | None:
        """The Adventurer whose pick or power is due, None in other decisions."""
        return self._at(ACTING) or None

    @property
    def holder(self) -> int | None:
        """The seat with the tie breaker marker, None before it is out."""
        return None if self.round == 0 and not self._at(OFFER) else self._at(HOLDER)

    @property
    def mulligans(self) -> tuple[int, ...]:
        """The seats that redrew their hand this round."""
        bits = self._at(MULLIGANS)
        return tuple(seat for seat in range(self.rules.players) if bits >> seat & 1)

    # --- Eggs -----------------------------------------------------------------------------------

    @property
    def offer(self) -> tuple[Egg, ...]:
        """The eggs on offer that nobody has taken, in the order of their places."""
        word = self._at(OFFER)
        base, left = base_in(word), left_in(word)
        return tuple(self._egg(base + w) for w in range(offered_in(word)) if left >> w & 1)

    def offered(self) -> tuple[int, int, int, tuple[int, ...]]:
        """Return the place of the first egg on offer, how many lie face up, how many there are.

        Fourth, the places of all eggs that were laid face down and never shown to all.
        """
        word = self._at(OFFER)
        hidden = self._at(HIDDEN) | self._at(HIDDEN + 1) << 32
        places = tuple(p for p in range(len(self.rules.eggs)) if hidden >> p & 1)
        return base_in(word), face_up_in(word), offered_in(word), places

    def got(self, player: int) -> dict[int, int]:
        """Return the places of the eggs that a player's cards took this turn, by their numbers."""
        word = self._at(GOT + player)
        places = [word >> 8 * which & 255 for which in (0, 1)]
        numbers = self.table(player)
        return {n: place - 1 for n, place in zip(numbers, places, strict=False) if place}

    def is_face_down(self, place: int) -> bool:
        """Return whether an egg on offer lies face down."""
        word = self._at(OFFER)
        return place - base_in(word) >= face_up_in(word)

    def scout_of(self, place: int) -> int | None:
        """Return who laid an egg on offer face down, None for one that was turned up."""
        word = self._at(OFFER)
        w = place - base_in(word)
        return None if w < face_up_in(word) else self._at(SCOUTS) >> 3 * w & 7

    def owned(self, player: int | None = None) -> tuple[Egg, ...]:
        """Return the eggs that lie before a player (by default oneself), by their places."""
        seat = self._seat(player)
        bits = self._at(OWNED + 2 * seat) | self._at(OWNED + 2 * seat + 1) << 32
        return tuple(self._egg(place) for place in range(len(self.rules.eggs)) if bits >> place & 1)

    def known(self) -> dict[int, int]:
        """Return the values that the seat knows, by place."""
        word = self._at(OFFER)
        shown = base_in(word) + offered_in(word)
        hidden = self._at(HIDDEN) | self._at(HIDDEN + 1) << 32
        seen = self._at(KNOWN + 2 * self.player) | self._at(KNOWN + 2 * self.player + 1) << 32
        knows = (1 << shown) - 1 & ~hidden | seen
        places = (place for place in range(len(self.rules.eggs)) if knows >> place & 1)
        return {place: signed(self._at(EGGS + place)) for place in places}

    def unseen(self) -> dict[int, int]:
        """Return how many eggs of each value the seat has not seen this round."""
        left: dict[int, int] = {}
        for value in self.rules.eggs:
            left[value] = left.get(value, 0) + 1
        for value in self.known().values():
            left[value] -= 1
        return {value: count for value, count in left.items() if count}

    def _egg(self, place: int) -> Egg:
        word = HIDDEN + (place >> 5)
        bit = 1 << (place & 31)
        knows = self._at(KNOWN + 2 * self.player + (place >> 5)) & bit
        secret = self._at(word) & bit and not knows
        return Egg(place, None if secret else signed(self._at(EGGS + place)))

    # --- Points ---------------------------------------------------------------------------------

    def total(self, player: int | None = None) -> int:
        """Return a player's points of the rounds that are over."""
        return signed(self._at(TOTALS + self._seat(player)))

    def points(self, player: int | None = None) -> int:
        """Return a player's points of this round, as far as the seat knows them."""
        seat = self._seat(player)
        secret = self._at(SECRET + SEATS * self.player + seat)
        return signed((self._at(POINTS + seat) + secret) & 0xFFFFFFFF)

    def tokens(self, player: int | None = None) -> int:
        """Return a player's egg tokens."""
        return self._at(TOKENS + self._seat(player))

    def _seat(self, player: int | None) -> int:
        return self.player if player is None else player

    # --- Actions --------------------------------------------------------------------------------

    @property
    def legal_actions(self) -> list[int]:
        """Own legal actions, ascending; [] where one has nothing to decide."""
        if self.phase == "mulligan" and self._at(HANDS + self.player):
            return list(legal.MULLIGANS)
        if self.phase == "card":
            return list(legal.sends(self._at(HANDS + self.player), self.rules.cards_a_turn))
        if not self.acting:
            return []
        if self.phase == "pick":
            return list(self._picks(self.acting))
        if self.phase == "gift":
            return list(legal.gifts(self.player, self.rules.players))
        if self.phase == "discard":
            return list(legal.discards(egg.place for egg in self.owned()))
        return []

    def _picks(self, number: int) -> tuple[int, ...]:
        """Return the actions of the card whose turn it is to collect."""
        word = self._at(OFFER)
        base, face_up = base_in(word), face_up_in(word)
        negative = sum(1 << w for w in range(face_up) if signed(self._at(EGGS + base + w)) < 0)
        return legal.picks(number, base, face_up, left_in(word), negative)


def _numbers(cards: int) -> tuple[int, ...]:
    """Return the numbers in a set of cards, ascending."""
    return tuple(
        number
        for number in range(1, rules.MAX_NUMBER + 1)
        for copy in (0, rules.TWICE)
        if cards >> (number - 1 + copy) & 1
    )
