"""Equilibria of stage games, LANES at a time, by regret matching.

Predictive regret matching plus (Farina, Kroer, Sandholm 2021) in a game of one turn: regrets below
zero are forgotten, a policy goes by the regrets that it would have if the last turn came again,
and the average counts a policy by the fourth power of its turn. All seats change their policies at
the same time, so that no order of seats matters.

A loop over lanes vectorises if what is inside is unrolled: so there is a set of functions for each
number of actions (`rounds_for`).
"""

from collections.abc import Callable
from typing import Any

from numba import types
from numpy import float32

from agents.lookahead.stages import LANES, PAYOFFS
from simulator.compiling import compiled
from simulator.lifting import local_array

POLICIES = types.float32[:, ::1]
_LINE = types.float32[::1]


def rounds_for(room: int) -> Callable[..., None]:
    """Return the function that runs rounds of regret matching on games with `room` actions a seat.

    It takes

    - payoffs : float32[SEATS, room ** SEATS, LANES], the last seat's action changing fastest;
    - policies : float32[SEATS, room * LANES], where to begin, 0 for actions that there are not;
      filled with the average policies, in place;
    - rounds : int;
    - values : float32[SEATS, room * LANES], filled with what each action gets against the others'
      average policies, in place.
    """
    table, square = local_array(room * LANES), room * room

    @compiled(
        types.void(types.int64, PAYOFFS, _LINE, _LINE, _LINE, _LINE, _LINE, _LINE), inline=True
    )
    def contract(
        lanes: Any, payoffs: Any, p0: Any, p1: Any, p2: Any, v0: Any, v1: Any, v2: Any
    ) -> None:
        """Fill in what each action gets against the others' policies, in place."""
        for lane in range(lanes):
            for a in range(room):
                value = float32(0)
                for b in range(room):
                    for c in range(room):
                        both = p1[b * LANES + lane] * p2[c * LANES + lane]
                        value += both * payoffs[0, a * square + b * room + c, lane]
                v0[a * LANES + lane] = value
        for lane in range(lanes):
            for b in range(room):
                value = float32(0)
                for a in range(room):
                    for c in range(room):
                        both = p0[a * LANES + lane] * p2[c * LANES + lane]
                        value += both * payoffs[1, a * square + b * room + c, lane]
                v1[b * LANES + lane] = value
        for lane in range(lanes):
            for c in range(room):
                value = float32(0)
                for a in range(room):
                    for b in range(room):
                        both = p0[a * LANES + lane] * p1[b * LANES + lane]
                        value += both * payoffs[2, a * square + b * room + c, lane]
                v2[c * LANES + lane] = value

    @compiled(types.void(types.int64, types.float32, _LINE, _LINE, _LINE, _LINE), inline=True)
    def match(lanes: Any, weight: Any, values: Any, regrets: Any, policy: Any, sums: Any) -> None:
        """Add up a seat's regrets and set its policy by them; all in place."""
        for lane in range(lanes):
            got = float32(0)
            for action in range(room):
                got += policy[action * LANES + lane] * values[action * LANES + lane]
            total = float32(0)
            for action in range(room):
                at = action * LANES + lane
                regret = values[at] - got
                regrets[at] = max(regrets[at] + regret, float32(0))
                foreseen = max(regrets[at] + regret, float32(0))
                values[at] = foreseen
                total += foreseen
            scale = float32(1) / max(total, float32(1e-30))
            for action in range(room):
                at = action * LANES + lane
                chance = values[at] * scale if total > float32(0) else policy[at]
                policy[at] = chance
                sums[at] += weight * chance

    @compiled(types.void(PAYOFFS, POLICIES, types.int64, POLICIES))
    def match_regrets(payoffs: Any, policies: Any, rounds: Any, values: Any) -> None:
        """See `rounds_for`."""
        lanes = payoffs.shape[2]
        p0, p1, p2, v0, v1, v2 = table(), table(), table(), table(), table(), table()
        r0, r1, r2, s0, s1, s2 = table(), table(), table(), table(), table(), table()
        for at in range(room * LANES):
            p0[at], p1[at], p2[at] = policies[0, at], policies[1, at], policies[2, at]
        total = float32(0)
        for turn in range(rounds):
            contract(lanes, payoffs, p0, p1, p2, v0, v1, v2)
            late = float32(turn + 1) / float32(rounds)
            weight = late * late * late * late
            total += weight
            match(lanes, weight, v0, r0, p0, s0)
            match(lanes, weight, v1, r1, p1, s1)
            match(lanes, weight, v2, r2, p2, s2)
        scale = float32(1) / total
        for at in range(room * LANES):
            p0[at], p1[at], p2[at] = s0[at] * scale, s1[at] * scale, s2[at] * scale
        contract(lanes, payoffs, p0, p1, p2, v0, v1, v2)
        for at in range(room * LANES):
            policies[0, at], policies[1, at], policies[2, at] = p0[at], p1[at], p2[at]
            values[0, at], values[1, at], values[2, at] = v0[at], v1[at], v2[at]

    return match_regrets
