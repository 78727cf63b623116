"""Shuffle lane by lane without a branch: give each card a random key and sort the keys.

A sorting network compares the same pairs whatever the keys are, so that a loop over lanes can
carry out each comparison as one minimum and one maximum.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from simulator.compiling import compiled
from simulator.words import Word, Words

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


def in_one_array(*networks: list[tuple[int, int]]) -> Pairs:
    """Return networks as int64[rows, 2]: first where each begins and ends, then all pairs."""
    ends = len(networks) + np.cumsum([len(pairs) for pairs in networks])
    bounds = [(end - len(pairs), end) for end, pairs in zip(ends, networks, strict=True)]
    return np.array([*bounds, *(pair for pairs in networks for pair in pairs)], dtype=np.int64)


@compiled("void(uint32[:,::1],int64[:,::1],int64)", allocates=False)
def exchange(keys: Words, networks: Pairs, number: Word) -> None:
    """Exchange rows of keys lane by lane, in place, so that each pair in turn is in order.

    Parameters
    ----------
    keys : uint32[keys, lanes]
    networks : int64[rows, 2]
        From `in_one_array`: where the smaller and where the larger key of each pair goes.
    number : int64
        Which of the networks.
    """
    for pair in range(networks[number, 0], networks[number, 1]):
        low, high = keys[networks[pair, 0]], keys[networks[pair, 1]]
        for lane in range(low.size):
            one, other = low[lane], high[lane]
            low[lane] = min(one, other)
            high[lane] = max(one, other)
