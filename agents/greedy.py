"""`greedy`: takes the most points at once. Pinned: other agents are measured against it."""

from typing import Any

from numpy import uint32

import empires
from ostrich import (
    MAX_ACTIONS,
    MAX_BAGS,
    after_action,
    compiled_agent,
    inlined,
    is_legal,
    is_whole,
    legal_actions,
    score_of,
    share_of,
)

_NOT_BREAKING = uint32(1 << 20)  # above any score times 8


@inlined
def could_claim(position: Any, skip: Any) -> Any:
    """Return 1 if a player could claim for a bag now, else 0."""
    bags = uint32(uint32(1) << uint32(skip & uint32(31))) - uint32(1)
    return uint32(uint32(legal_actions(position, skip) & uint32(bags)) != uint32(0))


@inlined
def other_claimants(observation: Any) -> Any:
    """Return how many of the other players could claim for a bag now."""
    skip = observation.skip
    pair = uint32(could_claim(observation.left, skip) + could_claim(observation.across, skip))
    return uint32(pair + could_claim(observation.right, skip))


@inlined
def best_claim(observation: Any, share: Any) -> Any:
    """Return the legal action after which one's own bags and ambers score most, given a share.

    Never one that breaks a bag while another breaks none; ties to the larger bag, skip last.
    """
    best, chosen = uint32(0), observation.skip
    for number in range(MAX_ACTIONS):
        action = uint32(number)
        after = after_action(
            observation.position, action, share, 0, observation.capacities, observation.skip
        )
        claims = action < observation.skip
        safe = is_whole(after, action) == uint32(1) or not claims
        score = score_of(after, observation.capacities, observation.amber_value)
        value = uint32(
            uint32(score << uint32(3)) + (uint32(action + uint32(2)) if claims else uint32(1))
        )
        value = uint32(value + (_NOT_BREAKING if safe else uint32(0)))
        value = value if is_legal(observation, action) else uint32(0)
        chosen = action if value > best else chosen
        best = max(value, best)
    return chosen


@inlined
def amber_claim(observation: Any) -> Any:
    """Return skip if it is legal, else the smallest legal bag."""
    chosen = observation.skip
    for number in range(MAX_BAGS):
        bag = uint32(MAX_BAGS - 1 - number)
        chosen = bag if is_legal(observation, bag) and bag < observation.skip else chosen
    return observation.skip if is_legal(observation, observation.skip) else chosen


@inlined
def greedy_claim(observation: Any) -> Any:
    """Return what `greedy` plays."""
    own = could_claim(observation.position, observation.skip)
    share = share_of(observation.card, uint32(own + other_claimants(observation)))
    on_eggs, on_amber = best_claim(observation, share), amber_claim(observation)
    return on_amber if observation.card == uint32(0) else on_eggs


@compiled_agent(fast=True)
def ostrich_greedy(observation: Any) -> Any:
    """Takes the claim that scores most at once, breaks no bag if it can help it, skips on ambers.

    On an egg card it counts as claimants all players who could claim, itself included, and chooses
    by the share that this would give (`best_claim`); on an amber by `amber_claim`.
    """
    return greedy_claim(observation)


@empires.compiled_agent(fast=True)
class empires_greedy:  # noqa: N801  (named as an agent is)
    """Plays the card that is expected to bring most this turn, and takes the best egg it may.

    A bad egg goes to the leader if a Courier has it, a Priest discards the worst. All decisions
    are those that other agents inherit (`empires/sensible.py`).
    """
