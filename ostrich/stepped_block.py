"""A block at a round's claims, for the simulator's `stepping`, which explains the methods."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numpy import int32

from ostrich import rules
from ostrich.block import ACTIONS, CARD, POSITIONS, SEEN
from ostrich.observation import Observation
from ostrich.view import BlockView
from simulator.compiling import compiled
from simulator.stepping import Decision
from simulator.words import Word, Words

Numbers = npt.NDArray[np.int64]


@compiled("int64(uint32[::1],uint32[::1],uint32,int64[::1])", late=True)
def _put(positions: Words, actions: Words, skip: Word, chosen: Numbers) -> Word:
    """Fill a seat's row of actions; return the first lane with an illegal one, or -1.

    What is chosen for a player who is out is ignored.
    """
    fault = np.int64(-1)
    for lane in range(actions.size):
        listed = 0 <= chosen[lane] <= np.int64(skip)
        action = np.uint32(chosen[lane]) if listed else np.uint32(rules.MAX_CARDS)
        action = np.uint32(rules.NO_ACTION) if rules.is_out(positions[lane]) else action
        if fault < 0 and not rules.is_allowed(positions[lane], action, skip):
            fault = np.int64(lane)
        actions[lane] = action
    return fault


class SteppedBlock:
    """Some playthroughs in which every player who is not out is to claim."""

    def __init__(self, game: Any, block: Words, decision: Decision) -> None:
        self._game, self._block, self._round = game, block, decision.moment

    def lanes(self, seat: int) -> Numbers:
        """Return all lanes, int64[lanes]."""
        return np.arange(self._block.shape[1])

    def slots(self, seat: int, lanes: Numbers) -> npt.NDArray[np.uint64]:
        """Return the slots of the random words: the round."""
        return np.full(len(lanes), self._round, np.uint64)

    def view(self, seat: int, lanes: Numbers) -> BlockView:
        """Return what a seat sees in all lanes."""
        players = self._game.rules.players
        positions = self._block[POSITIONS : POSITIONS + players]
        card, seen = self._block[CARD], self._block[SEEN]
        return BlockView(self._game.rules, seat, self._round, positions, card, seen)

    def observations(self, seat: int, lanes: Numbers) -> list[Observation | None]:
        """Return what a seat sees in each lane, None where it is out."""
        variant = self._game.rules
        rows = self._block[POSITIONS : POSITIONS + variant.players].T.tolist()
        cards, seen = self._block[CARD].tolist(), self._block[SEEN].tolist()
        return [
            None
            if rules.is_out(row[seat])
            else Observation(variant, seat, tuple(row), card, self._round, bits)
            for row, card, bits in zip(rows, cards, seen, strict=True)
        ]

    def put(self, seat: int, lanes: Numbers, actions: Numbers) -> tuple[int, str] | None:
        """Take a seat's actions; return (lane, what) of the first illegal one."""
        positions, row = self._block[POSITIONS + seat], self._block[ACTIONS + seat]
        lane = int(_put(positions, row, self._game.rules.skip, actions))
        if lane < 0:
            return None
        action, position = int(actions[lane]), int(positions[lane])
        return lane, self._game.fault_text(self._round, action, position)

    def fault(self, seat: int, lanes: Numbers) -> tuple[int, str] | None:
        """Return (lane, what) of the first illegal action in a seat's row."""
        positions, row = self._block[POSITIONS + seat], self._block[ACTIONS + seat]
        for lane, (position, action) in enumerate(zip(positions, row, strict=True)):
            if not rules.is_allowed(position, action, self._game.rules.skip):
                signed = int(int32(action))  # as the agent wrote it
                return lane, self._game.fault_text(self._round, signed, int(position))
        return None

    def chosen(self, seat: int, lanes: Numbers) -> list[int | None]:
        """Return what a seat has chosen in each lane, None where it is out."""
        row = self._block[ACTIONS + seat].tolist()
        return [None if action == rules.NO_ACTION else action for action in row]
