"""What every joint action of a turn is worth to every seat: exact at the end, else by a network.

Stage games are laid out in groups of LANES, the game changing fastest, so that `regrets` solves as
many at once as fit a vector register. A group's games have room for the same number of actions.
"""

from typing import Any

import numpy as np
from numba import types
from numpy import float32, int64, uint32

from agents.lookahead.features import LAYOUT, position_rows, unseen_of
from agents.lookahead.nets import AT_ONCE, ROW, SEATS, TABLE, WIDTH, outputs
from ostrich import AMBER, MAX_ACTIONS, NO_ACTION, rules
from simulator.compiling import compiled
from simulator.program import FACTS

LANES = 16
NO_PAYOFF = -1.0  # of an action that a seat does not have: below all shares of the win
OUTCOMES = SEATS  # of a claim: one, two or three share; of an amber: nobody's, or the skipper's

#: A network's arrays, and what the rules and features say, as kernels take them.
NET = types.Tuple((TABLE, TABLE, TABLE, TABLE, ROW))
FACES = types.Tuple((FACTS, LAYOUT, types.uint32[::1], types.int64[::1]))
PAYOFFS, ACTIONS, POSITIONS = types.float32[:, :, ::1], types.int64[:, :, ::1], types.uint32[:, ::1]
WORDS, VECTORS = types.uint32[:, :, ::1], types.float32[:, :, :, ::1]
#: What a thread works in: see `new_rooms`.
ROOMS = types.Tuple((WORDS, VECTORS, VECTORS, TABLE, ROW, types.int64[::1], ROW))


def new_rooms() -> Any:
    """Return the arrays that `fill_stage` works in: one tuple a thread."""
    joints = MAX_ACTIONS**SEATS
    rows = (SEATS * joints + AT_ONCE) // AT_ONCE * AT_ONCE
    return (
        np.zeros((SEATS, MAX_ACTIONS, OUTCOMES), np.uint32),
        np.zeros((SEATS, MAX_ACTIONS, OUTCOMES, WIDTH), np.float32),
        np.zeros((SEATS, MAX_ACTIONS, OUTCOMES, WIDTH), np.float32),
        np.zeros((rows, WIDTH), np.float32),
        np.zeros(rows, np.float32),
        np.zeros(joints, np.int64),
        np.zeros(WIDTH, np.float32),
    )


@compiled(types.void(POSITIONS, types.int64, types.uint32, types.int64, ACTIONS))
def list_actions(positions: Any, number: Any, skip: Any, lane: Any, actions: Any) -> None:
    """Fill a lane of actions, int64[SEATS, room, LANES], in place; -1 beyond a seat's last.

    A seat that is out has one, NO_ACTION.
    """
    for seat in range(SEATS):
        legal, count = uint32(rules.legal_actions(positions[seat, number], skip)), 0
        for action in range(MAX_ACTIONS):
            if uint32(legal >> uint32(action)) & uint32(1):
                actions[seat, count, lane] = action
                count += 1
        if count == 0:
            actions[seat, 0, lane] = NO_ACTION
            count = 1
        for place in range(count, actions.shape[1]):
            actions[seat, place, lane] = -1


@compiled(types.void(POSITIONS, types.int64, types.uint32, FACTS, types.int64, ACTIONS, WORDS))
def act(
    positions: Any, number: Any, card: Any, facts: Any, lane: Any, actions: Any, words: Any
) -> None:
    """Fill in each seat's positions after each of its actions and outcomes, in place."""
    skip, capacities = facts[rules.SKIP], facts[rules.CAPACITIES]
    is_amber = uint32(card) == uint32(AMBER)
    for seat in range(SEATS):
        for place in range(actions.shape[1]):
            if actions[seat, place, lane] < 0:
                break
            action = uint32(actions[seat, place, lane])
            for outcome in range(OUTCOMES):
                share = uint32(rules.share_of(card, uint32(outcome + 1)))
                amber = uint32(1) if is_amber and outcome == 1 else uint32(0)
                words[seat, place, outcome] = rules.after_action(
                    positions[seat, number], action, share, amber, capacities, skip
                )


@compiled(types.int64(types.uint32, types.uint32, types.uint32), inline=True)
def outcome_of(card: Any, claimants: Any, skippers: Any) -> Any:
    """Return which of a position's outcomes a joint action brings about."""
    if uint32(card) == uint32(AMBER):
        return int64(rules.amber_won(card, skippers))
    return max(int64(claimants) - 1, 0)


@compiled(types.void(FACES, NET, types.uint32, WORDS, ACTIONS, types.int64, ROOMS))
def add_rows(
    faces: Any, net: Any, seen: Any, words: Any, actions: Any, lane: Any, rooms: Any
) -> None:
    """Fill in what each position adds to the hidden units, as one's own and as another's, in place.

    The cards to come are the same for all: they are added to one's own.
    """
    own, others, context = rooms[1], rooms[2], rooms[6]
    _, layout, masks, card_begins = faces
    own_rows, other_rows, card_rows, _, _ = net
    for unit in range(WIDTH):
        context[unit] = float32(0)
    for card in range(masks.size):
        row = card_begins[card] + unseen_of(seen, masks[card])
        for unit in range(WIDTH):
            context[unit] += card_rows[row, unit]
    for seat in range(SEATS):
        for place in range(actions.shape[1]):
            if actions[seat, place, lane] < 0:
                break
            for outcome in range(OUTCOMES):
                a, b, c = position_rows(layout, words[seat, place, outcome])
                for unit in range(WIDTH):
                    mine = own_rows[a, unit] + own_rows[b, unit] + own_rows[c, unit]
                    own[seat, place, outcome, unit] = mine + context[unit]
                for unit in range(WIDTH):
                    theirs = other_rows[a, unit] + other_rows[b, unit] + other_rows[c, unit]
                    others[seat, place, outcome, unit] = theirs


@compiled(types.void(VECTORS, VECTORS, types.int64[::1], types.int64, TABLE, types.int64))
def _hide(own: Any, others: Any, places: Any, outcome: Any, hidden: Any, row: Any) -> None:
    """Fill in the hidden units of three seats after a joint action, rows `row` on, in place."""
    p0, p1, p2 = places[0], places[1], places[2]
    for unit in range(WIDTH):
        o0, o1 = others[0, p0, outcome, unit], others[1, p1, outcome, unit]
        o2 = others[2, p2, outcome, unit]
        hidden[row, unit] = max(own[0, p0, outcome, unit] + (o1 + o2), float32(0))
        hidden[row + 1, unit] = max(own[1, p1, outcome, unit] + (o0 + o2), float32(0))
        hidden[row + 2, unit] = max(own[2, p2, outcome, unit] + (o0 + o1), float32(0))


@compiled(types.int64(WORDS, types.int64[::1], types.int64), inline=True)
def all_out(words: Any, places: Any, outcome: Any) -> Any:
    """Return whether a joint action leaves every seat without a bag."""
    out = uint32(1)
    for seat in range(SEATS):
        out = uint32(out & uint32(rules.is_out(words[seat, places[seat], outcome])))
    return int64(out)


@compiled(
    types.void(WORDS, types.int64[::1], types.int64, FACTS, PAYOFFS, types.int64, types.int64)
)
def end_shares(
    words: Any, places: Any, outcome: Any, facts: Any, payoffs: Any, joint: Any, lane: Any
) -> None:
    """Fill in the shares of the win if the game is over after a joint action, in place."""
    capacities, amber_value = facts[rules.CAPACITIES], facts[rules.AMBER_VALUE]
    can_win, best, winners = facts[rules.OUT_PLAYERS_CAN_WIN], uint32(0), uint32(0)
    for turn in range(2):
        for seat in range(SEATS):
            word = words[seat, places[seat], outcome]
            score = rules.score_of(word, capacities, amber_value)
            standing = uint32(rules.standing_of(word, score, can_win))
            if turn == 0:
                winners = winners if standing < best else uint32(0) if standing > best else winners
                winners = uint32(winners + uint32(standing >= best))
                best = max(best, standing)
            else:
                share = float32(rules.win_twelfths(standing, best, winners))
                payoffs[seat, joint, lane] = share / float32(rules.SHARE_UNITS)


@compiled(types.void(ROW, types.int64, PAYOFFS, types.int64, types.int64), inline=True)
def _share(found: Any, row: Any, payoffs: Any, joint: Any, lane: Any) -> None:
    """Fill in three seats' shares of the win by what a network says, in place: a softmax.

    The sum goes from small to large, so that seats that change places change shares to the bit.
    """
    most = max(found[row], max(found[row + 1], found[row + 2]))
    e0, e1 = np.exp(found[row] - most), np.exp(found[row + 1] - most)
    e2 = np.exp(found[row + 2] - most)
    low, high = min(e0, min(e1, e2)), max(e0, max(e1, e2))
    middle = max(min(e0, e1), min(max(e0, e1), e2))
    total = (low + middle) + high
    payoffs[0, joint, lane] = e0 / total
    payoffs[1, joint, lane] = e1 / total
    payoffs[2, joint, lane] = e2 / total


@compiled(
    types.void(
        FACES, NET, POSITIONS, types.int64, types.uint32, types.uint32, types.int64, types.int64,
        ROOMS, ACTIONS, PAYOFFS,
    )
)  # fmt: skip
def fill_stage(
    faces: Any, net: Any, positions: Any, number: Any, card: Any, seen: Any, is_last: Any,
    lane: Any, rooms: Any, actions: Any, payoffs: Any,
) -> None:  # fmt: skip
    """Fill in a lane: a turn's actions and what each joint action is worth.

    Parameters
    ----------
    faces, net
        The rules and features; the network that values what comes after this turn.
    positions : uint32[SEATS, decisions]
    number : int
        Which decision.
    card, seen : uint32
        The card that lies open, and the bits of the cards seen, this one included.
    is_last : int
        1 in the last round, whose payoffs are exact.
    lane : int
    rooms
        `new_rooms`.
    actions : int64[SEATS, room, LANES]
        Filled: see `list_actions`.
    payoffs : float32[SEATS, room ** SEATS, LANES]
        Filled: shares of the win, the last seat's action changing fastest; 0 for joint actions that
        there are not, NO_PAYOFF where it is the seat itself that has no such action.
    """
    facts, room = faces[0], actions.shape[1]
    words, own, others, hidden, found, joints, _ = rooms
    skip, places, rows = facts[rules.SKIP], np.empty(SEATS, np.int64), 0
    list_actions(positions, number, skip, lane, actions)
    act(positions, number, card, facts, lane, actions, words)
    if not is_last:
        add_rows(faces, net, seen, words, actions, lane, rooms)
    for joint in range(room**SEATS):
        places[0], places[1], places[2] = joint // (room * room), joint // room % room, joint % room
        claimants = skippers = uint32(0)
        is_there = 1
        for seat in range(SEATS):
            action = actions[seat, places[seat], lane]
            is_there = is_there if action >= 0 else 0
            payoffs[seat, joint, lane] = float32(NO_PAYOFF) if action < 0 else float32(0)
            claimants = uint32(claimants + uint32(rules.claims(uint32(action), skip)))
            skippers = uint32(skippers + uint32(action == int64(skip)))
        if not is_there:
            continue
        outcome = outcome_of(card, claimants, skippers)
        if is_last or all_out(words, places, outcome):
            end_shares(words, places, outcome, facts, payoffs, joint, lane)
        else:
            _hide(own, others, places, outcome, hidden, SEATS * rows)
            joints[rows] = joint
            rows += 1
    outputs(hidden, SEATS * rows, net[3], net[4], found)
    for row in range(rows):
        _share(found, SEATS * row, payoffs, joints[row], lane)
