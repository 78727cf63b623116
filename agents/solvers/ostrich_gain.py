"""Exact best responses in Ostrich, by backward induction over public states.

Policies that are functions of what a seat sees make every public state the start of the same game
whatever led to it; so histories are never unrolled. States are told apart by seat, since agents may
tell seats apart; states that more than one player would have to stray from its policy in the same
round to bring about are left out, as no single deviation leads there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import types
from numpy import int64

from agents.solvers.gains import ProfileValue
from agents.solvers.key_table import EMPTY, KEYS, ROWS, Keys, empty_slots, slot_of
from agents.solvers.ostrich_layers import (
    CARD,
    PLAYERS,
    SEEN_AFTER,
    Layer,
    act,
    all_out,
    draws_of,
    first_key,
    keys_after,
    next_action,
    next_joint_action,
    pack,
    shape_of,
    unpack,
)
from agents.solvers.ostrich_positions import (
    SCORE_DIFFERENCE,
    WIN_SHARE,
    Positions,
    check_payoff,
    positions_of,
)
from agents.solvers.ostrich_profile import Policies, check_known, profile_at
from agents.solvers.ostrich_stages import AFTER, OUTCOMES, OWNED, SHAPE, VALUES, end_payoffs
from ostrich.rules import MAX_PLAYERS
from simulator.agents import Agent
from simulator.compiling import compiled

MOST_STATES = 12_000_000  # of a round; some 300 bytes each, policies of three players included

_DRAWS, _CHANCES = types.int64[:, :, ::1], types.float64[:, ::1]
_PROFILE = types.float64[:, :, :, ::1]
_WORK, _SHARES = types.int64[::1], types.float64[::1]


@dataclass(frozen=True)
class OstrichValue(ProfileValue):
    """What a line-up is worth, and how much was gone through to tell.

    Parameters
    ----------
    values, best_responses : float64[players]
    states : int
        Public states.
    nbytes : int
        Bytes of their keys, values and policies.
    """

    states: int
    nbytes: int


@compiled(types.int64(SHAPE, _PROFILE, types.int64, types.int64, _WORK, _SHARES), inline=True)
def _others(shape: Any, profile: Any, draw: Any, state: Any, actions: Any, shares: Any) -> Any:
    """Fill in how likely the others of each player act so; return 1 if any of it is possible.

    `shares`, float64[players + 1], is filled in place; the last is how likely all act so.
    """
    players = shape[PLAYERS]
    for left_out in range(players + 1):
        share = 1.0
        for player in range(players):
            if player != left_out and actions[player] >= 0:
                share *= profile[draw, player, state, actions[player]]
        shares[left_out] = share
    for player in range(players):
        if shares[player] > 0.0:
            return int64(1)
    return int64(0)


@compiled(types.void(KEYS, _DRAWS, _PROFILE, SHAPE, AFTER, OWNED, OUTCOMES, KEYS, SHAPE), late=True)
def _expand(
    keys: Keys, draws: Any, profile: Any, shape: Any, after: Any, owned: Any, outcomes: Any,
    slots: Keys, progress: Any,
) -> None:  # fmt: skip
    """Put the states that follow on some keys into slots until half of these are taken.

    `progress`, int64[2], is changed in place: the keys that are done, and the slots taken.
    """
    players = shape[PLAYERS]
    numbers, then = np.zeros(MAX_PLAYERS + 1, np.int64), np.zeros(MAX_PLAYERS + 1, np.int64)
    actions, shares = np.zeros(MAX_PLAYERS, np.int64), np.zeros(MAX_PLAYERS + 1)
    while progress[0] < keys.size and 2 * progress[1] < slots.size:
        state = progress[0]
        unpack(keys[state], shape, numbers)
        for draw in range(draws.shape[1]):
            card = draws[numbers[players], draw, CARD]
            if card < 0:
                break
            for player in range(players):
                actions[player] = next_action(shape, owned, numbers, player, -1)
            more = int64(1)
            while more:
                if _others(shape, profile, draw, state, actions, shares):
                    act(shape, after, outcomes, numbers, actions, card, then)
                    if not all_out(shape, owned, then):
                        key = pack(shape, then, draws[numbers[players], draw, SEEN_AFTER])
                        slot = slot_of(slots, key)
                        progress[1] += int64(slots[slot] == EMPTY)
                        slots[slot] = key
                more = next_joint_action(shape, owned, numbers, actions)
        progress[0] += 1


@compiled(
    types.void(
        KEYS, _DRAWS, _CHANCES, _PROFILE, SHAPE, AFTER, OWNED, OUTCOMES,
        KEYS, ROWS, VALUES, types.int64, types.int64, VALUES,
    ),
    late=True,
)  # fmt: skip
def _respond(
    keys: Keys, draws: Any, chances: Any, profile: Any, shape: Any, after: Any, owned: Any,
    outcomes: Any, slots: Keys, rows: Any, next_values: Any, is_last: Any, is_difference: Any,
    values: Any,
) -> None:  # fmt: skip
    """Fill float64[states, 2 * players], in place, from the next layer's.

    First what each player gets by its policy, then what it gets by its best response.
    """
    players = shape[PLAYERS]
    numbers, then = np.zeros(MAX_PLAYERS + 1, np.int64), np.zeros(MAX_PLAYERS + 1, np.int64)
    actions, shares = np.zeros(MAX_PLAYERS, np.int64), np.zeros(MAX_PLAYERS + 1)
    gets = np.zeros((2 * MAX_PLAYERS, 1))
    by_action = np.zeros((MAX_PLAYERS, profile.shape[3]))
    for state in range(keys.size):
        unpack(keys[state], shape, numbers)
        for column in range(2 * players):
            values[state, column] = 0.0
        for draw in range(draws.shape[1]):
            card = draws[numbers[players], draw, CARD]
            if card < 0:
                break
            chance = chances[numbers[players], draw]
            for player in range(players):
                actions[player] = next_action(shape, owned, numbers, player, -1)
                for action in range(by_action.shape[1]):
                    by_action[player, action] = 0.0
            more = int64(1)
            while more:
                if _others(shape, profile, draw, state, actions, shares):
                    act(shape, after, outcomes, numbers, actions, card, then)
                    if is_last or all_out(shape, owned, then):
                        end_payoffs(shape, owned, then, is_difference, gets, 0)
                        for player in range(players):
                            gets[players + player, 0] = gets[player, 0]
                    else:
                        key = pack(shape, then, draws[numbers[players], draw, SEEN_AFTER])
                        row = rows[slot_of(slots, key)]
                        for column in range(2 * players):
                            gets[column, 0] = next_values[row, column]
                    for player in range(players):
                        values[state, player] += chance * shares[players] * gets[player, 0]
                        response = shares[player] * gets[players + player, 0]
                        by_action[player, max(actions[player], int64(0))] += response
                more = next_joint_action(shape, owned, numbers, actions)
            for player in range(players):
                best = by_action[player, max(next_action(shape, owned, numbers, player, -1), 0)]
                action = next_action(shape, owned, numbers, player, -1)
                while action >= 0:
                    best = max(best, by_action[player, action])
                    action = next_action(shape, owned, numbers, player, action)
                values[state, players + player] += chance * best
        # no float64 sum makes a best response worse than the policy it is a response to
        for player in range(players):
            better = max(values[state, player], values[state, players + player])
            values[state, players + player] = better


def _decisions(positions: Positions, agents: Sequence[Agent], turn: int, layer: Layer) -> Policies:
    """Return the profile at every state of a layer: float64[draws, players, states, actions]."""
    draws, variant, shape = layer.draws, positions.variant, shape_of(positions)
    words, sets = positions.words[layer.numbers(shape)], layer.sets(shape)
    width = draws.table.shape[1]
    profile = np.zeros((width, variant.players, len(layer.keys), variant.num_actions))
    for draw in range(width):
        cards = draws.table[sets, draw, CARD]
        some = (cards >= 0).nonzero()[0]
        card = cards[some].astype(np.uint32)
        seen = draws.masks_after[draws.table[sets[some], draw, SEEN_AFTER]]
        profile[draw][:, some] = profile_at(agents, variant, turn, words[:, some], card, seen)
    return profile


def deviation_gains(
    game: Any,
    agents: Sequence[Agent],
    payoff: str = WIN_SHARE,
    most_states: int | None = None,
) -> OstrichValue:
    """Return what each player of a line-up gains by best responding to the others.

    Parameters
    ----------
    game : ostrich.Game
    agents : sequence of Agent
        Seat by seat; each must have a policy that is a function of the observation.
    payoff : str
        "win_share", or, for two players, "score_difference".
    most_states : int, optional
        More of one round are refused; by default as many as 4 GB hold.

    Raises
    ------
    UsageError
        For an unknown payoff, a line-up of another length, an agent whose policy is not known or
        declares memory, or a variant with too many states.
    """
    variant = game.rules
    check_payoff(payoff, variant.players)
    most_states = most_states or MOST_STATES
    check_known(agents, variant.players)
    positions = positions_of(variant)
    shape, draws = shape_of(positions), draws_of(variant)
    tables = (shape, positions.after, positions.owned, positions.outcomes)
    layer, layers = Layer(draws[0], first_key(positions, draws)), []
    for turn in range(variant.rounds):
        profile = _decisions(positions, agents, turn, layer)
        layers.append((layer, profile))
        if turn + 1 < variant.rounds:
            given = (layer.keys, layer.draws.table, profile, *tables)
            keys = keys_after(_expand, given, most_states, turn + 1, variant)
            layer = Layer(draws[turn + 1], keys)
    table, values = empty_slots(1), np.zeros((1, 2 * variant.players))
    rows = np.zeros(len(table), np.int32)
    for turn in reversed(range(variant.rounds)):
        layer, profile = layers[turn]
        found = np.empty((len(layer.keys), 2 * variant.players))
        _respond(
            layer.keys, layer.draws.table, layer.draws.chances, profile, *tables, table, rows,
            values, int(turn + 1 == variant.rounds), int(payoff == SCORE_DIFFERENCE), found,
        )  # fmt: skip
        table, rows, values = layer.table.slots, layer.table.rows, found
    states = sum(len(layer.keys) for layer, _ in layers)
    nbytes = sum(
        16 * len(layer.keys) * variant.players + profile.nbytes for layer, profile in layers
    )
    return OstrichValue(values[0, : variant.players], values[0, variant.players :], states, nbytes)
