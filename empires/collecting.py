"""Steps of a turn's first half in every lane: cards are sent and collect eggs in their order."""

from typing import Any

import numpy as np
from numba import types
from numpy import uint32

from empires import rules
from empires.columns import (
    base_in,
    face_up_in,
    left_in,
    number_on,
    value_of,
    which_is,
)
from empires.layout import (
    ACTIONS,
    CHOICES,
    DECIDERS,
    EGGS,
    EGGS_COUNT,
    ENTRY,
    GOT,
    HANDS,
    HOLDER,
    KNOWN,
    NEGATIVE,
    NOBODY,
    OFFER,
    ORDER,
    OWNED,
    PENDING,
    PLAYED,
    POINTS,
    SCOUTS,
    SEATS,
    SECRET,
    SEEN,
    TABLE,
    TAKEN,
    TAKEN_VALUE,
    VALUES,
    WHO,
    WORTH,
)
from simulator.compiling import compiled
from simulator.lifting import spliced
from simulator.program import BLOCK, FACTS, step
from simulator.shuffling import exchange
from simulator.words import Word, Words, field, fill, shift_left

# A card in ORDER: rank << 12 | nearness to the marker's holder << 8 | seat << 4 | number.
_RANK, _NEARNESS, _SEAT, _NIBBLE = 12, 8, 4, uint32(15)


@step
def send(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Reveal the cards that ACTIONS hold and put them in order (rules 3 and 5).

    ORDER + j becomes the card that collects in place j, 0 for none.
    """
    players, decks = facts[rules.PLAYERS], np.int64(facts[rules.DECKS])
    seen, holder, waits = block[SEEN], block[HOLDER], facts[rules.BLACKSMITH_WAITS]
    fill(seen, 0)
    for seat in range(np.int64(players)):
        actions, hand, played = block[ACTIONS + seat], block[HANDS + seat], block[PLAYED + seat]
        table = block[TABLE + seat]
        for lane in range(seen.size):
            action = actions[lane]
            low, high = number_on(action, 0), number_on(action, 1)
            table[lane] = action
            hand[lane] = rules.without_card(rules.without_card(hand[lane], low), high)
            played[lane] = rules.with_card(rules.with_card(played[lane], low), high)
            seen[lane] = rules.with_card(rules.with_card(seen[lane], low), high)
    cards = np.int64(players) * decks
    for card in range(cards):
        seat, which = uint32(card // decks), uint32(card % decks)  # type: ignore[assignment]
        table, order = block[TABLE + card // decks], block[ORDER + card]
        for lane in range(order.size):
            number = number_on(table[lane], which)
            rank = rules.rank_of(number, seen[lane], waits)
            nearness = uint32(uint32(7) - rules.clockwise(seat, holder[lane], players))
            key = uint32(uint32(rank << uint32(_RANK)) | uint32(nearness << uint32(_NEARNESS)))
            key = uint32(uint32(key | uint32(seat << uint32(_SEAT))) | number)
            order[lane] = uint32(~(key if rank != uint32(0) else uint32(0)))
    exchange(block[ORDER : ORDER + cards], networks, 3)
    for card in range(cards):
        order = block[ORDER + card]
        for lane in range(order.size):
            order[lane] = uint32(~order[lane])


@step
def find_collectors(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """List the lanes in which each seat's card is the `place`-th in order and may take an egg."""
    order, offers, negative = block[ORDER + place], block[OFFER], block[NEGATIVE]
    entries, who = block[ENTRY], block[WHO]
    for lane in range(order.size):
        card, offer = order[lane], offers[lane]
        number = uint32(card & _NIBBLE)
        there = left_in(offer) if card != uint32(0) else uint32(0)
        face_down = uint32(~uint32(shift_left(uint32(1), face_up_in(offer)) - uint32(1)))
        allowed = rules.eggs_allowed(number, there, negative[lane], face_down)
        refuses = rules.may_refuse(number, there, negative[lane], face_down)
        entry = uint32(uint32(allowed << uint32(1)) | refuses)
        entries[lane] = uint32(entry | uint32(number << uint32(16)))
        seat = field(card, _SEAT, _NIBBLE)
        who[lane] = seat if entry != uint32(0) else uint32(NOBODY)
    for seat in range(NOBODY + 1):
        counts[seat] = 0
    for lane in range(who.size):
        seat = who[lane]  # unsigned: of a signed index it is asked each time whether it is negative
        number = counts[seat]
        block[uint32(DECIDERS + seat), uint32(number)] = uint32(lane)
        counts[seat] = number + 1


def _take_face_down(block: Words, lane: Word) -> None:
    """Let who takes a face-down egg look at it; its Scout, who has seen it, sees whose it is."""
    seat, choice = np.int64(block[WHO, lane]), block[TAKEN, lane]
    scout = np.int64(field(block[SCOUTS, lane], uint32(uint32(3) * uint32(choice - uint32(1))), 7))
    egg = np.int64(base_in(block[OFFER, lane]) + choice) - 1
    value = block[EGGS + egg, lane]
    known = KNOWN + 2 * seat + (egg >> 5)
    block[known, lane] = uint32(block[known, lane] | shift_left(uint32(1), uint32(egg & 31)))
    own, seen = SECRET + SEATS * seat + seat, SECRET + SEATS * scout + seat
    block[own, lane] = uint32(block[own, lane] + value)
    block[seen, lane] = uint32(block[seen, lane] + (value if scout != seat else uint32(0)))
    which = which_is(block[TABLE + seat, lane], uint32(block[ENTRY, lane] >> uint32(16)))
    block[WORTH + 2 * seat + np.int64(which), lane] = value


take_face_down = spliced(_take_face_down)


@compiled(types.void(BLOCK, FACTS, types.int64), allocates=False)
def give_taken(block: Words, facts: Words, seat: Word) -> None:
    """Give a seat the eggs TAKEN in the lanes in which it picks, with their values if face up."""
    taken, values, who, entries = block[TAKEN], block[TAKEN_VALUE], block[WHO], block[ENTRY]
    got, table, points = block[GOT + seat], block[TABLE + seat], block[POINTS + seat]
    if facts[rules.DECKS] == uint32(1):
        worth = block[WORTH + 2 * seat]
        for lane in range(got.size):
            is_it = who[lane] == uint32(seat)
            got[lane] = uint32(got[lane] | (taken[lane] if is_it else uint32(0)))
        for lane in range(got.size):
            value = values[lane] if who[lane] == uint32(seat) else uint32(0)
            points[lane] = uint32(points[lane] + value)
            worth[lane] = uint32(worth[lane] + value)
    else:
        for card in range(2):
            worth = block[WORTH + 2 * seat + card]
            for lane in range(got.size):
                which = which_is(table[lane], uint32(entries[lane] >> uint32(16)))
                is_it = uint32(who[lane] == uint32(seat)) & uint32(which == uint32(card))
                worth[lane] = uint32(worth[lane] + (values[lane] if is_it else uint32(0)))
            for lane in range(got.size):
                which = which_is(table[lane], uint32(entries[lane] >> uint32(16)))
                is_it = uint32(who[lane] == uint32(seat)) & uint32(which == uint32(card))
                egg = taken[lane] if is_it else uint32(0)
                got[lane] = uint32(got[lane] | shift_left(egg, uint32(8 * card)))
        for lane in range(got.size):
            value = values[lane] if who[lane] == uint32(seat) else uint32(0)
            points[lane] = uint32(points[lane] + value)
    for word in range((facts.size - rules.EGGS + 31) // 32):
        owned = block[OWNED + 2 * seat + word]
        for lane in range(got.size):
            egg = uint32(taken[lane] - uint32(1))
            is_there = uint32(uint32(egg >> uint32(5)) == uint32(word))
            is_it = uint32(who[lane] == uint32(seat)) & is_there
            owned[lane] = uint32(owned[lane] | (shift_left(uint32(1), egg) if is_it else uint32(0)))


@step
def collect(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Let the cards that act take the eggs that CHOICES name (rule 4).

    Choices are spread over the lanes first, so that what a seat gets is added in loops that
    vectorise; the few eggs that lie face down follow one by one.
    """
    taken, values, offers = block[TAKEN], block[TAKEN_VALUE], block[OFFER]
    players, face_down, found = np.int64(facts[rules.PLAYERS]), block[PENDING], 0
    fill(taken, 0)
    for seat in range(players):
        deciders, choices, count = block[DECIDERS + seat], block[CHOICES + seat], counts[seat]
        refused = 0
        for entry in range(count):
            there, choice = deciders[entry], choices[entry]
            taken[there] = choice
            face_down[found] = uint32(there)  # overwritten by the next one unless counted
            found += np.int64(choice > face_up_in(offers[there]))  # type: ignore[assignment]
            refused += np.int64(choice == uint32(0))  # type: ignore[assignment]
        totals[seat, EGGS_COUNT] += count - refused
    low, middle, high = block[VALUES], block[VALUES + 1], block[VALUES + 2]
    for lane in range(taken.size):
        choice, w = taken[lane], uint32(taken[lane] - uint32(1))
        first_word, second_word, third_word = low[lane], middle[lane], high[lane]
        word = first_word if w < uint32(4) else second_word
        value = uint32(value_of(word if w < uint32(8) else third_word, w))
        shown = uint32(choice != uint32(0)) & uint32(choice <= face_up_in(offers[lane]))
        values[lane] = value if shown else uint32(0)
    for entry in range(found):
        take_face_down(block, face_down[entry])
    for lane in range(taken.size):
        choice, offer = taken[lane], offers[lane]
        taken[lane] = uint32(base_in(offer) + choice) if choice != uint32(0) else uint32(0)
        offers[lane] = uint32(offer ^ uint32(shift_left(uint32(1), choice) >> uint32(1)))
    for seat in range(players):
        give_taken(block, facts, seat)
