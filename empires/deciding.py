"""The loops in which a compiled agent decides, lane by lane: one for each kind of decision.

Cards and mulligans are chosen in all lanes, the rest in those that the step before has listed.
`compiled_agent` lifts each loop for an agent's function, which the loop calls `choose`.
"""

from typing import Any

import numpy as np
from numpy import uint32, uint64

from empires import rules
from empires.columns import eggs_owned, which_is
from empires.compact import (
    CARD_KIND,
    DISCARD_KIND,
    GIFT_KIND,
    MULLIGAN_KIND,
    OPTIONS_OF,
    PICK_KIND,
    hand_options,
)
from empires.layout import (
    ACTIONS,
    CARD_WORD,
    CHOICES,
    DECIDERS,
    DISCARD_WORD,
    DRAWN,
    ENTRY,
    GIFT_WORD,
    HANDS,
    HIGH_PICK_WORD,
    OPTIONS,
    OWNED,
    PICK_WORD,
    SECOND_CARD_WORD,
    TABLE,
    TWO_DISCARD_WORD,
    TWO_GIFT_WORD,
    WORDS,
    WORDS_A_SEAT,
)
from empires.observing import (
    ASIDE,
    ON_OFFER,
    around_of,
    card_values,
    constants,
    egg_values,
    fill_gift,
    fill_offer,
    fill_owned,
    gift_values,
    observe,
)
from simulator.lifting import inlined, spliced, unbound
from simulator.words import Word, Words, field, ones_in, place_of_one, shift_left

choose = weigh = unbound  # an agent's function, as a loop calls it


def _owned_place(block: Words, lane: Word, seat: Word, option: Word) -> Any:
    """Return 1 + the place of the `option`-th (from 1) egg that a seat owns; without branches."""
    low, high = block[OWNED + 2 * seat, lane], block[OWNED + 2 * seat + 1, lane]
    skipped, in_low = uint32(option - uint32(1)), ones_in(low)
    is_high = skipped >= in_low
    bits = high if is_high else low
    start = uint32(32) if is_high else uint32(0)
    skipped = uint32(skipped - in_low) if is_high else skipped
    return uint32(uint32(1) + uint32(start + place_of_one(bits, skipped)))


def _slot_of(facts: Words, moment: Word) -> Any:
    """Return the first of the slots of a moment's random words."""
    return moment * (8 if facts[rules.DECKS] == uint32(2) else 4)


def _is_option(options: Word, chosen: Word) -> Any:
    """Return 1 if what was chosen is one of the options, else 0."""
    return uint32(field(options, chosen, 1) & uint32(uint32(chosen) < uint32(32)))


def _choice_of(options: Word, chosen: Word, done: Word) -> Any:
    """Return what CHOICES says: `done`, 0 for nothing, or of no option what `fault` finds."""
    done = uint32(done) if chosen != uint32(0) else uint32(0)
    return done if is_option(options, chosen) != uint32(0) else uint32(0xFFFF)


slot_of, is_option = inlined(_slot_of), inlined(_is_option)
choice_of, owned_place = inlined(_choice_of), spliced(_owned_place)


def _set_side_by_side(block: Words, seat: Word, count: Word, word: Word) -> None:
    """Copy the options and random words of the lanes that a seat decides in side by side."""
    deciders, options, drawn = block[DECIDERS + seat], block[OPTIONS], block[DRAWN]
    words = block[WORDS + WORDS_A_SEAT * seat + word]
    for entry in range(count):
        lane = deciders[entry]
        options[entry] = block[ENTRY, lane]
        drawn[entry] = words[lane]


def _copy_offers(block: Words, facts: Words, seat: Word, count: Word) -> None:
    """Copy the eggs on offer in the lanes that a seat decides in side by side, to rows ASIDE."""
    deciders, most = block[DECIDERS + seat], facts[rules.REVEALED] + facts[rules.PLAYERS]
    for row in range(2 + (np.int64(most) + 3) // 4):
        here, aside = block[ON_OFFER[row]], block[ASIDE[row]]
        for entry in range(count):
            aside[entry] = here[deciders[entry]]


copy_offers = spliced(_copy_offers)
set_side_by_side = spliced(_set_side_by_side)


def mulligan_loop(
    block: Words, facts: Words, parameters: Any, seed: Word, first: Word,
    moment: Word, seat: Word, count: Word,
) -> Word:  # fmt: skip
    """Let an agent keep or redraw a seat's hands; see AGENT_SIGNATURE."""
    around, same = around_of(facts, seat), constants(facts, moment, seat)
    slot, allowed = slot_of(facts, moment) + CARD_WORD, uint32(0)
    actions, hand = block[ACTIONS + seat], block[HANDS + seat]
    drawn = block[WORDS + WORDS_A_SEAT * seat + CARD_WORD]
    for lane in range(actions.size):
        observation = observe(block, lane, around, uint32(3), uint32(0), uint32(0), same)
        values = card_values()
        index = first + uint64(lane)
        chosen = choose(observation, values, parameters, drawn[lane], seed, index, slot)
        chosen = chosen if hand[lane] != uint32(0) else uint32(0)
        allowed = uint32(allowed + uint32(chosen < uint32(2)))
        actions[lane] = chosen
    return np.int64(actions.size) - np.int64(allowed)


def card_loop(
    block: Words, facts: Words, parameters: Any, seed: Word, first: Word,
    moment: Word, seat: Word, count: Word,
) -> Word:  # fmt: skip
    """Let an agent choose a seat's cards, one after the other; see AGENT_SIGNATURE."""
    around, same = around_of(facts, seat), constants(facts, moment, seat)
    actions, hand, allowed = block[ACTIONS + seat], block[HANDS + seat], uint32(0)
    for copy in range(np.int64(facts[rules.DECKS])):
        place = SECOND_CARD_WORD if copy else CARD_WORD
        slot, mask = slot_of(facts, moment) + place, uint32(0xFFFFFFFF if copy else 0)
        drawn = block[WORDS + WORDS_A_SEAT * seat + place]
        for lane in range(actions.size):
            held, before = hand[lane], uint32(actions[lane] & mask)
            options = hand_options(held, before)
            observation = observe(block, lane, around, options, before, uint32(0), same)
            values = card_values()
            fill_offer(block, ON_OFFER, lane, seat, values)
            index = first + uint64(lane)
            chosen = choose(observation, values, parameters, drawn[lane], seed, index, slot)
            chosen = chosen if held != uint32(0) else uint32(0)
            ended = uint32(held == uint32(0))
            allowed = uint32(allowed + uint32(is_option(options, chosen) | ended))
            low, high = min(before, chosen), max(before, chosen)
            actions[lane] = uint32(low | shift_left(high, 4)) if copy else chosen
    return np.int64(actions.size) * np.int64(facts[rules.DECKS]) - np.int64(allowed)


def pick_loop(
    block: Words, facts: Words, parameters: Any, seed: Word, first: Word,
    moment: Word, seat: Word, count: Word,
) -> Word:  # fmt: skip
    """Let an agent choose among the eggs; see AGENT_SIGNATURE."""
    around, same = around_of(facts, seat), constants(facts, moment, seat)
    two, slot, allowed = facts[rules.DECKS] == 2, slot_of(facts, moment), uint32(0)
    set_side_by_side(block, seat, count, PICK_WORD)
    copy_offers(block, facts, seat, count)
    deciders, entries, drawn = block[DECIDERS + seat], block[OPTIONS], block[DRAWN]
    table, choices = block[TABLE + seat], block[CHOICES + seat]
    if two:
        second = block[WORDS + WORDS_A_SEAT * seat + HIGH_PICK_WORD]
        for entry in range(count):
            lane = deciders[entry]
            if which_is(table[lane], uint32(entries[entry] >> uint32(16))):
                drawn[entry] = second[lane]
    for entry in range(count):
        lane = deciders[entry]
        options = uint32(entries[entry] & uint32(0xFFFF))
        acting = uint32(entries[entry] >> uint32(16))
        observation = observe(block, lane, around, options, uint32(0), acting, same)
        values = card_values()
        fill_offer(block, ASIDE, entry, seat, values)
        is_second = two and which_is(table[lane], acting)
        place = HIGH_PICK_WORD if is_second else PICK_WORD
        index = first + uint64(lane)
        chosen = choose(observation, values, parameters, drawn[entry], seed, index, slot + place)
        allowed = uint32(allowed + is_option(options, chosen))
        choices[entry] = chosen
    return count - np.int64(allowed)


def gift_loop(
    block: Words, facts: Words, parameters: Any, seed: Word, first: Word,
    moment: Word, seat: Word, count: Word,
) -> Word:  # fmt: skip
    """Let an agent give a Courier's egg away, or keep it; see AGENT_SIGNATURE."""
    around, same = around_of(facts, seat), constants(facts, moment, seat)
    place = TWO_GIFT_WORD if facts[rules.DECKS] == 2 else GIFT_WORD
    slot, allowed = slot_of(facts, moment) + place, uint32(0)
    set_side_by_side(block, seat, count, place)
    deciders, entries, drawn = block[DECIDERS + seat], block[OPTIONS], block[DRAWN]
    choices, courier = block[CHOICES + seat], uint32(rules.COURIER)
    for entry in range(count):
        lane, options = deciders[entry], entries[entry]
        observation = observe(block, lane, around, options, uint32(0), courier, same)
        values = gift_values()
        fill_gift(block, lane, seat, values)
        index = first + uint64(lane)
        chosen = choose(observation, values, parameters, drawn[entry], seed, index, slot)
        allowed = uint32(allowed + is_option(options, chosen))
        given = uint32(uint32(1) + rules.seat_after(seat, min(chosen, uint32(5)), same[1]))
        choices[entry] = choice_of(options, chosen, given)
    return count - np.int64(allowed)


def discard_loop(
    block: Words, facts: Words, parameters: Any, seed: Word, first: Word,
    moment: Word, seat: Word, count: Word,
) -> Word:  # fmt: skip
    """Let an agent discard one of a seat's eggs, or none; see AGENT_SIGNATURE."""
    around, same = around_of(facts, seat), constants(facts, moment, seat)
    place = TWO_DISCARD_WORD if facts[rules.DECKS] == 2 else DISCARD_WORD
    slot, allowed = slot_of(facts, moment) + place, uint32(0)
    set_side_by_side(block, seat, count, place)
    deciders, entries, drawn = block[DECIDERS + seat], block[OPTIONS], block[DRAWN]
    choices, priest = block[CHOICES + seat], uint32(rules.PRIEST)
    for entry in range(count):
        lane, options = deciders[entry], entries[entry]
        observation = observe(block, lane, around, options, uint32(0), priest, same)
        values = egg_values()
        fill_owned(block, lane, seat, values, np.int64(ones_in(options)))
        index = first + uint64(lane)
        chosen = choose(observation, values, parameters, drawn[entry], seed, index, slot)
        allowed = uint32(allowed + is_option(options, chosen))
        choices[entry] = chosen
    for entry in range(count):
        lane, options, chosen = deciders[entry], entries[entry], choices[entry]
        choices[entry] = choice_of(options, chosen, owned_place(block, lane, seat, chosen))
    return count - np.int64(allowed)


def reporting_loop(
    block: Words, facts: Words, parameters: Any, moment: Word, kind: Word, seat: Word,
    before: Word, weights: Any,
) -> None:  # fmt: skip
    """Write an agent's weights in lane 0 of a block, float32[options], in place.

    `before` is the number already chosen, with two cards a turn, or 0.
    """
    around, same, lane = around_of(facts, seat), constants(facts, moment, seat), 0
    values = egg_values()
    options = uint32(block[ENTRY, lane])
    acting = uint32(0)
    if kind == MULLIGAN_KIND:
        options = uint32(3)
    elif kind == CARD_KIND:
        options = hand_options(block[HANDS + seat, lane], before)  # type: ignore[assignment]
        fill_offer(block, ON_OFFER, lane, seat, values)
    elif kind == PICK_KIND:
        acting = uint32(options >> uint32(16))
        options = uint32(options & uint32(0xFFFF))
        fill_offer(block, ON_OFFER, lane, seat, values)
    elif kind == GIFT_KIND:
        acting = uint32(rules.COURIER)
        fill_gift(block, lane, seat, values)
    else:
        acting = uint32(rules.PRIEST)
        owned = np.int64(eggs_owned(block, lane, seat))
        fill_owned(block, lane, seat, values, min(owned + 1, OPTIONS_OF[DISCARD_KIND]))
    observation = observe(block, lane, around, options, uint32(before), acting, same)
    weigh(observation, values, weights, parameters, uint64(0), uint64(0), uint64(0))
