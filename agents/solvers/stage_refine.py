"""Mixed equilibria of stage games on a given support, by Newton's method.

On the support of an equilibrium every action gets the same against the others' policies. With two
players who mix that is a linear system, and one step solves it; with more, a polynomial one.
Players of one class share their unknowns, so what is found is symmetric. Stage games have whole
continua of equilibria (shares of a win tie often), where the system has no full rank: what cannot
be told is left as it is.
"""

from typing import Any

from numba import types
from numpy import int64

from agents.solvers.stage_values import (
    COUNTS,
    MATRIX,
    MAX_ACTIONS,
    PAYOFFS,
    POLICIES,
    pair_payoffs,
)
from simulator.compiling import compiled

STEPS = 30
_CONVERGED = 1e-15
_NO_PIVOT = 1e-11


@compiled(types.int64(COUNTS, types.int64), inline=True)
def leader_of(classes: Any, player: Any) -> Any:
    """Return the first player of a player's class."""
    for other in range(player):
        if classes[other] == classes[player]:
            return int64(other)
    return int64(player)


@compiled(types.void(MATRIX, types.int64, COUNTS), inline=True)
def _eliminate(system: Any, size: Any, places: Any) -> None:
    """Solve a linear system in place: float64[size, size + 1], right sides last.

    Gaussian elimination with complete pivoting; unknowns without a pivot become 0. The solution is
    left in the last column, unknown by unknown; `places`, int64[size], is scratch.
    """
    for column in range(size):
        places[column] = column
    largest, rank = 0.0, size
    for step in range(size):
        row, column, most = step, step, 0.0
        for i in range(step, size):
            for j in range(step, size):
                if abs(system[i, j]) > most:
                    row, column, most = i, j, abs(system[i, j])
        largest = max(largest, most)
        if most <= _NO_PIVOT * largest or most == 0.0:
            rank = step
            break
        for j in range(size + 1):
            system[step, j], system[row, j] = system[row, j], system[step, j]
        for i in range(size):
            system[i, step], system[i, column] = system[i, column], system[i, step]
        places[step], places[column] = places[column], places[step]
        for i in range(size):
            factor = system[i, step] / system[step, step]
            if i != step and factor != 0.0:
                for j in range(step, size + 1):
                    system[i, j] -= factor * system[step, j]
    for step in range(size):
        solved = system[step, size] / system[step, step] if step < rank else 0.0
        system[step, 0] = solved  # the first column is not needed any more
    for step in range(size):
        system[places[step], size] = system[step, 0]


@compiled(
    types.void(
        COUNTS, COUNTS, COUNTS, COUNTS, POLICIES, MATRIX, MATRIX,
        types.int64, types.int64, types.int64, types.int64, types.int64,
    ),
    inline=True,
)  # fmt: skip
def _indifference(
    counts: Any, classes: Any, support: Any, unknowns: Any, policies: Any, by_pair: Any,
    system: Any, row: Any, player: Any, action: Any, first: Any, size: Any,
) -> None:  # fmt: skip
    """Fill in the row that says that an action gets as much as the first of the support."""
    here, there = player * MAX_ACTIONS + action, player * MAX_ACTIONS + first
    has_residual = False
    for other in range(counts.size):
        if other == player:
            continue
        residual = 0.0
        column = unknowns[leader_of(classes, other)]
        for choice in range(counts[other]):
            place = other * MAX_ACTIONS + choice
            slope = by_pair[here, place] - by_pair[there, place]
            residual += policies[other, choice] * slope
            if (support[other] >> choice) & 1:
                system[row, column] += slope
                column += 1
        if not has_residual:
            system[row, size] = -residual
            has_residual = True


@compiled(types.int64(COUNTS, COUNTS, COUNTS, COUNTS, POLICIES, MATRIX, MATRIX), inline=True)
def _set_up(
    counts: Any, classes: Any, support: Any, unknowns: Any, policies: Any, by_pair: Any, system: Any
) -> Any:
    """Fill in the Newton system of a support at some policies, in place; return its size.

    For every leader: its probabilities sum to 1, and each action of its support gets as much as the
    first one. `unknowns`, int64[players], is filled with the number of each leader's first one.
    """
    players, size = counts.size, int64(0)
    for player in range(players):
        unknowns[player] = size
        if leader_of(classes, player) == player:
            for action in range(counts[player]):
                size += (support[player] >> action) & 1
    for row in range(size):
        for column in range(size + 1):
            system[row, column] = 0.0
    row = 0
    for player in range(players):
        if leader_of(classes, player) != player:
            continue
        first = int64(-1)
        for action in range(counts[player]):
            if (support[player] >> action) & 1 == 0:
                continue
            if first < 0:
                first, total, column = int64(action), 0.0, unknowns[player]
                for other in range(counts[player]):
                    if (support[player] >> other) & 1:
                        system[row, column] = 1.0
                        total += policies[player, other]
                        column += 1
                system[row, size] = 1.0 - total
            else:
                _indifference(
                    counts, classes, support, unknowns, policies, by_pair, system,
                    row, player, action, first, size,
                )  # fmt: skip
            row += 1
    return size


@compiled(types.int64(COUNTS, POLICIES), inline=True)
def _as_policies(counts: Any, policies: Any) -> Any:
    """Clear away what rounding left, in place; return 0 if these are no probabilities."""
    for player in range(counts.size):
        total = 0.0
        for action in range(counts[player]):
            if not policies[player, action] >= -1e-12:
                return int64(0)
            policies[player, action] = max(policies[player, action], 0.0)
            total += policies[player, action]
        if not 0.5 < total < 2.0:
            return int64(0)
        for action in range(counts[player]):
            policies[player, action] /= total
    return int64(1)


@compiled(
    types.int64(PAYOFFS, COUNTS, COUNTS, COUNTS, POLICIES, MATRIX, MATRIX, types.int64[:, ::1])
)
def refine(
    payoffs: Any, counts: Any, classes: Any, support: Any, policies: Any, by_pair: Any,
    system: Any, scratch: Any,
) -> Any:  # fmt: skip
    """Make all actions of a support equally good by changing its policies, in place.

    Parameters
    ----------
    payoffs, counts
        The stage game.
    classes : int64[players]
        Players of one number are interchangeable and start from, and get, the same policy.
    support : int64[players]
        Bit a: action a may have weight.
    policies : float64[players, actions]
        Where to start, 0 off the support.
    by_pair, system, scratch : float64[20, 20], float64[20, 21], int64[3, 20] at least
        To work in.

    Returns
    -------
    int64
        1 if a policy for every player came out, 0 if not.
    """
    digits, unknowns, places = scratch[0], scratch[1], scratch[2]
    for _ in range(STEPS):
        pair_payoffs(payoffs, counts, policies, digits, by_pair)
        size = _set_up(counts, classes, support, unknowns, policies, by_pair, system)
        _eliminate(system, size, places)
        change = 0.0
        for player in range(counts.size):
            column = int64(unknowns[leader_of(classes, player)])
            for action in range(counts[player]):
                if (support[player] >> action) & 1:
                    step = system[column, size]
                    policies[player, action] += step
                    change = max(change, abs(step))
                    column += 1
        if not change < 1e3:
            return int64(0)
        if change < _CONVERGED:
            break
    return _as_policies(counts, policies)
