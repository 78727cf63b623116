"""A best responder: one seat that knows what two others are going to do this turn.

It takes the claim with the largest expected share of the win over the others' mixed claims, exact
in the last round, else by leaf values of its own: networks fitted to what positions are worth to
this very responder. Seats are turned so that the responder is the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import float32, int64, uint32

from agents.by_policies import ByPolicies
from agents.lookahead.features import Features
from agents.lookahead.nets import AT_ONCE, SEATS, WIDTH, Net, outputs
from agents.lookahead.search import faces_of, in_pieces
from agents.lookahead.stages import (
    FACES,
    NET,
    POSITIONS,
    ROOMS,
    act,
    add_rows,
    all_out,
    end_shares,
    list_actions,
    new_rooms,
    outcome_of,
)
from agents.lookahead.states import States, branches_of
from agents.solvers.ostrich_profile import policies_of
from ostrich import MAX_ACTIONS, Rules, rules
from ostrich.view import legal_table
from simulator.agents import Agent
from simulator.compiling import compiled
from simulator.words import Words

NONE = -1.0  # the value of a claim that there is not
_UNLIKELY = 1e-7  # a joint claim of the others that is not looked at

Values = npt.NDArray[np.float32]
_PROFILE = types.float32[:, :, ::1]


@compiled(types.float32(_PROFILE, types.int64, types.int64, types.int64), inline=True)
def chance_of(others: Any, other: Any, number: Any, action: Any) -> Any:
    """Return how likely an action of one of the others is; 1 for NO_ACTION."""
    return float32(1) if action >= others.shape[2] else others[other, number, action]


@compiled(
    types.void(
        FACES, NET, POSITIONS, types.uint32[::1], types.uint32[::1], types.int64, _PROFILE,
        types.int64, types.int64, ROOMS, types.float32[:, ::1],
    ),
    late=True,
)  # fmt: skip
def value_claims(
    faces: Any, net: Any, positions: Any, card: Any, seen: Any, is_last: Any, others: Any,
    first: Any, end: Any, rooms: Any, values: Any,
) -> None:  # fmt: skip
    """Fill in what each claim of the first seat is worth, against the others' policies.

    Parameters
    ----------
    faces, net, positions, card, seen, is_last, rooms
        As `stages.fill_stage` takes them, for all decisions.
    others : float32[2, decisions, num_actions]
        Policies of the second and third seat.
    first, end : int
        Which decisions.
    values : float32[decisions, num_actions]
        Filled in place; NONE for illegal actions. If the first seat is out, action 0 stands for
        what it gets.
    """
    facts, skip = faces[0], faces[0][rules.SKIP]
    words, own, other_vectors, hidden, found, claims, _ = rooms
    actions = np.empty((SEATS, MAX_ACTIONS, 1), np.int64)
    shares, places = np.empty((SEATS, 1, 1), np.float32), np.empty(SEATS, np.int64)
    chances = np.empty(MAX_ACTIONS**SEATS, np.float32)
    for number in range(first, end):
        list_actions(positions, number, skip, 0, actions)
        act(positions, number, card[number], facts, 0, actions, words)
        if not is_last:
            add_rows(faces, net, seen[number], words, actions, 0, rooms)
        for action in range(values.shape[1]):
            values[number, action] = float32(NONE)
        rows = 0
        for a in range(MAX_ACTIONS):
            if actions[0, a, 0] < 0:
                break
            claim = actions[0, a, 0] if actions[0, a, 0] < values.shape[1] else int64(0)
            values[number, claim] = float32(0)
            for b in range(MAX_ACTIONS):
                for c in range(MAX_ACTIONS):
                    if actions[1, b, 0] < 0 or actions[2, c, 0] < 0:
                        continue
                    chance = chance_of(others, 0, number, actions[1, b, 0])
                    chance *= chance_of(others, 1, number, actions[2, c, 0])
                    if chance < float32(_UNLIKELY):
                        continue
                    places[0], places[1], places[2] = a, b, c
                    claimants = skippers = uint32(0)
                    for seat in range(SEATS):
                        taken = uint32(actions[seat, places[seat], 0])
                        claimants = uint32(claimants + uint32(rules.claims(taken, skip)))
                        skippers = uint32(skippers + uint32(taken == skip))
                    outcome = outcome_of(card[number], claimants, skippers)
                    if is_last or all_out(words, places, outcome):
                        end_shares(words, places, outcome, facts, shares, 0, 0)
                        values[number, claim] += chance * shares[0, 0, 0]
                        continue
                    for unit in range(WIDTH):
                        theirs = other_vectors[1, b, outcome, unit]
                        theirs += other_vectors[2, c, outcome, unit]
                        mine = own[0, a, outcome, unit] + theirs
                        hidden[rows, unit] = max(mine, float32(0))
                    claims[rows], chances[rows] = claim, chance
                    rows += 1
        outputs(hidden, (rows + AT_ONCE - 1) // AT_ONCE * AT_ONCE, net[3], net[4], found)
        for row in range(rows):
            share = float32(1) / (float32(1) + np.exp(-found[row]))
            values[number, claims[row]] += chances[row] * share


@compiled(
    types.int64(
        POSITIONS, types.uint32[::1], types.uint32[::1], FACES, _PROFILE, types.int64,
        types.int64[:, ::1], types.float32[::1], POSITIONS,
    ),
    late=True,
)  # fmt: skip
def expand(
    positions: Any, card: Any, seen: Any, faces: Any, others: Any, most: Any,
    origins: Any, chances: Any, then: Any,
) -> Any:  # fmt: skip
    """List what may come after each claim of the first seat; return how many there are.

    Parameters
    ----------
    positions, card, seen, faces, others
        As in `value_claims`.
    most : int
        Room in the arrays below; more than that is not written, but counted.
    origins : int64[most, 2]
        Filled: the decision and the claim.
    chances : float32[most]
        Filled: of the others' joint claim.
    then : uint32[SEATS, most]
        Filled: the positions after it.
    """
    facts, skip, count = faces[0], faces[0][rules.SKIP], int64(0)
    actions = np.empty((SEATS, MAX_ACTIONS, 1), np.int64)
    words = np.empty((SEATS, MAX_ACTIONS, SEATS), np.uint32)
    for number in range(card.size):
        list_actions(positions, number, skip, 0, actions)
        act(positions, number, card[number], facts, 0, actions, words)
        for joint in range(MAX_ACTIONS**SEATS):
            a, b, c = (
                joint // MAX_ACTIONS**2,
                joint // MAX_ACTIONS % MAX_ACTIONS,
                joint % MAX_ACTIONS,
            )
            if actions[0, a, 0] < 0 or actions[1, b, 0] < 0 or actions[2, c, 0] < 0:
                continue
            chance = chance_of(others, 0, number, actions[1, b, 0])
            chance *= chance_of(others, 1, number, actions[2, c, 0])
            if chance < float32(_UNLIKELY):
                continue
            if count < most:
                claimants = skippers = uint32(0)
                for action in (actions[0, a, 0], actions[1, b, 0], actions[2, c, 0]):
                    claimants = uint32(claimants + uint32(rules.claims(uint32(action), skip)))
                    skippers = uint32(skippers + uint32(uint32(action) == skip))
                outcome = outcome_of(card[number], claimants, skippers)
                claim = actions[0, a, 0]
                origins[count, 0] = number
                origins[count, 1] = claim if claim < others.shape[2] else int64(0)
                chances[count] = chance
                then[0, count] = words[0, a, outcome]
                then[1, count] = words[1, b, outcome]
                then[2, count] = words[2, c, outcome]
            count += 1
    return count


@dataclass(frozen=True)
class Responder(ByPolicies):
    """Best responds to two copies of an agent, some turns deep.

    Parameters
    ----------
    features : Features
    agent : Agent
        The one that is responded to; its policy must be known.
    nets : sequence of Net
        The one at place t says what positions after t rounds are worth to the responder.
    depth : int
        Turns that it looks ahead: 1, or more at a price of some hundred policies a decision each.
    threads : int
        For its own networks; the result does not depend on it.
    """

    features: Features
    agent: Agent
    nets: Sequence[Net]
    depth: int = 1
    threads: int = 1
    name: str = "responder"

    def policies(
        self, variant: Rules, seat: int, turn: int, positions: Words, card: Words, seen: Words
    ) -> npt.NDArray[np.float64]:
        """Return its claims, as `ByPolicies.policies`."""
        values = self.claim_values(seat, turn, positions, card, seen)
        policies = np.zeros(values.shape)
        policies[np.arange(len(card)), values.argmax(axis=1)] = 1.0
        legal = np.empty(values.shape, np.int64)
        legal_table(positions[seat].copy(), variant.skip, legal)
        policies[~legal.any(axis=1)] = 0.0
        return policies

    def claim_values(
        self, seat: int, turn: int, positions: Words, card: Words, seen: Words, depth: int = 0
    ) -> Values:
        """Return what each claim of a seat is worth to it, float32[decisions, num_actions].

        NONE for illegal ones; if the seat is out, action 0 stands for what it gets.
        """
        variant, order = self.features.variant, [seat, (seat + 1) % SEATS, (seat + 2) % SEATS]
        depth, is_last = depth or self.depth, turn + 1 == variant.rounds
        others = np.array(
            [
                policies_of(self.agent, variant, other, turn, positions, card, seen)
                for other in order[1:]
            ],
            np.float32,
        )
        turned = np.array(positions[order], order="C")
        if depth > 1 and not is_last:
            return self._deeper(turn, turned, card, seen, others, depth)
        values = np.empty((len(card), variant.num_actions), np.float32)
        net = self.nets[turn if is_last else turn + 1].arrays
        given = (faces_of(self.features), net, turned, card, seen, int(is_last), others)

        def run(first: int, end: int) -> None:
            value_claims(*given, first, end, new_rooms(), values)

        in_pieces(run, len(card), self.threads)
        return values

    def _deeper(
        self, turn: int, positions: Words, card: Words, seen: Words, others: Values, depth: int
    ) -> Values:
        """Return what claims of the first seat are worth, by what comes after them."""
        count = expand(*self._leaves_of(positions, card, seen, others, 0))
        origins, chances, then = (found := self._leaves_of(positions, card, seen, others, count))[
            6:
        ]
        expand(*found)
        states = States(then, seen[origins[:, 0]])
        worth = self.worth(turn + 1, states, depth - 1)
        values = np.zeros((len(card), others.shape[2]), np.float32)
        np.add.at(values, (origins[:, 0], origins[:, 1]), (chances * worth).astype(np.float32))
        reached = np.zeros_like(values)
        np.add.at(reached, (origins[:, 0], origins[:, 1]), chances)
        values[reached == 0] = NONE
        return values

    def _leaves_of(
        self, positions: Words, card: Words, seen: Words, others: Values, most: int
    ) -> tuple[Any, ...]:
        """Return the arguments of `expand` with room for so many leaves."""
        room = (np.zeros((most, 2), np.int64), np.zeros(most, np.float32))
        then = np.zeros((SEATS, most), np.uint32)
        return positions, card, seen, faces_of(self.features), others, most, *room, then

    def worth(self, turn: int, states: States, depth: int = 1) -> npt.NDArray[np.float64]:
        """Return what states before a round are worth to the first seat, float64[states]."""
        branches = branches_of(self.features, states)
        positions = np.ascontiguousarray(states.positions[:, branches.state])
        values = self.claim_values(0, turn, positions, branches.card, branches.seen, depth)
        best = values.max(axis=1)
        worth = np.bincount(branches.state, branches.chance * best, len(states.seen))
        return worth.astype(np.float64)
