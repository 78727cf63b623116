"""Steps of a turn's second half in every lane: powers are used, hands filled, the marker passed."""

from typing import Any

import numpy as np
from numpy import int32, uint32

from empires import rules
from empires.columns import (
    base_in,
    byte_of,
    change_owner,
    eggs_owned,
    face_up_in,
    left_in,
    number_on,
    offer_of,
    offered_in,
    place_got,
    which_is,
)
from empires.layout import (
    BLACKSMITH_COUNT,
    BROUGHT,
    CHOICES,
    COURIERS,
    DECIDERS,
    DISCARD_COUNT,
    EGGS,
    ENDED,
    ENTRY,
    GIFT_COUNT,
    GOT,
    HANDS,
    HIDDEN,
    HOLDER,
    KNOWN,
    LISTED,
    MERCHANT_COUNT,
    NEGATIVE,
    OFFER,
    PENDING,
    PILE_WORDS,
    PILES,
    POINTS,
    POWERS,
    PRIESTS,
    SCOUTS,
    SEATS,
    SEEN,
    TABLE,
    VALUES,
    WORTH,
)
from simulator.lifting import inlined, local_array, spliced
from simulator.program import step
from simulator.words import Word, Words, field, fill, ones_in, shift_left


def _first_from(due: Word, holder: Word, players: Word) -> Word:
    """Return the first seat, from the marker's holder clockwise, of those that `due` marks."""
    twice = uint32(uint32(due) | shift_left(due, players))
    turned = uint32(twice >> uint32(uint32(holder) & uint32(31)))
    lowest = uint32(turned & uint32(uint32(0) - turned))
    return rules.seat_after(holder, ones_in(uint32(lowest - uint32(1))), players)


def _lay_face_down(block: Words, lane: Word, seat: Word, egg: Word) -> None:
    """Lay an egg of the deck face down, which its Scout alone has seen."""
    offer, value = block[OFFER, lane], block[EGGS + egg, lane]
    w, word, bit = offered_in(offer), egg >> 5, shift_left(uint32(1), uint32(egg & 31))
    known = KNOWN + 2 * np.int64(seat) + word
    below = shift_left(uint32(value >> uint32(31)), w)
    left = uint32(left_in(offer) | shift_left(uint32(1), w))
    offered = uint32(w + uint32(1))
    block[OFFER, lane] = offer_of(base_in(offer), face_up_in(offer), offered, left)
    values = VALUES + np.int64(w >> uint32(2))
    block[values, lane] = uint32(block[values, lane] | byte_of(value, w))
    block[NEGATIVE, lane] = uint32(block[NEGATIVE, lane] | below)
    block[SCOUTS, lane] = uint32(block[SCOUTS, lane] | shift_left(seat, uint32(uint32(3) * w)))
    block[HIDDEN + word, lane] = uint32(block[HIDDEN + word, lane] | bit)
    block[known, lane] = uint32(block[known, lane] | bit)


first_from, _lay = inlined(_first_from), spliced(_lay_face_down)
points_of_numbers = local_array(rules.MAX_NUMBER + 1, int32)


@step
def count_cards(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Add what Merchants and Blacksmiths are worth, and note whose powers are due (rules 6, 7)."""
    powers, couriers, priests = block[POWERS], uint32(0), uint32(0)
    fill(powers, 0)
    for seat in range(np.int64(facts[rules.PLAYERS])):
        table, got, points = block[TABLE + seat], block[GOT + seat], block[POINTS + seat]
        merchants = blacksmiths = uint32(0)
        for which in range(np.int64(facts[rules.DECKS])):
            worth = block[WORTH + 2 * seat + which]
            for lane in range(powers.size):
                bonus = rules.bonus_of(number_on(table[lane], which), place_got(got[lane], which))
                worth[lane] = uint32(worth[lane] + bonus)
                merchants = uint32(merchants + uint32(bonus == uint32(rules.MERCHANT_BONUS)))
                blacksmiths = uint32(blacksmiths + uint32(bonus >> uint32(31)))
            for lane in range(powers.size):
                number, egg = number_on(table[lane], which), place_got(got[lane], which)
                points[lane] = uint32(points[lane] + rules.bonus_of(number, egg))
            for lane in range(powers.size):
                number, egg = number_on(table[lane], which), place_got(got[lane], which)
                took = uint32(1) if egg != uint32(0) else uint32(0)
                gives = took if number == uint32(rules.COURIER) else uint32(0)
                spurns = took if number == uint32(rules.PRIEST) else uint32(0)
                couriers, priests = uint32(couriers + gives), uint32(priests + spurns)
                scouts = shift_left(uint32(number == uint32(rules.SCOUT)), uint32(16 + seat))
                due = uint32(shift_left(gives, seat) | shift_left(spurns, uint32(8 + seat)))
                powers[lane] = uint32(powers[lane] | uint32(due | scouts))
        totals[seat, MERCHANT_COUNT] += np.int64(merchants)
        totals[seat, BLACKSMITH_COUNT] += np.int64(blacksmiths)
    counts[COURIERS], counts[PRIESTS] = np.int64(couriers), np.int64(priests)


@step
def find_power(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """List the lanes in which each seat is the next, from the marker's holder on, to use a power.

    `place` is the Adventurer whose power it is, a Courier or a Priest.
    """
    players, powers, pending = facts[rules.PLAYERS], block[POWERS], block[PENDING]
    is_priest = place == rules.PRIEST
    shift, left = uint32(8 if is_priest else 0), PRIESTS if is_priest else COURIERS
    for seat in range(SEATS):
        counts[seat] = 0
    if counts[left] == 0:
        return
    lanes, kept = counts[LISTED], 0
    if lanes == 0:  # the first time that this power is used this turn
        for lane in range(powers.size):
            pending[lanes] = uint32(lane)  # overwritten by the next lane unless counted
            lanes += np.int64(field(powers[lane], shift, 255) != uint32(0))
    for entry in range(lanes):
        lane = pending[entry]
        due, holder = field(powers[lane], shift, 255), block[HOLDER, lane]
        seat = first_from(due, holder, players)
        powers[lane] = uint32(powers[lane] ^ shift_left(uint32(1), uint32(seat + shift)))
        pending[kept] = uint32(lane)
        kept += np.int64(field(powers[lane], shift, 255) != uint32(0))  # type: ignore[assignment]
        owner = np.int64(seat)
        options = players
        if is_priest:
            options = uint32(eggs_owned(block, lane, owner) + uint32(1))
        number = counts[owner]
        block[DECIDERS + owner, number] = uint32(lane)
        block[ENTRY, lane] = uint32(shift_left(uint32(1), options) - uint32(1))
        counts[owner] = number + 1
    counts[left] -= lanes
    counts[LISTED] = kept


@step
def give(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Let Couriers give their egg to the seat CHOICES - 1, or keep it (rule 6)."""
    players = np.int64(facts[rules.PLAYERS])
    for seat in range(players):
        for entry in range(counts[seat]):
            lane = block[DECIDERS + seat, entry]
            choice = block[CHOICES + seat, entry]
            if choice == uint32(0):
                continue
            which = which_is(block[TABLE + seat, lane], rules.COURIER)
            egg = np.int64(place_got(block[GOT + seat, lane], which)) - 1
            value = change_owner(block, players, lane, seat, egg, 0)
            worth = WORTH + 2 * seat + np.int64(which)
            block[worth, lane] = uint32(block[worth, lane] - uint32(value))
            change_owner(block, players, lane, np.int64(choice) - 1, egg, 1)
            totals[seat, GIFT_COUNT] += 1


@step
def discard(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Let Priests discard their egg of place CHOICES - 1, seen by all, or none (rule 6)."""
    players = np.int64(facts[rules.PLAYERS])
    for seat in range(players):
        for entry in range(counts[seat]):
            lane = block[DECIDERS + seat, entry]
            choice = block[CHOICES + seat, entry]
            if choice == uint32(0):
                continue
            egg = np.int64(choice) - 1
            which = which_is(block[TABLE + seat, lane], rules.PRIEST)
            value = change_owner(block, players, lane, seat, egg, 0)
            worth = WORTH + 2 * seat + np.int64(which)
            block[worth, lane] = uint32(block[worth, lane] - uint32(value))
            totals[seat, DISCARD_COUNT] += 1
            hidden, bit = HIDDEN + (egg >> 5), shift_left(uint32(1), uint32(egg & 31))
            block[hidden, lane] = uint32(block[hidden, lane] & ~bit)


@step
def scout(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Let Scouts lay the next egg of the deck face down, from the marker's holder on (rule 6)."""
    players, eggs = facts[rules.PLAYERS], facts.size - rules.EGGS
    powers, pending, lanes = block[POWERS], block[PENDING], 0
    for lane in range(powers.size):
        pending[lanes] = uint32(lane)  # overwritten by the next lane unless counted
        lanes += np.int64(powers[lane] >= uint32(1 << 16))  # type: ignore[assignment]
    for entry in range(lanes):
        lane = pending[entry]
        due = field(powers[lane], 16, 255)
        while due != uint32(0):
            seat = first_from(due, block[HOLDER, lane], players)
            due = uint32(due ^ shift_left(uint32(1), seat))
            offer = block[OFFER, lane]
            egg = np.int64(base_in(offer) + offered_in(offer))
            if egg < eggs:
                _lay(block, lane, seat, egg)


@step
def draw_back(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Fill hands up after turn `place` (not after the last), clear the table, pass the marker.

    What the cards on the table brought is added up. After that every seat is to choose a card.
    """
    players, decks = facts[rules.PLAYERS], np.int64(facts[rules.DECKS])
    drawn_before, ended = place * decks, block[ENDED]
    left = np.int64(ones_in(facts[rules.CARDS])) - np.int64(facts[rules.HAND]) - drawn_before
    drawn = min(decks, left) if place + 1 < np.int64(facts[rules.TURNS]) else 0
    for seat in range(np.int64(players)):
        for card in range(drawn_before, drawn_before + drawn):
            hand, pile = block[HANDS + seat], block[PILES + PILE_WORDS * seat + card // 8]
            bits = uint32(4 * (card % 8))
            for lane in range(hand.size):
                number = field(pile[lane], bits, 15) if ended[lane] == 0 else uint32(0)
                hand[lane] = rules.with_card(hand[lane], number)
        for which in range(decks):
            table, worth = block[TABLE + seat], block[WORTH + 2 * seat + which]
            brought = points_of_numbers()
            for lane in range(table.size):
                number, points = number_on(table[lane], which), int32(worth[lane])
                for one in range(1, rules.MAX_NUMBER + 1):
                    is_it = number == uint32(one)
                    brought[one] = int32(brought[one] + (points if is_it else int32(0)))
            for one in range(1, rules.MAX_NUMBER + 1):
                totals[seat, BROUGHT + one] += np.int64(brought[one])
            fill(worth, 0)
        fill(block[TABLE + seat], 0)
        fill(block[GOT + seat], 0)
        counts[seat] = block.shape[1]
    holder, seen = block[HOLDER], block[SEEN]
    for lane in range(holder.size):
        holder[lane] = rules.holder_after(holder[lane], rules.is_tie(seen[lane]), players)
