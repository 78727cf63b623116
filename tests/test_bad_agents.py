"""Agents that break the contract stop the run, with agent, seat, seed and index."""

import pickle
from typing import Any

import numpy as np
import pytest
from numpy import uint32

import ostrich
from agents import make_agent
from ostrich import MAX_ACTIONS, compiled_agent, is_legal
from simulator import AgentError, IllegalActionError, UsageError, simulate
from tests.three_ways import RandomPlain, RandomVectorised

GAME = ostrich.Game()
SEED = 7


def fails(agent: Any, kind: type[AgentError] = AgentError, count: int = 300) -> AgentError:
    """Return the error of a run with `agent` in seat 1, after a look at what it tells."""
    with pytest.raises(kind) as caught:
        simulate(GAME, ["random", agent, "greedy"], count, SEED, start=40)
    error = caught.value
    assert type(error) is kind
    assert (error.seat, error.seed, error.agent) == (1, SEED, make_agent(agent, GAME).name)
    assert 40 <= error.index < 40 + count
    assert str(error).startswith(f"{error.agent} in seat 1 {error.what}")
    assert f"--seed {SEED} --index {error.index}" in str(error)
    return error


class Plain:
    """Returns what it was made with."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
        """Return an action, or not."""
        return self.answer


class Vectorised(Plain):
    """Returns its answer for each lane."""

    def act(self, view: Any, rng: Any) -> Any:  # type: ignore[override]
        """Return actions, or not."""
        return np.full(view.lanes, self.answer)


@compiled_agent(parameters=(0,))
def constant(observation: Any, parameters: Any) -> Any:
    """Returns its parameter."""
    return np.int64(parameters[0])


def constants(answer: int) -> Any:
    """Return the compiled agent that always gives an answer."""
    return constant.with_parameters((answer,))


@pytest.mark.parametrize("answer", [-1, 99, 5, 31, 2**30])
@pytest.mark.parametrize("way", [Plain, Vectorised, constants])
def test_an_action_that_is_none(way: Any, answer: int) -> None:
    error = fails(way(answer), IllegalActionError)
    assert error.index == 40
    assert f"chose action {answer}" in str(error)
    assert "legal are 0 (2), 1 (3), 2 (5), 3 (7), 4 (skip)" in str(error)


@pytest.mark.parametrize("way", [Plain, Vectorised, constants])
def test_the_claim_card_that_lies_out(way: Any) -> None:
    error = fails(way(3), IllegalActionError)
    assert "chose action 3 in round 2, where legal are" in error.what


@pytest.mark.parametrize(
    "answer", [1.0, None, True, "3", [3], np.float64(1), np.bool_(True)], ids=repr
)
def test_plain_answers_that_are_no_whole_number(answer: Any) -> None:
    assert "is no action; legal are [0, 1, 2, 3, 4]" in fails(Plain(answer)).what


@pytest.mark.parametrize(
    "answer", [10**30, -(10**30), np.int64(-1), np.uint64(2**64 - 1)], ids=repr
)
def test_plain_answers_beyond_all_bounds(answer: Any) -> None:
    fails(Plain(answer), IllegalActionError)


@pytest.mark.parametrize("answer", [1.0, None, True, "3"], ids=repr)
def test_arrays_of_no_whole_numbers(answer: Any) -> None:
    assert "it must be whole numbers" in fails(Vectorised(answer)).what


class Shaped:
    """Returns an array of a wrong shape."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def act(self, view: Any, rng: Any) -> Any:
        """Return too little or too much."""
        row = np.zeros(view.lanes, np.int64)
        return {"short": row[1:], "table": row[None], "number": 0, "none": None}[self.kind]


@pytest.mark.parametrize("kind", ["short", "table", "number", "none"])
def test_arrays_of_a_wrong_shape(kind: str) -> None:
    assert "it must be whole numbers with shape" in fails(Shaped(kind)).what


@compiled_agent(parameters=(0,) * 5)
def weighing(observation: Any, weights: Any, parameters: Any) -> None:
    """Weighs by its parameters, legal or not."""
    for action in range(MAX_ACTIONS):
        weights[action] = parameters[action]


NAN, INF = float("nan"), float("inf")
UNUSABLE = [(0,) * 5, (-1, 2, 2, 2, 2), (1, NAN, 1, 1, 1), (1, INF, 1, 1, 1), (NAN,) * 5, (-1,) * 5]


@pytest.mark.parametrize("weights", UNUSABLE, ids=repr)
def test_unusable_weights(weights: tuple[float, ...]) -> None:
    agent = weighing.with_parameters(weights)
    error = fails(agent, IllegalActionError)
    assert "gave no usable weights" in error.what
    assert "in round 1" in error.what
    with pytest.raises(ValueError, match="must be >= 0 with a sum > 0"):
        agent.policy(GAME.new_initial_state(seed=1).observation(0))


@pytest.mark.parametrize("weights", UNUSABLE[:5], ids=repr)
def test_unusable_weights_in_choice(weights: tuple[float, ...]) -> None:
    class Chooses(RandomPlain):
        def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
            return rng.choice(range(5), weights)

    class ChoosesVectorised(RandomVectorised):
        def act(self, view: Any, rng: Any) -> Any:
            return rng.choice(np.tile(np.array(weights), (view.lanes, 1)))

    assert "choice needs" in fails(Chooses).what
    with pytest.raises(AgentError):
        simulate(GAME, ["random", ChoosesVectorised, "random"], 50, SEED)


def test_weight_on_an_illegal_action() -> None:
    agent = weighing.with_parameters((1,) * 5)
    error = fails(agent, IllegalActionError)
    assert "chose action" in error.what
    state = GAME.new_initial_state(seed=1)
    state.apply_actions([3, 3, 3])
    with pytest.raises(ValueError, match="weighing gives weight to action 3; legal are"):
        agent.policy(state.observation(1))


class Raises:
    """Fails at its twentieth decision or so."""

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
        """Raise on the second amber."""
        if observation.card == 0 and observation.unseen().get(0, 0) == 1:
            raise RuntimeError("cannot cope")
        return rng.choice(legal_actions)


class RaisesVectorised:
    """Fails."""

    def act(self, view: Any, rng: Any) -> Any:
        """Raise."""
        raise RuntimeError("cannot cope")


@compiled_agent
def raising(observation: Any) -> Any:
    """Fails on an amber in the fourth round."""
    if observation.round == uint32(3) and observation.card == uint32(0):
        raise RuntimeError("cannot cope")
    chosen = uint32(0)
    for action in range(MAX_ACTIONS):
        chosen = uint32(action) if is_legal(observation, action) else chosen
    return chosen


@pytest.mark.parametrize("agent", [Raises, RaisesVectorised, raising])
def test_an_agent_that_raises(agent: Any) -> None:
    error = fails(agent)
    assert "failed with RuntimeError: cannot cope" in error.what
    with pytest.raises(AgentError) as again:
        simulate(GAME, ["random", agent, "greedy"], 1, error.seed, start=error.index)
    assert str(again.value) == str(error)
    assert f"(line-up random,{error.agent},greedy, seed {error.seed}, " in str(error)


@pytest.mark.parametrize("kind", [AgentError, IllegalActionError])
def test_errors_travel_between_processes(kind: type[AgentError]) -> None:
    error = kind("chose badly", "hunter", 2, 2**64 - 1, 10**12)
    other = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert type(other) is kind
    assert str(other) == str(error)
    assert vars(other) == vars(error)


def test_the_lowest_index_is_told_for_any_threads() -> None:
    found = {simulate_index(threads, lanes) for threads in (1, 2, 3) for lanes in (1, 16)}
    assert len(found) == 1


def simulate_index(threads: int, lanes: int) -> int:
    """Return at which playthrough an agent is first found to play what lies out."""
    agent = weighing.with_parameters((1,) * 5)
    with pytest.raises(IllegalActionError) as caught:
        simulate(GAME, ["random", agent, "random"], 3000, 5, threads=threads, lanes=lanes)
    return caught.value.index


def test_usage_errors_are_value_errors() -> None:
    assert issubclass(UsageError, ValueError)
