"""Arithmetic on 32-bit words, in the form that vectorises.

Numba widens an operation on two `uint32` to 64 bits, which halves the lanes of a vector; so every
step is cast back. A shift keeps 32 bits only if the compiler sees that its distance is below 32.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy import uint32

from simulator.compiling import compiled

#: A whole number as kernels take and return it: a plain int, or NumPy's where nothing is compiled.
Word: TypeAlias = int | np.integer[Any]
Words: TypeAlias = npt.NDArray[np.uint32]


@compiled("uint32(uint32,uint32)", inline=True)
def shift_left(word: Word, places: Word) -> Word:
    """Return `word` moved up by `places` (0 to 31) bits."""
    return uint32(uint32(word) << uint32(uint32(places) & uint32(31)))


@compiled("uint32(uint32,uint32,uint32)", inline=True)
def field(word: Word, place: Word, mask: Word) -> Word:
    """Return the bits of `word` from bit `place` (0 to 31) up, as many as `mask` has."""
    return uint32(uint32(uint32(word) >> uint32(uint32(place) & uint32(31))) & uint32(mask))


@compiled("void(uint32[::1],uint32)", inline=True)
def fill(row: Words, value: Word) -> None:
    """Set every lane of a row, in place. (A slice assignment takes seconds to compile.)"""
    for lane in range(row.size):
        row[lane] = value


@compiled("uint32(uint32)", inline=True)
def ones_in(word: Word) -> Word:
    """Return how many bits of a word are set (Warren, Hacker's Delight, 5-1)."""
    word = uint32(word)
    word = uint32(word - uint32(uint32(word >> uint32(1)) & uint32(0x55555555)))
    fours = uint32(uint32(word >> uint32(2)) & uint32(0x33333333))
    word = uint32(uint32(word & uint32(0x33333333)) + fours)
    word = uint32(uint32(word + uint32(word >> uint32(4))) & uint32(0x0F0F0F0F))
    return uint32(uint32(word * uint32(0x01010101)) >> uint32(24))


@compiled("uint32(uint32,uint32)", inline=True)
def place_of_one(word: Word, skipped: Word) -> Word:
    """Return the place of the set bit of a word that has `skipped` set bits below it.

    By halves and without branches, as how many are skipped cannot be predicted.
    """
    word, skipped, place = uint32(word), uint32(skipped), uint32(0)
    for half in (16, 8, 4, 2, 1):
        below = ones_in(field(word, place, uint32((1 << half) - 1)))
        is_above = skipped >= below
        place = uint32(place + (uint32(half) if is_above else uint32(0)))
        skipped = uint32(skipped - (below if is_above else uint32(0)))
    return place
