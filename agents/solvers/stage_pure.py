"""Pure equilibria of stage games, and actions that need not be looked at."""

from typing import Any

from numba import types
from numpy import int64

from agents.solvers.stage_values import COUNTS, PAYOFFS, joint_actions, next_digits
from simulator.compiling import compiled

EXACT = 1e-12  # payoffs that differ by less are equal


@compiled(types.float64(PAYOFFS, COUNTS, COUNTS, types.int64), inline=True)
def _smallest_loss(payoffs: Any, counts: Any, digits: Any, joint: Any) -> Any:
    """Return the least that a player loses by deviating from a joint action; below 0, it gains."""
    smallest, stride = 1e300, int64(1)
    for back in range(counts.size):
        player = counts.size - 1 - back
        here = payoffs[player, joint]
        for action in range(counts[player]):
            if action != digits[player]:
                there = payoffs[player, joint + (action - digits[player]) * stride]
                smallest = min(smallest, here - there)
        stride *= counts[player]
    return smallest


@compiled(types.int64(PAYOFFS, COUNTS, COUNTS, COUNTS))
def pure_equilibrium(payoffs: Any, counts: Any, classes: Any, digits: Any) -> Any:
    """Return the joint action that is an equilibrium, or -1 if none is.

    Of several the one from which the least tempted player loses most, ties to the lowest number.
    Players of one class act alike. `digits`, int64[players], is scratch.
    """
    players = counts.size
    for player in range(players):
        digits[player] = 0
    found, most = int64(-1), -EXACT
    for joint in range(joint_actions(counts)):
        alike = True
        for player in range(1, players):
            for other in range(player):
                same = classes[player] == classes[other]
                alike = alike and (not same or digits[player] == digits[other])
        if alike:
            loss = _smallest_loss(payoffs, counts, digits, joint)
            if loss > most + EXACT or (found < 0 and loss >= most):
                found, most = int64(joint), loss
        next_digits(counts, digits)
    return found


@compiled(
    types.int64(PAYOFFS, COUNTS, COUNTS, COUNTS, types.int64, types.int64, types.int64), inline=True
)
def _is_covered(
    payoffs: Any, counts: Any, active: Any, digits: Any, player: Any, action: Any, by: Any
) -> Any:
    """Return 1 if another action is at least as good against all that the others may do, else 0.

    Of two that are always equal the lower one covers the higher.
    """
    for other in range(counts.size):
        digits[other] = 0
    stride = int64(1)
    for later in range(player + 1, counts.size):
        stride *= counts[later]
    better = int64(0)
    for joint in range(joint_actions(counts)):
        possible = digits[player] == action
        for other in range(counts.size):
            possible = possible and (other == player or (active[other] >> digits[other]) & 1 == 1)
        if possible:
            more = payoffs[player, joint + (by - action) * stride] - payoffs[player, joint]
            if more < -EXACT:
                return int64(0)
            better |= int64(more > EXACT)
        next_digits(counts, digits)
    return int64(better == 1 or by < action)


@compiled(types.void(PAYOFFS, COUNTS, COUNTS, COUNTS))
def drop_covered(payoffs: Any, counts: Any, active: Any, digits: Any) -> None:
    """Drop weakly dominated actions again and again: int64[players] of bits, changed in place.

    An equilibrium of what is left is one of the whole game, since a dropped action is no better
    than one that is left. All players' actions of one pass are dropped together, so that players
    who are interchangeable stay so.
    """
    players = counts.size
    for player in range(players):
        active[player] = (int64(1) << counts[player]) - 1
    dropped = True
    while dropped:
        dropped = False
        gone = int64(0)  # five bits a player
        for player in range(players):
            for action in range(counts[player]):
                for by in range(counts[player]):
                    if by == action or (active[player] >> action) & 1 == 0:
                        continue
                    if (active[player] >> by) & 1 and _is_covered(
                        payoffs, counts, active, digits, player, action, by
                    ):
                        gone |= int64(1) << (5 * player + action)
        for player in range(players):
            here = (gone >> (5 * player)) & 31
            dropped = dropped or here != 0
            active[player] &= ~here
