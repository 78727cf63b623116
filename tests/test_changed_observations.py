"""Agents that try to change what they see stop the run: with an error, not in silence."""

from typing import Any

import pytest

import ostrich
from simulator import AgentError, simulate
from tests.three_ways import RandomPlain

GAME = ostrich.Game()


def fails(agent: Any) -> AgentError:
    """Return the error of a run with `agent` in seat 1."""
    with pytest.raises(AgentError) as caught:
        simulate(GAME, ["random", agent, "greedy"], 50, 7)
    assert (caught.value.seat, caught.value.seed, caught.value.index) == (1, 7, 0)
    return caught.value


class Changes:
    """Changes a part of what it sees."""

    def __init__(self, change: Any) -> None:
        self.change = change

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
        """Change it, then go on as if nothing had been."""
        self.change(observation)
        return rng.choice(legal_actions)


class ChangesVectorised(Changes):
    """Changes a part of what it sees in all lanes."""

    def act(self, view: Any, rng: Any) -> Any:  # type: ignore[override]
        """Change it, then go on as if nothing had been."""
        self.change(view)
        return rng.choice(view.legal)


@pytest.mark.parametrize("name", ["card", "player", "round", "rules", "_positions", "new"])
def test_an_observation_cannot_be_changed(name: str) -> None:
    error = fails(Changes(lambda observation: setattr(observation, name, 3)))
    assert "an observation cannot be changed" in error.what
    assert "AttributeError" in fails(Changes(lambda observation: delattr(observation, name))).what


def test_nor_can_the_rules_in_it() -> None:
    fails(Changes(lambda observation: setattr(observation.rules, "amber_value", 9)))
    fails(ChangesVectorised(lambda view: setattr(view.rules, "amber_value", 9)))


PARTS = ["card", "legal", "own.bags", "own.ambers", "own.lying_out", "unseen"]


@pytest.mark.parametrize("part", PARTS)
def test_arrays_of_a_view_cannot_be_written_to(part: str) -> None:
    def write(view: Any) -> None:
        array = view.unseen(0) if part == "unseen" else view
        for name in part.split(".") if part != "unseen" else ():
            array = getattr(array, name)
        array[..., 0] = 1

    assert "read-only" in fails(ChangesVectorised(write)).what


@pytest.mark.parametrize("name", ["card", "round", "player", "rules", "lanes"])
def test_attributes_of_a_view_cannot_be_set(name: str) -> None:
    fails(ChangesVectorised(lambda view: setattr(view, name, getattr(view, name))))


def test_a_list_of_legal_actions_is_the_agents_own() -> None:
    class Clears(RandomPlain):
        def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
            action = rng.choice(legal_actions)
            legal_actions.clear()
            return action

    simulate(GAME, ["random", Clears, "random"], 20, 7)
