"""Same seed, same bytes: however a run is divided, and on whichever path it is played."""

import json
from collections.abc import Sequence
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

import ostrich
from agents import make_agent
from simulator import merge, simulate
from tests.digests import digests
from tests.processes import run_python
from tests.sizes import size
from tests.three_ways import RandomPlain, RandomVectorised, odd_unseen, same, turn_by_turn
from tests.variants import VARIANTS

GAME = ostrich.Game()
COUNT, SEED = size(20_000, 40), 11
LIMITS = [(2**64 - 1, 0), (2**32, 10**12), (0, 2**32 - 20), (2**63, 10**12 - 7)]


def line_up(kind: str) -> list[Any]:
    """Return three agents that play the same, each kind on another path."""
    third = {"compiled": "random", "vectorised": RandomVectorised, "plain": RandomPlain}[kind]
    return ["greedy", odd_unseen, third]


WHOLE = simulate(GAME, line_up("compiled"), COUNT, SEED, keep="all")


@pytest.mark.parametrize("kind", ["compiled", "vectorised", "plain"])
@pytest.mark.parametrize("threads", [1, 2, 3, None])
def test_any_number_of_threads(kind: str, threads: int | None) -> None:
    assert same(WHOLE, simulate(GAME, line_up(kind), COUNT, SEED, 0, threads, "all"))


@pytest.mark.parametrize("lanes", [1, 7, 1000, None])
def test_any_size_of_block(lanes: int | None) -> None:
    """So many playthroughs that a batch, which no block spans, holds a thousand."""
    count = size(200_000, 40)
    expected = simulate(GAME, line_up("compiled"), count, SEED, keep="all", lanes=64)
    assert same(expected, simulate(GAME, line_up("compiled"), count, SEED, 0, 2, "all", lanes))
    if lanes not in (1, 7):  # small blocks: below, and fewer of them
        stepped = simulate(GAME, line_up("vectorised"), count, SEED, 0, 2, "all", lanes)
        assert same(expected, stepped)


@pytest.mark.parametrize("kind", ["compiled", "vectorised", "plain"])
@pytest.mark.parametrize("lanes", [1, 7, 1000])
def test_any_size_of_block_turn_by_turn(kind: str, lanes: int) -> None:
    count = size(2500, 20)
    expected = simulate(GAME, line_up("compiled"), count, SEED, 5, keep="all")
    found = turn_by_turn(GAME, line_up(kind), count, SEED, 5, lanes, batch_size=4096)
    assert found.returns.tobytes() == expected.returns.tobytes()
    assert found.scores.tobytes() == expected.scores.tobytes()
    assert found.totals.sum(axis=0).tolist() == expected.totals.sum(axis=0).tolist()


def test_totals_alone_are_the_same_totals() -> None:
    assert (
        simulate(GAME, line_up("compiled"), COUNT, SEED).totals.tobytes() == WHOLE.totals.tobytes()
    )


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("third", [None, RandomVectorised, RandomPlain])
def test_both_paths_in_all_variants(name: str, third: Any) -> None:
    game, count = ostrich.Game(VARIANTS[name]), size(1500, 5)
    agents = ["random", "greedy", "hunter", "breaker"][: game.num_players]
    expected = simulate(game, agents, count, SEED, keep="all")
    if third is None:
        assert same(expected, turn_by_turn(game, agents, count, SEED))
    else:
        assert same(expected, simulate(game, [third, *agents[1:]], count, SEED, keep="all"))


@pytest.mark.parametrize(("seed", "start"), LIMITS)
def test_both_paths_at_the_limits_of_seed_and_start(seed: int, start: int) -> None:
    count = size(300, 12)
    expected = simulate(GAME, ["random"] * 3, count, seed, start, keep="all")
    assert same(expected, turn_by_turn(GAME, ["random"] * 3, count, seed, start, lanes=9))
    assert same(expected, simulate(GAME, [RandomPlain] * 3, count, seed, start, keep="all"))


def test_other_seeds_and_starts_give_other_playthroughs() -> None:
    runs = [
        simulate(GAME, ["random"] * 3, 5, seed, start, keep="all").scores.tobytes()
        for seed, start in (*LIMITS, (0, 0), (1, 0), (2**32, 0), (0, 2**32), (0, 10**12))
    ]
    assert len(set(runs)) == len(runs)


def parts(cuts: Sequence[int], start: int = 0, count: int = COUNT) -> list[Any]:
    """Return a run cut at some places."""
    edges = [start, *(start + cut for cut in cuts), start + count]
    return [
        simulate(GAME, line_up("compiled"), end - first, SEED, first, keep="all")
        for first, end in pairwise(edges)
    ]


@pytest.mark.parametrize("cuts", [[1], [17], [COUNT // 2], [COUNT - 1], [1, 2], [13, COUNT - 9]])
def test_split_and_merged_in_any_order(cuts: list[int]) -> None:
    for order in permutations(parts(cuts)):
        assert same(WHOLE, merge(order))


@pytest.mark.parametrize("start", [1, 12_345, 2**20 - 3, 10**12 - 5000])
def test_split_and_merged_from_anywhere(start: int) -> None:
    count = size(5000, 15)
    whole = simulate(GAME, line_up("compiled"), count, SEED, start, keep="all")
    first, second, third = parts([count // 3, count // 3 + 1], start, count)
    assert same(whole, merge([first, second, third]))
    assert same(whole, merge([third, merge([second, first])]))


@pytest.mark.parametrize(
    "setting", [{}, {"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"}], ids=str
)
def test_another_process_with_and_without_jit(setting: dict[str, str]) -> None:
    environment = {"NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "0", **setting}
    found = run_python("-m", "tests.digests", "12", **environment)
    assert json.loads(found.stdout) == digests(12)


@pytest.mark.parametrize("name", VARIANTS)
def test_each_playthrough_is_that_of_its_index(name: str) -> None:
    game, start = ostrich.Game(VARIANTS[name]), 10**6
    names = ["greedy", "hunter", "breaker", "filler"][: game.num_players]
    agents = [make_agent(agent, game) for agent in names]
    result = simulate(game, names, size(40, 3), SEED, start, keep="all")
    for place, (scores, returns) in enumerate(zip(result.scores, result.returns, strict=True)):
        state = game.new_initial_state(seed=SEED, index=start + place)
        while not state.is_terminal():
            actions = [
                int(agent.policy(state.observation(player)).argmax())
                if state.legal_actions(player)
                else None
                for player, agent in enumerate(agents)
            ]
            state.apply_actions(actions)
        assert (state.scores(), state.returns()) == (scores.tolist(), returns.tolist())


class Recorder:
    """Plays at random and writes down its random numbers, round by round."""

    def __init__(self) -> None:
        self.drawn: dict[int, list[Any]] = {}

    def act(self, view: Any, rng: Any) -> Any:
        """Return an action for each lane."""
        actions = rng.choice(view.legal)
        numbers = [rng.random(), rng.integers(7), actions if view.round == 0 else rng.random()]
        self.drawn.setdefault(view.round, []).append(np.array(numbers))
        return actions

    def rounds(self) -> list[Any]:
        """Return what was drawn in each round, in playthrough order however spans were cut."""
        return [np.concatenate(self.drawn[turn], axis=1) for turn in sorted(self.drawn)]


def test_an_agent_swapped_in_leaves_the_others_draws_as_they_were() -> None:
    recorders = [Recorder(), Recorder(), Recorder()]
    others = [["random", "random"], ["greedy", odd_unseen], [RandomPlain, RandomVectorised]]
    for recorder, line_up in zip(recorders, others, strict=True):
        simulate(GAME, [recorder, *line_up], 100, SEED, threads=1)
    first, second, third = (recorder.rounds() for recorder in recorders)
    assert np.shape(first) == (10, 3, 100)
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(first, third)


def test_seats_and_rounds_draw_from_addresses_of_their_own() -> None:
    recorders = [Recorder(), Recorder(), Recorder()]
    simulate(GAME, recorders, 100, SEED, threads=1)
    numbers = np.concatenate([np.array(r.rounds())[:, 0].ravel() for r in recorders])
    assert len(np.unique(numbers)) == 3 * 10 * 100
