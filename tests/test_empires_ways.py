"""Empires in all three ways in: the same results, the same errors, whatever is cut how."""

from typing import Any

import numpy as np
import pytest

import empires
from empires import Game, LanePlayer, Player, compiled_agent
from empires.actions import KEEP_EGG, TAKE_NOTHING
from simulator import merge, simulate
from simulator.agents import IllegalActionError
from tests.empires_variants import EMPIRES_VARIANTS
from tests.sizes import size
from tests.three_ways import same


class RandomPlain:
    """Draws as `random` does: its options in their order, nothing first, gifts clockwise."""

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> int:
        """Return an action."""
        options = list(legal_actions)
        if observation.phase == "gift":
            me, players = observation.player, observation.rules.players
            options = [KEEP_EGG, *(KEEP_EGG + 1 + (me + k) % players for k in range(1, players))]
        elif TAKE_NOTHING in options:
            options = [TAKE_NOTHING, *options[:-1]]
        chosen: int = rng.choice(options)
        return chosen


@pytest.mark.parametrize("name", ["three players", "con pub", "few cards", "short deck"])
def test_random_in_plain_python_is_random(name: str) -> None:
    game, count = Game(EMPIRES_VARIANTS[name]), size(15, 2)
    one = simulate(game, ["random"] * game.num_players, count, 3, keep="all")
    for line_up in ([RandomPlain], [RandomPlain] * game.num_players):
        mixed = [*line_up, *["random"] * (game.num_players - len(line_up))]
        assert same(one, simulate(game, mixed, count, 3, keep="all"))


@pytest.mark.parametrize("name", EMPIRES_VARIANTS)
def test_what_is_inherited_is_greedy_in_all_three_ways(name: str) -> None:
    game, count = Game(EMPIRES_VARIANTS[name]), size(15, 2)
    others = ["random"] * (game.num_players - 1)
    results = [
        simulate(game, [agent, *others], count, 4, keep="all")
        for agent in ("greedy", Player, LanePlayer)
    ]
    assert same(results[0], results[1])
    assert same(results[0], results[2])


@pytest.mark.parametrize("name", ["three players", "two players", "con pub"])
def test_results_do_not_depend_on_how_a_run_is_cut(name: str) -> None:
    game, count = Game(EMPIRES_VARIANTS[name]), size(300, 6)
    line_up = ["random", "greedy", "counter", "dodger"][: game.num_players]
    whole = simulate(game, line_up, count, 5, threads=1, keep="all")
    for options in ({"threads": 2}, {"lanes": 7}, {"lanes": 1000, "threads": 2}):
        assert same(whole, simulate(game, line_up, count, 5, keep="all", **options))
    part = count // 3
    parts = [
        simulate(game, line_up, part, 5, keep="all"),
        simulate(game, line_up, count - part, 5, start=part, keep="all"),
    ]
    assert same(whole, merge(parts))
    stepped = [empires.Player() if agent == "greedy" else agent for agent in line_up]
    assert same(whole, simulate(game, stepped, count, 5, keep="all", lanes=11))


KINDS = empires.KINDS


def plain(kind: str) -> Any:
    """Return an agent that breaks the rules at decisions of one kind."""
    return type("bad", (Player,), {kind: lambda self, seen, legal, rng: 500})()


def in_lanes(kind: str) -> Any:
    """Return the same, vectorised."""
    return type("bad", (LanePlayer,), {kind: lambda self, view, rng: np.full(view.lanes, 500)})()


def compiled(kind: str) -> Any:
    """Return the same, compiled."""

    def chooses_none(observation: Any) -> int:
        return 40

    return compiled_agent(type("bad", (), {kind: staticmethod(chooses_none)}))


WAYS = [(way, kind) for way in (plain, in_lanes) for kind in KINDS]
WAYS += [(compiled, kind) for kind in ("card", "pick", "discard")]  # each compiles for long


@pytest.mark.parametrize(("way", "kind"), WAYS)
def test_an_illegal_action_of_any_kind_stops_the_run_at_the_lowest_index(
    way: Any, kind: str
) -> None:
    game, found = Game(), []
    for options in ({}, {"lanes": 3}, {"threads": 2}):
        with pytest.raises(IllegalActionError) as caught:
            simulate(game, ["random", way(kind), "greedy"], size(100, 5), 6, **options)
        error = caught.value
        assert (error.seat, error.seed, error.agent) == (1, 6, "bad")
        assert f"({kind}), where legal are " in str(error)
        found.append((error.index, str(error)))
    assert found[0] == found[1] == found[2]
    with pytest.raises(IllegalActionError) as caught:
        simulate(game, ["random", way(kind), "greedy"], 1, 6, start=found[0][0])
    assert str(caught.value) == found[0][1]


@pytest.mark.parametrize("kind", ["mulligan", "gift"])
def test_unusable_weights_are_told(kind: str) -> None:
    def weighs_nothing(observation: Any, weights: Any) -> None:
        weights[0] = 0.0

    agent = compiled_agent(type("idle", (), {kind: staticmethod(weighs_nothing)}))
    with pytest.raises(IllegalActionError, match="gave no usable weights"):
        simulate(Game(), [agent, "random", "random"], size(100, 5), 6)


def test_functions_that_take_what_is_not_offered_are_refused() -> None:
    def card(observation: Any, deck: Any) -> int:
        return 1

    with pytest.raises(TypeError, match=r"card \(card\) takes 'deck'; an agent may take"):
        compiled_agent(card)
    with pytest.raises(TypeError, match="must take 'observation' first"):
        compiled_agent(type("x", (), {"pick": staticmethod(lambda values: 1)}))
