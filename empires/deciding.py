"""The loop in which a compiled agent decides, lane by lane; `compiled_agent` lifts it.

One loop for the five kinds of decision: cards and mulligans are chosen in all lanes, the others in
those that `turns.find_...` listed. The names `choose_...` are bound anew for each agent.
"""

from typing import Any

import numpy as np
from numpy import int32, uint32, uint64

from empires import rules
from empires.columns import eggs_owned, face_up_in, left_in, offered_in, place_got, which_is
from empires.compact import (
    CARD_KIND,
    DISCARD_KIND,
    GIFT_KIND,
    MULLIGAN_KIND,
    OPTIONS_OF,
    PICK_KIND,
    UNKNOWN,
    CompactObservation,
    hand_options,
)
from empires.layout import (
    ACTIONS,
    CARD_WORD,
    CHOICES,
    DECIDERS,
    DISCARD_WORD,
    DRAWN,
    EGGS,
    ENTRY,
    GIFT_WORD,
    GOT,
    HANDS,
    HIGH_PICK_WORD,
    HOLDER,
    OFFER,
    OPTIONS,
    OWNED,
    PICK_WORD,
    PLAYED,
    POINTS,
    SCOUTS,
    SEATS,
    SECOND_CARD_WORD,
    SECRET,
    TABLE,
    TOKENS,
    TOTALS,
    TWO_DISCARD_WORD,
    TWO_GIFT_WORD,
    VALUES,
    WORDS,
    WORDS_A_SEAT,
)
from simulator.lifting import inlined, local_array, spliced
from simulator.words import Word, Words, field, ones_in, place_of_one, shift_left


def _unbound(*_: Any) -> Any:
    """Stand for an agent's functions; `lift` binds these names anew for each agent."""
    raise NotImplementedError("a loop over lanes runs only once it is lifted")


choose_mulligan = choose_card = choose_pick = choose_gift = choose_discard = _unbound
weigh = _unbound  # for `reporting_loop`, which is lifted for one kind of decision


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


def _fill_offer(block: Words, lane: Word, seat: Word, values: Any) -> None:
    """Write the values of the eggs on offer, as the seat knows them, to values[1] on."""
    offer, scouts = block[OFFER, lane], block[SCOUTS, lane]
    face_up, offered = face_up_in(offer), offered_in(offer)
    for w in range(rules.MAX_OFFERED):
        own = field(scouts, 3 * w, 7) == uint32(seat)
        value = int32(block[VALUES + w, lane])
        value = value if uint32(w) < face_up or own else int32(UNKNOWN)
        values[w + 1] = value if uint32(w) < offered else int32(0)


around_of, constants, observe = inlined(_around), inlined(_constants), spliced(_observe)
six = local_array(SEATS, int32)
card_values = local_array(rules.MAX_OFFERED + 1, int32)
gift_values = local_array(rules.MAX_PLAYERS, int32)
egg_values = local_array(OPTIONS_OF[DISCARD_KIND], int32)


def _fill_owned(block: Words, lane: Word, seat: Word, options: Word, values: Any) -> None:
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


def _owned_place(block: Words, lane: Word, seat: Word, option: Word) -> Any:
    """Return 1 + the place of the `option`-th (from 1) egg that a seat owns; without branches."""
    low, high = block[OWNED + 2 * seat, lane], block[OWNED + 2 * seat + 1, lane]
    skipped, in_low = uint32(option - uint32(1)), ones_in(low)
    is_high = skipped >= in_low
    bits = high if is_high else low
    start = uint32(32) if is_high else uint32(0)
    skipped = uint32(skipped - in_low) if is_high else skipped
    return uint32(uint32(1) + uint32(start + place_of_one(bits, skipped)))


fill_owned = spliced(_fill_owned)
owned_place, fill_offer = spliced(_owned_place), spliced(_fill_offer)


def deciding_loop(
    block: Words, facts: Words, parameters: Any, seed: Word, first: Word,
    moment: Word, kind: Word, seat: Word, count: Word,
) -> Word:  # fmt: skip
    """Let an agent decide for a seat; see AGENT_SIGNATURE."""
    around, same = around_of(facts, seat), constants(facts, moment, seat)
    two = np.int64(facts[rules.DECKS]) == 2
    slot, words = moment * (8 if two else 4), WORDS + WORDS_A_SEAT * seat
    allowed = uint32(0)
    if kind == MULLIGAN_KIND:
        actions, hand = block[ACTIONS + seat], block[HANDS + seat]
        word = block[words + CARD_WORD]
        for lane in range(actions.size):
            observation = observe(block, lane, around, uint32(3), uint32(0), uint32(0), same)
            values = card_values()
            index = first + uint64(lane)
            chosen = choose_mulligan(
                observation, values, parameters, word[lane], 2, seed, index, slot
            )
            chosen = chosen if hand[lane] != uint32(0) else uint32(0)
            allowed = uint32(allowed + uint32(chosen < uint32(2)))
            actions[lane] = chosen
        return np.int64(actions.size) - np.int64(allowed)
    if kind == CARD_KIND:
        actions, hand = block[ACTIONS + seat], block[HANDS + seat]
        for copy in range(np.int64(facts[rules.DECKS])):
            place = SECOND_CARD_WORD if copy else CARD_WORD
            word, mask = block[words + place], uint32(0xFFFFFFFF if copy else 0)
            for lane in range(actions.size):
                held, before = hand[lane], uint32(actions[lane] & mask)
                options = hand_options(held, before)
                observation = observe(block, lane, around, options, before, uint32(0), same)
                values = card_values()
                fill_offer(block, lane, seat, values)
                chosen = choose_card(
                    observation, values, parameters, word[lane], rules.MAX_NUMBER + 1,
                    seed, first + uint64(lane), slot + place,
                )  # fmt: skip
                chosen = chosen if held != uint32(0) else uint32(0)
                ended = uint32(held == uint32(0))
                ok = uint32(field(options, chosen, 1) & uint32(chosen < uint32(32)))
                allowed = uint32(allowed + uint32(ok | ended))
                low, high = min(before, chosen), max(before, chosen)
                actions[lane] = uint32(low | shift_left(high, 4)) if copy else chosen
        return np.int64(actions.size) * np.int64(facts[rules.DECKS]) - np.int64(allowed)
    deciders, entries = block[DECIDERS + seat], block[OPTIONS]
    choices, drawn = block[CHOICES + seat], block[DRAWN]
    for entry in range(count):
        entries[entry] = block[ENTRY, np.int64(deciders[entry])]
    if kind == PICK_KIND:
        for entry in range(count):
            lane = np.int64(deciders[entry])  # type: ignore[assignment]
            drawn[entry] = block[words + PICK_WORD, lane]
            if two:
                acting = uint32(entries[entry] >> uint32(16))
                high = which_is(block[TABLE + seat, lane], acting)
                drawn[entry] = block[words + (HIGH_PICK_WORD if high else PICK_WORD), lane]
        for entry in range(count):
            lane = np.int64(deciders[entry])  # type: ignore[assignment]
            options = uint32(entries[entry] & uint32(0xFFFF))
            acting = uint32(entries[entry] >> uint32(16))
            observation = observe(block, lane, around, options, uint32(0), acting, same)
            values = card_values()
            fill_offer(block, lane, seat, values)
            place = PICK_WORD
            if two:
                high = which_is(block[TABLE + seat, lane], acting)
                place = HIGH_PICK_WORD if high else PICK_WORD
            chosen = choose_pick(
                observation, values, parameters, drawn[entry], rules.MAX_OFFERED + 1,
                seed, first + uint64(lane), slot + place,
            )  # fmt: skip
            legal = uint32(field(options, chosen, 1) & uint32(chosen < uint32(32)))
            allowed = uint32(allowed + legal)
            choices[entry] = chosen
        return count - np.int64(allowed)
    for entry in range(count):
        lane, options = np.int64(deciders[entry]), entries[entry]  # type: ignore[assignment]
        acting = uint32(rules.COURIER if kind == GIFT_KIND else rules.PRIEST)
        observation = observe(block, lane, around, options, uint32(0), acting, same)
        index = first + uint64(lane)
        if kind == GIFT_KIND:
            which = which_is(block[TABLE + seat, lane], acting)
            egg = np.int64(place_got(block[GOT + seat, lane], which)) - 1
            values = gift_values()
            for player in range(rules.MAX_PLAYERS):
                values[player] = int32(block[EGGS + egg, lane])
            place = TWO_GIFT_WORD if two else GIFT_WORD
            chosen = choose_gift(
                observation, values, parameters, block[words + place, lane], rules.MAX_PLAYERS,
                seed, index, slot + place,
            )  # fmt: skip
            done = uint32(uint32(1) + rules.seat_after(seat, min(chosen, uint32(5)), same[1]))
        else:
            values = egg_values()
            owned = np.int64(eggs_owned(block, lane, seat))
            count_own = min(owned + 1, OPTIONS_OF[DISCARD_KIND])
            fill_owned(block, lane, seat, count_own, values)
            place = TWO_DISCARD_WORD if two else DISCARD_WORD
            chosen = choose_discard(
                observation, values, parameters, block[words + place, lane], count_own,
                seed, index, slot + place,
            )  # fmt: skip
            done = owned_place(block, lane, seat, chosen)
        legal = uint32(field(options, chosen, 1) & uint32(chosen < uint32(32)))
        allowed = uint32(allowed + legal)
        done = done if chosen != uint32(0) else uint32(0)
        choices[entry] = done if legal != uint32(0) else uint32(0xFFFF)  # found by `fault`
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
        fill_offer(block, lane, seat, values)
    elif kind == PICK_KIND:
        acting = uint32(options >> uint32(16))
        options = uint32(options & uint32(0xFFFF))
        fill_offer(block, lane, seat, values)
    elif kind == GIFT_KIND:
        acting = uint32(rules.COURIER)
        which = which_is(block[TABLE + seat, lane], acting)
        egg = np.int64(place_got(block[GOT + seat, lane], which)) - 1
        for player in range(rules.MAX_PLAYERS):
            values[player] = int32(block[EGGS + egg, lane])
    else:
        acting = uint32(rules.PRIEST)
        owned = np.int64(eggs_owned(block, lane, seat))
        fill_owned(block, lane, seat, min(owned + 1, OPTIONS_OF[DISCARD_KIND]), values)
    observation = observe(block, lane, around, options, uint32(before), acting, same)
    weigh(observation, values, weights, parameters, uint64(0), uint64(0), uint64(0))
