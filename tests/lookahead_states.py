"""Positions and networks for the tests of learned play."""

from functools import cache
from typing import Any

import numpy as np

import ostrich
from agents.lookahead.features import Features
from agents.lookahead.nets import new_net
from agents.lookahead.search import Search
from agents.lookahead.states import States, branches_of, played_states

PUBLISHED = Features(ostrich.Rules())


@cache
def random_search(seed: int = 1, is_deep: bool = True) -> Search:
    """Return a search with random networks."""
    rng = np.random.default_rng(seed)
    nets = [new_net(PUBLISHED, rng) for _ in range(PUBLISHED.variant.rounds)]
    return Search(PUBLISHED, nets, is_deep)


@cache
def random_states(games: int = 300, seed: int = 1) -> list[States]:
    """Return the states before each round of games that are played at random."""
    variant = PUBLISHED.variant

    def play(turn: int, positions: Any, card: Any, seen: Any) -> Any:
        return np.full((3, len(card), variant.num_actions), 0.2, np.float32)

    return played_states(PUBLISHED, games, play, 1.0, np.random.default_rng(seed))


def decisions_at(turn: int, count: int, seed: int = 1) -> tuple[Any, Any, Any]:
    """Return some decisions of a round: positions, card, seen."""
    states = random_states()[turn]
    branches = branches_of(PUBLISHED, states)
    some = np.random.default_rng(seed).permutation(len(branches.card))[:count]
    positions = np.ascontiguousarray(states.positions[:, branches.state[some]])
    return positions, branches.card[some], branches.seen[some]
