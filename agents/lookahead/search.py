"""Solve the turns that many decisions are: payoffs, then an equilibrium, for every seat at once.

One turn deep; two before the last round, where the turn after it is solved for every card that may
come, exactly: so nothing is estimated in the last two rounds.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from agents.lookahead.deep import DEEP_ROOMS, deep_filler_for, new_deep_rooms
from agents.lookahead.equilibria import SHARES, SOLUTION, TRIES, new_solution, solver_for
from agents.lookahead.features import Features
from agents.lookahead.nets import SEATS, Net
from agents.lookahead.stages import (
    ACTIONS,
    FACES,
    LANES,
    NET,
    POSITIONS,
    ROOMS,
    fill_stage,
    new_rooms,
)
from ostrich import Rules
from simulator.compiling import compiled
from simulator.words import Words

AT_ONCE = 4096  # decisions of a piece of work: some 50 ms, after which Ctrl-C comes through


class Turns(NamedTuple):
    """Solved turns.

    Parameters
    ----------
    policies : float32[SEATS, decisions, num_actions]
        Zeros where a seat is out.
    worth : float32[SEATS, decisions]
        What each seat gets, as a share of the win.
    gains : float32[SEATS, decisions]
        What each could gain by deviating this turn.
    values : float32[SEATS, decisions, num_actions]
        What each action gets against the others' policies; NaN for one that there is not.
    """

    policies: npt.NDArray[np.float32]
    worth: npt.NDArray[np.float32]
    gains: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]


@dataclass(frozen=True)
class Search:
    """Solves turns.

    Parameters
    ----------
    features : Features
    nets : sequence of Net
        The one at place t values positions after t rounds; that at 0 is not used.
    is_deep : bool
        Whether the last two rounds are solved exactly, or the last one only.
    """

    features: Features
    nets: Sequence[Net]
    is_deep: bool = True

    @property
    def variant(self) -> Rules:
        """The rules."""
        return self.features.variant

    def solve(
        self, turn: int, positions: Words, card: Words, seen: Words, threads: int = 1
    ) -> Turns:
        """Solve decisions of one round.

        Seats are sorted by their positions: so it does not matter who sits where, and seats in the
        same position get the same policy.

        Parameters
        ----------
        turn : int
            The round, from 0.
        positions : uint32[SEATS, decisions]
        card, seen : uint32[decisions]
            The card that lies open, and the bits of the cards seen, this one included.
        threads : int
            The result does not depend on it.
        """
        order = positions.argsort(axis=0, kind="stable")
        ascending = np.take_along_axis(positions, order, axis=0)
        if turn == 0:  # few different decisions, with an action more than later ones
            masks, which = np.unique(seen, return_index=True)
            where = np.searchsorted(masks, seen)
            some = self._solve(turn, ascending[:, which], card[which], seen[which], threads)
            return Turns(*(found[:, where] for found in some))
        found = self._solve(turn, ascending, card, seen, threads)
        place = order.argsort(axis=0)
        return Turns(
            np.take_along_axis(found.policies, place[..., None], axis=0),
            np.take_along_axis(found.worth, place, axis=0),
            np.take_along_axis(found.gains, place, axis=0),
            np.take_along_axis(found.values, place[..., None], axis=0),
        )

    def _solve(self, turn: int, positions: Words, card: Words, seen: Words, threads: int) -> Turns:
        """Solve all decisions given, seats as they are."""
        variant, count = self.variant, len(card)
        turns = Turns(
            np.zeros((SEATS, count, variant.num_actions), np.float32),
            np.zeros((SEATS, count), np.float32),
            np.zeros((SEATS, count), np.float32),
            np.full((SEATS, count, variant.num_actions), np.nan, np.float32),
        )
        # what a seat claimed last lies out, or has gone with its bag: there is one action less
        room, left = variant.num_actions - int(turn > 0), variant.rounds - turn
        net = self.nets[min(turn + 1, variant.rounds - 1)].arrays
        faces, decisions = faces_of(self.features), (np.ascontiguousarray(positions), card, seen)

        def run(first: int, end: int) -> None:
            found = (new_solution(room), new_solution(room), *turns)
            if left == 2 and self.is_deep:
                deep_rooms = new_deep_rooms(room, len(self.features.cards))
                deep_searcher_for(room)(faces, *decisions, first, end, deep_rooms, *found)
            else:
                given = (faces, net, *decisions, int(left == 1), first, end, new_rooms())
                searcher_for(room)(*given, *found)

        in_pieces(run, count, threads)
        return turns


def faces_of(features: Features) -> Any:
    """Return what the rules and features say, as kernels take it."""
    return (features.variant.facts(), features.layout, features.masks, features.card_begins)


def in_pieces(run: Callable[[int, int], None], count: int, threads: int) -> None:
    """Call `run(first, end)` on pieces of `count` things, in threads; Ctrl-C ends the rest."""
    size = min(AT_ONCE, max(-(-count // threads) + LANES - 1, LANES) // LANES * LANES)
    spans = [(first, min(first + size, count)) for first in range(0, count, size)]
    if threads == 1 or len(spans) == 1:
        for span in spans:
            run(*span)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        for done in [pool.submit(run, *span) for span in spans]:
            done.result()
    finally:
        pool.shutdown(cancel_futures=True)


_DECISIONS = (POSITIONS, types.uint32[::1], types.uint32[::1])
_SPAN = (types.int64, types.int64)
_ACTIONS = types.float32[:, :, ::1]
_FOUND = (SOLUTION, SOLUTION, _ACTIONS, SHARES, SHARES, _ACTIONS)


@cache
def searcher_for(room: int) -> Callable[..., None]:
    """Return the function that solves decisions in which nobody has more than `room` actions.

    It takes (faces, net, positions, card, seen, is_last, first, end, rooms, kept, tried, policies,
    worth, gains, values), the last four as in `Turns`, filled in place for decisions from `first`
    up to `end`.
    """
    solve_group, write = solver_for(room), writer_for(room)

    @compiled(types.void(FACES, NET, *_DECISIONS, types.int64, *_SPAN, ROOMS, *_FOUND), late=True)
    def search(
        faces: Any, net: Any, positions: Any, card: Any, seen: Any, is_last: Any, first: Any,
        end: Any, rooms: Any, kept: Any, tried: Any, policies: Any, worth: Any, gains: Any,
        values: Any,
    ) -> None:  # fmt: skip
        """See `searcher_for`."""
        actions = np.empty((SEATS, room, LANES), np.int64)
        payoffs = np.zeros((SEATS, room**SEATS, LANES), np.float32)
        for begin in range(first, end, LANES):
            for lane in range(LANES):
                number = min(begin + lane, end - 1)
                fill_stage(
                    faces, net, positions, number, card[number], seen[number], is_last, lane,
                    rooms, actions, payoffs,
                )  # fmt: skip
            solve_group(actions, payoffs, kept, tried, 0, len(TRIES))
            write(actions, kept, begin, end, policies, worth, gains, values)

    return search


@cache
def deep_searcher_for(room: int) -> Callable[..., None]:
    """Return the same as `searcher_for` for the last round but one, without net and `is_last`.

    It takes (faces, positions, card, seen, first, end, rooms, kept, tried, policies, worth, gains,
    values), its rooms those of `deep`.
    """
    solve_group, write, fill_deep = solver_for(room), writer_for(room), deep_filler_for(room)

    @compiled(types.void(FACES, *_DECISIONS, *_SPAN, DEEP_ROOMS, *_FOUND), late=True)
    def search(
        faces: Any, positions: Any, card: Any, seen: Any, first: Any, end: Any, rooms: Any,
        kept: Any, tried: Any, policies: Any, worth: Any, gains: Any,
        values: Any,
    ) -> None:  # fmt: skip
        """See `deep_searcher_for`."""
        actions = np.empty((SEATS, room, LANES), np.int64)
        payoffs = np.zeros((SEATS, room**SEATS, LANES), np.float32)
        numbers = np.empty(LANES, np.int64)
        for begin in range(first, end, LANES):
            for lane in range(LANES):
                numbers[lane] = min(begin + lane, end - 1)
            fill_deep(faces, positions, card, seen, numbers, rooms, actions, payoffs)
            solve_group(actions, payoffs, kept, tried, 0, len(TRIES))
            write(actions, kept, begin, end, policies, worth, gains, values)

    return search


@cache
def writer_for(room: int) -> Callable[..., None]:
    """Return the function that writes a group's solution to where `Turns` has its decisions."""

    @compiled(types.void(ACTIONS, SOLUTION, *_SPAN, _ACTIONS, SHARES, SHARES, _ACTIONS))
    def write(
        actions: Any, kept: Any, begin: Any, end: Any, policies: Any, worth: Any, gains: Any,
        values: Any,
    ) -> None:  # fmt: skip
        """Write lanes as decisions from `begin` on, up to `end`."""
        for lane in range(min(LANES, end - begin)):
            number = begin + lane
            for seat in range(SEATS):
                worth[seat, number] = kept[2][seat, lane]
                gains[seat, number] = kept[3][seat, lane]
                for place in range(room):
                    action = actions[seat, place, lane]
                    if 0 <= action < policies.shape[2]:
                        policies[seat, number, action] = kept[0][seat, place * LANES + lane]
                        values[seat, number, action] = kept[1][seat, place * LANES + lane]

    return write
