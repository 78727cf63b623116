"""Steps that set up a round in every lane: eggs and Empire decks are shuffled, hands dealt."""

from typing import Any

import numpy as np
from numba import types
from numpy import int32, uint32, uint64

from empires import rules
from empires.columns import base_in, byte_of, face_up_in, offer_of, offered_in
from empires.layout import (
    ACTIONS,
    DRAWN,
    EGGS,
    ENDED,
    FIRST_VISIBLE,
    HANDS,
    HOLDER,
    MULLIGANS,
    NEGATIVE,
    OFFER,
    PILE_WORDS,
    PILES,
    REDRAWN,
    REPILES,
    RESORTED,
    SCOUTS,
    SEATS,
    SORTED,
    TOKENS,
    TOTALS,
    VALUE_WORDS,
    VALUES,
)
from simulator.compiling import compiled
from simulator.lifting import inlined
from simulator.philox import CHANCE_STREAM, draw_block
from simulator.program import BLOCK, step
from simulator.shuffling import exchange
from simulator.words import Word, Words, field, fill, shift_left

_ROUND_BLOCKS = 128  # blocks of chance words that a round may use, four words each
_DECK_BLOCKS, _SEAT_BLOCKS = 16, 10  # the decks' words come after the eggs'
_VALUE_MASK, _VALUE_OFFSET = uint32(255), 128  # an egg's key ends in its value, moved above 0
_NUMBER_MASK = uint32(15)  # a card's key ends in its number

# What follows is compiled once and called, not inlined: that would double the time to compile.


@compiled(
    types.void(BLOCK, types.int64, types.int64, types.uint64, types.uint64, types.int64),
    allocates=False,
)
def draw(block: Words, row: Word, keys: Word, seed: Word, first: Word, start: Word) -> None:
    """Fill rows of keys with chance words, from block `start` of the stream on."""
    for quarter in range((keys + 3) // 4):
        place = row + 4 * quarter
        draw_block(seed, first, CHANCE_STREAM, uint64(start + quarter), block[place : place + 4])


@compiled(types.void(BLOCK, types.int64, types.int64, types.int64), allocates=False)
def pack(block: Words, keys: Word, cards: Word, pile: Word) -> None:
    """Pack the numbers of sorted keys into the words of a pile, eight to a word."""
    for card in range(8 * PILE_WORDS):
        word, place = block[pile + card // 8], uint32(4 * (card % 8))
        if card % 8 == 0:
            fill(word, 0)
        if card < cards:
            row = block[keys + card]
            for lane in range(word.size):
                number = uint32(row[lane] & _NUMBER_MASK)
                word[lane] = uint32(word[lane] | shift_left(number, place))


@compiled(types.void(BLOCK, types.int64, types.int64, types.int64), allocates=False)
def gather_hand(block: Words, keys: Word, cards: Word, hand: Word) -> None:
    """Make a hand of the numbers of some sorted keys; of none where the playthrough is over."""
    held, ended = block[hand], block[ENDED]
    fill(held, 0)
    for card in range(cards):
        row = block[keys + card]
        for lane in range(held.size):
            number = uint32(row[lane] & _NUMBER_MASK)
            held[lane] = rules.with_card(held[lane], number if ended[lane] == 0 else uint32(0))


def _take_where(flags: Words, row: Words, other: Words) -> None:
    """Replace a row, in place, by another in the lanes whose flag is 1 (flags are 0 or 1)."""
    for lane in range(row.size):
        mask = uint32(uint32(0) - flags[lane])
        row[lane] = uint32(uint32(row[lane] & ~mask) | uint32(other[lane] & mask))


take_where = inlined(_take_where)


@step
def start_round(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Clear what belongs to a round; in the first, `moment` 0, everything that any seat sees."""
    for row in range(FIRST_VISIBLE if moment == 0 else MULLIGANS, EGGS):
        if row < TOTALS or row >= TOKENS + SEATS or moment == 0:
            fill(block[row], 0)


@step
def shuffle_eggs(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Fill EGGS of round `moment` with the values in a random order.

    A key is 24 random bits over the value. Two keys of a deck agree in the random bits, so that
    the lower value comes first, in some 14 of a million decks of 22 eggs.
    """
    eggs = facts.size - rules.EGGS
    draw(block, EGGS, eggs, seed, first, _ROUND_BLOCKS * moment)
    for egg in range(eggs):
        row = block[EGGS + egg]
        label = uint32(facts[rules.EGGS + egg] + uint32(_VALUE_OFFSET))
        for lane in range(row.size):
            row[lane] = uint32(uint32(row[lane] & ~_VALUE_MASK) | label)
    exchange(block[EGGS : EGGS + eggs], networks, 0)
    for egg in range(eggs):
        row = block[EGGS + egg]
        for lane in range(row.size):
            row[lane] = uint32(uint32(row[lane] & _VALUE_MASK) - uint32(_VALUE_OFFSET))


@step
def shuffle_deck(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Shuffle the Empire deck of seat `place` for round `moment` and deal its hand.

    Where hands may be exchanged, what a mulligan would give is dealt too, and the seat is to
    decide. A key is 28 random bits over the card's number.
    """
    numbers, hand, kind = facts[rules.CARDS], np.int64(facts[rules.HAND]), facts[rules.MULLIGAN]
    start = _ROUND_BLOCKS * moment + _DECK_BLOCKS + _SEAT_BLOCKS * place
    cards = 0
    for bit in range(rules.MAX_NUMBER + rules.TWICE):
        cards += np.int64(field(numbers, bit, 1))  # type: ignore[assignment]
    draw(block, SORTED, cards, seed, first, start)
    card = 0
    for bit in range(rules.MAX_NUMBER + rules.TWICE):
        if field(numbers, bit, 1) != 0:
            row, label = block[SORTED + card], uint32(bit % rules.TWICE + 1)
            for lane in range(row.size):
                row[lane] = uint32(uint32(row[lane] & ~_NUMBER_MASK) | label)
            card += 1
    exchange(block[SORTED : SORTED + cards], networks, 1)
    gather_hand(block, SORTED, hand, HANDS + place)
    pack(block, SORTED + hand, cards - hand, PILES + PILE_WORDS * place)
    if kind == 0 or (kind == 1 and moment == 0):
        counts[place] = block.shape[1]
        gather_hand(block, SORTED + hand, hand, REDRAWN + place)
        draw(block, RESORTED, cards - hand, seed, first, start + _SEAT_BLOCKS // 2)
        for card in range(cards - hand):
            old, new = (
                block[SORTED + (card if card < hand else card + hand)],
                block[RESORTED + card],
            )
            for lane in range(new.size):
                number = uint32(old[lane] & _NUMBER_MASK)
                new[lane] = uint32(uint32(new[lane] & ~_NUMBER_MASK) | number)
        exchange(block[RESORTED : RESORTED + cards - hand], networks, 2)
        pack(block, RESORTED, cards - hand, REPILES + PILE_WORDS * place)


@step
def redraw(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Carry out the mulligans that ACTIONS hold (rule 2)."""
    mulligans = block[MULLIGANS]
    for seat in range(np.int64(facts[rules.PLAYERS])):
        actions = block[ACTIONS + seat]
        for lane in range(actions.size):
            mulligans[lane] = uint32(mulligans[lane] | shift_left(actions[lane], seat))
        take_where(actions, block[HANDS + seat], block[REDRAWN + seat])
        for word in range(PILE_WORDS):
            row = PILE_WORDS * seat + word
            take_where(actions, block[PILES + row], block[REPILES + row])


@step
def place_marker(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Give the marker to the lowest total (R-E17); in round `moment` 0 to anybody (R-E18)."""
    players, holder = facts[rules.PLAYERS], block[HOLDER]
    lowest, least = block[SORTED], block[RESORTED]
    if moment == 0:
        draw_block(
            seed, first, CHANCE_STREAM, uint64(_ROUND_BLOCKS - 1), block[SORTED : SORTED + 4]
        )
        for lane in range(holder.size):
            holder[lane] = uint32((uint64(lowest[lane]) * uint64(players)) >> uint64(32))
        return
    for seat in range(np.int64(players)):
        total = block[TOTALS + seat]
        for lane in range(holder.size):
            claim = rules.claim_to_marker(total[lane], seat, holder[lane], players)
            lower = seat == 0 or int32(claim) < int32(least[lane])
            lowest[lane] = uint32(seat) if lower else lowest[lane]
            least[lane] = uint32(claim) if lower else least[lane]
    for lane in range(holder.size):
        holder[lane] = lowest[lane]


@step
def reveal(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Turn up new eggs, as many as there are (R-E14); none when `place` is 1, after the last turn.

    After that every seat is to choose a card.
    """
    eggs, wanted = uint32(facts.size - rules.EGGS), facts[rules.REVEALED]
    wanted = uint32(0) if place else wanted
    offers, scouts, negative = block[OFFER], block[SCOUTS], block[NEGATIVE]
    for lane in range(offers.size):
        start = uint32(base_in(offers[lane]) + offered_in(offers[lane]))
        there = uint32(min(wanted, uint32(eggs - start)))
        left = uint32(shift_left(uint32(1), there) - uint32(1))
        offers[lane] = offer_of(start, there, there, left)
        scouts[lane] = uint32(0)
        negative[lane] = uint32(0)
    for word in range(VALUE_WORDS):
        fill(block[VALUES + word], 0)
    drawn, values = block[DRAWN], block[VALUES]  # no more than four are turned up
    for w in range(np.int64(wanted)):
        for lane in range(offers.size):  # apart, as it does not vectorise
            egg = uint32(min(uint32(base_in(offers[lane]) + uint32(w)), uint32(eggs - uint32(1))))
            drawn[lane] = block[EGGS + np.int64(egg), lane]
        for lane in range(offers.size):
            value = drawn[lane] if uint32(w) < face_up_in(offers[lane]) else uint32(0)
            values[lane] = uint32(values[lane] | byte_of(value, w))
            sign = shift_left(uint32(value >> uint32(31)), w)
            negative[lane] = uint32(negative[lane] | sign)
    for seat in range(np.int64(facts[rules.PLAYERS])):
        counts[seat] = block.shape[1]
