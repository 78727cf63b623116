"""Last rounds, LANES at a time: nothing comes after them, so their payoffs are exact.

The same as `stages.fill_stage` fills in a last round, laid out so that the loop over joint actions
vectorises over lanes.
"""

from typing import Any

import numpy as np
from numba import types
from numpy import float32, int32, uint32

from agents.lookahead.nets import SEATS
from agents.lookahead.stages import (
    ACTIONS,
    LANES,
    NO_PAYOFF,
    OUTCOMES,
    PAYOFFS,
    POSITIONS,
    list_actions,
)
from ostrich import AMBER, MAX_ACTIONS, rules
from simulator.compiling import compiled
from simulator.lifting import local_array
from simulator.program import FACTS

#: Standings by seat, action, outcome and lane; and whether an action claims, or skips.
STANDINGS, FLAGS = types.uint32[:, :, :, ::1], types.uint32[:, :, ::1]
_row = local_array(LANES)
ENDING_ROOMS = types.Tuple((STANDINGS, FLAGS, FLAGS))


def new_ending_rooms() -> Any:
    """Return the arrays that `fill_endings` works in: one tuple a thread."""
    flags = (SEATS, MAX_ACTIONS, LANES)
    return (
        np.zeros((SEATS, MAX_ACTIONS, OUTCOMES, LANES), np.uint32),
        np.zeros(flags, np.uint32),
        np.zeros(flags, np.uint32),
    )


@compiled(types.void(POSITIONS, types.uint32[::1], FACTS, types.int64, ACTIONS, ENDING_ROOMS))
def _stand(positions: Any, card: Any, facts: Any, lane: Any, actions: Any, rooms: Any) -> None:
    """Fill in how a lane's seats stand after each of their actions and outcomes, in place."""
    standings, claims, skips = rooms
    skip, capacities = facts[rules.SKIP], facts[rules.CAPACITIES]
    amber_value, can_win = facts[rules.AMBER_VALUE], facts[rules.OUT_PLAYERS_CAN_WIN]
    amber_lies = uint32(card[lane]) == uint32(AMBER)
    for seat in range(SEATS):
        for place in range(actions.shape[1]):
            action = actions[seat, place, lane]
            if action < 0:
                claims[seat, place, lane] = skips[seat, place, lane] = uint32(0)
                continue
            claims[seat, place, lane] = rules.claims(uint32(action), skip)
            skips[seat, place, lane] = uint32(uint32(action) == skip)
            for outcome in range(OUTCOMES):
                share = uint32(rules.share_of(card[lane], uint32(outcome + 1)))
                amber = uint32(1) if amber_lies and outcome == 1 else uint32(0)
                word = rules.after_action(
                    positions[seat, lane], uint32(action), share, amber, capacities, skip
                )
                score = rules.score_of(word, capacities, amber_value)
                standings[seat, place, outcome, lane] = rules.standing_of(word, score, can_win)


@compiled(types.uint32(STANDINGS, types.int64, types.int64, types.int64, types.uint32), inline=True)
def _of_three(standings: Any, seat: Any, place: Any, lane: Any, outcome: Any) -> Any:
    """Return the standing after an outcome; selects vectorise, an index would not."""
    first, second = standings[seat, place, 0, lane], standings[seat, place, 1, lane]
    third = standings[seat, place, 2, lane]
    later = uint32(third if outcome == uint32(2) else second)
    return uint32(first if outcome == uint32(0) else later)


@compiled(types.float32(types.uint32, types.uint32, types.uint32), inline=True)
def _share(standing: Any, best: Any, winners: Any) -> Any:
    """Return a seat's share of the win."""
    return float32(int32(rules.win_twelfths(standing, best, winners))) / float32(rules.SHARE_UNITS)


@compiled(types.void(ACTIONS, PAYOFFS))
def _mark_missing(actions: Any, payoffs: Any) -> None:
    """Set the payoffs of joint actions that there are not, in place, as `fill_stage` does."""
    room, lanes = actions.shape[1], payoffs.shape[2]
    for a in range(room):
        for b in range(room):
            for c in range(room):
                joint = (a * room + b) * room + c
                for lane in range(lanes):
                    no0, no1 = actions[0, a, lane] < 0, actions[1, b, lane] < 0
                    no2 = actions[2, c, lane] < 0
                    if no0 or no1 or no2:
                        zero, none = float32(0), float32(NO_PAYOFF)
                        payoffs[0, joint, lane] = none if no0 else zero
                        payoffs[1, joint, lane] = none if no1 else zero
                        payoffs[2, joint, lane] = none if no2 else zero


@compiled(types.void(POSITIONS, types.uint32[::1], FACTS, ENDING_ROOMS, ACTIONS, PAYOFFS))
def fill_endings(
    positions: Any, card: Any, facts: Any, rooms: Any, actions: Any, payoffs: Any
) -> None:
    """Fill in LANES last rounds: actions and payoffs as `stages.fill_stage` does.

    Parameters
    ----------
    positions : uint32[SEATS, LANES]
    card : uint32[LANES]
    facts
        `Rules.facts`.
    rooms
        `new_ending_rooms`.
    actions : int64[SEATS, room, LANES]
    payoffs : float32[SEATS, room ** SEATS, LANES]
    """
    room, lanes, skip = actions.shape[1], payoffs.shape[2], facts[rules.SKIP]
    standings, claims, skips = rooms
    row0, row1, row2 = _row(), _row(), _row()  # told apart from what is read: so loops vectorise
    for lane in range(lanes):
        list_actions(positions, lane, skip, lane, actions)
        _stand(positions, card, facts, lane, actions, rooms)
    for a in range(room):
        for b in range(room):
            for c in range(room):
                joint = (a * room + b) * room + c
                for lane in range(lanes):
                    claimants = uint32(claims[0, a, lane] + claims[1, b, lane])
                    claimants = uint32(claimants + claims[2, c, lane])
                    skippers = uint32(skips[0, a, lane] + skips[1, b, lane])
                    skippers = uint32(skippers + skips[2, c, lane])
                    lone = uint32(rules.amber_won(card[lane], skippers))
                    shared = uint32(claimants - uint32(claimants > uint32(0)))
                    outcome = uint32(lone if card[lane] == uint32(AMBER) else shared)
                    s0 = _of_three(standings, 0, a, lane, outcome)
                    s1 = _of_three(standings, 1, b, lane, outcome)
                    s2 = _of_three(standings, 2, c, lane, outcome)
                    best = max(s0, max(s1, s2))
                    winners = uint32(uint32(s0 == best) + uint32(s1 == best))
                    winners = uint32(winners + uint32(s2 == best))
                    row0[lane] = _share(s0, best, winners)
                    row1[lane] = _share(s1, best, winners)
                    row2[lane] = _share(s2, best, winners)
                for lane in range(lanes):
                    payoffs[0, joint, lane] = row0[lane]
                for lane in range(lanes):
                    payoffs[1, joint, lane] = row1[lane]
                for lane in range(lanes):
                    payoffs[2, joint, lane] = row2[lane]
    _mark_missing(actions, payoffs)
