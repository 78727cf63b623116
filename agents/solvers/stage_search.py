"""Mixed equilibria of stage games: guess a support, refine on it, look whether anybody gains.

The first guess comes from regret matching (Hart and Mas-Colell 2000; its "plus" form, Tammelin
2014): what it plays on average for a while has weight where an equilibrium has, mostly. Then all
supports are tried, small ones first.
"""

from typing import Any

from numba import types
from numpy import int64

from agents.solvers.stage_refine import leader_of, refine
from agents.solvers.stage_values import (
    COUNTS,
    MAX_ACTIONS,
    PAYOFFS,
    POLICIES,
    VECTOR,
    action_payoffs,
    gain_and_values,
)
from simulator.compiling import compiled

ROUNDS = 120  # of regret matching
GOLDEN = 0.6180339887498949
NEGLIGIBLE = (0.06, 0.01, 0.2)  # shares below are guessed to be none
MOST_TRIES = 40_000
STARTS = (4, 60)  # on a support where more than two mix; the second number for what resists

#: What the functions here work in: see `stage_games.workspace`.
ROOMS, SLOTS = types.float64[:, :, ::1], types.int64[:, ::1]
BY_ACTION, BY_PAIR, SYSTEM, TRIAL, REGRETS, AVERAGE = range(6)
DIGITS, ACTIVE, SUPPORT, CURSOR = range(4)
SCRATCH = 4  # and two more rows


@compiled(types.int64(types.int64), inline=True)
def _ones(bits: Any) -> Any:
    """Return how many bits are set."""
    count = int64(0)
    while bits:
        bits &= bits - 1
        count += 1
    return count


@compiled(types.void(PAYOFFS, COUNTS, types.int64, ROOMS, SLOTS))
def match_regrets(payoffs: Any, counts: Any, rounds: Any, rooms: Any, slots: Any) -> None:
    """Fill room AVERAGE with the linear average of regret matching among the active actions.

    All players change at once: in a fixed order of seats even a symmetric game would not be played
    alike.
    """
    policies, regrets, average = rooms[TRIAL], rooms[REGRETS], rooms[AVERAGE]
    by_action, active = rooms[BY_ACTION], slots[ACTIVE]
    for player in range(counts.size):
        for action in range(counts[player]):
            is_active = (active[player] >> action) & 1
            policies[player, action] = is_active / _ones(active[player])
            regrets[player, action] = average[player, action] = 0.0
    for number in range(rounds):
        action_payoffs(payoffs, counts, policies, slots[DIGITS], by_action)
        for player in range(counts.size):
            value, total = 0.0, 0.0
            for action in range(counts[player]):
                value += policies[player, action] * by_action[player, action]
            for action in range(counts[player]):
                average[player, action] += (number + 1) * policies[player, action]
                if (active[player] >> action) & 1:
                    regret = regrets[player, action] + by_action[player, action] - value
                    regrets[player, action] = max(regret, 0.0)
                    total += regrets[player, action]
            for action in range(counts[player]):
                is_active = (active[player] >> action) & 1
                even = is_active / _ones(active[player])
                policies[player, action] = regrets[player, action] / total if total > 0 else even
    for player in range(counts.size):
        for action in range(counts[player]):
            average[player, action] *= 2.0 / (rounds * (rounds + 1.0))


@compiled(types.void(PAYOFFS, COUNTS, POLICIES, POLICIES, VECTOR, ROOMS, SLOTS))
def keep_if_better(
    payoffs: Any, counts: Any, trial: Any, policies: Any, values: Any, rooms: Any, slots: Any
) -> None:
    """Take over policies, and what they are worth, if nobody gains as much by deviating from them.

    `values`, float64[players + 1], holds the largest gain behind the players' expectations; it and
    `policies` are changed in place.
    """
    players = counts.size
    action_payoffs(payoffs, counts, trial, slots[DIGITS], rooms[BY_ACTION])
    fresh = rooms[SYSTEM][0]
    gain = gain_and_values(counts, trial, rooms[BY_ACTION], fresh)
    if gain < values[players]:
        values[players] = gain
        for player in range(players):
            values[player] = fresh[player]
            for action in range(counts[player]):
                policies[player, action] = trial[player, action]


@compiled(types.float64(PAYOFFS, COUNTS, COUNTS, types.int64, POLICIES, VECTOR, ROOMS, SLOTS))
def _try_support(
    payoffs: Any, counts: Any, classes: Any, start: Any, policies: Any, values: Any, rooms: Any,
    slots: Any,
) -> Any:  # fmt: skip
    """Refine on a support, and keep what comes out if it is the best so far.

    The start is the average of regret matching for number -1, even for 0, else one of a fixed
    sequence that fills the space of policies evenly, the same for players of one class. Returns the
    largest gain of the best policies so far, those in `policies`, whose gain stands behind the
    values; both are changed in place.
    """
    support, trial, average = slots[SUPPORT], rooms[TRIAL], rooms[AVERAGE]
    for player in range(counts.size):
        total, leader = 0.0, leader_of(classes, player)
        for action in range(counts[player]):
            weight = 0.0
            if (support[player] >> action) & 1:
                place = float(leader * MAX_ACTIONS + action + 1)
                lean = (start * (GOLDEN * place % 1.0)) % 1.0
                weight = average[player, action] + 1e-3 if start < 0 else 1.0
                weight = 0.01 + lean * lean if start > 0 else weight
            trial[player, action] = weight
            total += weight
        for action in range(counts[player]):
            trial[player, action] /= total
    best = values[counts.size]
    scratch = slots[SCRATCH : SCRATCH + 3]
    if refine(payoffs, counts, classes, support, trial, rooms[BY_PAIR], rooms[SYSTEM], scratch):
        keep_if_better(payoffs, counts, trial, policies, values, rooms, slots)
    return min(best, values[counts.size])


@compiled(types.void(PAYOFFS, COUNTS, COUNTS, types.float64, POLICIES, VECTOR, ROOMS, SLOTS))
def search_guess(
    payoffs: Any, counts: Any, classes: Any, enough: Any, policies: Any, values: Any, rooms: Any,
    slots: Any,
) -> None:  # fmt: skip
    """Try the supports that regret matching suggests, until the largest gain is small enough."""
    match_regrets(payoffs, counts, ROUNDS, rooms, slots)
    for negligible in NEGLIGIBLE:
        for player in range(counts.size):
            slots[SUPPORT][player] = 0
            for action in range(counts[player]):
                if rooms[AVERAGE][player, action] > negligible:
                    slots[SUPPORT][player] |= int64(1) << action
        if _try_support(payoffs, counts, classes, -1, policies, values, rooms, slots) <= enough:
            return


@compiled(types.int64(COUNTS, COUNTS, types.int64, SLOTS), inline=True)
def _next_support(counts: Any, classes: Any, size: Any, slots: Any) -> Any:
    """Put the next support of a size, over all leaders, into its slot; return 0 if there is none.

    The cursor counts through the sets of each leader's actions, from the lowest action of each, a
    support that is never looked at: it is pure. Players follow their leader.
    """
    cursor, active, support = slots[CURSOR], slots[ACTIVE], slots[SUPPORT]
    while True:
        place = counts.size - 1
        while place >= 0:
            if leader_of(classes, place) == place:
                cursor[place] = (cursor[place] - active[place]) & active[place]  # next subset
                if cursor[place] != 0:
                    break
                cursor[place] = active[place] & -active[place]
            place -= 1
        if place < 0:
            return int64(0)
        total = int64(0)
        for player in range(counts.size):
            support[player] = cursor[leader_of(classes, player)]
            if leader_of(classes, player) == player:
                total += _ones(support[player])
        if total == size:
            return int64(1)


@compiled(
    types.void(
        PAYOFFS, COUNTS, COUNTS, types.float64, types.int64, POLICIES, VECTOR, ROOMS, SLOTS
    )
)  # fmt: skip
def search_supports(
    payoffs: Any, counts: Any, classes: Any, enough: Any, most_starts: Any, policies: Any,
    values: Any, rooms: Any, slots: Any,
) -> None:  # fmt: skip
    """Try all supports, small ones first, until the largest gain is small enough.

    From `most_starts` places on those where more than two players mix, which Newton's method may
    miss from one; else the system is linear, or nearly so.
    """
    players, most, tried = counts.size, int64(0), int64(0)
    for player in range(players):
        most += _ones(slots[ACTIVE][player])
    for size in range(2, most + 1):
        for player in range(players):
            slots[CURSOR][player] = slots[ACTIVE][player] & -slots[ACTIVE][player]
        while _next_support(counts, classes, size, slots):
            mixing = int64(0)
            for player in range(players):
                mixing += int64(_ones(slots[SUPPORT][player]) > 1)
            starts = 0 if mixing == 0 else 1 if mixing == 2 else most_starts
            for start in range(starts):
                found = _try_support(
                    payoffs, counts, classes, start, policies, values, rooms, slots
                )
                if found <= enough:
                    return
            tried += starts
            if tried > MOST_TRIES:
                return
