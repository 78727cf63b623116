"""Sweeps over a game in sequence form: expectations, best responses, deviation gains.

See `tree`. A profile's realisation weights are, for every sequence, the product of its player's
probabilities along it. Sets are numbered so that what leads to one has a lower number: top-down
sweeps go forward, bottom-up sweeps backward.
"""

from typing import Any

import numpy as np
from numba import types

from agents.solvers.gains import ProfileValue
from agents.solvers.tree import GameTree
from simulator.compiling import compiled

INTS, TABLE = types.int32[::1], types.int32[:, ::1]
FLOATS, ROWS = types.float64[::1], types.float64[:, ::1]


@compiled(types.void(INTS, INTS, INTS, INTS, types.int64, FLOATS, FLOATS))
def weigh(
    set_player: Any, first_sequence: Any, num_actions: Any, leads_here: Any, player: Any,
    policy: Any, weights: Any,
) -> None:  # fmt: skip
    """Fill in a player's realisation weights, in place, from a profile; all players' for -1."""
    for number in range(set_player.size):
        if player >= 0 and set_player[number] != player:
            continue
        before = weights[leads_here[number]]
        for sequence in range(first_sequence[number], first_sequence[number] + num_actions[number]):
            weights[sequence] = before * policy[sequence]


@compiled(types.void(FLOATS, TABLE, ROWS, types.int64, FLOATS, FLOATS))
def value_ends(
    end_chance: Any, end_sequence: Any, payoffs: Any, player: Any, weights: Any, values: Any
) -> None:
    """Set float64[sequences], in place: what ends right after a player's sequences is worth.

    Every end counts by the chance that all but the player lead there (counterfactual values,
    Zinkevich and others 2007).
    """
    for sequence in range(values.size):
        values[sequence] = 0.0
    own, payoff = end_sequence[player], payoffs[player]
    if end_sequence.shape[0] == 2:
        other = end_sequence[1 - player]
        for end in range(end_chance.size):
            values[own[end]] += end_chance[end] * weights[other[end]] * payoff[end]
    elif end_sequence.shape[0] == 3:
        left, right = end_sequence[(player + 1) % 3], end_sequence[(player + 2) % 3]
        for end in range(end_chance.size):
            reach = end_chance[end] * weights[left[end]] * weights[right[end]]
            values[own[end]] += reach * payoff[end]
    else:
        for end in range(end_chance.size):
            reach = end_chance[end]
            for other_player in range(end_sequence.shape[0]):
                if other_player != player:
                    reach *= weights[end_sequence[other_player, end]]
            values[own[end]] += reach * payoff[end]


@compiled(
    types.void(
        INTS, INTS, INTS, INTS, FLOATS, TABLE, ROWS, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS,
    ),
    late=True,
)  # fmt: skip
def _respond(
    set_player: Any, first_sequence: Any, num_actions: Any, leads_here: Any, end_chance: Any,
    end_sequence: Any, payoffs: Any, policy: Any, weights: Any, values: Any, expected: Any,
    best: Any,
) -> None:  # fmt: skip
    """Fill float64[players] twice, in place: what a profile and a best response to it get."""
    players = end_sequence.shape[0]
    for player in range(players):
        weights[player] = 1.0
    weigh(set_player, first_sequence, num_actions, leads_here, -1, policy, weights)
    for player in range(players):
        value_ends(end_chance, end_sequence, payoffs, player, weights, values)
        total = 0.0
        for sequence in range(values.size):
            total += weights[sequence] * values[sequence]
        expected[player] = total
        for back in range(set_player.size):
            number = set_player.size - 1 - back
            if set_player[number] != player:
                continue
            first = first_sequence[number]
            highest = values[first]
            for sequence in range(first, first + num_actions[number]):
                highest = max(highest, values[sequence])
            values[leads_here[number]] += highest
        # nothing is gained by deviating at worst; what rounding takes away is given back
        best[player] = max(values[player], total)


def sweep_arguments(tree: GameTree) -> tuple[Any, Any, Any, Any, Any, Any, Any]:
    """Return the arrays that every sweep takes first."""
    return (
        tree.set_player,
        tree.first_sequence,
        tree.num_actions,
        tree.leads_here,
        tree.end_chance,
        tree.end_sequence,
        tree.payoffs,
    )


def evaluate(tree: GameTree, profile: Any) -> ProfileValue:
    """Return a profile's expectations and best responses, exact up to rounding.

    Parameters
    ----------
    tree : GameTree
        With perfect recall.
    profile : float64[sequences]

    Raises
    ------
    UsageError
        For a tree without perfect recall, or what is no profile of it.
    """
    tree.require_perfect_recall()
    policy = tree.check_profile(profile)
    weights, values = np.zeros(tree.num_sequences), np.zeros(tree.num_sequences)
    expected, best = np.zeros(tree.num_players), np.zeros(tree.num_players)
    _respond(*sweep_arguments(tree), policy, weights, values, expected, best)
    return ProfileValue(expected, best)
