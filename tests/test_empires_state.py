"""States as objects: copies of all kinds go their own ways, and whole numbers are whole numbers."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from empires import Game, State
from empires.position import IN_PLACE
from tests.empires_table import play_on
from tests.empires_variants import EMPIRES_VARIANTS
from tests.sizes import size

COPIES: dict[str, Callable[[State], State]] = {
    "cloned": State.clone,
    "deeply copied": copy.deepcopy,
    "pickled": lambda state: pickle.loads(pickle.dumps(state)),  # noqa: S301
}


def everything(state: State) -> Any:
    """Return all that a state can be asked."""
    seats = range(state.rules.players)
    told = [state.information_state_string(seat) for seat in seats]
    draws = state.chance_outcomes() if state.is_chance_node() else None
    return str(state), told, state.history(), state.scores(), draws, state.orders


def step(state: State, rng: random.Random, whole: Callable[[int], Any] = int) -> None:
    """Go one step on, by chance."""
    if state.is_chance_node():
        state.apply_action(whole(rng.choice(state.chance_outcomes())[0]))
        return
    legal = [state.legal_actions(seat) for seat in range(state.rules.players)]
    state.apply_actions([whole(rng.choice(actions)) if actions else None for actions in legal])


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("seed", [None, 1], ids=["open", "dealt"])
def test_copies_go_their_own_ways(how: str, seed: int | None) -> None:
    rng = random.Random(1)
    for variant in EMPIRES_VARIANTS.values():
        state = Game(variant).new_initial_state(seed=seed)
        while not state.is_terminal():
            if rng.random() < size(0.1, 0.02):
                before, other = everything(state), COPIES[how](state)
                assert everything(other) == before
                for _ in range(8):
                    if not other.is_terminal():
                        step(other, rng)
                assert everything(state) == before
            step(state, rng)


def test_all_that_changes_in_place_is_copied() -> None:
    position = play_on(Game().new_initial_state(seed=1))._position
    kinds = {name for name, value in vars(position).items() if isinstance(value, (list, dict, set))}
    assert kinds == set(IN_PLACE)


@pytest.mark.parametrize("seed", [None, 1], ids=["open", "dealt"])
def test_numpy_s_whole_numbers_leave_no_trace(seed: int | None) -> None:
    one, other = (Game().new_initial_state(seed=seed) for _ in range(2))
    rngs = random.Random(2), random.Random(2)
    while not one.is_terminal():
        step(one, rngs[0])
        step(other, rngs[1], np.int64)
    assert everything(one) == everything(other)
    assert repr(one.history()) == repr(other.history())
