"""A table of 64-bit keys and their rows, for compiled look-ups by the million.

Open addressing with linear probing (Knuth, The Art of Computer Programming 3, 6.4, algorithm L) on
a multiplicative hash; the number of slots is a power of two and at least twice that of the keys.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import int64, uint64

from simulator.compiling import compiled

EMPTY = uint64(2**64 - 1)  # no key is this
_MULTIPLIER = uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio
FIRST_SLOTS = 1 << 12

Keys = npt.NDArray[np.uint64]
KEYS, ROWS = types.uint64[::1], types.int32[::1]


@compiled(types.int64(KEYS, types.uint64), inline=True)
def slot_of(slots: Keys, key: Any) -> Any:
    """Return the slot that holds a key, or the empty one where it would go."""
    mask = uint64(slots.size - 1)
    hashed = uint64(uint64(key) ^ uint64(uint64(key) >> uint64(32)))
    slot = uint64(uint64(uint64(hashed * _MULTIPLIER) >> uint64(20)) & mask)
    while slots[slot] != EMPTY and slots[slot] != uint64(key):
        slot = uint64(uint64(slot + uint64(1)) & mask)
    return int64(slot)


@compiled(types.void(KEYS, KEYS, ROWS), late=True)
def _fill(slots: Keys, keys: Keys, rows: Any) -> None:
    """Put every key into its slot and its number beside it, in place."""
    for number in range(keys.size):
        slot = slot_of(slots, keys[number])
        slots[slot] = keys[number]
        rows[slot] = number


@dataclass(frozen=True)
class KeyTable:
    """Keys by slot, and the row of each.

    Parameters
    ----------
    slots : uint64[slots]
        A key, or EMPTY.
    rows : int32[slots]
        The key's place in the array that the table was made of.
    """

    slots: Keys
    rows: npt.NDArray[np.int32]


def empty_slots(keys: int) -> Keys:
    """Return slots for at least twice as many keys."""
    return np.full(1 << max(2 * keys - 1, FIRST_SLOTS - 1).bit_length(), EMPTY, np.uint64)


def key_table(keys: Keys) -> KeyTable:
    """Return the table of an array of different keys."""
    slots = empty_slots(len(keys))
    rows = np.zeros(len(slots), np.int32)
    _fill(slots, keys, rows)
    return KeyTable(slots, rows)


def grown(slots: Keys) -> Keys:
    """Return the same keys in twice as many slots."""
    keys = slots[slots != EMPTY]
    more = np.full(2 * len(slots), EMPTY, np.uint64)
    _fill(more, keys, np.zeros(len(more), np.int32))
    return more
