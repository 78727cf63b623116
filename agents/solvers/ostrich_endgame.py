"""The last rounds of Ostrich from one position, exactly: every turn that may follow is solved.

By plain recursion from the last round back, with `stage_games`: two rounds are some 200 stage
games, three some 30,000.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import int64, uint32

from agents.solvers.stage_games import solve, workspace
from agents.solvers.stage_search import ROOMS, SLOTS
from agents.solvers.stage_values import MAX_ACTIONS, MAX_JOINT, action_payoffs
from ostrich import NO_ACTION, Rules, rules
from simulator.compiling import compiled
from simulator.inputs import UsageError
from simulator.program import FACTS
from simulator.words import Words

MOST_LEFT = 3  # rounds: a fourth would be some 25 million stage games

#: By rounds left: payoffs, policies, values, the positions that a turn is played from, and each
#: player's number of actions, class, and action in the joint action that is looked at.
_LEVELS = types.Tuple(
    (
        types.float64[:, :, ::1], types.float64[:, :, ::1], types.float64[:, ::1],
        types.uint32[:, ::1], types.int64[:, :, ::1],
    )
)  # fmt: skip
_COUNTS, _CLASSES, _DIGITS = range(3)


def _new_levels(players: int) -> Any:
    """Return the arrays that `_solve_turn` works in."""
    levels = MOST_LEFT + 1
    return (
        np.zeros((levels, players, MAX_JOINT)),
        np.zeros((levels, players, MAX_ACTIONS)),
        np.zeros((levels, players + 1)),
        np.zeros((levels, players), np.uint32),
        np.zeros((levels, 3, players), np.int64),
    )


@compiled(types.int64(types.uint32, types.int64, types.uint32), inline=True)
def _action_at(position: Any, place: Any, skip: Any) -> Any:
    """Return the legal action at a place of the list of them, NO_ACTION for a player who is out."""
    legal = uint32(rules.legal_actions(position, skip))
    for action in range(MAX_ACTIONS):
        if (legal >> uint32(action)) & uint32(1) == uint32(1):
            if place == 0:
                return int64(action)
            place -= 1
    return int64(NO_ACTION)


@compiled(types.void(FACTS, types.uint32[::1], types.float64[:, ::1], types.int64))
def _share_win(facts: Any, positions: Any, payoffs: Any, column: Any) -> None:
    """Fill a column of float64[players, ...], in place, with shares of the win."""
    capacities, amber_value = facts[rules.CAPACITIES], facts[rules.AMBER_VALUE]
    best = winners = uint32(0)
    for look in range(2):
        for player in range(positions.size):
            score = rules.score_of(positions[player], capacities, amber_value)
            can_win = facts[rules.OUT_PLAYERS_CAN_WIN]
            standing = uint32(rules.standing_of(positions[player], score, can_win))
            if look == 0:
                winners = uint32(0) if standing > best else winners
                winners = uint32(winners + uint32(standing >= best))
                best = max(best, standing)
            else:
                twelfths = int64(rules.win_twelfths(standing, best, winners))
                payoffs[player, column] = np.float64(twelfths) / rules.SHARE_UNITS


@compiled(types.int64(FACTS, types.uint32, types.int64, _LEVELS))
def _act(facts: Any, card: Any, left: Any, levels: Any) -> Any:
    """Carry out the joint action that is looked at, into the next level's positions.

    Returns whether all players are out then.
    """
    skip, capacities = facts[rules.SKIP], facts[rules.CAPACITIES]
    now, then, digits = levels[3][left], levels[3][left - 1], levels[4][left, _DIGITS]
    claimants = skippers = uint32(0)
    for player in range(now.size):
        action = uint32(_action_at(now[player], digits[player], skip))
        claimants = uint32(claimants + uint32(rules.claims(action, skip)))
        skippers = uint32(skippers + uint32(action == skip))
    share, amber = rules.share_of(card, claimants), rules.amber_won(card, skippers)
    out = uint32(1)
    for player in range(now.size):
        action = uint32(_action_at(now[player], digits[player], skip))
        word = rules.after_action(now[player], action, share, amber, capacities, skip)
        then[player] = word
        out = uint32(out & uint32(rules.is_out(word)))
    return int64(out)


@compiled(types.int64(types.uint32[::1]))
def _sort(positions: Any) -> Any:
    """Sort positions in place; return where each of them went, four bits each."""
    owner = places = int64(0)  # four bits a place: who stands there
    for player in range(positions.size):
        owner |= int64(player) << (4 * player)
    for end in range(1, positions.size):
        at = end
        while at > 0 and positions[at - 1] > positions[at]:
            positions[at - 1], positions[at] = positions[at], positions[at - 1]
            one, two = (owner >> (4 * at - 4)) & 15, (owner >> (4 * at)) & 15
            owner ^= (one ^ two) << (4 * at) | (one ^ two) << (4 * at - 4)
            at -= 1
    for place in range(positions.size):
        places |= int64(place) << (4 * ((owner >> (4 * place)) & 15))
    return places


@compiled(types.int64(FACTS, types.uint32, types.int64), inline=True)
def _is_first(facts: Any, seen: Any, number: Any) -> Any:
    """Return whether a card is unseen, and none before it in the deck is its equal and unseen."""
    if (seen >> uint32(number)) & uint32(1):
        return int64(0)
    for before in range(number):
        is_equal = facts[rules.DECK + before] == facts[rules.DECK + number]
        if is_equal and (seen >> uint32(before)) & uint32(1) == uint32(0):
            return int64(0)
    return int64(1)


@compiled(types.int64(FACTS, types.uint32, types.int64), inline=True)
def _copies(facts: Any, seen: Any, number: Any) -> Any:
    """Return how many unseen cards are equal to one."""
    found = int64(0)
    for other in range(facts.size - rules.DECK):
        is_equal = facts[rules.DECK + other] == facts[rules.DECK + number]
        found += int64(is_equal and (seen >> uint32(other)) & uint32(1) == uint32(0))
    return found


@compiled(
    types.int64(FACTS, types.uint32, types.uint32, types.int64, _LEVELS, ROOMS, SLOTS), late=True
)
def _solve_turn(
    facts: Any, card: Any, seen: Any, left: Any, levels: Any, rooms: Any, slots: Any
) -> Any:
    """Solve a turn with `left` rounds left, into its level; return how many turns were solved.

    The positions, levels[3][left], are sorted by the caller; policies and values are filled in.
    """
    payoffs, policies, values = levels[0][left], levels[1][left], levels[2][left]
    words, counts, classes = levels[3][left], levels[4][left, _COUNTS], levels[4][left, _CLASSES]
    digits, skip, solved = levels[4][left, _DIGITS], facts[rules.SKIP], int64(1)
    joints = int64(1)
    for player in range(words.size):
        legal = uint32(rules.legal_actions(words[player], skip))
        counts[player] = 0
        for action in range(MAX_ACTIONS):
            counts[player] += int64((legal >> uint32(action)) & uint32(1))
        counts[player] = max(counts[player], int64(1))
        joints *= counts[player]
        is_same = player > 0 and words[player] == words[player - 1]
        classes[player] = classes[player - 1] if is_same else int64(player)
    for joint in range(joints):
        rest = int64(joint)
        for back in range(words.size):
            player = words.size - 1 - back
            digits[player] = rest % counts[player]
            rest //= counts[player]
        all_out = _act(facts, card, left, levels)
        if left == 1 or all_out:
            _share_win(facts, levels[3][left - 1], payoffs, joint)
            continue
        for player in range(words.size):
            payoffs[player, joint] = 0.0
        places, hidden = _sort(levels[3][left - 1]), int64(0)
        for number in range(facts.size - rules.DECK):
            hidden += 1 - int64((seen >> uint32(number)) & uint32(1))
        for number in range(facts.size - rules.DECK):
            if not _is_first(facts, seen, number):
                continue
            copies = _copies(facts, seen, number)
            drawn, now = (
                facts[rules.DECK + number],
                uint32(seen | uint32(uint32(1) << uint32(number))),
            )
            solved += _solve_turn(facts, drawn, now, left - 1, levels, rooms, slots)
            for player in range(words.size):
                place = int64((places >> (4 * player)) & 15)
                worth = levels[2][left - 1, place] * copies / hidden
                payoffs[player, joint] += worth
    solve(payoffs, counts, classes, policies, values, rooms, slots)
    return solved


@dataclass(frozen=True)
class EndgameSolution:
    """What all players should do in a position.

    Parameters
    ----------
    policies : float64[players, num_actions]
        An equilibrium; zeros for a player who is out.
    values : float64[players]
        Shares of the win.
    claim_values : float64[players, num_actions]
        What each claim gets against the others' policies; NaN for one that is not legal.
    stage_games : int
        How many turns were solved.
    """

    policies: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]
    claim_values: npt.NDArray[np.float64]
    stage_games: int


def solve_endgame(
    variant: Rules, turn: int, positions: Words, card: int, seen: int
) -> EndgameSolution:
    """Solve a position with its card open, and all that may follow.

    Parameters
    ----------
    variant : Rules
    turn : int
        The round, from 0: one of the last MOST_LEFT.
    positions : uint32[players]
    card, seen : int
        The card that lies open, and the bits of the cards seen, this one included.

    Raises
    ------
    UsageError
        If more rounds are left.
    """
    left = variant.rounds - turn
    if not 1 <= left <= MOST_LEFT:
        raise UsageError(
            f"{left} rounds are left; positions with 1 to {MOST_LEFT} are solved exactly"
        )
    facts, levels = variant.facts(), _new_levels(variant.players)
    rooms, slots = workspace()
    order = np.argsort(np.asarray(positions, np.uint32), kind="stable")
    levels[3][left] = np.asarray(positions, np.uint32)[order]
    solved = int(_solve_turn(facts, card, seen, left, levels, rooms, slots))
    counts = levels[4][left, _COUNTS]
    by_action = np.zeros((variant.players, MAX_ACTIONS))
    digits = np.zeros(variant.players, np.int64)
    action_payoffs(levels[0][left], counts, levels[1][left], digits, by_action)
    policies = np.zeros((variant.players, variant.num_actions))
    claim_values = np.full((variant.players, variant.num_actions), np.nan)
    for place, player in enumerate(order.tolist()):
        bits = int(rules.legal_actions(positions[player], variant.skip))
        legal = [action for action in range(variant.num_actions) if bits >> action & 1]
        policies[player, legal] = levels[1][left, place, : len(legal)]
        claim_values[player, legal] = by_action[place, : len(legal)]
    values = np.empty(variant.players)
    values[order] = levels[2][left, : variant.players]
    return EndgameSolution(policies, values, claim_values, solved)
