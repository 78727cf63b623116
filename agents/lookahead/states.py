"""Positions to learn from: games played by some policies, now and then at random."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import uint32

from agents.lookahead.features import Features
from agents.lookahead.nets import SEATS
from agents.lookahead.stages import POSITIONS
from ostrich import NO_ACTION, rules
from simulator.compiling import compiled
from simulator.program import FACTS
from simulator.words import Words

#: Takes (turn, positions, card, seen), returns policies, [SEATS, decisions, num_actions].
Play = Callable[[int, Words, Words, Words], npt.NDArray[Any]]


class States(NamedTuple):
    """Public states between rounds.

    Parameters
    ----------
    positions : uint32[SEATS, states]
    seen : uint32[states]
        The bits of the cards seen.
    """

    positions: Words
    seen: Words


class Branches(NamedTuple):
    """What card may be turned up next in some states.

    Parameters
    ----------
    state : int64[branches]
        Which state.
    card, seen : uint32[branches]
        The card, and the bits of the cards seen with it.
    chance : float64[branches]
        Of this card in this state.
    """

    state: npt.NDArray[np.int64]
    card: Words
    seen: Words
    chance: npt.NDArray[np.float64]


@compiled(types.void(POSITIONS, types.uint32[::1], POSITIONS, FACTS), late=True)
def advance(positions: Any, card: Any, actions: Any, facts: Any) -> None:
    """Carry out joint actions, uint32[SEATS, playthroughs], in place; all must be legal."""
    skip, capacities = facts[rules.SKIP], facts[rules.CAPACITIES]
    for number in range(card.size):
        claimants = skippers = uint32(0)
        for seat in range(SEATS):
            action = actions[seat, number]
            claimants = uint32(claimants + uint32(rules.claims(action, skip)))
            skippers = uint32(skippers + uint32(action == skip))
        share = rules.share_of(card[number], claimants)
        amber = rules.amber_won(card[number], skippers)
        for seat in range(SEATS):
            positions[seat, number] = rules.after_action(
                positions[seat, number], actions[seat, number], share, amber, capacities, skip
            )


@compiled(types.void(POSITIONS, types.uint32, types.float32[:, :, ::1]), late=True)
def mark_legal(positions: Any, skip: Any, legal: Any) -> None:
    """Fill float32[SEATS, decisions, actions], in place, with 1 where an action is legal."""
    for seat in range(SEATS):
        for number in range(positions.shape[1]):
            bits = uint32(rules.legal_actions(positions[seat, number], skip))
            for action in range(legal.shape[2]):
                is_legal = uint32(bits >> uint32(action)) & uint32(1)
                legal[seat, number, action] = np.float32(is_legal)


@compiled(types.void(POSITIONS, FACTS, types.float32[:, ::1]), late=True)
def _share_out(positions: Any, facts: Any, shares: Any) -> None:
    """Fill float32[SEATS, playthroughs], in place, with shares of the win as positions stand."""
    for number in range(positions.shape[1]):
        best = winners = uint32(0)
        for turn in range(2):
            for seat in range(SEATS):
                word = positions[seat, number]
                score = rules.score_of(word, facts[rules.CAPACITIES], facts[rules.AMBER_VALUE])
                can_win = facts[rules.OUT_PLAYERS_CAN_WIN]
                standing = uint32(rules.standing_of(word, score, can_win))
                if turn == 0:
                    winners = uint32(0) if standing > best else winners
                    winners = uint32(winners + uint32(standing >= best))
                    best = max(best, standing)
                else:
                    share = np.float32(rules.win_twelfths(standing, best, winners))
                    shares[seat, number] = share / np.float32(rules.SHARE_UNITS)


def shares_at_the_end(variant: Any, positions: Words) -> npt.NDArray[np.float32]:
    """Return the shares of the win that positions after the last round bring, [SEATS, ...]."""
    shares = np.empty(positions.shape, np.float32)
    _share_out(np.ascontiguousarray(positions), variant.facts(), shares)
    return shares


def drawn_actions(
    policies: Any, legal: Any, explore: Any, rng: np.random.Generator
) -> npt.NDArray[np.uint32]:
    """Return an action for each seat and decision: any legal one by `explore`, else by policy.

    NO_ACTION where a seat has no legal action.
    """
    at_random = rng.random(legal.shape[:2], np.float32) < np.reshape(explore, (-1, 1))
    reached = np.where(at_random[..., None], legal, policies).cumsum(axis=2, dtype=np.float32)
    place = rng.random(legal.shape[:2], np.float32) * reached[..., -1]
    actions = (reached <= place[..., None]).sum(axis=2)
    actions[reached[..., -1] == 0] = NO_ACTION
    drawn: npt.NDArray[np.uint32] = actions.astype(np.uint32)
    return drawn


def played_states(
    features: Features, games: int, play: Play, explore: Any, rng: np.random.Generator
) -> list[States]:
    """Play games; return the states before each round, and last those after the last round.

    Parameters
    ----------
    features : Features
    games : int
    play : Play
        Policies of all seats.
    explore : float or sequence of float
        How often a seat takes any legal action instead; one number for all, or one a seat.
    rng : numpy.random.Generator
    """
    variant = features.variant
    facts, deck = variant.facts(), np.array(variant.deck, np.uint32)
    order = rng.permuted(np.tile(np.arange(len(deck), dtype=np.uint32), (games, 1)), axis=1)
    positions = np.full((SEATS, games), facts[rules.START], np.uint32)
    seen = np.zeros(games, np.uint32)
    states = [States(positions.copy(), seen)]
    legal = np.empty((SEATS, games, variant.num_actions), np.float32)
    for turn in range(variant.rounds):
        card = deck[order[:, turn]]
        seen = seen | np.uint32(1) << order[:, turn]
        mark_legal(positions, variant.skip, legal)
        actions = drawn_actions(play(turn, positions, card, seen), legal, explore, rng)
        advance(positions, card, actions, facts)
        states.append(States(positions.copy(), seen))
    return states


def branches_of(features: Features, states: States) -> Branches:
    """Return what card may be turned up next: of equal cards the one that is first in the deck."""
    found = []
    hidden = len(features.variant.deck) - np.bitwise_count(states.seen).astype(np.int64)
    for card, mask in zip(features.cards, features.masks, strict=True):
        unseen = mask & ~states.seen
        some = unseen.nonzero()[0]
        lowest = unseen[some] & (~unseen[some] + np.uint32(1))
        chance = np.bitwise_count(unseen[some]) / hidden[some]
        seen = states.seen[some] | lowest
        found.append((some, np.full(len(some), card, np.uint32), seen, chance))
    return Branches(*(np.concatenate(column) for column in zip(*found, strict=True)))
