"""The stage game of a public state and a card: what each joint action is worth to each player."""

from typing import Any

import numpy as np
from numba import types
from numpy import int64

from agents.solvers.key_table import KEYS, ROWS, slot_of
from agents.solvers.ostrich_layers import (
    PLAYERS,
    act,
    all_out,
    next_action,
    next_joint_action,
    pack,
    sort_with_ranks,
)
from agents.solvers.ostrich_positions import SCORE, STANDING
from ostrich import rules
from simulator.compiling import compiled

#: Places in the array that tells how a stage game goes on.
CARD, SEEN_AFTER, IS_LAST, IS_SCORE_DIFFERENCE = range(4)

SHAPE, WORK, MOMENT = types.int64[::1], types.int64[::1], types.int64[::1]
AFTER, OWNED, OUTCOMES = types.int32[:, :, ::1], types.int64[:, ::1], types.int64[:, :, ::1]
VALUES, PAYOFFS = types.float64[:, ::1], types.float64[:, ::1]


@compiled(types.void(SHAPE, OWNED, WORK, types.int64, PAYOFFS, types.int64), inline=True)
def end_payoffs(
    shape: Any, owned: Any, numbers: Any, is_score_difference: Any, payoffs: Any, column: Any
) -> None:
    """Fill a column of float64[players, ...], in place, with what the players get in the end."""
    players = shape[PLAYERS]
    if is_score_difference:
        lead = owned[numbers[0], SCORE] - owned[numbers[1], SCORE]
        payoffs[0, column], payoffs[1, column] = lead, -lead
        return
    best = winners = int64(0)
    for player in range(players):
        best = max(best, owned[numbers[player], STANDING])
    for player in range(players):
        winners += int64(owned[numbers[player], STANDING] == best)
    for player in range(players):
        twelfths = rules.win_twelfths(owned[numbers[player], STANDING], best, winners)
        payoffs[player, column] = np.float64(twelfths) / rules.SHARE_UNITS


@compiled(
    types.int64(
        SHAPE, AFTER, OWNED, OUTCOMES, WORK, MOMENT, KEYS, ROWS, VALUES, WORK, PAYOFFS, SHAPE
    )
)
def stage_payoffs(
    shape: Any, after: Any, owned: Any, outcomes: Any, numbers: Any, moment: Any,
    slots: Any, rows: Any, values: Any, work: Any, payoffs: Any, counts: Any,
) -> Any:  # fmt: skip
    """Fill in a stage game's payoffs, in place, and return how many joint actions it has.

    Parameters
    ----------
    shape, after, owned, outcomes
        `shape_of` and the tables of `Positions`.
    numbers : int64[players]
        The players' positions.
    moment : int64[4]
        The card, the set of cards seen with it, and whether this is the last round and payoffs are
        score differences.
    slots, rows, values
        The next layer's table of keys, states sorted by players, and its values,
        float64[states, players].
    work : int64[3 * (MAX_PLAYERS + 1)]
        Scratch.
    payoffs : float64[players, joint actions]
        The first player's action changes slowest; only legal actions count.
    counts : int64[players]
        Filled with the number of each player's legal actions, 1 for one who is out.
    """
    players = shape[PLAYERS]
    width = work.size // 3
    actions, then, ranks = work[:width], work[width : 2 * width], work[2 * width :]
    for player in range(players):
        actions[player] = next_action(shape, owned, numbers, player, -1)
        counts[player] = 1
        action = actions[player]
        while action >= 0:
            action = next_action(shape, owned, numbers, player, action)
            counts[player] += int64(action >= 0)
    column, more = int64(0), int64(1)
    while more:
        act(shape, after, outcomes, numbers, actions, moment[CARD], then)
        if moment[IS_LAST] or all_out(shape, owned, then):
            end_payoffs(shape, owned, then, moment[IS_SCORE_DIFFERENCE], payoffs, column)
        else:
            sort_with_ranks(shape, then, ranks)
            row = rows[slot_of(slots, pack(shape, then, moment[SEEN_AFTER]))]
            for player in range(players):
                payoffs[player, column] = values[row, ranks[player]]
        column += 1
        more = next_joint_action(shape, owned, numbers, actions)
    return column
