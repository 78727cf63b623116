"""Solve groups of stage games: regret matching in tries that go on until nobody gains much."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numpy import float32, int64

from agents.lookahead.nets import SEATS
from agents.lookahead.regrets import POLICIES, rounds_for
from agents.lookahead.stages import ACTIONS, LANES, PAYOFFS
from ostrich import MAX_ACTIONS
from simulator.compiling import compiled

#: Rounds of regret matching. A try begins at the policies of the one before, its regrets forgotten.
TRIES = (10, 50, 200, 200)
EASY = 2  # tries after which nearly all last rounds are good enough
ENOUGH = 1e-4  # of the win: a gain that is not worth another try

SHARES = types.float32[:, ::1]
#: Policies and values of actions, [SEATS, room * LANES], and what each seat gets and could gain.
SOLUTION = types.Tuple((POLICIES, POLICIES, SHARES, SHARES))


def new_solution(room: int) -> Any:
    """Return the arrays of one solution of a group of games with `room` actions a seat."""
    return (
        np.zeros((SEATS, room * LANES), np.float32),
        np.zeros((SEATS, room * LANES), np.float32),
        np.zeros((SEATS, LANES), np.float32),
        np.zeros((SEATS, LANES), np.float32),
    )


@compiled(types.void(ACTIONS, POLICIES))
def spread_evenly(actions: Any, policies: Any) -> None:
    """Fill in uniform policies over the actions that there are, in place."""
    room = actions.shape[1]
    for seat in range(SEATS):
        for lane in range(LANES):
            count = float32(0)
            for place in range(room):
                count += float32(1) if actions[seat, place, lane] >= 0 else float32(0)
            for place in range(room):
                there = actions[seat, place, lane] >= 0
                policies[seat, place * LANES + lane] = float32(1) / count if there else float32(0)


@compiled(types.void(ACTIONS, SOLUTION))
def measure(actions: Any, solution: Any) -> None:
    """Fill in what each seat of each lane gets, and could gain, in place."""
    policies, values, worth, gains = solution
    for seat in range(SEATS):
        for lane in range(LANES):
            got, best = float32(0), float32(-2)
            for place in range(actions.shape[1]):
                at = place * LANES + lane
                if actions[seat, place, lane] >= 0:
                    got += policies[seat, at] * values[seat, at]
                    best = max(best, values[seat, at])
            worth[seat, lane], gains[seat, lane] = got, max(best - got, float32(0))


@compiled(types.float32(SHARES, types.int64), inline=True)
def largest(gains: Any, lane: Any) -> Any:
    """Return the largest gain of a lane."""
    return max(gains[0, lane], max(gains[1, lane], gains[2, lane]))


@compiled(types.void(types.int64, SOLUTION, types.int64, SOLUTION, types.int64))
def copy_lane(room: Any, source: Any, lane: Any, target: Any, place: Any) -> None:
    """Copy a lane of one solution to a place in another, in place."""
    for seat in range(SEATS):
        for action in range(room):
            here, there = action * LANES + lane, action * LANES + place
            target[0][seat, there], target[1][seat, there] = (
                source[0][seat, here],
                source[1][seat, here],
            )
        target[2][seat, place], target[3][seat, place] = (
            source[2][seat, lane],
            source[3][seat, lane],
        )


@compiled(types.int64(SOLUTION, types.int64), inline=True)
def is_good(solution: Any, lane: Any) -> Any:
    """Return whether nobody gains much in a lane."""
    return int64(largest(solution[3], lane) <= float32(ENOUGH))


@cache
def solver_for(room: int) -> Callable[..., None]:
    """Return the function that solves a group of games in which a seat has up to `room` actions.

    It takes (actions, payoffs, kept, tried, first, end): the games, as `stages.fill_stage` fills
    them; the best SOLUTION so far and the one of the last try, both changed in place; and which
    of TRIES are made, as long as a lane is not good enough. Try 0 begins with uniform policies.
    What is found for a lane does not depend on its neighbours.
    """
    if not 1 <= room <= MAX_ACTIONS:
        raise ValueError(f"room must be from 1 to {MAX_ACTIONS}, not {room}")
    match_regrets = rounds_for(room)

    @compiled(types.void(ACTIONS, PAYOFFS, SOLUTION, SOLUTION, types.int64, types.int64))
    def solve_group(
        actions: Any, payoffs: Any, kept: Any, tried: Any, first: Any, end: Any
    ) -> None:
        """See `solver_for`."""
        if first == 0:
            spread_evenly(actions, tried[0])
        for number in range(first, end):
            match_regrets(payoffs, tried[0], TRIES[number], tried[1])
            measure(actions, tried)
            good = int64(1)
            for lane in range(LANES):
                if number == 0 or (
                    not is_good(kept, lane) and largest(tried[3], lane) < largest(kept[3], lane)
                ):
                    copy_lane(room, tried, lane, kept, lane)
                good = good & is_good(kept, lane)
            if good:
                break

    return solve_group
