"""Two rounds before the end: what every joint action is worth, by all last rounds that may follow.

For each joint action and each card that may come, a last round is put into a queue; whenever LANES
of them wait, they are solved together, exactly.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numpy import float32, int64, uint32

from agents.lookahead.endings import ENDING_ROOMS, fill_endings, new_ending_rooms
from agents.lookahead.equilibria import SOLUTION, new_solution, solver_for
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

#: Last rounds that wait: the seats' positions, ascending, and the card; then where their worth
#: goes: the joint action and the lane, which seat is at which place, and how likely the card is.
QUEUE = types.Tuple(
    (
        POSITIONS, types.uint32[::1], types.int64[::1], types.int64[::1], types.int64[:, ::1],
        types.float32[::1],
    )
)  # fmt: skip
#: What a thread works in: see `new_deep_rooms`.
DEEP_ROOMS = types.Tuple((WORDS, QUEUE, ENDING_ROOMS, ACTIONS, PAYOFFS, SOLUTION, SOLUTION))


def new_deep_rooms(room: int) -> Any:
    """Return the arrays that a deep turn is filled in with: one tuple a thread."""
    queue = (
        np.zeros((SEATS, LANES), np.uint32),
        np.zeros(LANES, np.uint32),
        np.zeros(LANES, np.int64),
        np.zeros(LANES, np.int64),
        np.zeros((SEATS, LANES), np.int64),
        np.zeros(LANES, np.float32),
    )
    return (
        np.zeros((SEATS, room, SEATS), np.uint32),
        queue,
        new_ending_rooms(),
        np.zeros((SEATS, room, LANES), np.int64),
        np.zeros((SEATS, room**SEATS, LANES), np.float32),
        new_solution(room),
        new_solution(room),
    )


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


@cache
def deep_filler_for(room: int) -> Callable[..., None]:
    """Return the function that fills in a group of turns with nothing but last rounds behind them.

    It takes (faces, positions, card, seen, numbers, rooms, actions, payoffs): which decisions are
    in the group's lanes, int64[LANES]; DEEP_ROOMS; and what it fills in, as `stages.fill_stage`.
    """
    solve_group = solver_for(room)

    @compiled(types.void(types.int64, FACTS, DEEP_ROOMS, PAYOFFS))
    def flush(count: Any, facts: Any, rooms: Any, above: Any) -> None:
        """Solve the first `count` of the queue, and add their worth to the turns before."""
        _, queue, ending_rooms, actions, payoffs, kept, tried = rooms
        positions, card, joints, lanes, order, chances = queue
        for slot in range(count, LANES):
            card[slot] = card[0]
            for seat in range(SEATS):
                positions[seat, slot] = positions[seat, 0]
        fill_endings(positions, card, facts, ending_rooms, actions, payoffs)
        solve_group(actions, payoffs, kept, tried)
        for slot in range(count):
            for place in range(SEATS):
                worth = chances[slot] * kept[2][place, slot]
                above[order[place, slot], joints[slot], lanes[slot]] += worth

    @compiled(
        types.int64(
            FACES, types.uint32, types.int64[::1], types.int64, types.int64, types.int64,
            types.int64, DEEP_ROOMS, PAYOFFS,
        )
    )  # fmt: skip
    def put_last_rounds(
        faces: Any, seen: Any, places: Any, outcome: Any, joint: Any, lane: Any, waiting: Any,
        rooms: Any, payoffs: Any,
    ) -> Any:  # fmt: skip
        """Put the last rounds after a joint action into the queue; return how many wait now."""
        facts, _, masks, _ = faces
        words, queue = rooms[0], rooms[1]
        hidden = int64(0)
        for card in range(masks.size):
            hidden += unseen_of(seen, masks[card])
        first_card, at = int64(0), facts[rules.DECK :]
        for card in range(masks.size):
            copies = unseen_of(seen, masks[card])
            while (masks[card] >> uint32(first_card)) & uint32(1) == 0:
                first_card += 1
            if copies == 0:
                continue
            _put_seats(words, places, outcome, queue, waiting)
            queue[1][waiting], queue[2][waiting], queue[3][waiting] = at[first_card], joint, lane
            queue[5][waiting] = float32(copies) / float32(hidden)
            waiting += 1
            if waiting == LANES:
                flush(LANES, facts, rooms, payoffs)
                waiting = int64(0)
        return waiting

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
        places, waiting = np.empty(SEATS, np.int64), int64(0)
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
                waiting = put_last_rounds(
                    faces, seen[number], places, outcome, joint, lane, waiting, rooms, payoffs
                )
        flush(waiting, facts, rooms, payoffs)

    return fill_deep
