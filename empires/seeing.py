"""Copy out of a block what one seat sees, and make a block of what one seat sees.

`see` is where what is hidden stays behind: what it does not copy, no agent in Python gets.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import uint32

from empires import rules
from empires.columns import base_in, byte_of, face_up_in, left_in, offered_in
from empires.compact import DISCARD_KIND, GIFT_KIND, PICK_KIND
from empires.layout import (
    ACTING,
    DECIDERS,
    EGGS,
    ENTRY,
    FIRST_VISIBLE,
    HANDS,
    HIDDEN,
    KNOWN,
    OFFER,
    OWNED,
    SEATS,
    SECRET,
    VALUES,
    block_rows,
)
from simulator.compiling import compiled
from simulator.program import BLOCK, FACTS
from simulator.words import Word, Words, field, ones_in, shift_left

Numbers = npt.NDArray[np.int64]


@compiled(types.void(BLOCK, FACTS, types.int64, types.int64, types.int64[::1], BLOCK), late=True)
def _see(block: Words, facts: Words, kind: Word, seat: Word, lanes: Numbers, view: Words) -> None:
    """Fill uint32[visible rows, lanes] of zeros, in place, with what a seat sees in some lanes."""
    eggs = facts.size - rules.EGGS
    for entry in range(lanes.size):
        lane = lanes[entry]
        for row in range(FIRST_VISIBLE, HANDS):
            view[row - FIRST_VISIBLE, entry] = block[row, lane]
        acting = uint32(0)
        if kind == PICK_KIND:
            acting = uint32(block[ENTRY, lane] >> uint32(16))
        elif kind in (GIFT_KIND, DISCARD_KIND):
            acting = uint32(rules.COURIER if kind == GIFT_KIND else rules.PRIEST)
        view[ACTING - FIRST_VISIBLE, entry] = acting
        view[HANDS + seat - FIRST_VISIBLE, entry] = block[HANDS + seat, lane]
        for word in range(2):
            row = KNOWN + 2 * seat + word
            hidden = block[HIDDEN + word, lane]
            view[row - FIRST_VISIBLE, entry] = uint32(block[row, lane] & hidden)
        for other in range(SEATS):
            row = SECRET + SEATS * seat + other
            view[row - FIRST_VISIBLE, entry] = block[row, lane]
        offer = block[OFFER, lane]
        base, offered = np.int64(base_in(offer)), np.int64(offered_in(offer))
        for place in range(min(base + offered, eggs)):  # type: ignore[call-overload]
            word, bit = place >> 5, uint32(place & 31)
            hidden = field(block[HIDDEN + word, lane], bit, 1)
            if hidden == uint32(0) or field(block[KNOWN + 2 * seat + word, lane], bit, 1):
                view[EGGS + place - FIRST_VISIBLE, entry] = block[EGGS + place, lane]


def see(block: Words, facts: Words, kind: int, seat: int, lanes: Numbers) -> Words:
    """Return what a seat sees in some lanes, uint32[visible rows, lanes]."""
    view = np.zeros((block.shape[0] - FIRST_VISIBLE, len(lanes)), np.uint32)
    _see(block, facts, kind, seat, lanes, view)
    return view


@compiled(types.void(BLOCK, FACTS, types.int64, types.int64), late=True)
def _prepare(block: Words, facts: Words, kind: Word, seat: Word) -> None:
    """Let a seat decide in all lanes: fill its DECIDERS, VALUES, and ENTRY with its options."""
    for lane in range(block.shape[1]):
        block[DECIDERS + seat, lane] = uint32(lane)
        offer, negative = block[OFFER, lane], uint32(0)
        acting, left, face_up = block[ACTING, lane], left_in(offer), face_up_in(offer)
        for w in range(offered_in(offer)):
            value = block[EGGS + np.int64(base_in(offer)) + w, lane]
            word = VALUES + (w >> 2)
            block[word, lane] = uint32(block[word, lane] | byte_of(value, w))
            negative = uint32(negative | shift_left(uint32(value >> uint32(31)), w))
        if kind == PICK_KIND:
            face_down = uint32(~uint32(shift_left(uint32(1), face_up) - uint32(1)))
            allowed = uint32(rules.eggs_allowed(acting, left, negative, face_down) << uint32(1))
            refuses = rules.may_refuse(acting, left, negative, face_down)
            number = uint32(acting << uint32(16))
            block[ENTRY, lane] = uint32(uint32(allowed | refuses) | number)
            continue
        owned = uint32(
            ones_in(block[OWNED + 2 * seat, lane]) + ones_in(block[OWNED + 2 * seat + 1, lane])
        )
        options = uint32(owned + uint32(1)) if kind == DISCARD_KIND else facts[rules.PLAYERS]
        block[ENTRY, lane] = uint32(shift_left(uint32(1), options) - uint32(1))


def block_of(view: Words, facts: Words, kind: int, seat: int) -> Any:
    """Return a block that holds nothing but what a seat sees, at its decision of some kind."""
    block = np.zeros((block_rows(len(facts) - rules.EGGS), view.shape[1]), np.uint32)
    block[FIRST_VISIBLE:] = view
    _prepare(block, facts, kind, seat)
    return block
