"""Games that change regrets: at every turn of one player, what each other claim would have brought.

Sampled counterfactual regret minimisation: the cards and the others' claims are drawn, so that a
decision is met as often as those lead to it; each claim of the player whose turn it is to learn is
played on to the end with everybody's present policies ("probing": Gibson, Lanctot, Burch, Szafron,
Bowling 2012, section 5). Decisions are met as often as the player's own policy leads there, too:
what play seldom comes to, it seldom learns about.
"""

from typing import Any

import numpy as np
from numba import types
from numpy import float32, int64, uint32, uint64

from agents.abstraction.buckets import BUCKETING, bucket_of
from agents.lookahead.nets import SEATS
from ostrich import MAX_ACTIONS, NO_ACTION, rules
from simulator.compiling import compiled
from simulator.philox import philox4x32

#: Buckets by slot (-1: free), and sums of regrets and of policies, [slots, MAX_ACTIONS].
TABLE = types.Tuple((types.int64[::1], types.float32[:, ::1], types.float32[:, ::1]))
EXPLORE = 0.1  # of the learner's own claims
FULL = 0.9  # of the slots: beyond, buckets that are new are played evenly and not learned
_STATE = types.uint32[::1]


@compiled(types.uint32(types.uint64[::1]), inline=True)
def next_word(stream: Any) -> Any:
    """Return the next random word of a stream, uint64[1], which it moves on (splitmix64)."""
    stream[0] += uint64(0x9E3779B97F4A7C15)
    z = stream[0]
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return uint32((z ^ (z >> uint64(31))) >> uint64(32))


@compiled(types.int64(types.int64[::1], types.int64))
def find_slot(buckets: Any, bucket: Any) -> Any:
    """Return the slot of a bucket, or of the free one where it belongs."""
    mask = int64(buckets.size - 1)
    slot = int64((uint64(bucket) * uint64(0x9E3779B97F4A7C15)) >> uint64(20)) & mask
    while buckets[slot] != bucket and buckets[slot] >= 0:
        slot = (slot + 1) & mask
    return slot


@compiled(types.void(types.float32[::1], types.uint32, types.float32[::1]), inline=True)
def match(regrets: Any, legal: Any, policy: Any) -> None:
    """Fill in the policy of positive regrets, in place; uniform over legal actions without any."""
    total = count = float32(0)
    for action in range(MAX_ACTIONS):
        is_legal = (uint32(legal) >> uint32(action)) & uint32(1) == uint32(1)
        policy[action] = max(regrets[action], float32(0)) if is_legal else float32(0)
        total += policy[action]
        count += float32(1) if is_legal else float32(0)
    for action in range(MAX_ACTIONS):
        is_legal = (uint32(legal) >> uint32(action)) & uint32(1) == uint32(1)
        even = float32(1) / count if is_legal else float32(0)
        policy[action] = policy[action] / total if total > float32(0) else even


@compiled(types.int64(types.float32[::1], types.uint32), inline=True)
def draw(policy: Any, word: Any) -> Any:
    """Return an action by a policy and a random word."""
    place, chosen, reached = (
        float32(uint32(word) >> uint32(8)) * float32(2.0**-24),
        int64(-1),
        float32(0),
    )
    for action in range(MAX_ACTIONS):
        reached += policy[action]
        if chosen < 0 and place < reached:
            chosen = int64(action)
    if chosen < 0:  # the policy sums to a little less than 1
        for action in range(MAX_ACTIONS):
            chosen = int64(action) if policy[action] > float32(0) else chosen
    return chosen


@compiled(
    types.void(
        BUCKETING, TABLE, _STATE, types.int64, types.uint32, types.uint32, types.int64,
        types.float32[::1],
    )
)  # fmt: skip
def policy_at(
    bucketing: Any, table: Any, positions: Any, seat: Any, card: Any, seen: Any, turn: Any,
    policy: Any,
) -> None:  # fmt: skip
    """Fill in the present policy of a seat, in place; its last number is the slot it comes from."""
    one, other = positions[(seat + 1) % SEATS], positions[(seat + 2) % SEATS]
    bucket = bucket_of(bucketing, positions[seat], one, other, card, seen, turn)
    slot = find_slot(table[0], bucket)
    legal = rules.legal_actions(positions[seat], bucketing[0][rules.SKIP])
    match(table[1][slot], legal, policy)


@compiled(types.void(BUCKETING, _STATE, types.uint32, types.int64[::1]))
def resolve(bucketing: Any, positions: Any, card: Any, actions: Any) -> None:
    """Carry out a joint action, in place."""
    facts = bucketing[0]
    skip, capacities = facts[rules.SKIP], facts[rules.CAPACITIES]
    claimants = skippers = uint32(0)
    for seat in range(SEATS):
        action = uint32(actions[seat])
        claimants = uint32(claimants + uint32(rules.claims(action, skip)))
        skippers = uint32(skippers + uint32(action == skip))
    share, amber = rules.share_of(card, claimants), rules.amber_won(card, skippers)
    for seat in range(SEATS):
        positions[seat] = rules.after_action(
            positions[seat], uint32(actions[seat]), share, amber, capacities, skip
        )


@compiled(types.float32(BUCKETING, _STATE, types.int64))
def share_at_end(bucketing: Any, positions: Any, seat: Any) -> Any:
    """Return a seat's share of the win as positions stand."""
    facts, best, winners, mine = bucketing[0], uint32(0), uint32(0), uint32(0)
    for other in range(SEATS):
        score = rules.score_of(positions[other], facts[rules.CAPACITIES], facts[rules.AMBER_VALUE])
        standing = rules.standing_of(positions[other], score, facts[rules.OUT_PLAYERS_CAN_WIN])
        standing = uint32(standing)
        winners = uint32(0) if standing > best else winners
        winners = uint32(winners + uint32(standing >= best))
        best, mine = max(best, standing), standing if other == seat else mine
    return float32(rules.win_twelfths(mine, best, winners)) / float32(rules.SHARE_UNITS)


@compiled(
    types.void(
        BUCKETING, TABLE, _STATE, types.uint32, types.uint32, types.int64, types.uint64[::1],
        types.float32[::1], types.int64[::1],
    )
)  # fmt: skip
def draw_actions(
    bucketing: Any, table: Any, positions: Any, card: Any, seen: Any, turn: Any, stream: Any,
    policy: Any, actions: Any,
) -> None:  # fmt: skip
    """Fill in an action for each seat, in place, by the present policies."""
    for seat in range(SEATS):
        word = next_word(stream)
        if rules.is_out(positions[seat]):
            actions[seat] = NO_ACTION
            continue
        policy_at(bucketing, table, positions, seat, card, seen, turn, policy)
        actions[seat] = draw(policy, word)


@compiled(
    types.void(BUCKETING, TABLE, types.uint64, types.int64[::1], types.int64, types.int64[::1]),
    late=True,
)
def learn(bucketing: Any, table: Any, seed: Any, done: Any, more: Any, filled: Any) -> None:
    """Play some games, and change the table by them, in place.

    Parameters
    ----------
    bucketing, table
        BUCKETING and TABLE.
    seed : uint64
    done : int64[1]
        Games before these; counted up in place (why: see `agents.solvers.cfr.iterate`).
    more : int
        How many these are.
    filled : int64[1]
        Slots that are taken; counted up in place.
    """
    facts, buckets, regrets, sums = bucketing[0], table[0], table[1], table[2]
    cards, skip = facts.size - rules.DECK, facts[rules.SKIP]
    most = int64(FULL * buckets.size)
    order, stream, branch = (
        np.empty(cards, np.int64),
        np.empty(1, np.uint64),
        np.empty(1, np.uint64),
    )
    positions, then = np.empty(SEATS, np.uint32), np.empty(SEATS, np.uint32)
    actions, taken = np.empty(SEATS, np.int64), np.empty(SEATS, np.int64)
    policy, scratch = np.empty(MAX_ACTIONS, np.float32), np.empty(MAX_ACTIONS, np.float32)
    values = np.empty(MAX_ACTIONS, np.float32)
    for number in range(done[0], done[0] + more):
        a, b, _, _ = philox4x32(
            uint32(number), uint32(number >> 32), 0, 0, uint32(seed), uint32(seed >> uint64(32))
        )
        stream[0] = uint64(a) << uint64(32) | uint64(b)
        for card in range(cards):
            order[card] = card
        for card in range(cards - 1):
            other = card + int64((uint64(next_word(stream)) * uint64(cards - card)) >> uint64(32))
            order[card], order[other] = order[other], order[card]
        learner, seen, weight = number % SEATS, uint32(0), float32(number + 1) * float32(1e-6)
        for seat in range(SEATS):
            positions[seat] = facts[rules.START]
        for turn in range(int64(facts[rules.ROUNDS])):
            if rules.is_out(positions[learner]):
                break
            card = facts[rules.DECK + order[turn]]
            seen = uint32(seen | uint32(uint32(1) << uint32(order[turn])))
            draw_actions(bucketing, table, positions, card, seen, turn, stream, scratch, actions)
            one, other = positions[(learner + 1) % SEATS], positions[(learner + 2) % SEATS]
            bucket = bucket_of(bucketing, positions[learner], one, other, card, seen, turn)
            slot = find_slot(buckets, bucket)
            legal = uint32(rules.legal_actions(positions[learner], skip))
            match(regrets[slot], legal, policy)
            branch_seed, got = next_word(stream), float32(0)
            for action in range(MAX_ACTIONS):
                values[action] = float32(0)
                if (legal >> uint32(action)) & uint32(1) == uint32(0):
                    continue
                branch[0] = uint64(branch_seed)
                later = seen
                for seat in range(SEATS):
                    then[seat], taken[seat] = positions[seat], actions[seat]
                taken[learner] = action
                resolve(bucketing, then, card, taken)
                for after in range(turn + 1, int64(facts[rules.ROUNDS])):
                    new = facts[rules.DECK + order[after]]
                    later = uint32(later | uint32(uint32(1) << uint32(order[after])))
                    draw_actions(bucketing, table, then, new, later, after, branch, scratch, taken)
                    resolve(bucketing, then, new, taken)
                values[action] = share_at_end(bucketing, then, learner)
                got += policy[action] * values[action]
            if buckets[slot] < 0 and filled[0] < most:
                buckets[slot] = bucket
                filled[0] += 1
            if buckets[slot] == bucket:
                for action in range(MAX_ACTIONS):
                    if (legal >> uint32(action)) & uint32(1) == uint32(1):
                        regrets[slot, action] += values[action] - got
                        sums[slot, action] += weight * policy[action]
            if float32(next_word(stream) >> uint32(8)) * float32(2.0**-24) < float32(EXPLORE):
                count = int64(0)
                for action in range(MAX_ACTIONS):
                    count += int64((legal >> uint32(action)) & uint32(1))
                chosen = int64((uint64(next_word(stream)) * uint64(count)) >> uint64(32))
                for action in range(MAX_ACTIONS):
                    if (legal >> uint32(action)) & uint32(1) == uint32(1):
                        if chosen == 0:
                            actions[learner] = action
                        chosen -= 1
            resolve(bucketing, positions, card, actions)
    done[0] += more
