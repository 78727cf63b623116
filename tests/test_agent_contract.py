"""What every agent of every game in the catalogue keeps to."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from agents import agent_names, make_agent
from simulator import simulate
from simulator.registry import game_class, game_names
from tests.empires_variants import EMPIRES_VARIANTS
from tests.seats import moved_action, moved_policy, moved_state
from tests.sizes import size
from tests.solved_variants import SMALL
from tests.three_ways import same
from tests.variants import VARIANTS

CATALOGUE = [(game, agent) for game in game_names() for agent in agent_names(game)]
#: Of Empires four rules are enough here: policies take long, one decision at a time.
FEW = ("three players", "two players", "con pub", "few cards")
RULES: dict[str, Any] = {
    "ostrich": VARIANTS,
    "empires": {name: EMPIRES_VARIANTS[name] for name in FEW},
}
#: Plays small variants only.
SOLVED = ("ostrich", "solved")
#: Solves what it plays on the spot, in milliseconds: fewer playthroughs are enough.
SLOW = {("ostrich", "endgame")}
IN_VARIANTS = [
    (game, agent, variant)
    for game, agent in CATALOGUE
    for variant in (SMALL if (game, agent) == SOLVED else RULES.get(game, {}))
]


def game_for(game_name: str, agent: str) -> Any:
    """Return the published game, or a small one for an agent that plays such only."""
    rules = [SMALL["two bags"]] if (game_name, agent) == SOLVED else []
    return game_class(game_name)(*rules)


class ByPolicy:
    """Plays what another agent's policy says, drawn as a written agent draws."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
        """Return an action, after a look at the policy."""
        policy = self.agent.policy(observation)
        assert policy.dtype == np.float64
        assert policy.sum() == pytest.approx(1, abs=1e-9)
        assert policy.min() >= 0
        assert set(np.flatnonzero(policy)) <= set(legal_actions)
        return rng.choice(range(len(policy)), policy)


def test_the_catalogue_is_not_empty() -> None:
    assert ("ostrich", "random") in CATALOGUE
    assert ("ostrich", "greedy") in CATALOGUE


@pytest.mark.parametrize(("game_name", "name"), CATALOGUE)
def test_has_a_name_and_a_line_about_it(game_name: str, name: str) -> None:
    agent = make_agent(name, game_for(game_name, name))
    assert agent.name == name
    assert agent.about.endswith(".")
    assert len(agent.about) > 15


@pytest.mark.parametrize(("game_name", "name", "variant"), IN_VARIANTS)
def test_plays_legally_what_its_policy_says(game_name: str, name: str, variant: str) -> None:
    rules = SMALL if (game_name, name) == SOLVED else RULES[game_name]
    game = game_class(game_name)(rules[variant])
    agent, players, count = make_agent(name, game), game.num_players, size(40, 2)
    count = count if game_name == "ostrich" else size(4, 1)
    many = size(100 if (game_name, name) in SLOW else 2000, 3)
    simulate(game, [agent] * players, many, 1)
    mixed = [agent, *["random"] * (players - 1)]
    played = simulate(game, mixed, count, 1, keep="all")
    told = simulate(game, [ByPolicy(agent), *mixed[1:]], count, 1, keep="all")
    # an agent of Empires draws options clockwise, and two cards one by one: not in actions' order
    assert same(played, told) or (agent.draws and game_name == "empires")


@pytest.mark.parametrize(("game_name", "name"), CATALOGUE)
def test_plays_the_same_again_copied_and_pickled(game_name: str, name: str) -> None:
    game = game_for(game_name, name)
    agent, players, count = make_agent(name, game), game.num_players, size(500, 4)
    first = simulate(game, [agent] * players, count, 2, keep="all")
    again = [name, copy.copy(agent), copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))]  # noqa: S301
    for other in again:
        result = simulate(game, [other] * players, count, 2, keep="all")
        assert same(first, result)
        assert first.agents == result.agents


@pytest.mark.parametrize(("game_name", "name"), CATALOGUE)
def test_does_the_same_in_every_seat(game_name: str, name: str) -> None:
    """The same playthrough with all seats moved by one: so is everything the agent would do."""
    game = game_for(game_name, name)
    agent, players, rng = make_agent(name, game), game.num_players, np.random.default_rng(3)
    decisions = 0
    for index in range(size(60, 6)):
        state = game.new_initial_state(seed=1, index=index)
        moved = moved_state(game, state)
        while not state.is_terminal() and decisions < (
            size(3000, 150) if game_name == "ostrich" else 250
        ):
            actions = []
            for player in range(players):
                legal = state.legal_actions(player)
                actions.append(int(rng.choice(legal)) if legal else None)
                if legal:
                    here = agent.policy(state.observation(player))
                    there = agent.policy(moved.observation((player + 1) % players))
                    np.testing.assert_array_equal(moved_policy(game, here), there)
                    decisions += 1
            state.apply_actions(actions)
            told = [moved_action(game, action) for action in actions]
            moved.apply_actions(told[-1:] + told[:-1])
    assert decisions > 100


@pytest.mark.parametrize(("game_name", "name"), CATALOGUE)
def test_wins_as_often_in_every_seat(game_name: str, name: str) -> None:
    """Differences beyond 4.5 standard errors of playthroughs with fixed seeds."""
    game = game_for(game_name, name)
    count = size(3_000, 4) if (game_name, name) in SLOW else size(30_000, 15)
    players = game.num_players
    shares = []
    for seat in range(players):
        line_up = ["random"] * players
        line_up[seat] = name
        shares.append(simulate(game, line_up, count, 10 + seat).win_share(seat).mean)
    assert max(shares) - min(shares) < 4.5 * np.sqrt(2 * 0.25 / count)
