"""A game as a program: steps over a block of playthroughs, and decisions between them.

A block is one uint32 array of rows, each lane (column) a playthrough. A game is played by running
through its program from top to bottom: a step changes all lanes; at a decision every seat that has
something to decide does so in the lanes that are its own. The order is the same in all lanes; who
decides where may differ from lane to lane, since the step before a decision says so.

`play` runs the program for line-ups of compiled agents in one call, without the interpreter;
`stepping` runs the same program for any agents.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import int32, uint64

from simulator.compiling import JIT_DISABLED, compiled
from simulator.philox import draw_block
from simulator.words import Word, Words

SEATS = 6  # the most players of any game
KINDS = 5  # the most kinds of decision of any game
COUNTS_LENGTH = SEATS + 4  # a step may keep four numbers of its own beside those of the seats

BLOCK = types.uint32[:, ::1]
FACTS = types.Array(types.uint32, 1, "C", readonly=True)  # so that no agent changes them
PARAMETERS = types.Array(types.float64, 1, "C", readonly=True)
NETWORKS = types.int64[:, ::1]  # see `shuffling.in_one_array`
TOTALS = types.int64[:, ::1]

#: A step: (block, facts, networks, counts, totals, seed, first, moment, place), all of which it may
#: read; it changes the block, `counts` (before a decision: in how many lanes each seat decides) and
#: the totals of counters. `moment` and `place` are its row's in the program; lane i is playthrough
#: `first` + i.
STEP = types.FunctionType(
    types.void(
        BLOCK, FACTS, NETWORKS, types.int64[::1], TOTALS, types.uint64, types.uint64,
        types.int64, types.int64,
    )
)  # fmt: skip
#: A compiled agent over lanes, for one kind of decision: (block, facts, parameters, seed, first,
#: moment, seat, count). It decides for its seat, in `count` lanes, and returns how many of its
#: choices are against the rules.
AGENT_SIGNATURE = types.int64(
    BLOCK, FACTS, PARAMETERS, types.uint64, types.uint64,
    types.int64, types.int64, types.int64,
)  # fmt: skip
AGENT = types.FunctionType(AGENT_SIGNATURE)

#: In a program's first column: draw random words for the seats whose agents need them (`place` is
#: the block of the stream, `moment` the first row to fill, counted from the seat's own), or, from
#: DECISION on downwards, a decision of kind DECISION - op; from 0 on upwards, a step.
DRAW, DECISION = -1, -2


class Pointer(types.WrapperAddressProtocol):  # type: ignore[misc]
    """A compiled function as an argument of compiled code; found once, not at every call.

    For functions that raise nothing: what they raised would be lost.
    """

    def __init__(self, function: Any, kind: Any) -> None:
        self._address = function.get_compile_result(kind.signature).library.get_pointer_to_function(
            function.get_compile_result(kind.signature).fndesc.llvm_cfunc_wrapper_name
        )
        self._kind, self.function = kind, function

    def __wrapper_address__(self) -> int:
        return int(self._address)

    def signature(self) -> Any:
        return self._kind.signature


def step(function: Callable[..., None]) -> Callable[..., None]:
    """Make a function a step of a game; see STEP."""
    return compiled(STEP.signature, as_argument=True, allocates=False, late=True)(function)


@dataclass(frozen=True)
class Program:
    """How a game is played under given rules.

    Parameters
    ----------
    steps : tuple of callable
        Functions under the decorator `step`.
    lines : int64[lines, 3]
        (op, moment, place) each; op is the number of a step, DRAW, or DECISION - kind.
    facts : uint32[:]
        The rules' values.
    networks : int64[:, 2]
        Sorting networks, from `shuffling.in_one_array`.
    rows : int
        Of a block.
    words, words_a_seat : int
        The first row of random words, and how many rows each seat has.
    shares, scores : int
        The first of the rows, one a seat, of win shares and final scores.
    """

    steps: tuple[Any, ...]
    lines: npt.NDArray[np.int64]
    facts: Words
    networks: npt.NDArray[np.int64]
    rows: int
    words: int
    words_a_seat: int
    shares: int
    scores: int

    @cached_property
    def pointers(self) -> tuple[Any, ...]:
        """The steps as arguments of `play`."""
        if JIT_DISABLED:
            return self.steps
        return tuple(Pointer(one.dispatcher, STEP) for one in self.steps)

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of decision that the program has, ascending."""
        ops = self.lines[:, 0]
        return tuple(np.unique(DECISION - ops[ops <= DECISION]).tolist())


def lines_of(*lines: tuple[int, int, int]) -> npt.NDArray[np.int64]:
    """Return the lines of a program as an array."""
    return np.array(lines, dtype=np.int64).reshape(-1, 3)


@compiled(types.void(BLOCK, types.uint64, types.uint64, types.int64, types.int64, types.int64))
def draw_words(block: Words, seed: Word, first: Word, seat: Word, number: Word, row: Word) -> None:
    """Draw block `number` of a seat's stream of random words, into four rows from `row` on."""
    draw_block(seed, first, uint64(1 + seat), uint64(number), block[row : row + 4])


@compiled(
    types.void(
        BLOCK, types.int64, types.int64, types.int64, types.uint8[:, ::1], types.int32[:, ::1]
    )
)
def keep(
    block: Words, shares: Word, points: Word, place: Word,
    win_units: npt.NDArray[np.uint8], scores: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Copy a settled block's results to [players, playthroughs] arrays, from column `place` on."""
    for seat in range(scores.shape[0]):
        for lane in range(block.shape[1]):
            scores[seat, place + lane] = int32(block[points + seat, lane])
            win_units[seat, place + lane] = block[shares + seat, lane]
