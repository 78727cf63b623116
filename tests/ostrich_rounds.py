"""A block of Ostrich, taken through its program round by round by a test."""

from typing import Any

import numpy as np

import ostrich
from ostrich.block import SCORES, SHARES, WORDS, deal, resolve, reveal, settle
from ostrich.view import BlockView
from simulator.program import COUNTS_LENGTH, draw_words
from simulator.stepping import Decision


class Rounds:
    """Some playthroughs between two rounds."""

    def __init__(self, game: ostrich.Game, seed: int, first: int, lanes: int) -> None:
        self._game, self._seed, self._first, self.lanes = game, seed, first, lanes
        self._block = np.zeros((game.program.rows, lanes), np.uint32)
        self._counts = np.zeros(COUNTS_LENGTH, np.int64)
        self._totals = np.zeros((game.num_players, len(game.counters)), np.int64)
        self._fault: Any = None
        self._step(deal)

    def _step(self, step: Any, turn: int = 0) -> None:
        program = self._game.program
        step(
            self._block, program.facts, program.networks, self._counts, self._totals, self._seed,
            self._first, turn, 0,
        )  # fmt: skip

    def _due(self, turn: int) -> Any:
        return self._game.stepped_block(self._block, self._counts, Decision(0, turn, 0))

    def open(self, turn: int) -> None:
        """Turn up the cards."""
        self._step(reveal, turn)
        self._turn = turn

    def view(self, turn: int, seat: int) -> BlockView:
        """Return what a seat sees."""
        view: BlockView = self._due(turn).view(seat, np.arange(self.lanes))
        return view

    def put(self, seat: int, actions: Any) -> None:
        """Take a seat's actions."""
        fault = self._due(self._turn).put(seat, np.arange(self.lanes), actions)
        self._fault = self._fault or fault

    def decide(self, turn: int, seat: int, agent: Any) -> None:
        """Let a compiled agent choose."""
        block, facts = self._block, self._game.facts
        draw_words(block, self._seed, self._first, seat, turn // 4, WORDS + 4 * seat)
        illegal = agent.over_lanes(0)(
            block, facts, agent.parameters, self._seed, self._first, turn, seat, self.lanes
        )
        self._fault = self._fault or (illegal or None)

    def close(self, turn: int) -> Any:
        """Carry all actions out, or return the first fault."""
        if self._fault is None:
            self._step(resolve, turn)
        return self._fault

    def settled(self) -> tuple[Any, Any]:
        """Return scores and shares of the win [lanes, players], as the positions stand."""
        self._step(settle)
        players = self._game.num_players
        scores = self._block[SCORES : SCORES + players].T.astype(np.int32)
        return scores, self._block[SHARES : SHARES + players].T.astype(np.uint8)
