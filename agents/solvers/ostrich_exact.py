"""Ostrich variants solved exactly: an equilibrium of every stage game, from the last round back.

States are taken up to the order of the players, so players in equal positions get equal policies.
The work is cut into parts of some thousand states; a part's result depends on nothing but the next
round's values, so parts may be solved on any thread, kept, and read again after a kill.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import int64

from agents.solvers.key_table import KEYS, ROWS, Keys, empty_slots
from agents.solvers.ostrich_layers import (
    CARD,
    PLAYERS,
    SEEN_AFTER,
    Layer,
    next_action,
    shape_of,
    sorted_layers,
    unpack,
)
from agents.solvers.ostrich_parts import Part, PartStore
from agents.solvers.ostrich_positions import (
    SCORE_DIFFERENCE,
    WIN_SHARE,
    Positions,
    check_payoff,
    positions_of,
)
from agents.solvers.ostrich_stages import (
    AFTER,
    MOMENT,
    OUTCOMES,
    OWNED,
    SHAPE,
    VALUES,
    stage_payoffs,
)
from agents.solvers.stage_games import METHODS, solve, workspace
from agents.solvers.stage_search import ROOMS, SLOTS
from agents.solvers.stage_values import MAX_ACTIONS, MAX_JOINT
from ostrich.rules import MAX_PLAYERS
from simulator.compiling import compiled
from simulator.inputs import threads_from

STATES_A_PART = 2048
MOST_STATES = 8_000_000  # of a round: 4 GB, with look-up, values and policies

_TALLY, _JOINT, _MIXED = types.int64[::1], types.int32[:, ::1], types.float64[:, :, ::1]


@compiled(types.int64(SHAPE, OWNED, types.int64[::1], VALUES, _MIXED, types.int64), inline=True)
def _spread(shape: Any, owned: Any, numbers: Any, policies: Any, mixed: Any, place: Any) -> Any:
    """Write policies over legal actions into a row of `mixed`, in place, as policies over actions.

    Returns the joint action if all play purely, as digits in the number of actions, else -1.
    """
    joint, actions = int64(0), mixed.shape[2]
    for player in range(shape[PLAYERS]):
        for action in range(actions):
            mixed[place, player, action] = 0.0
        action, legal, played = next_action(shape, owned, numbers, player, -1), int64(0), int64(0)
        while action >= 0:
            mixed[place, player, action] = policies[player, legal]
            if policies[player, legal] == 1.0:
                played = action
            elif policies[player, legal] != 0.0:
                joint = int64(-1)
            legal += 1
            action = next_action(shape, owned, numbers, player, action)
        joint = joint * actions + played if joint >= 0 else int64(-1)
    return joint


@compiled(
    types.int64(
        KEYS, types.int64[:, :, ::1], types.float64[:, ::1], SHAPE, AFTER, OWNED, OUTCOMES,
        KEYS, ROWS, VALUES, MOMENT, ROOMS, SLOTS, VALUES, _JOINT, _MIXED, _TALLY,
        types.float64[::1],
    ),
    late=True,
)  # fmt: skip
def _solve_states(
    keys: Keys, draws: Any, chances: Any, shape: Any, after: Any, owned: Any, outcomes: Any,
    slots: Any, rows: Any, next_values: Any, moment: Any, rooms: Any, room_slots: Any,
    values: Any, joint: Any, mixed: Any, tally: Any, largest: Any,
) -> Any:  # fmt: skip
    """Solve the stage games of some states; all that follows `room_slots` is filled in place.

    Returns how many rows of `mixed` were filled.
    """
    players, used = shape[PLAYERS], int64(0)
    numbers, work = np.zeros(MAX_PLAYERS + 1, np.int64), np.zeros(3 * MAX_PLAYERS + 3, np.int64)
    counts, classes = np.zeros(players, np.int64), np.zeros(players, np.int64)
    payoffs, policies = np.zeros((players, MAX_JOINT)), np.zeros((players, MAX_ACTIONS))
    found = np.zeros(players + 1)
    for state in range(keys.size):
        unpack(keys[state], shape, numbers)
        for player in range(players):
            values[state, player] = 0.0
            same = player > 0 and numbers[player] == numbers[player - 1]
            classes[player] = classes[player - 1] if same else player
        for draw in range(draws.shape[1]):
            moment[CARD] = draws[numbers[players], draw, CARD]
            moment[SEEN_AFTER] = draws[numbers[players], draw, SEEN_AFTER]
            if moment[CARD] < 0:
                break
            stage_payoffs(
                shape, after, owned, outcomes, numbers, moment, slots, rows, next_values, work,
                payoffs, counts,
            )  # fmt: skip
            method = solve(payoffs, counts, classes, policies, found, rooms, room_slots)
            tally[method] += 1
            largest[0] = max(largest[0], found[players])
            for player in range(players):
                values[state, player] += chances[numbers[players], draw] * found[player]
            joint[state, draw] = _spread(shape, owned, numbers, policies, mixed, used)
            if joint[state, draw] < 0:
                joint[state, draw] = -1 - used
                used += 1
    return used


@dataclass(frozen=True)
class SolvedRound:
    """An equilibrium of every stage game of a round.

    Parameters
    ----------
    layer : Layer
        The states, sorted by players.
    values : float64[states, players]
    joint : int32[stage games]
        State by state, card by card: a pure joint action, or -1 minus the row of `mixed`.
    mixed : float64[mixed stage games, players, num_actions]
    tally : int64[methods]
        Stage games by the method that solved them (`stage_games.METHODS`).
    gain : float
        The most that a player gains by deviating in one of these stage games.
    """

    layer: Layer
    values: npt.NDArray[np.float64]
    joint: npt.NDArray[np.int32]
    mixed: npt.NDArray[np.float64]
    tally: npt.NDArray[np.int64]
    gain: float


@dataclass(frozen=True)
class Solution:
    """A solved variant, round by round from the first.

    Parameters
    ----------
    positions : Positions
    payoff : str
        Of `ostrich_positions.PAYOFFS`.
    rounds : list of SolvedRound
    """

    positions: Positions
    payoff: str
    rounds: list[SolvedRound]

    @property
    def root_values(self) -> npt.NDArray[np.float64]:
        """Expected payoff of each player."""
        root: npt.NDArray[np.float64] = self.rounds[0].values[0]
        return root

    @property
    def states(self) -> int:
        """Public states between rounds, up to the order of the players."""
        return sum(len(one.layer.keys) for one in self.rounds)

    @property
    def tally(self) -> npt.NDArray[np.int64]:
        """Stage games by the method that solved them."""
        tally: npt.NDArray[np.int64] = np.sum([one.tally for one in self.rounds], axis=0)
        return tally

    @property
    def largest_gain(self) -> float:
        """The most that a player gains by deviating in one stage game."""
        return max(one.gain for one in self.rounds)

    @property
    def gain_bound(self) -> float:
        """No deviation from the whole policy gains more: one stage game's gain in every round."""
        return float(sum(one.gain for one in self.rounds))


def solve_exactly(
    game: Any,
    payoff: str = WIN_SHARE,
    threads: int | None = None,
    store: PartStore | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    most_states: int | None = None,
) -> Solution:
    """Solve a variant of Ostrich by backward induction over its public states.

    Parameters
    ----------
    game : ostrich.Game
    payoff : str
        "win_share", or, for two players, "score_difference".
    threads : int, optional
        All cores by default; the result does not depend on it.
    store : PartStore, optional
        Keeps parts that are done, and has those that a run before this one had done.
    progress : callable
        Told how many parts are done, of how many.
    most_states : int, optional
        More of one round are refused; by default as many as 4 GB hold.

    Raises
    ------
    UsageError
        For an unknown payoff, or a variant with too many states.
    """
    check_payoff(payoff, game.num_players)
    positions = positions_of(game.rules)
    layers = list(sorted_layers(positions, most_states or MOST_STATES))
    store = store or PartStore(None, {})
    rounds = solved_layers(positions, payoff, layers, store, threads_from(threads), progress)
    return Solution(positions, payoff, rounds)


def solved_layers(
    positions: Positions,
    payoff: str,
    layers: list[Layer],
    store: PartStore,
    threads: int,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> list[SolvedRound]:
    """Return the solved rounds of some layers, the last of which is that of the last round."""
    todo = sum(len(_parts_of(layer)) for layer in layers)
    done, solved = 0, list[SolvedRound]()
    table, rows, values = empty_slots(1), np.zeros(len(empty_slots(1)), np.int32), np.zeros((1, 1))
    with ThreadPoolExecutor(threads) as pool:
        for layer in reversed(layers):
            one = partial(_solved_part, positions, payoff, layer, (table, rows, values), store)
            parts = []
            try:
                for part in pool.map(one, _parts_of(layer)):
                    parts.append(part)
                    done += 1
                    progress(done, todo)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            solved.append(_joined(layer, parts))
            table, rows, values = layer.table.slots, layer.table.rows, solved[-1].values
    return solved[::-1]


def _parts_of(layer: Layer) -> range:
    """Return where the parts of a layer begin; one that has no states, all being out, is one."""
    return range(0, max(len(layer.keys), 1), STATES_A_PART)


def _solved_part(
    positions: Positions,
    payoff: str,
    layer: Layer,
    follows: tuple[Any, Any, Any],
    store: PartStore,
    first: int,
) -> Part:
    """Return the stage games of some states, from the store or solved."""
    kept = store.read(layer.round, first)
    if kept is not None:
        return kept
    variant, shape = positions.variant, shape_of(positions)
    keys = layer.keys[first : first + STATES_A_PART]
    width = layer.draws.table.shape[1]
    values = np.empty((len(keys), variant.players))
    joint = np.zeros((len(keys), width), np.int32)
    mixed = np.zeros((len(keys) * width + 1, variant.players, variant.num_actions))
    tally, largest = np.zeros(len(METHODS), np.int64), np.zeros(1)
    is_last, is_difference = layer.round + 1 == variant.rounds, payoff == SCORE_DIFFERENCE
    used = _solve_states(
        keys, layer.draws.table, layer.draws.chances, shape, positions.after, positions.owned,
        positions.outcomes, *follows, np.array([0, 0, is_last, is_difference], np.int64),
        *workspace(), values, joint, mixed, tally, largest,
    )  # fmt: skip
    sets = layer.sets(shape)[first : first + STATES_A_PART]
    there = layer.draws.table[sets, :, CARD] >= 0
    part = Part(values, joint[there], mixed[:used].copy(), tally, largest)
    store.write(layer.round, first, part)
    return part


def _joined(layer: Layer, parts: list[Part]) -> SolvedRound:
    """Return the parts of a round as one, the rows of mixed policies numbered on."""
    joints, before = [], 0
    for part in parts:
        joints.append(np.where(part.joint < 0, part.joint - before, part.joint))
        before += len(part.mixed)
    return SolvedRound(
        layer,
        np.concatenate([part.values for part in parts]),
        np.concatenate(joints).astype(np.int32),
        np.concatenate([part.mixed for part in parts]),
        np.sum([part.tally for part in parts], axis=0),
        max(float(part.largest[0]) for part in parts),
    )
