"""What one seat sees in every lane at once, as NumPy arrays, for vectorised agents."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from ostrich import rules
from ostrich.rules import Rules
from simulator.compiling import compiled
from simulator.words import Words

Numbers = npt.NDArray[np.int64]
_ROW, _TABLE = types.int64[::1], types.int64[:, ::1]


@compiled(types.void(types.uint32[::1], types.uint32, _TABLE), late=True)
def legal_table(positions: Words, skip: int, legal: Numbers) -> None:
    """Fill int64[lanes, num_actions], in place, with 1 where an action is legal."""
    for lane in range(positions.size):
        mask = np.int64(rules.legal_actions(positions[lane], skip))
        for action in range(legal.shape[1]):
            legal[lane, action] = (mask >> action) & 1


@compiled(types.void(types.uint32[::1], _TABLE, _ROW, _ROW), late=True)
def _read(positions: Words, bags: Numbers, ambers: Numbers, lying_out: Numbers) -> None:
    """Fill a `Player`'s arrays, in place, from a row of positions."""
    for lane in range(positions.size):
        position = positions[lane]
        for bag in range(bags.shape[0]):
            whole = rules.is_whole(position, bag) != 0
            bags[bag, lane] = np.int64(rules.eggs_in(position, bag)) if whole else -1
        ambers[lane] = rules.ambers_of(position)
        out = np.int64(rules.lying_out(position))
        lying_out[lane] = -1 if out == rules.NO_ACTION else out


class Player(NamedTuple):
    """One player in every lane."""

    bags: Numbers  # [bags, lanes], eggs in each bag, -1 where it is broken
    ambers: Numbers  # [lanes]
    lying_out: Numbers  # [lanes], the action that lies out, -1 for none


class BlockView:
    """What `player` sees; the last axis of arrays is the lane, and none can be written to.

    Attributes
    ----------
    player : int
        The seat that observes.
    round : int
        Rounds played before this one.
    card : int64[lanes]
        Eggs on the card that lies open, 0 for an amber.
    rules : Rules
    lanes : int
    """

    rules: Rules
    player: int
    round: int
    lanes: int
    card: Numbers
    _positions: Words
    _seen: Numbers

    def __init__(
        self, rules: Rules, player: int, turn: int, positions: Words, card: Words, seen: Words
    ) -> None:
        self.__dict__.update(
            rules=rules,
            player=player,
            round=turn,
            lanes=positions.shape[1],
            card=_fixed(card.astype(np.int64)),
            _positions=positions.copy(),
            _seen=_fixed(seen.astype(np.int64)),
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a view cannot be changed (its {name!r} was to be)")

    @property
    def skip(self) -> int:
        """The action that skips."""
        return self.rules.skip

    @cached_property
    def legal(self) -> npt.NDArray[np.bool_]:
        """Own legal actions, bool[lanes, num_actions]; none where one is out."""
        legal = np.empty((self.lanes, self.rules.num_actions), np.int64)
        legal_table(self._positions[self.player], self.rules.skip, legal)
        return _fixed(legal.astype(bool))  # type: ignore[no-any-return]

    @property
    def positions(self) -> Words:
        """All players' packed positions, uint32[players, lanes], as `ostrich.rules` reads them."""
        return _fixed(self._positions.view())  # type: ignore[no-any-return]

    @property
    def seen(self) -> Numbers:
        """The cards that have been turned up, [lanes]: bit c for card c of the sorted deck."""
        return self._seen

    def player_at(self, player: int) -> Player:
        """Return what lies before a player."""
        bags = np.empty((len(self.rules.bags), self.lanes), np.int64)
        ambers, lying_out = np.empty(self.lanes, np.int64), np.empty(self.lanes, np.int64)
        _read(self._positions[player], bags, ambers, lying_out)
        return Player(_fixed(bags), _fixed(ambers), _fixed(lying_out))

    @cached_property
    def own(self) -> Player:
        """What lies before the player who observes."""
        return self.player_at(self.player)

    def unseen(self, card: int) -> Numbers:
        """Return how many cards of a value have not been turned up, [lanes]; removed ones count."""
        numbers = [n for n, value in enumerate(self.rules.deck) if value == card]
        hidden = sum((1 - (self._seen >> n & 1) for n in numbers), np.zeros(self.lanes, np.int64))
        return _fixed(hidden)  # type: ignore[no-any-return]


def _fixed(array: Any) -> Any:
    """Return an array that cannot be written to any more."""
    array.setflags(write=False)
    return array
