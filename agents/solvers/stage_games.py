"""Nash equilibria of small stage games: pure first, then by linear programming, then mixed.

Every answer is measured by what a player could gain by deviating from it, whatever method made it.
`solve` is for compiled code, `solve_stage_game` for people.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import int64

from agents.solvers.stage_pure import EXACT, drop_covered, pure_equilibrium
from agents.solvers.stage_search import (
    ACTIVE,
    AVERAGE,
    DIGITS,
    REGRETS,
    ROOMS,
    SCRATCH,
    SLOTS,
    STARTS,
    SYSTEM,
    TRIAL,
    keep_if_better,
    match_regrets,
    search_guess,
    search_supports,
)
from agents.solvers.stage_values import (
    COUNTS,
    MAX_ACTIONS,
    MAX_PLAYERS,
    PAYOFFS,
    POLICIES,
    VECTOR,
    WIDTH,
    joint_actions,
    next_digits,
)
from agents.solvers.stage_zero_sum import matrix_game
from simulator.compiling import compiled

#: How a stage game was solved. One that resisted has the best policies that were found.
METHODS = PURE, ZERO_SUM, GUESSED, SEARCHED, RESISTED = range(5)
METHOD_NAMES = ("pure", "zero-sum", "guessed support", "searched support", "resisted")
LONG = 20_000  # rounds of regret matching for a game that resists

_ENOUGH = 1e-11  # of the range of payoffs: a gain below is rounding
_RESISTS = 1e-9


def workspace() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return the arrays that `solve` works in: one pair a thread."""
    return np.zeros((6, WIDTH + 4, WIDTH + 4)), np.zeros((SCRATCH + 3, WIDTH), np.int64)


@compiled(types.float64(PAYOFFS, COUNTS), inline=True)
def _range(payoffs: Any, counts: Any) -> Any:
    """Return the largest difference between two payoffs of one player."""
    largest = 0.0
    for player in range(counts.size):
        low = high = payoffs[player, 0]
        for joint in range(joint_actions(counts)):
            low, high = min(low, payoffs[player, joint]), max(high, payoffs[player, joint])
        largest = max(largest, high - low)
    return np.float64(largest)


@compiled(types.int64(PAYOFFS, COUNTS, COUNTS, types.float64, POLICIES, VECTOR, ROOMS, SLOTS))
def _zero_sum(
    payoffs: Any, counts: Any, classes: Any, enough: Any, policies: Any, values: Any, rooms: Any,
    slots: Any,
) -> Any:  # fmt: skip
    """Solve by linear programming if two players have a choice and play for a constant sum.

    Returns 1 if so, with the policies and their values filled in.
    """
    one, two = int64(-1), int64(-1)
    for player in range(counts.size):
        if counts[player] > 1:
            if two >= 0:
                return int64(0)
            one, two = (int64(player), int64(-1)) if one < 0 else (one, int64(player))
    if two < 0:
        return int64(0)
    total = payoffs[one, 0] + payoffs[two, 0]
    matrix, digits = rooms[TRIAL], slots[DIGITS]
    for player in range(counts.size):
        digits[player] = 0
    for joint in range(joint_actions(counts)):
        if abs(payoffs[one, joint] + payoffs[two, joint] - total) > EXACT:
            return int64(0)
        matrix[digits[one], digits[two]] = payoffs[one, joint]
        next_digits(counts, digits)
    rows, columns = rooms[REGRETS][0], rooms[REGRETS][1]
    if not matrix_game(
        matrix, counts[one], counts[two], rooms[SYSTEM], slots[SCRATCH], rows, columns
    ):
        return int64(0)
    trial = rooms[AVERAGE]
    for player in range(counts.size):
        trial[player, 0] = 1.0
    for action in range(counts[one]):
        trial[one, action] = rows[action]
    for action in range(counts[two]):
        # in a symmetric game either player's policy is right for both
        trial[two, action] = rows[action] if classes[one] == classes[two] else columns[action]
    keep_if_better(payoffs, counts, trial, policies, values, rooms, slots)
    return int64(values[counts.size] <= enough)


@compiled(types.int64(PAYOFFS, COUNTS, COUNTS, POLICIES, VECTOR, ROOMS, SLOTS))
def solve(
    payoffs: Any, counts: Any, classes: Any, policies: Any, values: Any, rooms: Any, slots: Any
) -> Any:
    """Find an equilibrium of a stage game.

    Parameters
    ----------
    payoffs : float64[players, joint actions] at least
        The last player's action changes fastest.
    counts : int64[players]
        Actions of each player, 1 for one without a choice.
    classes : int64[players]
        Players of the same number are interchangeable: the game stays the same when they change
        places. They get the same policy (a symmetric equilibrium exists: Nash 1951).
    policies : float64[players, actions] at least
        Filled in place.
    values : float64[players + 1]
        Filled in place: what each player gets, and the largest gain by deviating.
    rooms, slots
        A `workspace`.

    Returns
    -------
    int64
        Of METHODS.
    """
    players = counts.size
    values[players] = 1e300
    pure = pure_equilibrium(payoffs, counts, classes, slots[DIGITS])
    if pure >= 0:
        trial, left = rooms[TRIAL], pure
        for back in range(players):
            player = players - 1 - back
            for action in range(counts[player]):
                trial[player, action] = 1.0 if action == left % counts[player] else 0.0
            left //= counts[player]
        keep_if_better(payoffs, counts, trial, policies, values, rooms, slots)
        return int64(PURE)
    enough = _ENOUGH * _range(payoffs, counts)
    if _zero_sum(payoffs, counts, classes, enough, policies, values, rooms, slots):
        return int64(ZERO_SUM)
    drop_covered(payoffs, counts, slots[ACTIVE], slots[DIGITS])
    search_guess(payoffs, counts, classes, enough, policies, values, rooms, slots)
    if values[players] <= enough:
        return int64(GUESSED)
    for starts in STARTS:
        search_supports(payoffs, counts, classes, enough, starts, policies, values, rooms, slots)
        if values[players] <= enough:
            return int64(SEARCHED)
    match_regrets(payoffs, counts, LONG, rooms, slots)
    keep_if_better(payoffs, counts, rooms[AVERAGE], policies, values, rooms, slots)
    resists = values[players] > _RESISTS * _range(payoffs, counts)
    return int64(RESISTED if resists else SEARCHED)


@dataclass(frozen=True)
class StageSolution:
    """An equilibrium of a stage game.

    Parameters
    ----------
    policies : list of float64[actions]
        One a player.
    values : float64[players]
        What each player gets.
    gain : float
        The most that a player gains by deviating.
    method : str
        Of METHOD_NAMES.
    """

    policies: list[npt.NDArray[np.float64]]
    values: npt.NDArray[np.float64]
    gain: float
    method: str


def solve_stage_game(payoffs: Any, classes: Sequence[int] | None = None) -> StageSolution:
    """Find an equilibrium of a game in which all players act once, at the same time.

    Parameters
    ----------
    payoffs : array_like, [players, actions of the first, actions of the second, ...]
        Two to four players, at most five actions each.
    classes : sequence of int
        Players of the same number are interchangeable, and get the same policy. By default all
        are different.

    Raises
    ------
    ValueError
        For an array of another shape, payoffs that are not finite, or players called
        interchangeable who are not.
    """
    array = np.asarray(payoffs, dtype=np.float64)
    players, counts = len(array) if array.ndim else 0, array.shape[1:]
    if not 2 <= players <= MAX_PLAYERS or len(counts) != players:
        raise ValueError(
            f"payoffs have shape {array.shape}; they need an axis for the 2 to 4 players "
            "and one for each player's actions"
        )
    if not 1 <= min(counts) <= max(counts) <= MAX_ACTIONS:
        raise ValueError(f"the players have {counts} actions; each may have 1 to {MAX_ACTIONS}")
    if not np.isfinite(array).all():
        raise ValueError("payoffs must be finite numbers")
    alike = np.arange(players) if classes is None else np.asarray(classes, dtype=np.int64)
    _check_interchangeable(array, alike)
    policies, values = np.zeros((players, MAX_ACTIONS)), np.zeros(players + 1)
    flat = np.ascontiguousarray(array.reshape(players, -1))
    method = solve(
        flat, np.array(counts, np.int64), alike.astype(np.int64), policies, values, *workspace()
    )
    rows = [policies[player, :count].copy() for player, count in enumerate(counts)]
    return StageSolution(rows, values[:players], float(values[players]), METHOD_NAMES[method])


def _check_interchangeable(payoffs: Any, classes: Any) -> None:
    """Raise ValueError unless swapping two players of one class leaves the game as it is."""
    players = len(payoffs)
    if classes.shape != (players,):
        raise ValueError(f"classes must name one for each of {players} players, not {classes}")
    for one in range(players):
        for two in range(one):
            if classes[one] != classes[two]:
                continue
            order = list(range(players))
            order[one], order[two] = two, one
            swapped = payoffs[order].transpose(0, *[1 + player for player in order])
            if swapped.shape != payoffs.shape or not np.allclose(swapped, payoffs, 0, EXACT):
                raise ValueError(f"players {two} and {one} are not interchangeable in this game")
