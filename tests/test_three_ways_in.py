"""One strategy written in each way in plays the same; what agents are handed besides."""

from typing import Any

import numpy as np
import pytest
from numba.core import event
from numpy import uint32

import ostrich
from agents import make_agent
from ostrich import MAX_ACTIONS, compiled_agent, is_legal, next_word
from ostrich.block import ACTIONS
from simulator import simulate
from tests.ostrich_rounds import Rounds
from tests.sizes import size
from tests.three_ways import (
    LargestPlain,
    LargestVectorised,
    OddUnseenPlain,
    OddUnseenVectorised,
    RandomPlain,
    RandomVectorised,
    largest,
    largest_by_weights,
    odd_unseen,
    same,
)
from tests.variants import VARIANTS

GAME = ostrich.Game()
STRATEGIES = {
    "largest": [largest, largest_by_weights, LargestVectorised, LargestPlain],
    "random": ["random", RandomVectorised, RandomPlain],
    "unseen": [odd_unseen, OddUnseenVectorised, OddUnseenPlain],
}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", VARIANTS)
def test_all_ways_in_play_the_same(name: str, strategy: str) -> None:
    game, count = ostrich.Game(VARIANTS[name]), size(1000, 10)
    others = ["random"] * (game.num_players - 1)
    ways = STRATEGIES[strategy]
    results = [simulate(game, [way, *others], count, 3, keep="all") for way in ways]
    assert all(same(results[0], result) for result in results[1:])
    in_all_seats = simulate(game, (ways * 2)[: game.num_players], count, 3, keep="all")
    assert same(in_all_seats, simulate(game, ways[:1] * game.num_players, count, 3, keep="all"))


@compiled_agent(parameters=(1, 1, 1, 1, 1))
def weighted(observation: Any, weights: Any, parameters: Any) -> None:
    """Weighs legal actions by its parameters."""
    for action in range(MAX_ACTIONS):
        weights[action] = parameters[action] if is_legal(observation, action) else 0.0


class WeightedPlain:
    """The same in plain Python."""

    def __init__(self, weights: tuple[float, ...]) -> None:
        self.weights = weights

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
        """Return an action."""
        return rng.choice(legal_actions, [self.weights[action] for action in legal_actions])


class WeightedVectorised(WeightedPlain):
    """The same for all lanes at once."""

    def act(self, view: Any, rng: Any) -> Any:  # type: ignore[override]
        """Return an action for each lane."""
        return rng.choice(view.legal * np.array(self.weights))


@pytest.mark.parametrize("weights", [(1, 1, 1, 1, 1), (0.1, 0.7, 1e-3, 5, 1e-6), (3, 1e9, 2, 1, 7)])
def test_weights_are_drawn_by_alike(weights: tuple[float, ...]) -> None:
    ways = [weighted.with_parameters(weights), WeightedPlain(weights), WeightedVectorised(weights)]
    results = [simulate(GAME, [way] * 3, size(1500, 20), 3, keep="all") for way in ways]
    assert same(results[0], results[1])
    assert same(results[0], results[2])


@pytest.mark.compiled_only
def test_other_parameters_play_otherwise_without_compiling() -> None:
    simulate(GAME, [weighted] * 3, 10, 3)
    weighted.policy(GAME.new_initial_state(seed=1).observation(0))
    with event.install_recorder("numba:compile") as recorder:
        seldom = weighted.with_parameters((1, 1, 1, 1, 1e-6))
        often = weighted.with_parameters((1, 1, 1, 1, 1e6))
        full = [
            simulate(GAME, [agent, "random", "random"], size(2000, 100), 3).total("bags_full")[0]
            for agent in (seldom, often)
        ]
        policy = often.policy(GAME.new_initial_state(seed=1).observation(0))
    assert not recorder.buffer
    assert full[0] != full[1]
    assert policy[4] > 0.99
    assert seldom.over_lanes(0) is weighted.over_lanes(0)
    assert list(weighted.parameters) == [1] * 5


@compiled_agent
def own_words(observation: Any, random: Any) -> Any:
    """Any legal action, by the word after as many as the card has eggs."""
    word = next_word(random, observation.card)
    legal = uint32(0)
    for action in range(MAX_ACTIONS):
        legal = uint32(legal + (uint32(1) if is_legal(observation, action) else uint32(0)))
    wanted = uint32(uint32(uint32(word >> uint32(16)) * legal) >> uint32(16))
    chosen = uint32(MAX_ACTIONS)
    for number in range(MAX_ACTIONS):
        action = uint32(MAX_ACTIONS - 1 - number)
        here = is_legal(observation, action) != uint32(0)
        chosen = action if here and wanted == uint32(0) else chosen
        wanted = uint32(wanted - uint32(1)) if here else wanted
    return chosen


def actions_of(agent: Any, seed: int, seat: int, lanes: int, turns: int = 1) -> Any:
    """Return int64[turns, lanes], what an agent plays in seat `seat`; all play it."""
    line_up = [make_agent(agent, GAME)] * 3
    block, played = Rounds(GAME, seed, 0, lanes), []
    for turn in range(turns):
        block.open(turn)
        for other in range(3):
            block.decide(turn, other, line_up[other])
        played.append(block._block[ACTIONS + seat].astype(np.int64))
        assert block.close(turn) is None
    return np.array(played)


def test_words_of_ones_own_differ_between_decisions_and_come_again() -> None:
    lanes = size(20_000, 100)
    first = actions_of(own_words, 5, 0, lanes, turns=3)
    np.testing.assert_array_equal(first, actions_of(own_words, 5, 0, lanes, turns=3))
    counts = np.bincount(first[0], minlength=5)
    assert np.abs(counts - lanes / 5).max() < 4 * np.sqrt(lanes * 0.16)
    others = [actions_of(own_words, 5, 1, lanes)[0], actions_of(own_words, 6, 0, lanes)[0]]
    for other in (first[2], *others):  # a fifth agree by chance; what was played last may be barred
        assert 0.1 < (first[0] == other).mean() < 0.35
    run = [simulate(GAME, [own_words] * 3, size(500, 20), 5, keep="all", lanes=n) for n in (500, 9)]
    assert same(*run)


@pytest.mark.parametrize("agent", ["random", weighted.with_parameters((1, 2, 3, 4, 5))])
def test_a_policy_is_what_is_played(agent: Any) -> None:
    """Chi-square of the first round's actions; above 18.5 comes with a chance of 0.1 %."""
    lanes = size(100_000, 1000)
    policy = make_agent(agent, GAME).policy(GAME.new_initial_state(seed=5).observation(1))
    counts = np.bincount(actions_of(agent, 5, 1, lanes)[0], minlength=5)
    assert policy.sum() == pytest.approx(1, abs=1e-12)
    assert ((counts - lanes * policy) ** 2 / (lanes * policy)).sum() < 18.5


def test_a_written_agent_may_report_its_policy_or_not() -> None:
    class Knows(RandomPlain):
        def policy(self, observation: Any) -> list[float]:
            return [0.0, 0.5, 0.0, 0.5, 0.0]

    observation = GAME.new_initial_state(seed=5).observation(1)
    policy = make_agent(Knows, GAME).policy(observation)
    assert policy.dtype == np.float64
    assert policy.tolist() == [0, 0.5, 0, 0.5, 0]
    with pytest.raises(NotImplementedError, match="RandomPlain has no method policy"):
        make_agent(RandomPlain, GAME).policy(observation)
