"""Buckets: decisions that the abstraction takes for one.

A bucket is a number in mixed radix. Always counted: for each of one's bags what a share would do to
it, whether one may skip, and how large the card is. What else is counted makes an abstraction finer
(PARTS): the round; of each of the others whether it may skip and which share it could hold; who
leads; and how many ambers are to come.
"""

from typing import Any

import numpy as np
from numba import types
from numpy import int64, uint32

from ostrich import AMBER, MAX_BAGS, rules
from simulator.compiling import compiled
from simulator.program import FACTS

PARTS = ("round", "others", "lead", "ambers")
SIZES = {"round": 5, "others": 49, "lead": 5, "ambers": 3}
#: What may become of a bag: not to be claimed for; full; breaks even if three share; is filled by
#: such a share; holds it; is filled if two share; holds more.
BAG_KINDS = 7
CARD_KINDS = 4
_OTHER_KINDS = 7  # out; or may skip or not, times the shares that some bag would hold
_CLEAR_LEAD = 4  # points: an amber in the published game

#: What kernels need: facts, and which parts count (1 or 0).
BUCKETING = types.Tuple((FACTS, types.int64[::1]))


def bucketing_of(variant: Any, parts: tuple[str, ...]) -> Any:
    """Return what kernels take."""
    return variant.facts(), np.array([int(name in parts) for name in PARTS], np.int64)


def radix_of(parts: tuple[str, ...]) -> int:
    """Return how many buckets are one when none of the parts counts."""
    return int(np.prod([SIZES[name] for name in parts], dtype=np.int64))


@compiled(types.int64(types.uint32, types.int64, types.uint32, FACTS), inline=True)
def _bag_kind(position: Any, bag: Any, card: Any, facts: Any) -> Any:
    """Return what a card would do to a bag."""
    legal = uint32(rules.legal_actions(position, facts[rules.SKIP]))
    is_bag = uint32(bag) < facts[rules.SKIP]
    if not is_bag or (legal >> uint32(bag)) & uint32(1) == uint32(0):
        return int64(0)
    capacity = int64(rules.capacity(facts[rules.CAPACITIES], uint32(bag)))
    room = capacity - int64(rules.eggs_in(position, uint32(bag)))
    if room == 0:
        return int64(1)
    three = int64(rules.share_of(card, uint32(3)))
    two = int64(rules.share_of(card, uint32(2)))
    kind = 2 + int64(room >= three) + int64(room > three)
    return kind + int64(room >= two) + int64(room > two and two > three)


@compiled(types.int64(types.uint32, types.uint32, FACTS), inline=True)
def _other_kind(position: Any, card: Any, facts: Any) -> Any:
    """Return what may be expected of another player: a number below _OTHER_KINDS."""
    skip, most = facts[rules.SKIP], int64(-1)
    legal = uint32(rules.legal_actions(position, skip))
    if legal == uint32(0):
        return int64(0)
    for bag in range(MAX_BAGS):
        if uint32(bag) < skip and (legal >> uint32(bag)) & uint32(1) == uint32(1):
            capacity = int64(rules.capacity(facts[rules.CAPACITIES], uint32(bag)))
            most = max(most, capacity - int64(rules.eggs_in(position, uint32(bag))))
    holds = int64(most >= int64(rules.share_of(card, uint32(3))))
    holds += int64(most >= int64(rules.share_of(card, uint32(2))))
    return 1 + holds + 3 * int64((legal >> uint32(skip)) & uint32(1))


@compiled(types.int64(types.uint32, FACTS), inline=True)
def _stands(position: Any, facts: Any) -> Any:
    """Return what a player is compared by, as the position stands."""
    score = rules.score_of(position, facts[rules.CAPACITIES], facts[rules.AMBER_VALUE])
    return int64(rules.standing_of(position, score, facts[rules.OUT_PLAYERS_CAN_WIN]))


@compiled(types.int64(types.int64), inline=True)
def _rounds_kind(left: Any) -> Any:
    """Return whether one, two, three, four or five, or more rounds are left."""
    return int64(left > 1) + int64(left > 2) + int64(left > 3) + int64(left > 5)


@compiled(types.int64(types.uint32, FACTS), inline=True)
def _ambers_kind(seen: Any, facts: Any) -> Any:
    """Return whether none, one or more ambers are unseen."""
    ambers = int64(0)
    for number in range(facts.size - rules.DECK):
        is_seen = (uint32(seen) >> uint32(number)) & uint32(1) == uint32(1)
        ambers += int64(facts[rules.DECK + number] == uint32(AMBER) and not is_seen)
    return min(ambers, int64(2))


@compiled(
    types.int64(
        BUCKETING, types.uint32, types.uint32, types.uint32, types.uint32, types.uint32, types.int64
    )
)
def bucket_of(
    bucketing: Any, own: Any, one: Any, other: Any, card: Any, seen: Any, turn: Any
) -> Any:
    """Return the bucket of a decision: one's own position, the others', card, cards seen, round."""
    facts, counts = bucketing
    bucket = int64(0)
    for bag in range(MAX_BAGS):
        bucket = bucket * BAG_KINDS + _bag_kind(own, bag, card, facts)
    skips = (uint32(rules.legal_actions(own, facts[rules.SKIP])) >> facts[rules.SKIP]) & uint32(1)
    size = int64(card > uint32(AMBER)) + int64(card > uint32(5)) + int64(card > uint32(7))
    bucket = (bucket * 2 + int64(skips)) * CARD_KINDS + size
    if counts[0]:
        bucket = bucket * 5 + _rounds_kind(int64(facts[rules.ROUNDS]) - turn)
    if counts[1]:
        first, second = _other_kind(one, card, facts), _other_kind(other, card, facts)
        bucket = bucket * 49 + max(first, second) * _OTHER_KINDS + min(first, second)
    if counts[2]:
        ahead = _stands(own, facts) - max(_stands(one, facts), _stands(other, facts))
        lead = int64(ahead > -_CLEAR_LEAD) + int64(ahead >= 0) + int64(ahead > 0)
        bucket = bucket * 5 + lead + int64(ahead >= _CLEAR_LEAD)
    if counts[3]:
        bucket = bucket * 3 + _ambers_kind(seen, facts)
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
    for number in range(card.size):
        own, one, other = positions[0, number], positions[1, number], positions[2, number]
        buckets[number] = bucket_of(bucketing, own, one, other, card[number], seen[number], turn)
        bits = uint32(rules.legal_actions(own, bucketing[0][rules.SKIP]))
        for action in range(legal.shape[1]):
            legal[number, action] = np.float64((bits >> uint32(action)) & uint32(1))
