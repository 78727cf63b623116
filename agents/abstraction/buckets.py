"""Buckets: decisions that the abstraction takes for one.

A bucket is a number in mixed radix. Of one's own: what is in the bags, what lies out. Of the turn:
the card, the round. Of the others: how many cannot skip, how many have no bag that would hold a
share if all claimed, and who leads. Of the deck: whether the eggs to come are few or many.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import int64, uint32

from agents.lookahead.features import LAYOUT, LYING, content_of
from agents.lookahead.nets import SEATS
from ostrich import MAX_BAGS, Rules, rules
from simulator.compiling import compiled
from simulator.program import FACTS

#: What an abstraction may leave out, and how many values each has.
PARTS = ("round", "forced", "fragile", "lead", "deck")
FORCED, FRAGILE, LEADS, DECKS = SEATS, SEATS, 5, 3
_CLEAR_LEAD = 4  # points: an amber in the published game

#: What kernels need: facts, layout, the different cards, parts that count (1 or 0).
BUCKETING = types.Tuple((FACTS, LAYOUT, types.uint32[::1], types.int64[::1]))


def counted(parts: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """Return which of PARTS count, as kernels take it."""
    return np.array([int(name in parts) for name in PARTS], np.int64)


def radix_of(variant: Rules, parts: tuple[str, ...]) -> int:
    """Return how many buckets share a position of one's own and a card."""
    sizes = {
        "round": variant.rounds, "forced": FORCED, "fragile": FRAGILE, "lead": LEADS, "deck": DECKS
    }  # fmt: skip
    return int(np.prod([sizes[name] for name in parts], dtype=np.int64))


@compiled(types.int64(types.uint32, types.uint32), inline=True)
def _can_skip(position: Any, skip: Any) -> Any:
    """Return whether a player may skip."""
    return int64((uint32(rules.legal_actions(position, skip)) >> uint32(skip)) & uint32(1))


@compiled(types.int64(types.uint32, types.uint32, types.uint32, types.uint32), inline=True)
def _holds(position: Any, share: Any, capacities: Any, skip: Any) -> Any:
    """Return whether a player could claim for a bag that holds a share."""
    legal, found = uint32(rules.legal_actions(position, skip)), int64(0)
    for bag in range(MAX_BAGS):
        is_legal = uint32(bag) < uint32(skip) and (legal >> uint32(bag)) & uint32(1) == uint32(1)
        room = int64(rules.capacity(capacities, uint32(bag))) - int64(
            rules.eggs_in(position, uint32(bag))
        )
        found = int64(1) if is_legal and int64(share) <= room else found
    return found


@compiled(types.int64(types.uint32, types.uint32, types.uint32, types.uint32), inline=True)
def _stands(position: Any, capacities: Any, amber_value: Any, can_win: Any) -> Any:
    """Return what a player is compared by, as the position stands."""
    score = rules.score_of(position, capacities, amber_value)
    return int64(rules.standing_of(position, score, can_win))


@compiled(
    types.int64(
        BUCKETING, types.uint32, types.uint32, types.uint32, types.uint32, types.uint32, types.int64
    )
)
def bucket_of(
    bucketing: Any, own: Any, one: Any, other: Any, card: Any, seen: Any, turn: Any
) -> Any:
    """Return the bucket of a decision: one's own position, the others', card, cards seen, round."""
    facts, layout, cards, counts = bucketing
    skip, capacities = facts[rules.SKIP], facts[rules.CAPACITIES]
    amber_value, can_win = facts[rules.AMBER_VALUE], facts[rules.OUT_PLAYERS_CAN_WIN]
    bucket = int64(0)
    for bag in range(MAX_BAGS):
        bucket = bucket * layout[bag] + content_of(layout, own, bag)
    bucket = bucket * layout[LYING] + min(int64(rules.lying_out(own)), layout[LYING] - 1)
    place = int64(0)
    for number in range(cards.size):
        place = int64(number) if cards[number] == card else place
    bucket = bucket * cards.size + place
    if counts[0]:
        bucket = bucket * int64(facts[rules.ROUNDS]) + turn
    if counts[1]:
        bucket = bucket * FORCED + 2 - _can_skip(one, skip) - _can_skip(other, skip)
    if counts[2]:
        share = rules.share_of(card, uint32(SEATS))
        holds = _holds(one, share, capacities, skip) + _holds(other, share, capacities, skip)
        bucket = bucket * FRAGILE + 2 - holds
    if counts[3]:
        mine = _stands(own, capacities, amber_value, can_win)
        best = max(
            _stands(one, capacities, amber_value, can_win),
            _stands(other, capacities, amber_value, can_win),
        )
        ahead = mine - best
        lead = int64(ahead > 0) + int64(ahead >= 0) + int64(ahead >= _CLEAR_LEAD)
        bucket = bucket * LEADS + lead + int64(ahead > -_CLEAR_LEAD)
    if counts[4]:
        eggs = unseen = int64(0)
        for number in range(facts.size - rules.DECK):
            if (uint32(seen) >> uint32(number)) & uint32(1) == uint32(0):
                eggs += int64(facts[rules.DECK + number])
                unseen += 1
        few = int64(eggs < 4 * unseen)
        many = int64(eggs > 6 * unseen)
        bucket = bucket * DECKS + 1 - few + many
    return bucket


@compiled(
    types.void(
        BUCKETING, types.uint32[:, ::1], types.uint32[::1], types.uint32[::1], types.int64,
        types.int64[::1], types.float64[:, ::1],
    ),
    late=True,
)  # fmt: skip
def list_buckets(
    bucketing: Any, positions: Any, card: Any, seen: Any, turn: Any, buckets: Any, legal: Any
) -> None:
    """Fill in the buckets of many decisions of the first seat, and its legal actions, in place.

    Parameters
    ----------
    bucketing
        BUCKETING.
    positions : uint32[SEATS, decisions]
        Of the first seat, and of the next two clockwise.
    card, seen : uint32[decisions]
    turn : int
    buckets : int64[decisions]
    legal : float64[decisions, actions]
        1 where an action is legal, else 0.
    """
    skip = bucketing[0][rules.SKIP]
    for number in range(card.size):
        own, one, other = positions[0, number], positions[1, number], positions[2, number]
        buckets[number] = bucket_of(bucketing, own, one, other, card[number], seen[number], turn)
        bits = uint32(rules.legal_actions(own, skip))
        for action in range(legal.shape[1]):
            legal[number, action] = np.float64((bits >> uint32(action)) & uint32(1))
