"""Two rounds before the end: what every joint action is worth, by all last rounds that may follow.

For each joint action and each card that may come, a last round is put into a queue; whenever LANES
of them wait, they are solved together, exactly. The few that need many rounds of regret matching
go on to a queue of their own, so that the others do not wait for them.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numpy import float32, int64, uint32

from agents.lookahead.endings import ENDING_ROOMS, fill_endings, new_ending_rooms
from agents.lookahead.equilibria import (
    EASY,
    SOLUTION,
    TRIES,
    copy_lane,
    is_good,
    new_solution,
    solver_for,
)
from agents.lookahead.features import unseen_of
from agents.lookahead.nets import SEATS
from agents.lookahead.stages import (
    ACTIONS,
    FACES,
    LANES,
    NO_PAYOFF,
    PAYOFFS,
    POSITIONS,
    WORDS,
    act,
    all_out,
    end_shares,
    list_actions,
    outcome_of,
)
from ostrich import rules
from simulator.compiling import compiled
from simulator.program import FACTS
from simulator.words import ones_in

#: Last rounds that wait: the seats' positions, ascending, and the card; then where their worth
#: goes: the joint action with the card's number, and the lane; which seat is at which place; and
#: how likely the card is.
QUEUE = types.Tuple(
    (
        POSITIONS, types.uint32[::1], types.int64[::1], types.int64[::1], types.int64[:, ::1],
        types.float32[::1],
    )
)  # fmt: skip
#: Games of a queue, and the solutions kept and tried.
_GROUP = types.Tuple((ACTIONS, PAYOFFS, SOLUTION, SOLUTION))
#: What a thread works in: see `new_deep_rooms`.
DEEP_ROOMS = types.Tuple(
    (WORDS, QUEUE, ENDING_ROOMS, _GROUP, QUEUE, _GROUP, types.int64[::1], PAYOFFS)
)


def new_deep_rooms(room: int, cards: int) -> Any:
    """Return the arrays that a deep turn is filled in with: one tuple a thread.

    `cards` is how many different ones there are.
    """

    def queue() -> Any:
        return (
            np.zeros((SEATS, LANES), np.uint32),
            np.zeros(LANES, np.uint32),
            np.zeros(LANES, np.int64),
            np.zeros(LANES, np.int64),
            np.zeros((SEATS, LANES), np.int64),
            np.zeros(LANES, np.float32),
        )

    def group() -> Any:
        return (
            np.zeros((SEATS, room, LANES), np.int64),
            np.zeros((SEATS, room**SEATS, LANES), np.float32),
            new_solution(room),
            new_solution(room),
        )

    words, waiting = np.zeros((SEATS, room, SEATS), np.uint32), np.zeros(2, np.int64)
    parts = np.zeros((SEATS, room**SEATS * cards, LANES), np.float32)
    return words, queue(), new_ending_rooms(), group(), queue(), group(), waiting, parts


@compiled(types.void(WORDS, types.int64[::1], types.int64, QUEUE, types.int64))
def _put_seats(words: Any, places: Any, outcome: Any, queue: Any, slot: Any) -> None:
    """Put three seats into a slot of the queue, sorted by their positions, in place."""
    positions, order = queue[0], queue[4]
    for seat in range(SEATS):
        word, at = words[seat, places[seat], outcome], int64(seat)
        while at > 0 and positions[at - 1, slot] > word:
            positions[at, slot], order[at, slot] = positions[at - 1, slot], order[at - 1, slot]
            at -= 1
        positions[at, slot], order[at, slot] = word, seat


@compiled(types.void(types.int64, PAYOFFS, PAYOFFS))
def add_up(cards: Any, parts: Any, payoffs: Any) -> None:
    """Add up what the cards after each joint action count, and clear it, both in place.

    In the order of the cards, whatever the order in which last rounds were solved.
    """
    for seat in range(SEATS):
        for joint in range(payoffs.shape[1]):
            for card in range(cards):
                for lane in range(payoffs.shape[2]):
                    payoffs[seat, joint, lane] += parts[seat, joint * cards + card, lane]
                    parts[seat, joint * cards + card, lane] = float32(0)


@cache
def deep_filler_for(room: int) -> Callable[..., None]:
    """Return the function that fills in a group of turns with nothing but last rounds behind them.

    It takes (faces, positions, card, seen, numbers, rooms, actions, payoffs): which decisions are
    in the group's lanes, int64[LANES]; DEEP_ROOMS; and what it fills in, as `stages.fill_stage`.
    """
    solve_group = solver_for(room)

    @compiled(types.void(QUEUE, SOLUTION, types.int64, PAYOFFS), inline=True)
    def count_in(queue: Any, kept: Any, slot: Any, above: Any) -> None:
        """Write down what a solved last round counts for the turn before, in place."""
        _, _, joints, lanes, order, chances = queue
        for place in range(SEATS):
            worth = chances[slot] * kept[2][place, slot]
            above[order[place, slot], joints[slot], lanes[slot]] = worth

    @compiled(types.void(DEEP_ROOMS))
    def flush_hard(rooms: Any) -> None:
        """Solve the hard ones that wait, and write down what they count, in place."""
        queue, (actions, payoffs, kept, tried) = rooms[4], rooms[5]
        waiting, above = rooms[6], rooms[7]
        solve_group(actions, payoffs, kept, tried, EASY, len(TRIES))
        for slot in range(waiting[1]):
            count_in(queue, kept, slot, above)
        waiting[1] = 0

    @compiled(types.void(types.int64, DEEP_ROOMS), inline=True)
    def pass_on(slot: Any, rooms: Any) -> None:
        """Put a last round that is hard to the others of its kind, in place."""
        _, easy, _, (actions, payoffs, kept, tried), hard, group, waiting, _ = rooms
        place = waiting[1]
        hard[2][place], hard[3][place], hard[5][place] = easy[2][slot], easy[3][slot], easy[5][slot]
        for seat in range(SEATS):
            hard[4][seat, place] = easy[4][seat, slot]
            for action in range(room):
                group[0][seat, action, place] = actions[seat, action, slot]
            for joint in range(room**SEATS):
                group[1][seat, joint, place] = payoffs[seat, joint, slot]
        copy_lane(room, kept, slot, group[2], place)
        copy_lane(room, tried, slot, group[3], place)
        waiting[1] += 1

    @compiled(types.void(FACTS, DEEP_ROOMS))
    def flush(facts: Any, rooms: Any) -> None:
        """Solve the last rounds that wait, and write down what they count, in place."""
        _, queue, ending_rooms, (actions, payoffs, kept, tried), _, _, waiting, above = rooms
        positions, card = queue[0], queue[1]
        for slot in range(waiting[0], LANES):
            card[slot] = card[0]
            for seat in range(SEATS):
                positions[seat, slot] = positions[seat, 0]
        fill_endings(positions, card, facts, ending_rooms, actions, payoffs)
        solve_group(actions, payoffs, kept, tried, 0, EASY)
        for slot in range(waiting[0]):
            if is_good(kept, slot):
                count_in(queue, kept, slot, above)
                continue
            pass_on(slot, rooms)
            if waiting[1] == LANES:
                flush_hard(rooms)
        waiting[0] = 0

    @compiled(
        types.void(
            FACES, types.uint32, types.int64[::1], types.int64, types.int64, types.int64,
            DEEP_ROOMS,
        )
    )  # fmt: skip
    def put_last_rounds(
        faces: Any, seen: Any, places: Any, outcome: Any, joint: Any, lane: Any, rooms: Any,
    ) -> None:  # fmt: skip
        """Put the last rounds after a joint action into the queue, a card each."""
        facts, _, masks, _ = faces
        words, queue, waiting = rooms[0], rooms[1], rooms[6]
        hidden, first = int64(0), int64(rules.DECK)
        for card in range(masks.size):
            hidden += unseen_of(seen, masks[card])
        for card in range(masks.size):
            copies, slot = unseen_of(seen, masks[card]), waiting[0]
            if copies > 0:
                _put_seats(words, places, outcome, queue, slot)
                queue[1][slot], queue[3][slot] = facts[first], lane
                queue[2][slot] = joint * masks.size + card
                queue[5][slot] = float32(copies) / float32(hidden)
                waiting[0] += 1
            if waiting[0] == LANES:
                flush(facts, rooms)
            first += ones_in(masks[card])

    @compiled(
        types.void(
            FACES, POSITIONS, types.uint32[::1], types.uint32[::1], types.int64[::1], DEEP_ROOMS,
            ACTIONS, PAYOFFS,
        )
    )  # fmt: skip
    def fill_deep(
        faces: Any, positions: Any, card: Any, seen: Any, numbers: Any, rooms: Any, actions: Any,
        payoffs: Any,
    ) -> None:  # fmt: skip
        """See `deep_filler_for`."""
        facts, words, skip = faces[0], rooms[0], faces[0][rules.SKIP]
        places = np.empty(SEATS, np.int64)
        for lane in range(LANES):
            number = numbers[lane]
            list_actions(positions, number, skip, lane, actions)
            act(positions, number, card[number], facts, lane, actions, words)
            for joint in range(room**SEATS):
                places[0], places[1] = joint // (room * room), joint // room % room
                places[2] = joint % room
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
                outcome = outcome_of(card[number], claimants, skippers)
                if all_out(words, places, outcome):
                    end_shares(words, places, outcome, facts, payoffs, joint, lane)
                    continue
                put_last_rounds(faces, seen[number], places, outcome, joint, lane, rooms)
        flush(facts, rooms)
        flush_hard(rooms)
        add_up(faces[2].size, rooms[7], payoffs)

    return fill_deep
