"""Many playthroughs at once: one array of rows, each lane (column) a playthrough.

A turn of a block: `reveal` each lane's card, every seat's agent fills its row of actions,
`resolve` all lanes by the functions of `rules.py`. `play` does so for whole line-ups of compiled
agents in one call; the simulator's turn-by-turn path calls the same steps one by one. The loops
over lanes are in these functions and in an agent's lifted loop, nowhere else; each is written so
that it vectorises.

Arrays that every kernel takes
------------------------------
block : uint32[rows, lanes]
    Rows by the names below. Modified in place.
facts : uint32[7 + cards]
    `Rules.facts`.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import int32, uint32, uint64

from ostrich import rules
from simulator.compiling import compiled
from simulator.philox import CHANCE_STREAM, draw_block
from simulator.words import Word, Words, field, shift_left

#: What is summed for each seat, in this order. Twelfths and squares serve the intervals.
COUNTERS = (
    "win_twelfths",
    "win_twelfths_squared",
    "score",
    "score_squared",
    "ambers",
    "bags_full",
    "bags_broken",
    "out",
)
SEATS = rules.MAX_PLAYERS
#: What is written down of an illegal action.
FAULT = ("seat", "index", "round", "action", "position")

# Rows of a block. "+ seat" marks one row for each of four seats.
CARD = 0  # eggs on the card that lies open, 0 for an amber
SEEN = 1  # bit c: card c of the sorted deck has been turned up
SHARE = 2  # each claimant's share this round
AMBER = 3  # 1 if this round's amber goes to the only player who skipped
POSITIONS = 4  # + seat: public position; 0 for a seat not in the game
ACTIONS = POSITIONS + SEATS  # + seat
SCORES = ACTIONS + SEATS  # + seat
TWELFTHS = SCORES + SEATS  # + seat: share of the win
WORDS = TWELFTHS + SEATS  # + 4 * seat + round % 4: random words, drawn for four rounds at once
KEYS = WORDS + 4 * SEATS  # + round: random bits over the eggs on that round's card and its number

Pairs: TypeAlias = npt.NDArray[np.int64]
Counts: TypeAlias = npt.NDArray[np.int64]

BLOCK = types.uint32[:, ::1]
FACTS = types.Array(types.uint32, 1, "C", readonly=True)  # so that no agent changes them
PAIRS = types.int64[:, ::1]
PARAMETERS = types.Array(types.float64, 1, "C", readonly=True)
#: A compiled agent over lanes: (block, facts, parameters, seed, first, round, seat). It fills its
#: seat's row of actions and returns how many of them are against the rules.
AGENT_SIGNATURE = types.int64(
    BLOCK, FACTS, PARAMETERS, types.uint64, types.uint64, types.int64, types.int64
)
AGENT = types.FunctionType(AGENT_SIGNATURE)


@compiled("int64(int64)", inline=True)
def block_rows(cards: Word) -> Word:
    """Return the rows of a block: keys are drawn by fours."""
    return KEYS + 4 * ((cards + 3) // 4)


@compiled(types.void(types.uint32[::1], types.uint32), inline=True)
def _fill(row: Words, value: Word) -> None:
    """Set every lane of a row, in place. (A slice assignment takes seconds to compile.)"""
    for lane in range(row.size):
        row[lane] = value


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


@compiled(types.void(BLOCK, PAIRS), inline=True)
def _exchange(block: Words, pairs: Pairs) -> None:
    """Exchange keys, in place, so that each pair in turn has its smaller key first."""
    for pair in range(pairs.shape[0]):
        low, high = block[KEYS + pairs[pair, 0]], block[KEYS + pairs[pair, 1]]
        for lane in range(low.size):
            one, other = low[lane], high[lane]
            low[lane] = min(one, other)
            high[lane] = max(one, other)


@compiled(types.void(BLOCK, FACTS, PAIRS, PAIRS, types.uint64, types.uint64))
def deal(
    block: Words, facts: Words, equals: Pairs, network: Pairs, seed: Word, first: Word
) -> None:
    """Shuffle each lane's deck and set up the players; lane i is playthrough `first` + i.

    A key is random bits (24 for the published deck, never below 20) over its card's eggs and
    number. Two keys of a deck agree in the random bits, so that the lower card goes first, in some
    4 deals of a million.

    Parameters
    ----------
    equals, network : int64[pairs, 2]
        `shuffling.network_of_equals` and `shuffling.sorting_network` of the deck.
    seed, first : uint64
    """
    cards = facts.size - rules.DECK
    for quarter in range((cards + 3) // 4):
        row = KEYS + 4 * quarter
        draw_block(seed, first, CHANCE_STREAM, quarter, block[row : row + 4])
    _exchange(block, equals)
    number_bits, egg_bits = _key_bits(facts)
    random_bits = ~_ones(number_bits + egg_bits)
    for card in range(cards):
        row, label = block[KEYS + card], shift_left(facts[rules.DECK + card], number_bits)
        label = uint32(label | uint32(card))
        for lane in range(row.size):
            row[lane] = uint32(row[lane] & random_bits) | label
    _exchange(block, network)
    _fill(block[SEEN], 0)
    for seat in range(SEATS):
        in_game = uint32(seat) < facts[rules.PLAYERS]
        _fill(block[POSITIONS + seat], facts[rules.START] if in_game else uint32(0))
        _fill(block[ACTIONS + seat], rules.NO_ACTION)


@compiled(types.void(BLOCK, FACTS, types.int64))
def reveal(block: Words, facts: Words, turn: Word) -> None:
    """Turn up each lane's card of round `turn` (from 0)."""
    keys, card, seen = block[KEYS + turn], block[CARD], block[SEEN]
    number_bits, egg_bits = _key_bits(facts)
    number_mask, egg_mask = _ones(number_bits), _ones(egg_bits)
    for lane in range(card.size):
        card[lane] = field(keys[lane], number_bits, egg_mask)
        seen[lane] = uint32(seen[lane] | shift_left(uint32(1), keys[lane] & number_mask))


@compiled(types.void(BLOCK, types.uint64, types.uint64, types.int64, types.int64))
def draw_words(block: Words, seed: Word, first: Word, turn: Word, seat: Word) -> None:
    """Draw a seat's random words for the four rounds from `turn`, a multiple of 4, on."""
    row = WORDS + 4 * seat
    draw_block(seed, first, uint64(1 + seat), uint64(turn // 4), block[row : row + 4])


@compiled(types.void(BLOCK, FACTS))
def resolve(block: Words, facts: Words) -> None:
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
    for seat in range(facts[rules.PLAYERS]):
        positions, actions = block[POSITIONS + seat], block[ACTIONS + seat]
        for lane in range(actions.size):
            positions[lane] = rules.after_action(
                positions[lane], actions[lane], share[lane], amber[lane], capacities, skip
            )


@compiled(types.void(BLOCK, FACTS))
def settle(block: Words, facts: Words) -> None:
    """Fill in every lane's scores and shares of the win, as the positions stand."""
    players, capacities = facts[rules.PLAYERS], facts[rules.CAPACITIES]
    amber_value, can_win = facts[rules.AMBER_VALUE], facts[rules.OUT_PLAYERS_CAN_WIN]
    best, winners = block[SHARE], block[AMBER]  # rows at rest once the last round is over
    _fill(best, 0)
    _fill(winners, 0)
    for seat in range(players):
        positions, scores = block[POSITIONS + seat], block[SCORES + seat]
        standings = block[ACTIONS + seat]
        for lane in range(best.size):
            scores[lane] = rules.score_of(positions[lane], capacities, amber_value)
            standings[lane] = rules.standing_of(positions[lane], scores[lane], can_win)
            best[lane] = max(best[lane], standings[lane])
    for seat in range(players):
        standings = block[ACTIONS + seat]
        for lane in range(best.size):
            winners[lane] = uint32(winners[lane] + uint32(standings[lane] == best[lane]))
    for seat in range(players):
        standings, twelfths = block[ACTIONS + seat], block[TWELFTHS + seat]
        for lane in range(best.size):
            twelfths[lane] = rules.win_twelfths(standings[lane], best[lane], winners[lane])


@compiled(types.void(BLOCK, FACTS, types.int64[:, ::1]))
def count(block: Words, facts: Words, totals: Counts) -> None:
    """Add a settled block to the totals, int64[players, counters], modified in place."""
    skip, capacities = facts[rules.SKIP], facts[rules.CAPACITIES]
    for seat in range(facts[rules.PLAYERS]):
        positions, scores = block[POSITIONS + seat], block[SCORES + seat]
        twelfths = block[TWELFTHS + seat]
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


@compiled(types.void(BLOCK, FACTS, types.uint64, types.int64, types.int64[::1]))
def note_fault(block: Words, facts: Words, first: Word, turn: Word, fault: Counts) -> None:
    """Write a block's first illegal action down, as `FAULT` names it, in int64[5]."""
    skip = facts[rules.SKIP]
    for lane in range(block.shape[1]):
        for seat in range(facts[rules.PLAYERS]):
            position, action = block[POSITIONS + seat, lane], block[ACTIONS + seat, lane]
            if not rules.is_allowed(position, action, skip):
                fault[0], fault[1], fault[2] = seat, np.int64(first) + lane, turn
                fault[3], fault[4] = int32(action), position  # as the agent wrote it, signed
                return


@compiled(types.int64(BLOCK, FACTS, types.int64, types.int64[::1]))
def take_actions(block: Words, facts: Words, seat: Word, chosen: Counts) -> Word:
    """Put a seat's actions, int64[lanes], into a block; those of players who are out are ignored.

    Returns how many are against the rules.
    """
    positions, actions = block[POSITIONS + seat], block[ACTIONS + seat]
    skip = facts[rules.SKIP]
    illegal: Word = 0
    for lane in range(actions.size):
        listed = 0 <= chosen[lane] <= np.int64(skip)
        action = uint32(chosen[lane]) if listed else uint32(rules.MAX_CARDS)
        action = uint32(rules.NO_ACTION) if rules.is_out(positions[lane]) else action
        illegal += 1 - np.int64(rules.is_allowed(positions[lane], action, skip))
        actions[lane] = action
    return illegal


@compiled(types.void(BLOCK, types.int64, types.uint8[:, ::1], types.int32[:, ::1]))
def keep(
    block: Words, place: Word, twelfths: npt.NDArray[np.uint8], scores: npt.NDArray[np.int32]
) -> None:
    """Copy a settled block's results to [players, playthroughs] arrays, from column `place` on."""
    for seat in range(scores.shape[0]):
        for lane in range(block.shape[1]):
            scores[seat, place + lane] = block[SCORES + seat, lane]
            twelfths[seat, place + lane] = block[TWELFTHS + seat, lane]


@compiled(
    types.void(
        types.UniTuple(AGENT, SEATS),
        types.UniTuple(PARAMETERS, SEATS),
        types.uint8[::1],
        FACTS,
        PAIRS,
        PAIRS,
        types.uint64,
        types.UniTuple(types.int64, 6),
        types.int64[:, :, ::1],
        types.uint8[:, ::1],
        types.int32[:, ::1],
        types.int64[::1],
    )
)
def play(
    agents: Any,
    parameters: Any,
    draws: npt.NDArray[np.uint8],
    facts: Words,
    equals: Pairs,
    network: Pairs,
    seed: Word,
    span: Any,
    totals: Counts,
    twelfths: npt.NDArray[np.uint8],
    scores: npt.NDArray[np.int32],
    fault: Counts,
) -> None:
    """Play a range of playthroughs of one line-up of compiled agents.

    Parameters
    ----------
    agents, parameters : tuple of 4
        For each seat the agent over lanes and its float64[::1]; seats not in the game are ignored.
    draws : uint8[4]
        1 for a seat whose agent needs random words.
    facts, equals, network, seed
        As for `deal`.
    span : tuple of 6 int64
        (from, to, lanes in a block, index of the first playthrough kept, number of the first batch
        in `totals`, playthroughs in a batch): plays from <= index < to.
    totals : int64[batches, players, counters]
        Modified in place, like the three that follow.
    twelfths, scores : uint8, int32 [players, playthroughs]
        Every playthrough's results, or [players, 0] when only totals are wanted.
    fault : int64[5]
        Filled in by `note_fault` at an illegal action, where the call ends.
    """
    index, end, lanes, first_kept, first_batch, batch_size = span
    players, rounds = np.int64(facts[rules.PLAYERS]), np.int64(facts[rules.ROUNDS])
    rows = block_rows(facts.size - rules.DECK)
    block = np.empty((rows, 0), np.uint32)
    while index < end:
        used = min(lanes, end - index, batch_size - index % batch_size)
        if used != block.shape[1]:
            block = np.empty((rows, used), np.uint32)
        first = uint64(index)
        deal(block, facts, equals, network, seed, first)
        for turn in range(rounds):
            reveal(block, facts, turn)
            illegal = 0
            for seat in range(players):
                if draws[seat] and turn % 4 == 0:
                    draw_words(block, seed, first, turn, seat)
                illegal += agents[seat](block, facts, parameters[seat], seed, first, turn, seat)
            if illegal > 0:
                note_fault(block, facts, first, turn, fault)
                return
            resolve(block, facts)
        settle(block, facts)
        count(block, facts, totals[index // batch_size - first_batch])
        if scores.shape[1] > 0:
            keep(block, index - first_kept, twelfths, scores)
        index += used
