"""What policies are worth in a stage game: a small game in which all act once, at the same time.

A stage game of n players is an array ``payoffs[player, joint action]``; joint actions are numbered
as mixed radix, the last player's action changing fastest. ``counts[player]`` actions each, 1 for a
player without a choice. Policies are rows of ``policies[player, action]``.

Everything here is small (at most 4 players, 5 actions) and called by the million, so nothing is
allocated: arrays to work in are handed over.
"""

from typing import Any

import numpy as np
from numba import types
from numpy import int64

from simulator.compiling import compiled

MAX_PLAYERS, MAX_ACTIONS = 4, 5
MAX_JOINT = MAX_ACTIONS**MAX_PLAYERS
WIDTH = MAX_PLAYERS * MAX_ACTIONS

PAYOFFS, COUNTS, POLICIES = types.float64[:, ::1], types.int64[::1], types.float64[:, ::1]
MATRIX, VECTOR = types.float64[:, ::1], types.float64[::1]


@compiled(types.int64(COUNTS), inline=True)
def joint_actions(counts: Any) -> Any:
    """Return how many joint actions there are."""
    product = int64(1)
    for player in range(counts.size):
        product *= counts[player]
    return product


@compiled(types.void(COUNTS, COUNTS), inline=True)
def next_digits(counts: Any, digits: Any) -> None:
    """Put the next joint action into int64[players], in place; the first again after the last."""
    for back in range(counts.size):
        player = counts.size - 1 - back
        digits[player] += 1
        if digits[player] < counts[player]:
            return
        digits[player] = 0


@compiled(types.void(PAYOFFS, COUNTS, POLICIES, COUNTS, MATRIX))
def action_payoffs(payoffs: Any, counts: Any, policies: Any, digits: Any, by_action: Any) -> None:
    """Fill float64[players, actions], in place: what each action gets against the others' policies.

    `digits`, int64[players], is scratch.
    """
    players = counts.size
    for player in range(players):
        digits[player] = 0
        for action in range(counts[player]):
            by_action[player, action] = 0.0
    for joint in range(joint_actions(counts)):
        for player in range(players):
            chance = 1.0
            for other in range(players):
                if other != player:
                    chance *= policies[other, digits[other]]
            by_action[player, digits[player]] += chance * payoffs[player, joint]
        next_digits(counts, digits)


@compiled(types.void(PAYOFFS, COUNTS, POLICIES, COUNTS, MATRIX))
def pair_payoffs(payoffs: Any, counts: Any, policies: Any, digits: Any, by_pair: Any) -> None:
    """Fill float64[WIDTH, WIDTH], in place: what an action gets against one action of another.

    Row player * MAX_ACTIONS + action, column the same of the other player; the rest play their
    policies. So this is how an action's payoff changes with another's policy.
    """
    players = counts.size
    for row in range(players * MAX_ACTIONS):
        for column in range(players * MAX_ACTIONS):
            by_pair[row, column] = 0.0
    for player in range(players):
        digits[player] = 0
    for joint in range(joint_actions(counts)):
        for player in range(players):
            row = player * MAX_ACTIONS + digits[player]
            for other in range(players):
                if other == player:
                    continue
                chance = 1.0
                for third in range(players):
                    if third not in (player, other):
                        chance *= policies[third, digits[third]]
                column = other * MAX_ACTIONS + digits[other]
                by_pair[row, column] += chance * payoffs[player, joint]
        next_digits(counts, digits)


@compiled(types.float64(COUNTS, POLICIES, MATRIX, VECTOR), inline=True)
def gain_and_values(counts: Any, policies: Any, by_action: Any, values: Any) -> Any:
    """Return the largest gain by deviating; fill float64[players], in place, with expectations.

    `by_action` is what `action_payoffs` filled in.
    """
    largest = 0.0
    for player in range(counts.size):
        value, best = 0.0, by_action[player, 0]
        for action in range(counts[player]):
            value += policies[player, action] * by_action[player, action]
            best = max(best, by_action[player, action])
        values[player] = value
        largest = max(largest, best - value)
    return np.float64(largest)
