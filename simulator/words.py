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
