"""Random numbers for agents written in Python: small objects on the streams of `philox`.

The first number that an agent draws in a decision is the word of its slot, the one that a compiled
agent's action is drawn by; further ones are the slot's extra words.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import uint32, uint64

from simulator.compiling import compiled
from simulator.philox import extra_word, slot_word
from simulator.words import Word, Words

Numbers = npt.NDArray[np.uint64]


@compiled("void(uint64,uint64[::1],uint64,uint64[::1],uint64,uint32[::1])", late=True)
def _words_at(
    seed: Word, indices: Numbers, stream: Word, slots: Numbers, number: Word, words: Words
) -> None:
    """Fill uint32[:], in place, with words: 0 the slots' own, from 1 on the extra ones."""
    for place in range(words.size):
        index, slot = indices[place], slots[place]
        if number == uint64(0):
            words[place] = slot_word(seed, index, stream, slot)
        else:
            words[place] = extra_word(seed, index, stream, slot, uint64(number - uint64(1)))


@compiled(types.int64(types.float32[::1], types.uint32), late=True)
def _pick(weights: npt.NDArray[np.float32], word: int) -> int:
    """Draw an index by weight, as `lifting.picker` does for weights of a fixed length."""
    total = np.float32(0.0)
    for index in range(weights.size):
        total = np.float32(total + weights[index])
    place = np.float32(np.int32(uint32(word) >> uint32(8)))
    threshold = np.float32(place * np.float32(total * np.float32(2.0**-24)))
    reached = np.float32(0.0)
    picked = 0
    for index in range(weights.size):
        reached = np.float32(reached + weights[index])
        picked += not reached > threshold
    return picked


def words_at(seed: int, indices: Numbers, stream: int, slots: Numbers, number: int) -> Words:
    """Return uint32[decisions]: each one's word of its slot (`number` 0) or its extra words (1 on).

    Parameters
    ----------
    seed, stream : int
    indices, slots : uint64[decisions]
        The playthrough and the slot of each decision.
    """
    words = np.empty(len(indices), np.uint32)
    _words_at(seed, indices, stream, slots, number, words)
    return words


class DecisionRandom:
    """Random numbers of one decision, for plain-Python agents."""

    __slots__ = ("_address", "_drawn", "_first_word")

    def __init__(self, seed: int, index: int, stream: int, slot: int, first_word: int) -> None:
        self._address = (seed, index, stream, slot)
        self._first_word = first_word
        self._drawn = 0

    def _word(self) -> int:
        self._drawn += 1
        if self._drawn == 1:
            return self._first_word
        return int(extra_word(*self._address, self._drawn - 2))

    def random(self) -> float:
        """Return a number from 0 up to, not including, 1."""
        return self._word() / 2**32

    def integers(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, each as likely (to within n / 2**32)."""
        if not 1 <= n <= 2**32:
            raise ValueError(f"integers(n) needs n from 1 to 2**32, not {n!r}")
        return self._word() * int(n) >> 32

    def choice(self, options: Sequence[Any], weights: Sequence[float] | None = None) -> Any:
        """Return one of `options`, each as likely or by its weight (not negative, sum above 0)."""
        if weights is None:
            chances = np.ones(len(options), np.float32)
        else:
            chances = np.array(weights, dtype=np.float32)
            if len(chances) != len(options) or not (chances >= 0).all():
                raise ValueError(f"choice needs a weight >= 0 for each of {len(options)} options")
        picked = _pick(chances, self._word())
        if picked >= len(options):
            raise ValueError("choice needs an option with a weight above 0, and finite weights")
        return options[picked]


class LaneRandom:
    """Random numbers of many decisions of one kind at once, for vectorised agents."""

    def __init__(self, seed: int, indices: Numbers, stream: int, slots: Numbers) -> None:
        self._address = (seed, indices, stream, slots)
        self._drawn = 0

    def _words(self) -> Words:
        self._drawn += 1
        return words_at(*self._address, self._drawn - 1)

    def random(self) -> npt.NDArray[np.float64]:
        """Return float64[lanes], from 0 up to, not including, 1."""
        return self._words() / 2.0**32

    def integers(self, n: Any) -> npt.NDArray[np.int64]:
        """Return int64[lanes] from 0 to n - 1; n is a number or one for each lane."""
        bound = np.asarray(n, dtype=np.uint64)
        if (bound < 1).any() or (bound > 2**32).any():
            raise ValueError("integers(n) needs n from 1 to 2**32 in every lane")
        return (self._words().astype(np.uint64) * bound >> np.uint64(32)).astype(np.int64)

    def choice(self, weights: Any) -> npt.NDArray[np.int64]:
        """Return for each lane an index drawn by its row of weights, array [lanes, indices].

        A row without any weight above 0 gives the number of indices (no legal action).
        """
        chances = np.asarray(weights, dtype=np.float32)
        if (chances < 0).any():
            raise ValueError("choice needs weights that are not negative")
        reached = np.cumsum(chances, axis=1, dtype=np.float32)
        place = (self._words() >> np.uint32(8)).astype(np.float32)
        threshold = place * (reached[:, -1] * np.float32(2.0**-24))
        return np.asarray((~(reached > threshold[:, None])).sum(axis=1), dtype=np.int64)
