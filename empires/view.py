"""What one seat sees in every lane in which it decides, as NumPy arrays, for vectorised agents."""

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from empires import actions, rules
from empires.choices import base_in_all
from empires.compact import UNKNOWN
from empires.layout import (
    ACTING,
    EGGS,
    FIRST_VISIBLE,
    HANDS,
    HIDDEN,
    HOLDER,
    KNOWN,
    OFFER,
    OWNED,
    PLAYED,
    POINTS,
    SEATS,
    SECRET,
    TABLE,
    TOKENS,
    TOTALS,
)
from empires.rules import Rules
from simulator.words import Words

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class BlockView:
    """What `player` sees; the first axis of arrays is the decision, and none can be written to.

    Attributes
    ----------
    player : int
        The seat that observes.
    phase : str
        The kind of decision: "mulligan", "card", "pick", "gift" or "discard".
    round, turn : int
        From 0.
    lanes : int
        Decisions, one in each playthrough in which the seat decides now.
    rules : Rules
    """

    rules: Rules
    player: int
    phase: str
    round: int
    turn: int
    lanes: int
    _view: Words

    def __init__(
        self, rules: Rules, player: int, phase: str, round: int, turn: int, view: Words
    ) -> None:
        self.__dict__.update(
            rules=rules, player=player, phase=phase, round=round, turn=turn,
            lanes=view.shape[1], _view=_fixed(view),
        )  # fmt: skip

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a view cannot be changed (its {name!r} was to be)")

    def _row(self, row: int) -> Numbers:
        """Return a row as unsigned numbers."""
        return self._view[row - FIRST_VISIBLE].astype(np.int64)  # type: ignore[no-any-return]

    def _signed(self, row: int) -> Numbers:
        """Return a row as signed numbers."""
        return self._view[row - FIRST_VISIBLE].astype(np.int32).astype(np.int64)  # type: ignore[no-any-return]

    # --- Cards ----------------------------------------------------------------------------------

    @cached_property
    def hand(self) -> Numbers:
        """Copies of each Adventurer in hand, [lanes, 11]; column n for number n."""
        return _copies(self._row(HANDS + self.player))

    def played(self, player: int) -> Numbers:
        """Return the copies of each Adventurer that a player has played this round, [lanes, 11]."""
        return _copies(self._row(PLAYED + player))

    def table(self, player: int) -> Numbers:
        """Return what lies before a player this turn, [lanes, 2], ascending, 0 for none."""
        cards = self._row(TABLE + player)
        return _fixed(np.stack([cards & 15, cards >> 4], axis=1))  # type: ignore[no-any-return]

    @cached_property
    def acting(self) -> Numbers:
        """The Adventurer whose pick or power is due, [lanes]; 0 in other decisions."""
        return _fixed(self._row(ACTING))  # type: ignore[no-any-return]

    @cached_property
    def holder(self) -> Numbers:
        """The seat with the tie breaker marker, [lanes] (0 before it is out)."""
        return _fixed(self._row(HOLDER))  # type: ignore[no-any-return]

    # --- Eggs -----------------------------------------------------------------------------------

    @cached_property
    def base(self) -> Numbers:
        """The place in the egg deck of the first egg on offer, [lanes]."""
        return _fixed(base_in_all(self._row(OFFER)))  # type: ignore[no-any-return]

    @cached_property
    def left(self) -> Flags:
        """Which eggs on offer nobody has taken, bool[lanes, 10]; column w is place base + w."""
        return _bits(self._row(OFFER), rules.MAX_OFFERED)

    @cached_property
    def face_down(self) -> Flags:
        """Which places on offer hold face-down eggs, bool[lanes, 10]."""
        offer = self._row(OFFER)
        face_up, offered = (offer >> 14) & 15, (offer >> 10) & 15
        w = np.arange(rules.MAX_OFFERED)
        return _fixed((w >= face_up[:, None]) & (w < offered[:, None]))  # type: ignore[no-any-return]

    @cached_property
    def values(self) -> Numbers:
        """Values of the eggs on offer, [lanes, 10]; UNKNOWN where the seat cannot know it."""
        w, last = np.arange(rules.MAX_OFFERED), len(self.rules.eggs) - 1
        places = self.base[:, None] + w
        rows = (EGGS - FIRST_VISIBLE) + np.minimum(places, last)
        values = np.take_along_axis(self._view, rows.T, axis=0).T.astype(np.int32).astype(np.int64)
        values[w >= ((self._row(OFFER) >> 10) & 15)[:, None]] = 0
        secret = self.face_down & ~_at(self._known, places)
        return _fixed(np.where(secret, UNKNOWN, values))  # type: ignore[no-any-return]

    @cached_property
    def _known(self) -> Flags:
        """Which places' hidden eggs the seat knows, bool[lanes, 64]."""
        return _places(self._view, KNOWN + 2 * self.player)

    def owned(self, player: int) -> Flags:
        """Return which eggs lie before a player, bool[lanes, eggs] by their places."""
        return _fixed(_places(self._view, OWNED + 2 * player)[:, : len(self.rules.eggs)])  # type: ignore[no-any-return]

    @cached_property
    def egg_values(self) -> Numbers:
        """Values by place, [lanes, eggs], of the eggs that the seat knows; UNKNOWN for others."""
        count = len(self.rules.eggs)
        rows = np.stack([self._signed(EGGS + place) for place in range(count)], axis=1)
        offer = self._row(OFFER)
        shown = np.arange(count) < (self.base + ((offer >> 10) & 15))[:, None]
        hidden = _places(self._view, HIDDEN)[:, :count] & ~self._known[:, :count]
        return _fixed(np.where(shown & ~hidden, rows, UNKNOWN))  # type: ignore[no-any-return]

    # --- Points ---------------------------------------------------------------------------------

    @cached_property
    def totals(self) -> Numbers:
        """Points of the rounds that are over, [lanes, players]."""
        return self._of_all(TOTALS)

    @cached_property
    def points(self) -> Numbers:
        """Points of this round as far as the seat knows them, [lanes, players]."""
        return _fixed(self._of_all(POINTS) + self._of_all(SECRET + SEATS * self.player))  # type: ignore[no-any-return]

    @cached_property
    def tokens(self) -> Numbers:
        """Egg tokens, [lanes, players]."""
        return self._of_all(TOKENS)

    def _of_all(self, row: int) -> Numbers:
        players = range(self.rules.players)
        return _fixed(np.stack([self._signed(row + seat) for seat in players], axis=1))  # type: ignore[no-any-return]

    # --- Actions --------------------------------------------------------------------------------

    @cached_property
    def legal(self) -> Flags:
        """Own legal actions, bool[lanes, num_actions]."""
        legal = np.zeros((self.lanes, actions.NUM_ACTIONS), np.bool_)
        getattr(self, f"_allow_{self.phase}")(legal)
        return _fixed(legal)  # type: ignore[no-any-return]

    def _allow_mulligan(self, legal: Flags) -> None:
        legal[:, [actions.KEEP_HAND, actions.REDRAW]] = True

    def _allow_card(self, legal: Flags) -> None:
        held = self.hand > 0
        if self.rules.cards_a_turn == 1:
            legal[:, actions.FIRST_CARD : actions.FIRST_PAIR] = held[:, 1:]
            return
        for number, (low, high) in enumerate(actions.PAIRS):
            legal[:, actions.FIRST_PAIR + number] = held[:, low] & held[:, high]

    def _allow_pick(self, legal: Flags) -> None:
        mage = (self.acting == rules.MAGE)[:, None]
        open_ones = self.left & ~self.face_down
        allowed = self.left & ~(mage & open_ones & (self.values < 0))
        lane, w = np.nonzero(allowed)
        legal[lane, actions.FIRST_EGG + self.base[lane] + w] = True
        refuses = mage[:, 0] & ~(allowed & ~self.face_down).any(axis=1)
        legal[:, actions.TAKE_NOTHING] = refuses

    def _allow_gift(self, legal: Flags) -> None:
        legal[:, actions.KEEP_EGG] = True
        for seat in range(self.rules.players):
            legal[:, actions.FIRST_GIFT + seat] = seat != self.player

    def _allow_discard(self, legal: Flags) -> None:
        legal[:, actions.DISCARD_NOTHING] = True
        owned = self.owned(self.player)
        legal[:, actions.FIRST_DISCARD : actions.FIRST_DISCARD + owned.shape[1]] = owned

    def view(self) -> Words:
        """Return the rows from `layout.FIRST_VISIBLE` on, uint32[rows, lanes]."""
        return self._view


def _bits(words: Numbers, count: int) -> Flags:
    """Return the lowest bits of words, bool[words, count]."""
    return _fixed((words[:, None] >> np.arange(count) & 1).astype(np.bool_))  # type: ignore[no-any-return]


def _places(view: Words, row: int) -> Flags:
    """Return a set of places in two rows as bool[lanes, 64]."""
    low, high = view[row - FIRST_VISIBLE], view[row + 1 - FIRST_VISIBLE]
    both = low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)
    bits = both[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    return bits.astype(np.bool_)  # type: ignore[no-any-return]


def _at(flags: Flags, places: Numbers) -> Flags:
    """Return flags[lane, places[lane]], False beyond the end."""
    inside = np.minimum(places, flags.shape[1] - 1)
    taken: Flags = np.take_along_axis(flags, inside, axis=1)
    return taken


def _copies(cards: Numbers) -> Numbers:
    """Return how many of each number are in sets of cards, [sets, 11]."""
    shifts = np.arange(rules.MAX_NUMBER)
    once, twice = cards[:, None] >> shifts & 1, cards[:, None] >> (shifts + rules.TWICE) & 1
    return _fixed(np.pad(once + twice, ((0, 0), (1, 0))))  # type: ignore[no-any-return]


def _fixed(array: Any) -> Any:
    """Return an array that cannot be written to any more."""
    array.setflags(write=False)
    return array
