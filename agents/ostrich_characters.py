"""Players of Ostrich whom one meets at a table, each made of one idea."""

from typing import Any

from numpy import uint32

from agents.greedy import amber_claim, best_claim, could_claim, greedy_claim, other_claimants
from ostrich import (
    AMBER,
    MAX_ACTIONS,
    MAX_BAGS,
    capacity,
    compiled_agent,
    eggs_in,
    inlined,
    is_legal,
    legal_actions,
    share_of,
    unseen,
)


@compiled_agent(fast=True)
def hunter(observation: Any, deck: Any) -> Any:
    """Keeps its skip card for the ambers: while one may come it claims for bags, come what may.

    Tests what an amber is worth: it pays for its ambers with bags that greedy would have spared.
    On an amber, and once all ambers are seen, it plays as greedy does.
    """
    claim = greedy_claim(observation)
    forced = claim
    for number in range(MAX_BAGS):  # the largest bag that it can claim for
        bag = uint32(number)
        forced = bag if is_legal(observation, bag) and bag < observation.skip else forced
    waits = observation.card != uint32(AMBER) and unseen(observation, deck, AMBER) > uint32(0)
    return forced if waits and claim == observation.skip else claim


@inlined
def breaks_for(position: Any, share: Any, observation: Any) -> Any:
    """Return 1 if a player can claim, but only for bags that `share` would break, else 0."""
    legal = legal_actions(position, observation.skip)
    safe = uint32(0)
    for number in range(MAX_BAGS):
        bag = uint32(number)
        fits = uint32(eggs_in(position, bag) + share) <= capacity(observation.capacities, bag)
        claims = uint32(uint32(legal >> bag) & uint32(1)) == uint32(1) and bag < observation.skip
        safe = uint32(1) if claims and fits else safe
    return could_claim(position, observation.skip) & uint32(safe == uint32(0))


@compiled_agent(fast=True)
def breaker(observation: Any) -> Any:
    """Skips an egg card when the share it leaves to the others breaks a bag of one of them.

    Tests the heart of the game: shares grow when one steps aside. It looks for a player who would
    have to break a bag or skip too; where there is none, and on ambers, it plays as greedy does.
    """
    share = share_of(observation.card, other_claimants(observation))
    victims = uint32(
        breaks_for(observation.left, share, observation)
        + breaks_for(observation.across, share, observation)
    )
    victims = uint32(victims + breaks_for(observation.right, share, observation))
    steps_aside = victims > uint32(0) and is_legal(observation, observation.skip)
    return observation.skip if steps_aside else greedy_claim(observation)


@compiled_agent(fast=True)
def filler(observation: Any) -> Any:
    """Fills bags exactly: claims where the share leaves the least room, and skips if none fits.

    Tests what full bags are worth against half points: it counts no points, only empty places.
    It expects the share that greedy expects, and on an amber does as greedy does.
    """
    own = could_claim(observation.position, observation.skip)
    share = share_of(observation.card, uint32(own + other_claimants(observation)))
    least, chosen = uint32(99), uint32(99)
    for number in range(MAX_BAGS):
        bag = uint32(number)
        held = uint32(eggs_in(observation.position, bag) + share)
        size = capacity(observation.capacities, bag)
        room = uint32(size - held) if held <= size else uint32(99)
        room = room if is_legal(observation, bag) and bag < observation.skip else uint32(99)
        chosen = bag if room <= least and room < uint32(99) else chosen
        least = min(room, least)
    fits = chosen < uint32(MAX_ACTIONS)
    skips = is_legal(observation, observation.skip)
    nothing_fits = observation.skip if skips else best_claim(observation, share)
    on_eggs = chosen if fits else nothing_fits
    return amber_claim(observation) if observation.card == uint32(AMBER) else on_eggs
