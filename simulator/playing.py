"""Run a game's program for compiled agents: whole ranges of playthroughs in one call."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from simulator.agents import CompiledAgent
from simulator.compiling import compiled
from simulator.program import (
    AGENT,
    COUNTS_LENGTH,
    DECISION,
    DRAW,
    FACTS,
    KINDS,
    NETWORKS,
    PARAMETERS,
    SEATS,
    STEP,
    Program,
    draw_words,
    keep,
)
from simulator.words import Word, Words, fill

MAX_STEPS = 20

#: Rows that begin a multiple of so many lanes apart share a few places in the first cache.
_CROWDING, _SPACING = 128, 16

_AGENTS, _PARAMETERS = types.UniTuple(AGENT, SEATS * KINDS), types.UniTuple(PARAMETERS, SEATS)
_STEPS = types.UniTuple(STEP, MAX_STEPS)


@compiled("int64(int64,int64)")
def lanes_of_block(left: Word, most: Word) -> Word:
    """Return how many lanes the next block has if `left` playthroughs are to be played evenly."""
    blocks = (left + most - 1) // most
    lanes = (left + blocks - 1) // blocks
    if blocks > 1:
        lanes = (lanes + _SPACING - 1) // _SPACING * _SPACING
        lanes += _SPACING if lanes % _CROWDING == 0 else 0
    return min(lanes, most, left)


@compiled(
    types.int64(
        _STEPS, types.int64[:, ::1], types.UniTuple(types.int64, 5), _AGENTS, _PARAMETERS,
        types.uint8[::1], FACTS, NETWORKS, types.uint64, types.UniTuple(types.int64, 6),
        types.int64[:, :, ::1], types.uint8[:, ::1], types.int32[:, ::1],
    )
)  # fmt: skip
def play(
    steps: Any, lines: npt.NDArray[np.int64], layout: Any, agents: Any, parameters: Any,
    draws: npt.NDArray[np.uint8], facts: Words, networks: Any, seed: Word, span: Any,
    totals: npt.NDArray[np.int64], win_units: npt.NDArray[np.uint8],
    scores: npt.NDArray[np.int32],
) -> Word:  # fmt: skip
    """Play a range of playthroughs of one line-up of compiled agents.

    Parameters
    ----------
    steps, lines, facts, networks
        Of the game's `Program`.
    layout : tuple of 5 int64
        Its (rows, words, words_a_seat, shares, scores).
    agents : tuple of 30
        For each kind of decision and each of six seats the agent over lanes; those of kinds and
        seats that are not in the game are ignored.
    parameters : tuple of 6
        Each seat's float64[:].
    draws : uint8[6]
        1 for a seat whose agent needs random words.
    seed : uint64
    span : tuple of 6 int64
        (from, to, lanes in a block, index of the first playthrough kept, number of the first batch
        in `totals`, playthroughs in a batch): plays from <= index < to.
    totals : int64[batches, players, counters]
        Modified in place, like the two that follow.
    win_units, scores : uint8, int32 [players, playthroughs]
        Every playthrough's results, or [players, 0] when only totals are wanted.

    Returns
    -------
    int64
        -1, or the first index of a block in which an action is illegal, where the call ends.
    """
    index, end, lanes, first_kept, first_batch, batch_size = span
    rows, words, words_a_seat, shares, points = layout
    players = totals.shape[1]
    buffer = np.zeros(rows * lanes, np.uint32)
    block = buffer[:0].reshape((rows, 0))
    counts = np.zeros(COUNTS_LENGTH, np.int64)
    while index < end:
        used = lanes_of_block(min(end - index, batch_size - index % batch_size), lanes)
        if used != block.shape[1]:
            block = buffer[: rows * used].reshape((rows, used))
            fill(buffer, 0)
        first = np.uint64(index)
        batch = totals[index // batch_size - first_batch]
        for line in range(lines.shape[0]):
            op, moment, place = lines[line, 0], lines[line, 1], lines[line, 2]
            if op >= 0:
                steps[op](block, facts, networks, counts, batch, seed, first, moment, place)
            elif op == DRAW:
                for seat in range(players):
                    if draws[seat]:
                        row = words + words_a_seat * seat + moment
                        draw_words(block, seed, first, seat, place, row)
            else:
                illegal = np.int64(0)
                for seat in range(players):
                    if counts[seat] > 0:
                        agent = agents[SEATS * (DECISION - op) + seat]
                        illegal += agent(
                            block, facts, parameters[seat], seed, first, moment, seat, counts[seat]
                        )
                if illegal > 0:
                    return index  # type: ignore[no-any-return]
        if scores.shape[1] > 0:
            keep(block, shares, points, index - first_kept, win_units, scores)
        index += used
    return np.int64(-1)


def compiled_player(
    program: Program, line_up: Sequence[CompiledAgent], seed: int, lanes: int
) -> Callable[..., int]:
    """Return what plays spans of a line-up of compiled agents in one call each.

    It takes (first, end, start, batch size, totals, win units, scores), fills in the arrays, and
    returns what `play` returns.
    """
    seats = [*line_up, *[line_up[0]] * (SEATS - len(line_up))]
    filler = line_up[0].over_lanes(program.kinds[0])
    agents = tuple(  # no `Pointer`: they may raise
        agent.over_lanes(kind) if kind in program.kinds else filler
        for kind in range(KINDS)
        for agent in seats
    )
    parameters = tuple(_fixed(agent.parameters) for agent in seats)
    draws = np.array([agent.draws for agent in seats], dtype=np.uint8)
    steps = program.pointers
    steps += (steps[0],) * (MAX_STEPS - len(steps))
    layout = (
        program.rows, program.words, program.words_a_seat, program.shares, program.scores
    )  # fmt: skip

    def run(
        first: int, end: int, start: int, size: int, totals: Any, win_units: Any, scores: Any
    ) -> int:
        span = (first, end, lanes, start, first // size, size)
        return int(
            play(
                steps, program.lines, layout, agents, parameters, draws, program.facts,
                program.networks, seed, span, totals, win_units, scores,
            )
        )  # fmt: skip

    return run


def _fixed(array: Any) -> Any:
    """Return a view of an array that cannot be written to."""
    view = array.view()
    view.setflags(write=False)
    return view
