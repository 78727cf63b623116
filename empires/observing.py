"""Read, lane by lane, what a compiled agent observes: its observation, and the values of eggs."""

from typing import Any

import numpy as np
from numpy import int32, uint32

from empires import rules
from empires.columns import (
    eggs_owned,
    face_up_in,
    left_in,
    offered_in,
    place_got,
    value_of,
    which_is,
)
from empires.compact import DISCARD_KIND, OPTIONS_OF, UNKNOWN, CompactObservation
from empires.layout import (
    EGGS,
    GOT,
    HANDS,
    HOLDER,
    OFFER,
    OWNED,
    PLAYED,
    POINTS,
    SCOUTS,
    SEATS,
    SECRET,
    SIDE,
    TABLE,
    TOKENS,
    TOTALS,
    VALUES,
)
from simulator.lifting import inlined, local_array, spliced
from simulator.words import Word, Words, field, ones_in

#: Rows of the eggs on offer: lane by lane, and entry by entry for the seat that picks.
ON_OFFER = (OFFER, SCOUTS, VALUES, VALUES + 1, VALUES + 2)
ASIDE = (SIDE, SIDE + 1, SIDE + 2, SIDE + 3, SIDE + 4)

six = local_array(SEATS, int32)
card_values = local_array(rules.MAX_OFFERED + 1, int32)
gift_values = local_array(rules.MAX_PLAYERS, int32)
egg_values = local_array(OPTIONS_OF[DISCARD_KIND], int32)


def _around(facts: Words, seat: Word) -> Any:
    """Return six seats clockwise from `seat`; for absent players the last, whose rows hold 0."""
    players, last = np.int64(facts[rules.PLAYERS]), SEATS - 1
    one, two, three, four, five = seat + 1, seat + 2, seat + 3, seat + 4, seat + 5
    return (
        seat,
        one if one < players else one - players,
        last if players < 3 else (two if two < players else two - players),
        last if players < 4 else (three if three < players else three - players),
        last if players < 5 else (four if four < players else four - players),
        last if players < 6 else (five if five < players else five - players),
    )


def _constants(facts: Words, moment: Word, seat: Word) -> Any:
    """Return what is the same in all lanes: the last fields of an observation."""
    turns = np.int64(facts[rules.TURNS])
    turn = moment % (turns + 1) - 1
    return (
        uint32(seat),
        facts[rules.PLAYERS],
        facts[rules.DECKS],
        uint32(moment // (turns + 1)),
        uint32(turn if turn > 0 else 0),
        facts[rules.ROUNDS],
        facts[rules.TURNS],
    )


def _observe(
    block: Words, lane: Word, around: Any, options: Any, first: Any, acting: Any, same: Any
) -> Any:
    """Return what a seat observes in a lane."""
    played, table, tokens, eggs = six(), six(), six(), six()
    totals, points, secret = six(), six(), SECRET + SEATS * around[0]
    for k in range(SEATS):
        seat = around[k]
        played[k] = block[PLAYED + seat, lane]
        table[k] = block[TABLE + seat, lane]
        tokens[k] = block[TOKENS + seat, lane]
        totals[k] = int32(block[TOTALS + seat, lane])  # signed: refused as it is, uncompiled
        points[k] = int32(uint32(block[POINTS + seat, lane] + block[secret + seat, lane]))
        eggs[k] = eggs_owned(block, lane, seat)
    return CompactObservation(
        options,
        block[HANDS + around[0], lane],
        first,
        acting,
        offered_in(block[OFFER, lane]),
        face_up_in(block[OFFER, lane]),
        left_in(block[OFFER, lane]),
        rules.clockwise(block[HOLDER, lane], same[0], same[1]),
        played,
        table,
        totals,
        points,
        tokens,
        eggs,
        *same,
    )


def _fill_offer(block: Words, rows: Any, place: Word, seat: Word, values: Any) -> None:
    """Write the values of the eggs on offer, as the seat knows them, to values[1] on.

    `rows` are those of OFFER, SCOUTS and VALUES, or of where they are copied to.
    """
    offer, scouts = block[rows[0], place], block[rows[1], place]
    low, middle, high = block[rows[2], place], block[rows[3], place], block[rows[4], place]
    face_up, offered = face_up_in(offer), offered_in(offer)
    for w in range(rules.MAX_OFFERED):
        own = field(scouts, 3 * w, 7) == uint32(seat)
        value = value_of(low if w < 4 else middle if w < 8 else high, w)
        value = value if uint32(w) < face_up or own else int32(UNKNOWN)
        values[w + 1] = value if uint32(w) < offered else int32(0)


def _fill_owned(block: Words, lane: Word, seat: Word, values: Any, options: Word) -> None:
    """Write the values of the eggs that a seat owns to values[1] to values[options - 1]."""
    low, high = block[OWNED + 2 * seat, lane], block[OWNED + 2 * seat + 1, lane]
    start = 0
    for option in range(1, options):
        if low == uint32(0):
            low, high, start = high, uint32(0), 32
        lowest = uint32(low & uint32(uint32(0) - low))
        place = np.int64(ones_in(uint32(lowest - uint32(1)))) + start
        values[option] = int32(block[EGGS + place, lane])
        low = uint32(low & ~lowest)


def _fill_gift(block: Words, lane: Word, seat: Word, values: Any) -> None:
    """Write the value of the egg that a Courier may give to all six values."""
    which = which_is(block[TABLE + seat, lane], rules.COURIER)
    egg = np.int64(place_got(block[GOT + seat, lane], which)) - 1
    for player in range(rules.MAX_PLAYERS):
        values[player] = int32(block[EGGS + egg, lane])


def _fill_nothing(block: Words, one: Any, two: Any, three: Any, four: Any = 0) -> None:
    """Write no values, and copy none, for an agent that reads none."""


around_of, constants, observe = inlined(_around), inlined(_constants), spliced(_observe)
fill_offer, fill_owned = spliced(_fill_offer), spliced(_fill_owned)
fill_gift, fill_nothing = spliced(_fill_gift), spliced(_fill_nothing)
