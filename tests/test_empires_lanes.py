"""A block and a state are the same game: decision by decision, seat by seat, to the last point."""

from typing import Any

import numpy as np
import pytest

from empires import Game
from simulator import simulate
from simulator.registry import make_agents
from simulator.stepping import joint_actions
from tests.empires_variants import EMPIRES_VARIANTS
from tests.sizes import size


class Recorder:
    """Plays any legal action, and writes down what it saw."""

    def __init__(self) -> None:
        self.seen: dict[int, list[Any]] = {}

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> int:
        """Return an action."""
        self.seen.setdefault(observation.player, []).append(observation)
        chosen: int = legal_actions[rng.integers(len(legal_actions))]
        return chosen


@pytest.mark.parametrize("name", EMPIRES_VARIANTS)
def test_a_block_and_a_state_agree_decision_by_decision(name: str) -> None:
    game = Game(EMPIRES_VARIANTS[name])
    for index in range(size(8, 1)):
        recorder = Recorder()
        joints, fault = joint_actions(
            game, make_agents([recorder] * game.num_players, game), 9, index
        )
        assert fault is None
        state, seen = game.new_initial_state(seed=9, index=index), recorder.seen
        places = dict.fromkeys(range(game.num_players), 0)
        for joint in joints:
            for seat in state.deciders():
                assert seen[seat][places[seat]] == state.observation(seat)
                places[seat] += 1
            state.apply_actions(joint)
        assert state.is_terminal()
        assert all(places[seat] == len(observations) for seat, observations in seen.items())
        result = simulate(game, [recorder] * game.num_players, 1, 9, start=index, keep="all")
        assert result.scores[0].tolist() == state.scores()
        assert result.returns[0].tolist() == state.returns()


@pytest.mark.parametrize("name", EMPIRES_VARIANTS)
def test_counters_are_what_the_histories_tell(name: str) -> None:
    game, count = Game(EMPIRES_VARIANTS[name]), size(10, 1)
    line_up = ["random", *["greedy"] * (game.num_players - 1)]
    result, told = simulate(game, line_up, count, 4), np.zeros((game.num_players, 5), np.int64)
    plays = np.zeros((game.num_players, 11), np.int64)
    made = make_agents(line_up, game)
    for index in range(count):
        joints, _ = joint_actions(game, made, 4, index)
        state = game.new_initial_state(seed=4, index=index)
        for joint in joints:
            state.apply_actions(joint)
        for event in state.history():
            if event[0] == "take":
                told[event[1], 0] += 1
            elif event[0] == "gift" and event[2] is not None:
                told[event[1], 1] += 1
            elif event[0] == "priest" and event[2] is not None:
                told[event[1], 2] += 1
            elif event[0] == "cards":
                for seat, numbers in enumerate(event[3]):
                    plays[seat, list(numbers)] += 1
    for place, counter in enumerate(("eggs", "gifts", "discards")):
        assert result.total(counter).tolist() == told[:, place].tolist()
    for number in range(1, 11):
        assert result.total(f"plays_{number}").tolist() == plays[:, number].tolist()
    brought = sum(result.total(f"points_{number}") for number in range(1, 11))
    own = brought.sum() + sum(_given(game, made, index) for index in range(count))
    assert own == result.total("score").sum()


def _given(game: Game, line_up: Any, index: int) -> int:
    """Return the value of all eggs given away in a playthrough: no card is said to bring it."""
    joints, _ = joint_actions(game, line_up, 4, index)
    state, given = game.new_initial_state(seed=4, index=index), 0
    for joint in joints:
        before = state.clone()
        state.apply_actions(joint)
        for event in state.history()[len(before.history()) :]:
            if event[0] == "gift" and event[2] is not None:
                given += before.eggs()[event[3]]
    return given
