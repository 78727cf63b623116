"""R-E19: what a seat sees depends on nothing that it cannot know, in all three ways of seeing it.

A position is re-dealt: everything hidden from one seat is drawn anew (`Game.resample`). The seat
must see the same, and every agent do the same.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents import agent_names, make_agent
from empires import KINDS, Game, State
from empires.compact import CompactObservation
from tests.empires_variants import EMPIRES_VARIANTS
from tests.sizes import size

SOME = ["three players", "two players", "six players", "con pub", "few cards"]


def positions(game: Game, seed: int, count: int) -> Iterator[tuple[State, int, Any]]:
    """Yield some positions of random playthroughs, with a seat that decides there."""
    rng = np.random.default_rng(seed)
    while count:
        state = game.new_initial_state(seed=seed, index=int(rng.integers(10**6)))
        while not state.is_terminal() and count:
            joint: list[int | None] = [None] * game.num_players
            for seat in state.deciders():
                legal = state.legal_actions(seat)
                joint[seat] = int(rng.choice(legal))
                if rng.random() < 0.2 and count:
                    count -= 1
                    yield state, seat, rng
            state.apply_actions(joint)


def hidden(state: State, seat: int) -> Any:
    """Return what the seat cannot know."""
    others = [hand for other, hand in enumerate(state._position.hands) if other != seat]
    return others, state._position.piles, state.orders


@pytest.mark.parametrize("name", SOME)
def test_a_re_dealt_position_looks_the_same_to_the_seat(name: str) -> None:
    game, phases, changed = Game(EMPIRES_VARIANTS[name]), set(), 0
    for state, seat, rng in positions(game, 3, size(150, 15)):
        other = game.resample(state.observation(seat), rng)
        assert other.observation(seat) == state.observation(seat)
        assert (other.phase, other.deciders()) == (state.phase, state.deciders())
        phases.add(state.phase)
        changed += hidden(other, seat) != hidden(state, seat)
    assert len(phases) >= size(len(KINDS), 1)
    assert changed > size(120, 10)


@pytest.mark.parametrize("agent_name", agent_names("empires"))
def test_agents_do_the_same_in_positions_that_look_the_same(agent_name: str) -> None:
    game = Game()
    agent = make_agent(agent_name, game)
    for state, seat, rng in positions(game, 4, size(50, 10)):
        other = game.resample(state.observation(seat), rng)
        policies = [agent.policy(one.observation(seat)) for one in (state, other)]
        assert policies[0].tobytes() == policies[1].tobytes()


def test_a_position_that_differs_in_what_the_seat_knows_looks_different() -> None:
    """The tests above could not fail if observations were all alike."""
    game = Game()
    seen = {state.observation(seat) for state, seat, _ in positions(game, 5, size(100, 20))}
    assert len(seen) > size(90, 15)


def test_the_compact_observation_has_nothing_hidden() -> None:
    own = {"options", "hand", "first", "acting", "player"}
    table = {"offered", "face_up", "left", "holder", "played", "table"}
    standing = {"totals", "points", "tokens", "eggs"}
    rules = {"players", "decks", "round", "turn", "rounds", "turns"}
    assert set(CompactObservation._fields) == own | table | standing | rules
