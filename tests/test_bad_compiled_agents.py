"""Compiled agents that cannot be made, or would change what others see."""

import warnings
from typing import Any

import numpy as np
import pytest
from numpy import uint32

import ostrich
from ostrich import compiled_agent
from simulator import AgentError, UsageError, simulate
from tests.three_ways import same

REFUSED = (UsageError, AgentError)


def test_an_unknown_argument() -> None:
    with pytest.raises(TypeError, match="wishful takes 'opponent'; an agent may take observation,"):

        @compiled_agent
        def wishful(observation: Any, opponent: Any) -> Any:
            return 0

    with pytest.raises(TypeError, match="backward must take 'observation' first"):

        @compiled_agent
        def backward(weights: Any, observation: Any) -> None:
            weights[0] = 1.0


@compiled_agent
def sees_too_much(observation: Any) -> Any:
    """Wants what is not there."""
    return observation.next_card


@compiled_agent
def sets_card(observation: Any) -> Any:
    """Changes what it sees."""
    observation.card = uint32(3)
    return observation.skip


@compiled_agent
def returns_nothing(observation: Any) -> None:
    """Returns nothing."""


@compiled_agent
def returns_fraction(observation: Any) -> Any:
    """Returns no whole number."""
    return 1.5 if observation.round & uint32(1) else 4.5


@pytest.mark.parametrize("agent", [sees_too_much, sets_card, returns_nothing, returns_fraction])
def test_one_that_does_not_compile_is_named(agent: Any) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "the cache of compiled code")  # which is not at fault
        with pytest.raises(REFUSED, match=agent.name):
            game = ostrich.Game(ostrich.Rules(rounds=2))  # in which cut fractions would be legal
            simulate(game, ["random", agent, "random"], 10, 1)


@compiled_agent
def marks_the_deck(observation: Any, deck: Any) -> Any:
    """Plays its smallest legal action, and turns the first card into fifty eggs."""
    deck[0] = uint32(50)
    return uint32(1) if observation.round & uint32(1) else observation.skip


@compiled_agent(parameters=(0,))
def remembers(observation: Any, parameters: Any) -> Any:
    """Keeps a count in its parameters, and so a memory from lane to lane."""
    parameters[0] += 1
    return uint32(1) if observation.round & uint32(1) else observation.skip


def test_one_that_changes_the_deck_is_refused_or_harmless() -> None:
    game = ostrich.Game()
    with pytest.raises(Exception, match="marks_the_deck"):
        simulate(game, [marks_the_deck, "random", "random"], 100, 1)
    np.testing.assert_array_equal(game.facts, ostrich.Game().facts)
    again = simulate(game, ["random"] * 3, 100, 1, keep="all")
    assert same(again, simulate(ostrich.Game(), ["random"] * 3, 100, 1, keep="all"))


def test_one_that_changes_its_parameters_is_refused() -> None:
    with pytest.raises(Exception, match="remembers"):
        simulate(ostrich.Game(), [remembers, "random", "random"], 100, 1)
    assert list(remembers.parameters) == [0]
