"""A block played turn by turn, for the simulator's `stepping`: the steps of `block.play`, apart."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrich import rules
from ostrich.block import (
    ACTIONS,
    CARD,
    FAULT,
    POSITIONS,
    SEEN,
    block_rows,
    count,
    deal,
    draw_words,
    keep,
    note_fault,
    resolve,
    reveal,
    settle,
    take_actions,
)
from ostrich.observation import Observation
from ostrich.view import BlockView


class SteppedBlock:
    """Some playthroughs between two turns; `simulator.stepping` says what each method is for."""

    def __init__(self, game: Any, seed: int, first: int, lanes: int) -> None:
        self._game, self._seed, self._first = game, seed, first
        self.lanes = lanes
        self.slots = game.rules.rounds
        self._illegal = 0
        self._given: dict[int, npt.NDArray[np.int64]] = {}
        self._block = np.zeros((block_rows(len(game.rules.deck)), lanes), np.uint32)
        deal(self._block, game.facts, game.equals, game.network, seed, first)

    def open(self, slot: int) -> None:
        """Turn up the card of round `slot`."""
        reveal(self._block, self._game.facts, slot)

    def decide(self, slot: int, seat: int, agent: Any) -> None:
        """Let a compiled agent choose."""
        if agent.draws:
            draw_words(self._block, self._seed, self._first, slot, seat)
        self._illegal += agent.over_lanes(
            self._block, self._game.facts, agent.parameters, self._seed, self._first, slot, seat
        )

    def view(self, slot: int, seat: int) -> BlockView:
        """Return what a seat sees in all lanes."""
        players = self._game.rules.players
        positions = self._block[POSITIONS : POSITIONS + players]
        card, seen = self._block[CARD], self._block[SEEN]
        return BlockView(self._game.rules, seat, slot, positions, card, seen)

    def observations(self, slot: int, seat: int) -> list[Observation | None]:
        """Return what a seat sees in each lane, None where it is out."""
        variant = self._game.rules
        rows = self._block[POSITIONS : POSITIONS + variant.players].T.tolist()
        cards, seen = self._block[CARD].tolist(), self._block[SEEN].tolist()
        return [
            None
            if rules.is_out(row[seat])
            else Observation(variant, seat, tuple(row), card, slot, bits)
            for row, card, bits in zip(rows, cards, seen, strict=True)
        ]

    def put(self, seat: int, actions: npt.NDArray[np.int64]) -> None:
        """Take a seat's actions, int64[lanes]; those of players who are out are ignored."""
        self._given[seat] = actions
        self._illegal += take_actions(self._block, self._game.facts, seat, actions)

    def joint_action(self, lane: int) -> list[int | None]:
        """Return what each seat has chosen in a lane, None for one who is out."""
        chosen = self._block[ACTIONS : ACTIONS + self._game.num_players, lane].tolist()
        given = {seat: int(actions[lane]) for seat, actions in self._given.items()}
        return [
            None if action == rules.NO_ACTION else given.get(seat, action)
            for seat, action in enumerate(chosen)
        ]

    def close(self, slot: int) -> tuple[int, int, str] | None:
        """Carry all actions out, or return (seat, lane, what) of an illegal one."""
        if self._illegal == 0:
            resolve(self._block, self._game.facts)
            self._given.clear()
            return None
        fault = np.zeros(len(FAULT), np.int64)
        note_fault(self._block, self._game.facts, self._first, slot, fault)
        seat, lane = int(fault[0]), int(fault[1]) - self._first
        if seat in self._given:
            fault[3] = self._given[seat][lane]
        return seat, lane, self._game.fault_text(fault)

    def record(self, ledger: Any, totals: Any) -> None:
        """Settle the block and add it to totals, int64[players, counters], and to what is kept."""
        settle(self._block, self._game.facts)
        count(self._block, self._game.facts, totals)
        if ledger.scores.shape[1]:
            keep(self._block, self._first - ledger.start, ledger.twelfths, ledger.scores)
