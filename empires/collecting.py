"""Steps of a turn's first half in every lane: cards are sent and collect eggs in their order."""

from typing import Any

import numpy as np
from numpy import uint32

from empires import rules
from empires.columns import (
    base_in,
    change_secret,
    face_up_in,
    lanes_where,
    left_in,
    number_on,
    which_is,
)
from empires.layout import (
    ACTIONS,
    CHOICES,
    DECIDERS,
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
    PLAYED,
    POINTS,
    SEEN,
    TABLE,
    VALUES,
    WHO,
    WORTH,
)
from simulator.program import step
from simulator.shuffling import exchange
from simulator.words import Word, Words, field, fill, shift_left

# A card in ORDER: rank << 12 | nearness to the marker's holder << 8 | seat << 4 | number.
_RANK, _NEARNESS, _SEAT, _NIBBLE = 12, 8, 4, uint32(15)


@step
def send(
    block: Words, facts: Words, tables: Any, counts: Any, totals: Any,
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
    exchange(block[ORDER : ORDER + cards], tables[3])
    for card in range(cards):
        order = block[ORDER + card]
        for lane in range(order.size):
            order[lane] = uint32(~order[lane])


@step
def find_collectors(
    block: Words, facts: Words, tables: Any, counts: Any, totals: Any,
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
    for seat in range(np.int64(facts[rules.PLAYERS])):
        counts[seat] = lanes_where(who, seat, block[DECIDERS + seat])


@step
def collect(
    block: Words, facts: Words, tables: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Let the cards that act take the eggs that CHOICES name (rule 4)."""
    two, offers, entries = facts[rules.DECKS] == 2, block[OFFER], block[ENTRY]
    for seat in range(np.int64(facts[rules.PLAYERS])):
        deciders, choices, count = block[DECIDERS + seat], block[CHOICES + seat], counts[seat]
        got, points, table = block[GOT + seat], block[POINTS + seat], block[TABLE + seat]
        low, high = block[OWNED + 2 * seat], block[OWNED + 2 * seat + 1]
        for entry in range(count):
            lane, choice = np.int64(deciders[entry]), choices[entry]
            if choice == uint32(0):
                count -= 1
                continue
            number, offer = uint32(entries[lane] >> uint32(16)), offers[lane]
            w = uint32(choice - uint32(1))
            egg = uint32(base_in(offer) + w)
            offers[lane] = uint32(offer ^ shift_left(uint32(1), w))
            which = which_is(table[lane], number) if two else uint32(0)
            egg_got = uint32(egg + uint32(1))
            got[lane] = uint32(got[lane] | shift_left(egg_got, uint32(uint32(8) * which)))
            word, bit = np.int64(egg >> uint32(5)), shift_left(uint32(1), egg)
            if word:
                high[lane] = uint32(high[lane] | bit)
            else:
                low[lane] = uint32(low[lane] | bit)
            value = block[VALUES + np.int64(w), lane]
            if w < face_up_in(offer):
                points[lane] = uint32(points[lane] + value)
            else:
                known = KNOWN + 2 * seat + word
                block[known, lane] = uint32(block[known, lane] | bit)
                change_secret(block, lane, seat, word, egg, value)
            block[WORTH + 2 * seat + np.int64(which), lane] = value
        totals[seat, EGGS_COUNT] += count
