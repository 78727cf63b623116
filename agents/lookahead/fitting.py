"""Fit a network to the shares of the win that positions are worth, by Adam (Kingma, Ba 2015).

The loss is the cross entropy of the shares. Gradients of a batch are summed in PIECES of fixed size
and added up in their order, so that the result does not depend on how many threads there are.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import float32

from agents.lookahead.features import PARTS, Features, position_rows, unseen_of
from agents.lookahead.nets import DEPTH, ROW, SEATS, TABLE, WIDTH, Net
from agents.lookahead.stages import NET, POSITIONS
from simulator.compiling import compiled
from simulator.lifting import local_array

BATCH, PIECES = 1024, 2
RATE, SLOWEST = 3e-3, 1e-5  # the step size, and what it falls to
_KEPT, _SQUARES_KEPT, _TINY = 0.9, 0.999, 1e-8

_ROWS = types.int64[:, :, ::1]
_hidden, _deep, _deltas = local_array(WIDTH), local_array(DEPTH), local_array(DEPTH)


@dataclass(frozen=True)
class Lessons:
    """Positions before a card, and what they are worth.

    Parameters
    ----------
    positions : uint32[SEATS, positions]
    seen : uint32[positions]
    shares : float32[SEATS, positions]
        Shares of the win, seat by seat.
    """

    positions: npt.NDArray[np.uint32]
    seen: npt.NDArray[np.uint32]
    shares: npt.NDArray[np.float32]


@compiled(
    types.void(
        types.int64[::1], types.uint32[::1], types.int64[::1], POSITIONS, types.uint32[::1],
        _ROWS, types.int64[:, ::1],
    ),
    late=True,
)  # fmt: skip
def list_rows(
    layout: Any, masks: Any, card_begins: Any, positions: Any, seen: Any, rows: Any, card_rows: Any
) -> None:
    """Fill in the rows of positions, int64[positions, SEATS, PARTS], and of the cards to come."""
    for number in range(seen.size):
        for seat in range(SEATS):
            a, b, c = position_rows(layout, positions[seat, number])
            rows[number, seat, 0], rows[number, seat, 1], rows[number, seat, 2] = a, b, c
        for card in range(masks.size):
            card_rows[number, card] = card_begins[card] + unseen_of(seen[number], masks[card])


@compiled(types.void(NET, types.int64[:, ::1], types.int64[::1], TABLE, TABLE), inline=True)
def forward(net: Any, rows: Any, card_rows: Any, hidden: Any, deep: Any) -> None:
    """Fill in the units of one position, float32[SEATS, WIDTH] and [SEATS, DEPTH + 1], in place.

    Deep units are before their rectifier; behind them stands what the network says.
    """
    own, others, cards, weights, out = net
    for seat in range(SEATS):
        for unit in range(WIDTH):
            hidden[seat, unit] = float32(0)
    for card in range(card_rows.size):
        row = card_rows[card]
        for unit in range(WIDTH):
            hidden[0, unit] += cards[row, unit]
    for unit in range(WIDTH):
        context, total = hidden[0, unit], float32(0)
        for seat in range(SEATS):
            for part in range(PARTS):
                total += others[rows[seat, part], unit]
        for seat in range(SEATS):
            mine = context + total
            for part in range(PARTS):
                row = rows[seat, part]
                mine += own[row, unit] - others[row, unit]
            hidden[seat, unit] = max(mine, float32(0))
    for unit in range(DEPTH):
        for seat in range(SEATS):
            deep[seat, unit] = weights[WIDTH, unit]
    for below in range(WIDTH):
        x0, x1, x2 = hidden[0, below], hidden[1, below], hidden[2, below]
        for unit in range(DEPTH):
            weight = weights[below, unit]
            deep[0, unit] += x0 * weight
            deep[1, unit] += x1 * weight
            deep[2, unit] += x2 * weight
    for seat in range(SEATS):
        said = out[DEPTH]
        for unit in range(DEPTH):
            said += max(deep[seat, unit], float32(0)) * out[unit]
        deep[seat, DEPTH] = said


@compiled(types.void(TABLE, types.int64), inline=True)
def to_shares(deep: Any, heads: Any) -> None:
    """Turn what the network says of three seats, behind their deep units, into shares, in place.

    With one head only what it says of the first seat counts, and the shares of the rest are 0.
    """
    if heads == 1:
        deep[0, DEPTH] = float32(1) / (float32(1) + np.exp(-deep[0, DEPTH]))
        deep[1, DEPTH] = deep[2, DEPTH] = float32(0)
        return
    most = max(deep[0, DEPTH], max(deep[1, DEPTH], deep[2, DEPTH]))
    e0, e1 = np.exp(deep[0, DEPTH] - most), np.exp(deep[1, DEPTH] - most)
    e2 = np.exp(deep[2, DEPTH] - most)
    total = e0 + e1 + e2
    deep[0, DEPTH], deep[1, DEPTH], deep[2, DEPTH] = e0 / total, e1 / total, e2 / total


@compiled(
    types.void(
        NET,
        TABLE,
        _ROWS,
        types.int64[:, ::1],
        TABLE,
        types.int64,
        types.int64[::1],
        NET,
        TABLE,
        TABLE,
        TABLE,
    ),
    late=True,
)
def add_gradients(
    net: Any, turned: Any, rows: Any, card_rows: Any, shares: Any, heads: Any, numbers: Any,
    gradients: Any, hidden: Any, deep: Any, below: Any,
) -> None:  # fmt: skip
    """Add the gradients of some lessons to `gradients`, in place.

    Parameters
    ----------
    net, gradients
        Arrays of a network, and of the same shapes.
    turned : float32[DEPTH, WIDTH]
        The second layer the other way round, so that loops over units vectorise.
    rows, card_rows
        See `list_rows`.
    shares : float32[positions, SEATS]
    heads : int
        3, or 1 to learn the first seat's share alone; the others' must then be 0.
    numbers : int64[lessons]
        Which positions.
    hidden, deep, below : float32[SEATS, WIDTH], [SEATS, DEPTH + 1], [SEATS, WIDTH]
        To work in.
    """
    own, others, cards, weights, out = gradients
    for number in numbers:
        forward(net, rows[number], card_rows[number], hidden, deep)
        to_shares(deep, heads)
        for seat in range(SEATS):
            delta = deep[seat, DEPTH] - shares[number, seat]
            out[DEPTH] += delta
            for unit in range(DEPTH):
                active = deep[seat, unit] > float32(0)
                out[unit] += delta * deep[seat, unit] if active else float32(0)
            for unit in range(DEPTH):
                active = deep[seat, unit] > float32(0)
                deep[seat, unit] = delta * net[4][unit] if active else float32(0)
            for unit in range(WIDTH):
                below[seat, unit] = float32(0)
        for unit in range(DEPTH):
            weights[WIDTH, unit] += deep[0, unit] + deep[1, unit] + deep[2, unit]
        for under in range(WIDTH):
            x0, x1, x2 = hidden[0, under], hidden[1, under], hidden[2, under]
            for unit in range(DEPTH):
                weights[under, unit] += x0 * deep[0, unit] + x1 * deep[1, unit] + x2 * deep[2, unit]
        for unit in range(DEPTH):
            x0, x1, x2 = deep[0, unit], deep[1, unit], deep[2, unit]
            for under in range(WIDTH):
                weight = turned[unit, under]
                below[0, under] += x0 * weight
                below[1, under] += x1 * weight
                below[2, under] += x2 * weight
        for seat in range(SEATS):
            for under in range(WIDTH):
                is_on = hidden[seat, under] > float32(0)
                below[seat, under] = below[seat, under] if is_on else float32(0)
        for under in range(WIDTH):
            hidden[0, under] = below[0, under] + below[1, under] + below[2, under]
        for card in range(card_rows.shape[1]):
            row = card_rows[number, card]
            for under in range(WIDTH):
                cards[row, under] += hidden[0, under]
        for seat in range(SEATS):
            for part in range(PARTS):
                row = rows[number, seat, part]
                for under in range(WIDTH):
                    own[row, under] += below[seat, under]
                for under in range(WIDTH):
                    others[row, under] += hidden[0, under] - below[seat, under]


@compiled(types.void(ROW, ROW, ROW, ROW, types.float32, types.float32, types.float32), late=True)
def step(
    weights: Any, gradients: Any, means: Any, squares: Any, rate: Any, scale: Any, fresh: Any
) -> None:
    """Take one step of Adam; all arrays, float32[weights], are changed in place.

    Gradients are cleared. `scale` is what they are divided by, `fresh` the correction of the mean
    over the root of that of the squares.
    """
    for place in range(weights.size):
        slope = gradients[place] * scale
        gradients[place] = float32(0)
        means[place] = float32(_KEPT) * means[place] + float32(1 - _KEPT) * slope
        square = (
            float32(_SQUARES_KEPT) * squares[place] + float32(1 - _SQUARES_KEPT) * slope * slope
        )
        squares[place] = square
        weights[place] -= rate * fresh * means[place] / (np.sqrt(square) + float32(_TINY))


class Fitting:
    """A network that is being fitted; all its weights lie in one array, one layer after another.

    Parameters
    ----------
    features : Features
    net : Net
        Where to begin; it is not changed.
    heads : int
        3 for the shares of all seats, 1 for the first seat's alone.
    """

    def __init__(self, features: Features, net: Net, heads: int = SEATS) -> None:
        self.features, self._heads = features, heads
        self.weights = np.concatenate([array.ravel() for array in net.arrays])
        self._shapes = [array.shape for array in net.arrays]
        self._pieces = [np.zeros_like(self.weights) for _ in range(PIECES)]
        self._means, self._squares = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self._rooms = [
            tuple(np.zeros((SEATS, size), np.float32) for size in (WIDTH, DEPTH + 1, WIDTH))
            for _ in range(PIECES)
        ]
        self._steps = 0

    def net(self) -> Net:
        """Return the network as it is now."""
        return Net(*(array.copy() for array in self._layers(self.weights)))

    def _layers(self, flat: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], ...]:
        """Return a flat array as a network's layers; views."""
        sizes = [int(np.prod(shape)) for shape in self._shapes]
        parts = np.split(flat, np.cumsum(sizes)[:-1])
        return tuple(p.reshape(shape) for p, shape in zip(parts, self._shapes, strict=True))

    def fit(
        self, lessons: Lessons, epochs: int, rng: np.random.Generator, threads: int = 1
    ) -> None:
        """Go through lessons `epochs` times, in orders of their own; the step size falls to 0."""
        count = len(lessons.seen)
        rows, card_rows = rows_of(self.features, lessons.positions, lessons.seen)
        shares = np.ascontiguousarray(lessons.shares.T)
        steps = epochs * -(-count // BATCH)
        with ThreadPoolExecutor(min(threads, PIECES)) as pool:
            for _ in range(epochs):
                order = rng.permutation(count)
                for first in range(0, count, BATCH):
                    numbers = order[first : first + BATCH]
                    self._add(pool.map if threads > 1 else map, rows, card_rows, shares, numbers)
                    self._step(len(numbers), steps)

    def _add(self, call: Any, rows: Any, card_rows: Any, shares: Any, numbers: Any) -> None:
        """Add up the gradients of a batch, a piece a thread."""
        net = self._layers(self.weights)
        turned = np.ascontiguousarray(net[3][:WIDTH].T)

        def add(piece: int) -> None:
            part = np.array_split(numbers, PIECES)[piece]
            gradients = self._layers(self._pieces[piece])
            add_gradients(
                net, turned, rows, card_rows, shares, self._heads, part, gradients,
                *self._rooms[piece],
            )  # fmt: skip

        list(call(add, range(PIECES)))

    def _step(self, count: int, steps: int) -> None:
        """Take a step by the gradients of `count` lessons, one of `steps` in all."""
        self._steps += 1
        total = self._pieces[0]
        for piece in self._pieces[1:]:
            total += piece
            piece[:] = 0
        rate = RATE * (0.5 + 0.5 * np.cos(np.pi * self._steps / steps)) + SLOWEST
        fresh = np.sqrt(1 - _SQUARES_KEPT**self._steps) / (1 - _KEPT**self._steps)
        step(self.weights, total, self._means, self._squares, rate, 1 / count, fresh)


def rows_of(
    features: Features, positions: npt.NDArray[np.uint32], seen: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the rows of positions and cards; see `list_rows`."""
    rows = np.zeros((len(seen), SEATS, PARTS), np.int64)
    card_rows = np.zeros((len(seen), len(features.masks)), np.int64)
    masks, begins = features.masks, features.card_begins
    list_rows(
        features.layout, masks, begins, np.ascontiguousarray(positions), seen, rows, card_rows
    )
    return rows, card_rows


@compiled(types.void(NET, _ROWS, types.int64[:, ::1], types.int64, TABLE, TABLE, TABLE), late=True)
def _value(
    net: Any, rows: Any, card_rows: Any, heads: Any, hidden: Any, deep: Any, shares: Any
) -> None:
    """Fill float32[SEATS, positions], in place, with shares of the win."""
    for number in range(rows.shape[0]):
        forward(net, rows[number], card_rows[number], hidden, deep)
        to_shares(deep, heads)
        for seat in range(SEATS):
            shares[seat, number] = deep[seat, DEPTH]


def values_of(
    features: Features,
    net: Net,
    positions: npt.NDArray[np.uint32],
    seen: npt.NDArray[np.uint32],
    heads: int = SEATS,
) -> npt.NDArray[np.float32]:
    """Return what a network says positions are worth, float32[SEATS, positions]."""
    rows, card_rows = rows_of(features, positions, seen)
    shares = np.empty((SEATS, len(seen)), np.float32)
    hidden, deep = np.zeros((SEATS, WIDTH), np.float32), np.zeros((SEATS, DEPTH + 1), np.float32)
    _value(net.arrays, rows, card_rows, heads, hidden, deep, shares)
    return shares
