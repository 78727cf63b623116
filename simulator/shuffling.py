"""Shuffle lane by lane without a branch: give each card a random key and sort the keys.

A sorting network compares the same pairs whatever the keys are, so that a loop over lanes can
carry out each comparison as one minimum and one maximum.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from simulator.compiling import compiled
from simulator.words import Words

Pairs = npt.NDArray[np.int64]


def sorting_network(size: int) -> list[tuple[int, int]]:
    """Return the pairs of Batcher's odd-even merge sort (Knuth, TAOCP 3, 5.2.2M) for `size` keys.

    Exchanging each pair in turn, the smaller key to the first place, sorts any `size` keys.
    """
    pairs = []
    span = 1
    while span < size:
        step = span
        while step >= 1:
            for start in range(step % span, size - step, 2 * step):
                for low in range(start, start + min(step, size - start - step)):
                    if low // (2 * span) == (low + step) // (2 * span):
                        pairs.append((low, low + step))
            step //= 2
        span *= 2
    return pairs


def network_of_equals(cards: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs that sort the keys of equal cards among themselves; `cards` is sorted.

    Exchanged before the keys are bound to cards, they make equal cards come up in the order of
    their numbers. So which of two equal cards was drawn can tell nobody anything.
    """
    pairs = []
    for card in sorted(set(cards)):
        first = cards.index(card)
        pairs += [(first + low, first + high) for low, high in sorting_network(cards.count(card))]
    return pairs


def as_array(pairs: list[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """Return pairs as int64[pairs, 2], also when there are none."""
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@compiled("void(uint32[:,::1],int64[:,::1])", allocates=False)
def exchange(keys: Words, pairs: Pairs) -> None:
    """Exchange rows of keys lane by lane, in place, so that each pair in turn is in order.

    Parameters
    ----------
    keys : uint32[keys, lanes]
    pairs : int64[pairs, 2]
        Where the smaller and where the larger key of each pair goes.
    """
    for pair in range(pairs.shape[0]):
        low, high = keys[pairs[pair, 0]], keys[pairs[pair, 1]]
        for lane in range(low.size):
            one, other = low[lane], high[lane]
            low[lane] = min(one, other)
            high[lane] = max(one, other)
