"""Read and change what stands packed in one lane of a block."""

from typing import Any

import numpy as np
from numpy import int32, uint32

from empires.layout import EGGS, HIDDEN, KNOWN, OWNED, POINTS, SEATS, SECRET
from simulator.lifting import inlined, spliced
from simulator.words import Word, Words, field, ones_in, shift_left


def _number_on(table: Word, which: Word) -> Word:
    """Return the first (0) or second (1) number that a seat played, 0 for none."""
    return field(table, uint32(uint32(4) * uint32(which)), 15)


def _place_got(got: Word, which: Word) -> Word:
    """Return 1 + the place of the egg that a seat's first (0) or second (1) card took, or 0."""
    return field(got, uint32(uint32(8) * uint32(which)), 255)


def _which_is(table: Word, number: Word) -> Word:
    """Return which of a seat's cards has a number: 0 the first, 1 the second."""
    return uint32(field(table, 0, 15) != uint32(number))


def _eggs_owned(block: Words, lane: Word, seat: Word) -> Word:
    """Return how many eggs lie before a seat."""
    low, high = block[OWNED + 2 * seat, lane], block[OWNED + 2 * seat + 1, lane]
    return uint32(ones_in(low) + ones_in(high))


def _change_secret(
    block: Words, players: Word, lane: Word, seat: Word, word: Word, place: Word, change: Word
) -> None:
    """Change a seat's points by those of a hidden egg, as all know of them who know it (R-E19).

    Without branches: who knows an egg cannot be predicted.
    """
    for other in range(players):
        knows = field(block[KNOWN + 2 * other + word, lane], place, 1)
        row = SECRET + SEATS * other + seat
        block[row, lane] = uint32(block[row, lane] + uint32(change * knows))


change_secret = spliced(_change_secret)


def _change_owner(
    block: Words, players: Word, lane: Word, seat: Word, place: Word, gets: Word
) -> Any:
    """Lay an egg before a seat, who then knows it (`gets` 1), or take it away; return its value."""
    word, bit = place >> 5, shift_left(uint32(1), uint32(place & 31))
    owned, known = OWNED + 2 * seat + word, KNOWN + 2 * seat + word
    block[owned, lane] = uint32(block[owned, lane] ^ bit)
    value = block[EGGS + place, lane]
    change = value if gets else uint32(uint32(0) - value)
    if uint32(block[HIDDEN + word, lane] & bit) == uint32(0):
        block[POINTS + seat, lane] = uint32(block[POINTS + seat, lane] + change)
    else:
        block[known, lane] = uint32(block[known, lane] | bit)
        change_secret(block, players, lane, seat, word, place, change)
    return np.int32(value)


def _byte_of(value: Word, w: Word) -> Word:
    """Return the value of the w-th egg on offer as it stands in its word of VALUES."""
    return shift_left(uint32(uint32(value) & uint32(255)), uint32(uint32(8) * uint32(w & 3)))


def _value_of(word: Word, w: Word) -> Any:
    """Return the value, signed, of the w-th egg on offer from its word of VALUES."""
    top = int32(shift_left(word, uint32(uint32(24) - uint32(uint32(8) * uint32(w & 3)))))
    return int32(top >> int32(24))


byte_of, value_of = inlined(_byte_of), inlined(_value_of)


# The eggs on offer, in one word: bits 0-9 which are left, 10-13 how many there are in all, 14-17
# how many of them face up, from bit 18 the place in the egg deck of the first.


def _offer_of(base: Word, face_up: Word, offered: Word, left: Word) -> Word:
    """Return the word of the eggs on offer."""
    counts = uint32(uint32(uint32(offered) << uint32(10)) | uint32(uint32(face_up) << uint32(14)))
    return uint32(uint32(uint32(left) | counts) | uint32(uint32(base) << uint32(18)))


def _left_in(offer: Word) -> Word:
    """Return the mask of the eggs on offer that nobody has taken."""
    return field(offer, 0, 0x3FF)


def _offered_in(offer: Word) -> Word:
    """Return how many eggs are on offer, taken ones and the Scouts' included."""
    return field(offer, 10, 15)


def _face_up_in(offer: Word) -> Word:
    """Return how many of the eggs on offer were turned up; these come first."""
    return field(offer, 14, 15)


def _base_in(offer: Word) -> Word:
    """Return the place in the egg deck of the first egg on offer."""
    return field(offer, 18, 127)


offer_of, left_in, offered_in = inlined(_offer_of), inlined(_left_in), inlined(_offered_in)
face_up_in, base_in = inlined(_face_up_in), inlined(_base_in)
number_on, place_got, which_is = inlined(_number_on), inlined(_place_got), inlined(_which_is)
eggs_owned, change_owner = spliced(_eggs_owned), spliced(_change_owner)
