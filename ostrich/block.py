"""Many playthroughs at once: one array of rows, each lane (column) a playthrough.

The game is a program of the simulator's: `deal`, then for each round `reveal` the card, let every
seat claim, and `resolve`; at last `settle`. The loops over lanes are in these steps and in an
agent's lifted loop, nowhere else; each is written so that it vectorises.

A step's `moment` is the round, from 0.
"""

from typing import Any

import numpy as np
from numba import types
from numpy import uint32, uint64

from ostrich import rules
from simulator.compiling import compiled
from simulator.lifting import inlined
from simulator.philox import CHANCE_STREAM, draw_block
from simulator.program import DECISION, DRAW, FACTS, Program, lines_of, step
from simulator.shuffling import exchange, in_one_array, network_of_equals, sorting_network
from simulator.words import Word, Words, field, fill, shift_left

#: What is summed for each seat, in this order. Twelfths and squares serve the intervals.
COUNTERS = (
    "win_units",
    "win_units_squared",
    "score",
    "score_squared",
    "ambers",
    "bags_full",
    "bags_broken",
    "out",
)
SEATS = rules.MAX_PLAYERS
# Rows of a block. "+ seat" marks one row for each of four seats.
CARD = 0  # eggs on the card that lies open, 0 for an amber
SEEN = 1  # bit c: card c of the sorted deck has been turned up
SHARE = 2  # each claimant's share this round
AMBER = 3  # 1 if this round's amber goes to the only player who skipped
POSITIONS = 4  # + seat: public position; 0 for a seat not in the game
ACTIONS = POSITIONS + SEATS  # + seat
SCORES = ACTIONS + SEATS  # + seat
SHARES = SCORES + SEATS  # + seat: share of the win
WORDS = SHARES + SEATS  # + 4 * seat + round % 4: random words, drawn for four rounds at once
KEYS = WORDS + 4 * SEATS  # + round: random bits over the eggs on that round's card and its number


def block_rows(cards: int) -> int:
    """Return the rows of a block: keys are drawn by fours."""
    return KEYS + 4 * ((cards + 3) // 4)


@compiled("uint32(uint32)", inline=True)
def _ones(bits: Word) -> Word:
    """Return a word whose lowest `bits` (0 to 31) bits are set."""
    return uint32(uint32(shift_left(uint32(1), bits)) - uint32(1))


@compiled(types.UniTuple(types.uint32, 2)(FACTS), inline=True)
def _key_bits(facts: Words) -> tuple[Word, Word]:
    """Return how many bits a card's number and its eggs take in a key."""
    cards, most = facts.size - rules.DECK, facts[facts.size - 1]
    number_bits = egg_bits = uint32(0)
    while _ones(number_bits) < cards - 1:
        number_bits += uint32(1)
    while _ones(egg_bits) < most:
        egg_bits += uint32(1)
    return uint32(number_bits), uint32(egg_bits)


@step
def deal(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Shuffle each lane's deck and set up the players; lane i is playthrough `first` + i.

    A key is random bits (24 for the published deck, never below 20) over its card's eggs and
    number. Two keys of a deck agree in the random bits, so that the lower card goes first, in some
    4 deals of a million.
    """
    cards = facts.size - rules.DECK
    for quarter in range((cards + 3) // 4):
        row = KEYS + 4 * quarter
        draw_block(seed, first, CHANCE_STREAM, quarter, block[row : row + 4])
    exchange(block[KEYS : KEYS + cards], networks, 0)
    number_bits, egg_bits = _key_bits(facts)
    random_bits = ~_ones(number_bits + egg_bits)
    for card in range(cards):
        row, label = block[KEYS + card], shift_left(facts[rules.DECK + card], number_bits)
        label = uint32(label | uint32(card))
        for lane in range(row.size):
            row[lane] = uint32(row[lane] & random_bits) | label
    exchange(block[KEYS : KEYS + cards], networks, 1)
    fill(block[SEEN], 0)
    for seat in range(SEATS):
        in_game = uint32(seat) < facts[rules.PLAYERS]
        fill(block[POSITIONS + seat], facts[rules.START] if in_game else uint32(0))
        fill(block[ACTIONS + seat], rules.NO_ACTION)


@step
def reveal(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Turn up each lane's card; every seat is to claim."""
    keys, card, seen = block[KEYS + moment], block[CARD], block[SEEN]
    number_bits, egg_bits = _key_bits(facts)
    number_mask, egg_mask = _ones(number_bits), _ones(egg_bits)
    for lane in range(card.size):
        card[lane] = field(keys[lane], number_bits, egg_mask)
        seen[lane] = uint32(seen[lane] | shift_left(uint32(1), keys[lane] & number_mask))
    for seat in range(np.int64(facts[rules.PLAYERS])):
        counts[seat] = card.size


@step
def resolve(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Carry out all players' actions in every lane; all of them must be legal."""
    skip, capacities = facts[rules.SKIP], facts[rules.CAPACITIES]
    card, share, amber = block[CARD], block[SHARE], block[AMBER]
    a0, a1, a2, a3 = block[ACTIONS], block[ACTIONS + 1], block[ACTIONS + 2], block[ACTIONS + 3]
    for lane in range(card.size):
        x0, x1, x2, x3 = a0[lane], a1[lane], a2[lane], a3[lane]
        claimants = uint32(rules.claims(x0, skip) + rules.claims(x1, skip))
        claimants = uint32(claimants + uint32(rules.claims(x2, skip) + rules.claims(x3, skip)))
        skippers = uint32(uint32(x0 == skip) + uint32(x1 == skip))
        skippers = uint32(skippers + uint32(uint32(x2 == skip) + uint32(x3 == skip)))
        share[lane] = rules.share_of(card[lane], claimants)
        amber[lane] = rules.amber_won(card[lane], skippers)
    for seat in range(np.int64(facts[rules.PLAYERS])):
        positions, actions = block[POSITIONS + seat], block[ACTIONS + seat]
        for lane in range(actions.size):
            positions[lane] = rules.after_action(
                positions[lane], actions[lane], share[lane], amber[lane], capacities, skip
            )


def _add_up(block: Words, facts: Words, totals: Any) -> None:
    """Add a settled block to the totals, int64[players, counters], modified in place."""
    skip, capacities = facts[rules.SKIP], facts[rules.CAPACITIES]
    for seat in range(np.int64(facts[rules.PLAYERS])):
        positions, scores = block[POSITIONS + seat], block[SCORES + seat]
        twelfths = block[SHARES + seat]
        squared_points = uint64(0)
        for lane in range(scores.size):
            squared_points += uint32(scores[lane] * scores[lane])
        # 32 bits hold the other sums over a block of up to 2**20 lanes, and vectorise better
        wins = squared_wins = points = ambers = full = whole = out = uint32(0)
        for lane in range(positions.size):
            position, score, win = positions[lane], scores[lane], twelfths[lane]
            wins = uint32(wins + win)
            squared_wins = uint32(squared_wins + uint32(win * win))
            points = uint32(points + score)
            ambers = uint32(ambers + uint32(rules.ambers_of(position)))
            out = uint32(out + uint32(rules.is_out(position)))
            for bag in range(rules.MAX_BAGS):
                eggs = uint32(rules.eggs_in(position, bag))
                whole = uint32(whole + uint32(rules.is_whole(position, bag)))
                full = uint32(full + uint32(eggs == uint32(rules.capacity(capacities, bag))))
        row = totals[seat]  # in the order of COUNTERS
        row[0] += np.int64(wins)
        row[1] += np.int64(squared_wins)
        row[2] += np.int64(points)
        row[3] += np.int64(squared_points)
        row[4] += np.int64(ambers)
        row[5] += np.int64(full)
        row[6] += positions.size * np.int64(skip) - np.int64(whole)
        row[7] += np.int64(out)


_count = inlined(_add_up)


@step
def settle(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Fill in every lane's scores and shares of the win, and add them to the totals."""
    players, capacities = facts[rules.PLAYERS], facts[rules.CAPACITIES]
    amber_value, can_win = facts[rules.AMBER_VALUE], facts[rules.OUT_PLAYERS_CAN_WIN]
    best, winners = block[SHARE], block[AMBER]  # rows at rest once the last round is over
    fill(best, 0)
    fill(winners, 0)
    for seat in range(np.int64(players)):
        positions, scores = block[POSITIONS + seat], block[SCORES + seat]
        standings = block[ACTIONS + seat]
        for lane in range(best.size):
            scores[lane] = rules.score_of(positions[lane], capacities, amber_value)
            standings[lane] = rules.standing_of(positions[lane], scores[lane], can_win)
            best[lane] = max(best[lane], standings[lane])
    for seat in range(np.int64(players)):
        standings = block[ACTIONS + seat]
        for lane in range(best.size):
            winners[lane] = uint32(winners[lane] + uint32(standings[lane] == best[lane]))
    for seat in range(np.int64(players)):
        standings, twelfths = block[ACTIONS + seat], block[SHARES + seat]
        for lane in range(best.size):
            twelfths[lane] = rules.win_twelfths(standings[lane], best[lane], winners[lane])
    _count(block, facts, totals)


STEPS = (deal, reveal, resolve, settle)
CLAIM_KIND = 0


def program(variant: Any) -> Program:
    """Return the program for some rules; random words are drawn for four rounds at once."""
    lines = [(STEPS.index(deal), 0, 0)]
    for turn in range(variant.rounds):
        lines += [(DRAW, 0, turn // 4)] if turn % 4 == 0 else []
        lines += [(STEPS.index(reveal), turn, 0), (DECISION - CLAIM_KIND, turn, 0)]
        lines += [(STEPS.index(resolve), turn, 0)]
    equals, network = network_of_equals(variant.deck), sorting_network(len(variant.deck))
    return Program(
        STEPS,
        lines_of(*lines, (STEPS.index(settle), 0, 0)),
        variant.facts(),
        in_one_array(equals, network),
        block_rows(len(variant.deck)),
        WORDS,
        4,
        SHARES,
        SCORES,
    )
