"""A certificate of an exact solution as its checker reads it; it shares no code with the solvers.

What the file holds is told in `agents/solvers/certificates.py`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrich import Rules, rules
from simulator.inputs import UsageError
from simulator.stored import read_stored

Array = npt.NDArray[Any]
ARRAYS = {"seen": "uint32", "positions": "uint32", "values": "float64", "joint": "int32",
          "mixed": "float64"}  # fmt: skip


class CertificateFile:
    """A certificate, opened, its states checked for order and for the start of the game.

    Raises
    ------
    UsageError
        If the file is damaged or no certificate, or its states are not as they must be.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header, arrays = read_stored(path, "certificate")
        for name, value in (("game", "ostrich"), ("rules_version", rules.RULES_VERSION)):
            if self.header.get(name) != value:
                raise self.wrong(f"its {name} is {self.header.get(name)!r}, not {value!r}")
        try:
            self.rules = Rules.from_data(self.header["rules"])
        except (KeyError, TypeError, ValueError) as error:
            raise self.wrong(f"its rules are none: {error}") from error
        if self.rules.as_data() != self.header["rules"]:
            raise self.wrong("its rules are not written as rules are")
        players, actions = self.rules.players, self.rules.num_actions
        self.seen, self.positions, self.values, self.joint, self.mixed = (
            self._array(arrays, name) for name in ARRAYS
        )
        states = len(self.seen)
        shapes = ((states, players), (states, players), (len(self.mixed), players, actions))
        if (self.positions.shape, self.values.shape, self.mixed.shape) != shapes:
            raise self.wrong("its arrays do not belong together")
        self.facts = self.rules.facts()
        self.words, numbers = np.unique(self.positions, return_inverse=True)
        self.masks, sets = np.unique(self.seen, return_inverse=True)
        self.keys = self.key(sets, numbers.reshape(self.positions.shape))
        self.rounds = np.array([int(mask).bit_count() for mask in self.masks])[sets]
        self._check_rows()

    def wrong(self, what: str) -> UsageError:
        """Return the error that says what is wrong with the file."""
        return UsageError(f"{self.path} proves nothing: {what}")

    def key(self, sets: Array, numbers: Array) -> Array:
        """Return one number for each state, ascending as states must."""
        key = sets.astype(np.int64)
        for column in numbers.T:
            key = key * len(self.words) + column
        return key

    def _array(self, arrays: Mapping[str, Array], name: str) -> Array:
        """Return an array of the type that it must have."""
        if name not in arrays or arrays[name].dtype != ARRAYS[name] or not arrays[name].ndim:
            raise self.wrong(f"it has no array {name!r} of {ARRAYS[name]}")
        if not np.isfinite(arrays[name]).all():
            raise self.wrong(f"{name!r} has numbers that are not finite")
        return arrays[name]

    def _check_rows(self) -> None:
        """Check that states ascend without repeats from the start of the game."""
        ascends = np.diff(self.rounds) > 0
        ascends |= (np.diff(self.rounds) == 0) & (np.diff(self.keys) > 0)
        if not ascends.all():
            raise self.wrong(f"state {int(ascends.argmin()) + 1} is out of order")
        if (np.diff(self.positions.astype(np.int64), axis=1) < 0).any():
            raise self.wrong("the players of a state are not in ascending order")
        start = self.facts[rules.START]
        if not len(self.seen) or self.seen[0] or (self.positions[0] != start).any():
            raise self.wrong("the start of the game is not there")
        payoffs = ("win_share", "score_difference") if self.rules.players == 2 else ("win_share",)
        if self.header.get("payoff") not in payoffs:
            raise self.wrong(f"its payoff is {self.header.get('payoff')!r}")

    def find(self, masks: Array, positions: Array) -> Array:
        """Return the row of each state, all of which must be there."""
        sets = np.searchsorted(self.masks, masks).clip(max=len(self.masks) - 1)
        numbers = np.searchsorted(self.words, positions).clip(max=len(self.words) - 1)
        keys = self.key(sets, numbers)
        # keys ascend within a round only
        turn = int(masks[0]).bit_count()
        low, high = np.searchsorted(self.rounds, [turn, turn + 1])
        rows = low + np.searchsorted(self.keys[low:high], keys)
        rows = rows.clip(max=len(self.keys) - 1)
        there = (self.seen[rows] == masks) & (self.positions[rows] == positions).all(axis=1)
        if not there.all():
            lost = positions[int(there.argmin())].tolist()
            raise self.wrong(f"the state with positions {lost} after round {turn} is missing")
        return np.asarray(rows)

    def stage_numbers(self) -> Array:
        """Return the number of each state's stage game by card, ascending; -1 where none is."""
        deck = np.array(self.rules.deck)
        hidden = (self.seen[:, None] >> np.arange(len(deck), dtype=np.uint32) & 1) == 0
        there = np.stack([hidden[:, deck == card].any(axis=1) for card in np.unique(deck)], axis=1)
        if there.sum() != len(self.joint):
            raise self.wrong(f"it has {len(self.joint)} stage games for {there.sum()}")
        used = -1 - self.joint[self.joint < 0].astype(np.int64)
        if len(used) != len(self.mixed) or (used != np.arange(len(used))).any():
            raise self.wrong("its mixed policies are not used in order, once each")
        return np.where(there, there.ravel().cumsum().reshape(there.shape) - 1, -1)
