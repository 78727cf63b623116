"""The last rounds of Ostrich played exactly, from any public state on.

A few rounds before the end so few states can follow that all their stage games are solved on the
spot, as `ostrich_exact` solves those of a small variant: the layers begin at the given decisions
instead of at the start of the game. Decisions that differ in the order of the players only are one,
so interchangeable players get equal policies, and a permutation of seats permutes the answer.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import int64

from agents.solvers.key_table import KEYS, ROWS, Keys, empty_slots
from agents.solvers.ostrich_exact import MOST_STATES, SolvedRound, solved_layers
from agents.solvers.ostrich_layers import (
    BITS,
    CARD,
    PLAYERS,
    SEEN_AFTER,
    Draws,
    check_key_bits,
    draws_from,
    layers_from,
    next_action,
    shape_of,
    unpack,
)
from agents.solvers.ostrich_parts import PartStore
from agents.solvers.ostrich_positions import WIN_SHARE, Positions, positions_from
from agents.solvers.ostrich_stages import (
    AFTER,
    MOMENT,
    OUTCOMES,
    OWNED,
    SHAPE,
    VALUES,
    stage_payoffs,
)
from agents.solvers.stage_games import RESISTED
from agents.solvers.stage_values import MAX_ACTIONS, MAX_JOINT, action_payoffs
from ostrich import Rules
from ostrich.rules import MAX_PLAYERS
from simulator.compiling import compiled
from simulator.inputs import UsageError
from simulator.words import Words

MOST_ROUNDS = 3
#: Decisions solved together, by the rounds left: as many as keep layers small.
_AT_ONCE = {1: 1024, 2: 256, 3: 1}
MOST_POSITIONS = 200_000

_DRAWS, _MIXED = types.int64[:, :, ::1], types.float64[:, :, ::1]
_JOINT = types.int32[::1]


@dataclass(frozen=True)
class EndgameSolution:
    """An equilibrium of what is left of a game, at one decision.

    Parameters
    ----------
    policies : float64[players, num_actions]
        Of the present stage game; zeros for a player who is out.
    values : float64[players]
        Each player's expected share of the win.
    claim_values : float64[players, num_actions]
        What each legal action is worth against the others' policies, the equilibrium being played
        ever after; nan for illegal ones.
    stage_games : int
        How many were solved.
    resisted : int
        How many of them no equilibrium was found for: they have the best policies that were found.
    gain_bound : float
        No deviation from the policies, now and later, gains more.
    """

    policies: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    claim_values: npt.NDArray[np.float64]
    stage_games: int
    resisted: int
    gain_bound: float


@dataclass(frozen=True)
class EndgameSolutions:
    """The same at many decisions of one round, solved together.

    Parameters
    ----------
    policies : float64[decisions, players, num_actions]
    values : float64[decisions, players]
    claim_values : float64[decisions, players, num_actions]
    stage_games : int
        Of all of them together; what several decisions can lead to is solved once.
    resisted : int
    gain_bound : float
    """

    policies: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    claim_values: npt.NDArray[np.float64]
    stage_games: int
    resisted: int
    gain_bound: float


@compiled(
    types.void(
        KEYS, _DRAWS, SHAPE, AFTER, OWNED, OUTCOMES, KEYS, ROWS, VALUES, MOMENT, _JOINT, _MIXED,
        _MIXED, _MIXED,
    ),
    late=True,
)  # fmt: skip
def _read_stages(
    keys: Keys, draws: Any, shape: Any, after: Any, owned: Any, outcomes: Any, slots: Any,
    rows: Any, next_values: Any, moment: Any, joint: Any, mixed: Any, policies: Any,
    claim_values: Any,
) -> None:  # fmt: skip
    """Fill the last two, float64[states, players, num_actions], from solved stage games, in place.

    States have one draw each; policies are 0 and values nan where an action is not legal.
    """
    players, num_actions = shape[PLAYERS], policies.shape[2]
    numbers, work = np.zeros(MAX_PLAYERS + 1, np.int64), np.zeros(3 * MAX_PLAYERS + 3, np.int64)
    counts, digits = np.zeros(players, np.int64), np.zeros(players, np.int64)
    payoffs, played = np.zeros((players, MAX_JOINT)), np.zeros((players, MAX_ACTIONS))
    by_action = np.zeros((players, MAX_ACTIONS))
    for state in range(keys.size):
        unpack(keys[state], shape, numbers)
        moment[CARD] = draws[numbers[players], 0, CARD]
        moment[SEEN_AFTER] = draws[numbers[players], 0, SEEN_AFTER]
        stage_payoffs(
            shape, after, owned, outcomes, numbers, moment, slots, rows, next_values, work,
            payoffs, counts,
        )  # fmt: skip
        left = int64(joint[state])
        for back in range(players):
            player = players - 1 - back
            played[player, 0] = 1.0  # of one who is out
            legal, action = int64(0), next_action(shape, owned, numbers, player, -1)
            while action >= 0:
                chance = 1.0 if action == left % num_actions else 0.0
                chance = mixed[-1 - joint[state], player, action] if joint[state] < 0 else chance
                policies[state, player, action] = played[player, legal] = chance
                legal += 1
                action = next_action(shape, owned, numbers, player, action)
            left //= num_actions
        action_payoffs(payoffs, counts, played, digits, by_action)
        for player in range(players):
            legal, action = int64(0), next_action(shape, owned, numbers, player, -1)
            while action >= 0:
                claim_values[state, player, action] = by_action[player, legal]
                legal += 1
                action = next_action(shape, owned, numbers, player, action)


def solve_endgame(
    variant: Rules, turn: int, positions: Words, card: int, seen: int
) -> EndgameSolution:
    """Solve what is left of a game, three rounds at most, from a public state on.

    Parameters
    ----------
    variant : Rules
    turn : int
        Rounds played before this one.
    positions : uint32[players]
        All players' positions.
    card : int
        The card that lies open, 0 for an amber.
    seen : int
        Bits of the cards seen, this one included.

    Returns
    -------
    EndgameSolution

    Raises
    ------
    UsageError
        If more rounds are left, or more states can follow than fit into memory.
    ValueError
        For what is no public state at a decision.
    """
    words, cards, masks = np.array(positions, np.uint32), np.array([card]), np.array([seen])
    found = solve_endgames(variant, turn, words.reshape(-1, 1), cards, masks)
    return EndgameSolution(
        found.policies[0],
        found.values[0],
        found.claim_values[0],
        found.stage_games,
        found.resisted,
        found.gain_bound,
    )


def solve_endgames(
    variant: Rules, turn: int, positions: Words, card: Any, seen: Any
) -> EndgameSolutions:
    """Solve what is left of a game at many decisions of one round; see `solve_endgame`.

    Parameters
    ----------
    variant : Rules
    turn : int
    positions : uint32[players, decisions]
    card, seen : uint32[decisions]
    """
    _check(variant, turn, positions, card, seen)
    order = positions.argsort(axis=0, kind="stable")
    ascending = np.take_along_axis(positions, order, axis=0)
    states, place = np.unique(
        np.vstack([seen, card, ascending]).astype(np.uint32), axis=1, return_inverse=True
    )
    solutions: list[EndgameSolutions] = []
    at_once = _AT_ONCE[variant.rounds - turn]
    for first in range(0, states.shape[1], at_once):
        solutions += _solved(variant, turn, states[:, first : first + at_once])
    rank, row = order.argsort(axis=0, kind="stable").T, place.reshape(-1, 1)
    return EndgameSolutions(
        np.concatenate([one.policies for one in solutions])[row, rank],
        np.concatenate([one.values for one in solutions])[row, rank],
        np.concatenate([one.claim_values for one in solutions])[row, rank],
        sum(one.stage_games for one in solutions),
        sum(one.resisted for one in solutions),
        max(one.gain_bound for one in solutions),
    )


def _check(variant: Rules, turn: int, positions: Words, card: Any, seen: Any) -> None:
    """Raise unless these are decisions of one of the last rounds."""
    left = variant.rounds - turn
    if left > MOST_ROUNDS:
        raise UsageError(
            f"{left} rounds are left, too many to be solved on the spot; ask in round "
            f"{variant.rounds - MOST_ROUNDS + 1} of {variant.rounds} or later, with at most "
            f"{MOST_ROUNDS} left"
        )
    if left < 1 or turn < 0:
        raise ValueError(f"turn must be from 0 to {variant.rounds - 1}, not {turn}")
    if positions.shape != (variant.players, len(card)):
        raise ValueError(
            f"positions have shape {positions.shape}; they need {variant.players} players' for "
            f"each of {len(card)} decisions"
        )
    for value, mask in {*zip(card.tolist(), seen.tolist(), strict=True)}:
        shown = {it for number, it in enumerate(variant.deck) if mask >> number & 1}
        if mask >> len(variant.deck) or mask.bit_count() != turn + 1 or value not in shown:
            raise ValueError(
                f"a card {value} cannot lie open in round {turn + 1} with the cards seen {mask:b}"
            )


def _solved(variant: Rules, turn: int, states: Words) -> list[EndgameSolutions]:
    """Return the solutions at the columns of uint32[2 + players, decisions], in parts.

    A column is the cards seen, the card that lies open and the players' positions, ascending;
    columns are different and ascending. What is too much at once is cut in two.
    """
    try:
        return [_solved_together(variant, turn, states)]
    except UsageError:
        half = states.shape[1] // 2
        if half == 0:
            raise
        parts = (states[:, :half], states[:, half:])
        return [one for part in parts for one in _solved(variant, turn, part)]


def _solved_together(variant: Rules, turn: int, states: Words) -> EndgameSolutions:
    """Return the solutions at some columns as those of `_solved`."""
    sets, place = np.unique(states[:2], axis=1, return_inverse=True)
    draws = _draws_at(variant, turn, sets)
    start = np.unique(states[2:])
    positions = positions_from(variant, start, turn, _cards(variant, sets), MOST_POSITIONS)
    check_key_bits(positions, draws)
    shape = shape_of(positions)
    keys = place.reshape(-1).astype(np.uint64)
    for numbers in np.searchsorted(positions.words, states[2:]).astype(np.uint64):
        keys = (keys << np.uint64(shape[BITS])) | numbers
    layers = list(layers_from(positions, draws, keys, MOST_STATES))
    rounds = solved_layers(positions, WIN_SHARE, layers, PartStore(None, {}), threads=1)
    policies, claim_values = _read(positions, rounds)
    tally = np.sum([one.tally for one in rounds], axis=0)
    return EndgameSolutions(
        policies,
        rounds[0].values,
        claim_values,
        int(tally.sum()),
        int(tally[RESISTED]),
        sum(one.gain for one in rounds),
    )


def _cards(variant: Rules, sets: Words) -> set[int]:
    """Return the values that lie open or are not yet seen in some columns of seen and card."""
    unseen = {
        value
        for mask in sets[0].tolist()
        for number, value in enumerate(variant.deck)
        if not mask >> number & 1
    }
    return unseen | set(sets[1].tolist())


def _draws_at(variant: Rules, turn: int, sets: Words) -> list[Draws]:
    """Return the draws of the round that comes and of all after it.

    In the round that comes a set is a column of uint32[2, sets], the cards seen and the one that
    lies open, which is its only draw.
    """
    masks = np.unique(sets[0])
    after = np.searchsorted(masks, sets[0])
    table = np.stack([sets[1].astype(np.int64), after], axis=1)[:, None]
    chances = np.ones((len(after), 1))
    first = Draws(_before(variant, sets), np.ascontiguousarray(table), chances, masks)
    return [first, *draws_from(variant, turn + 1, masks.tolist())]


def _before(variant: Rules, sets: Words) -> Words:
    """Return the cards seen before the one that lies open, uint32[sets]."""
    seen, card = sets
    shown = np.zeros_like(seen)
    for number, value in enumerate(variant.deck):
        bit = np.uint32(1 << number)
        shown = np.where((seen & bit != 0) & (card == value), bit, shown)  # any of equal cards
    before: Words = seen & ~shown
    return before


def _read(
    positions: Positions, rounds: list[SolvedRound]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return policies and claim values in the first of solved rounds."""
    variant, here = positions.variant, rounds[0]
    table, rows, values = empty_slots(1), np.zeros(len(empty_slots(1)), np.int32), np.zeros((1, 1))
    if len(rounds) > 1:
        then = rounds[1]
        table, rows, values = then.layer.table.slots, then.layer.table.rows, then.values
    policies = np.zeros((len(here.layer.keys), variant.players, variant.num_actions))
    claim_values = np.full(policies.shape, np.nan)
    _read_stages(
        here.layer.keys, here.layer.draws.table, shape_of(positions), positions.after,
        positions.owned, positions.outcomes, table, rows, values,
        np.array([0, 0, len(rounds) == 1, 0], np.int64), here.joint, here.mixed, policies,
        claim_values,
    )  # fmt: skip
    return policies, claim_values
