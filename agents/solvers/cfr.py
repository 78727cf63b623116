"""Counterfactual regret minimisation over a whole tree, in sweeps.

One loop for the family; what differs is how old regrets and old policies fade:

- CFR (Zinkevich, Johanson, Bowling, Piccione 2007): nothing fades.
- CFR+ (Tammelin 2014): regrets below zero are forgotten; policies count by their iteration.
- Discounted CFR (Brown and Sandholm 2019, section 3), with their 3/2, 0, 2: positive regrets fade
  as t^1.5 / (t^1.5 + 1), negative ones by half, policies count by the square of their iteration.

Players take turns within an iteration. A policy counts in a player's average by the player's own
weight alone: that is right for any number of players. Policies are defined everywhere: uniform
where no regret is positive, and where the average has no weight.
"""

from typing import Any

import numpy as np
from numba import types

from agents.solvers.sequences import FLOATS, INTS, ROWS, TABLE, value_ends, weigh
from simulator.compiling import compiled

#: How each algorithm's regrets and averages fade: alpha, beta, gamma (of Brown and Sandholm), and
#: whether regrets below zero are forgotten. Infinity: not at all.
SCHEDULES = {
    "cfr": (np.inf, np.inf, 0.0, 0.0),
    "cfr+": (np.inf, np.inf, 1.0, 1.0),
    "dcfr": (1.5, 0.0, 2.0, 0.0),
}


@compiled(types.void(INTS, INTS, types.int64, FLOATS, FLOATS), inline=True)
def match_set(
    first_sequence: Any, num_actions: Any, number: Any, regrets: Any, policy: Any
) -> None:
    """Set the policy in an information set by its positive regrets, in place."""
    first, count = first_sequence[number], num_actions[number]
    total = 0.0
    for sequence in range(first, first + count):
        total += max(regrets[sequence], 0.0)
    for sequence in range(first, first + count):
        policy[sequence] = max(regrets[sequence], 0.0) / total if total > 0.0 else 1.0 / count


@compiled(types.float64(types.float64, types.float64), inline=True)
def _kept(iteration: Any, power: Any) -> Any:
    """Return what is left of a regret after an iteration."""
    grown = iteration**power
    return 1.0 if np.isinf(grown) else grown / (grown + 1.0)


@compiled(
    types.void(
        INTS, INTS, INTS, INTS, FLOATS, TABLE, ROWS, FLOATS, types.int64[::1], types.int64,
        FLOATS, FLOATS, FLOATS, FLOATS, FLOATS,
    ),
    late=True,
)  # fmt: skip
def iterate(
    set_player: Any, first_sequence: Any, num_actions: Any, leads_here: Any, end_chance: Any,
    end_sequence: Any, payoffs: Any, schedule: Any, done: Any, more: Any,
    regrets: Any, averages: Any, policy: Any, weights: Any, values: Any,
) -> None:  # fmt: skip
    """Run some iterations; all from `regrets` on, float64[sequences] each, is changed in place.

    Parameters
    ----------
    schedule : float64[4]
        Of SCHEDULES.
    done : int64[1]
        Iterations before these; counted up in place, here and not by the caller, whom Ctrl-C may
        stop as soon as this returns.
    more : int
        How many these are.
    regrets, averages
        The sums that are carried from one iteration to the next.
    policy, weights, values
        To work in; the policy is that of the regrets.
    """
    players = end_sequence.shape[0]
    for player in range(players):
        policy[player] = weights[player] = 1.0
    for number in range(set_player.size):
        match_set(first_sequence, num_actions, number, regrets, policy)
    weigh(set_player, first_sequence, num_actions, leads_here, -1, policy, weights)
    for iteration in range(done[0] + 1, done[0] + more + 1):
        fading = ((iteration - 1.0) / iteration) ** schedule[2]
        above, below = _kept(float(iteration), schedule[0]), _kept(float(iteration), schedule[1])
        for player in range(players):
            value_ends(end_chance, end_sequence, payoffs, player, weights, values)
            for back in range(set_player.size):
                number = set_player.size - 1 - back
                if set_player[number] != player:
                    continue
                first, last = first_sequence[number], first_sequence[number] + num_actions[number]
                value = 0.0
                for sequence in range(first, last):
                    value += policy[sequence] * values[sequence]
                for sequence in range(first, last):
                    old = regrets[sequence]
                    regret = old * (above if old > 0.0 else below) + values[sequence] - value
                    regrets[sequence] = max(regret, 0.0) if schedule[3] > 0.0 else regret
                    averages[sequence] = averages[sequence] * fading + weights[sequence]
                match_set(first_sequence, num_actions, number, regrets, policy)
                values[leads_here[number]] += value
            weigh(set_player, first_sequence, num_actions, leads_here, player, policy, weights)
    done[0] += more


@compiled(types.void(INTS, INTS, FLOATS, FLOATS), late=True)
def average_policy(first_sequence: Any, num_actions: Any, averages: Any, policy: Any) -> None:
    """Fill in the policy that sums of weights stand for, in place; uniform where there are none."""
    for number in range(first_sequence.size):
        match_set(first_sequence, num_actions, number, averages, policy)
