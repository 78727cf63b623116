"""Networks that value a public state before its card is turned up: one for each round to come.

For one seat: the rows of its own position, of the others' positions and of the cards to come add up
to WIDTH hidden units; DEPTH units on top of them, and a number. Three such numbers, one a seat, go
through a softmax into shares of the win. All seats use one network, so it knows no seats.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import float32

from agents.lookahead.features import Features
from simulator.compiling import compiled
from simulator.lifting import local_array
from simulator.stored import Arrays

WIDTH, DEPTH = 64, 32
LAYERS = ("own", "others", "cards", "deep", "out")  # in the order of `Net.arrays`
SEATS = 3
AT_ONCE = 4  # inputs that share the reading of a weight

Weights = npt.NDArray[np.float32]
TABLE, ROW = types.float32[:, ::1], types.float32[::1]
_deep, _sums = local_array(DEPTH), local_array(DEPTH // 2)


@dataclass(frozen=True)
class Net:
    """The weights of one network.

    Parameters
    ----------
    own, others : float32[position rows, WIDTH]
        What a row adds if the position is one's own, or another's.
    cards : float32[card rows, WIDTH]
        What the cards to come add.
    deep : float32[WIDTH + 1, DEPTH]
        The second layer, its last row what is added to all.
    out : float32[DEPTH + 1]
        The last layer, its last number what is added.
    """

    own: Weights
    others: Weights
    cards: Weights
    deep: Weights
    out: Weights

    @property
    def arrays(self) -> tuple[Weights, ...]:
        """All weights, in the order of the kernels' arguments."""
        return self.own, self.others, self.cards, self.deep, self.out


def new_net(features: Features, rng: np.random.Generator) -> Net:
    """Return a network with small random weights."""

    def drawn(*shape: int, scale: float) -> Weights:
        return (rng.standard_normal(shape) * scale).astype(np.float32)

    deep, out = drawn(WIDTH + 1, DEPTH, scale=(2 / WIDTH) ** 0.5), drawn(DEPTH + 1, scale=0.1)
    deep[WIDTH], out[DEPTH] = 0, 0
    return Net(
        drawn(features.num_rows, WIDTH, scale=0.1),
        drawn(features.num_rows, WIDTH, scale=0.1),
        drawn(features.num_card_rows, WIDTH, scale=0.1),
        deep,
        out,
    )


@compiled(types.void(ROW, ROW, ROW, types.int64), inline=True)
def _sum_up(deep: Any, out: Any, found: Any, place: Any) -> None:
    """Put the last layer's number for some deep units into its place; sums by halves vectorise."""
    sums = _sums()
    for unit in range(DEPTH // 2):
        one = max(deep[unit], float32(0)) * out[unit]
        two = max(deep[unit + DEPTH // 2], float32(0)) * out[unit + DEPTH // 2]
        sums[unit] = one + two
    for unit in range(DEPTH // 4):
        sums[unit] += sums[unit + DEPTH // 4]
    for unit in range(DEPTH // 8):
        sums[unit] += sums[unit + DEPTH // 8]
    for unit in range(DEPTH // 16):
        sums[unit] += sums[unit + DEPTH // 16]
    found[place] = sums[0] + sums[1] + out[DEPTH]


@compiled(types.void(TABLE, types.int64, TABLE, ROW, ROW), inline=True)
def outputs(hidden: Any, count: Any, deep: Any, out: Any, found: Any) -> None:
    """Fill float32[count], in place, with what networks say to rows of hidden units.

    `hidden`, float32[at least count rounded up to AT_ONCE, WIDTH], is after its rectifier. Four
    rows at a time, since a weight is then read once for four.
    """
    for first in range(0, count, AT_ONCE):
        z0, z1, z2, z3 = _deep(), _deep(), _deep(), _deep()
        for unit in range(DEPTH):
            z0[unit] = z1[unit] = z2[unit] = z3[unit] = deep[WIDTH, unit]
        for below in range(WIDTH):
            x0, x1 = hidden[first, below], hidden[first + 1, below]
            x2, x3 = hidden[first + 2, below], hidden[first + 3, below]
            for unit in range(DEPTH):
                weight = deep[below, unit]
                z0[unit] += x0 * weight
                z1[unit] += x1 * weight
                z2[unit] += x2 * weight
                z3[unit] += x3 * weight
        _sum_up(z0, out, found, first)
        _sum_up(z1, out, found, first + 1)
        _sum_up(z2, out, found, first + 2)
        _sum_up(z3, out, found, first + 3)


def arrays_of(nets: Sequence[Net]) -> Arrays:
    """Return networks as named arrays."""
    return {
        f"{layer}_{turn:02}": array
        for turn, net in enumerate(nets)
        for layer, array in zip(LAYERS, net.arrays, strict=True)
    }


def nets_from(arrays: Arrays) -> list[Net]:
    """Return networks from their named arrays."""
    rounds = len(arrays) // len(LAYERS)
    return [Net(*(arrays[f"{layer}_{turn:02}"] for layer in LAYERS)) for turn in range(rounds)]
