"""Nothing hidden can be told from an observation: positions that look alike are treated alike."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrich
from agents import make_agent
from ostrich import CompactObservation, Rules, State
from ostrich.block import ACTIONS, KEYS
from simulator.agents import CompiledAgent
from simulator.registry import listed_agents
from tests.lively import LUCK, RULES
from tests.ostrich_lanes import random_actions
from tests.ostrich_rounds import Rounds
from tests.sizes import size
from tests.variants import VARIANTS

SOME = ["published", "two players", "four players", "out players can win"]


def lookalikes(rules: Rules, rounds: int, luck: Any) -> tuple[State, State]:
    """Return two positions after the same cards and claims, with other cards still to come."""
    cards = luck.sample(list(rules.deck), len(rules.deck))
    known = cards[: rounds + 1]
    to_come = luck.sample(cards[rounds + 1 :], len(cards) - rounds - 1)
    game = ostrich.Game(rules)
    one = game.new_initial_state(deck=cards)
    other = game.new_initial_state(deck=[*known, *to_come])
    for _ in range(rounds):
        if one.is_terminal():
            break
        hands = [one.legal_actions(seat) for seat in range(rules.players)]
        joint = [luck.choice(hand) if hand else None for hand in hands]
        one.apply_actions(joint)
        other.apply_actions(joint)
    return one, other


FAST = [agent.name for agent in listed_agents("ostrich") if agent.fast]


@settings(max_examples=size(200, 10))
@given(RULES, st.integers(0, 31), LUCK)
def test_lookalikes_have_equal_observations(rules: Rules, rounds: int, luck: Any) -> None:
    one, other = lookalikes(rules, rounds % rules.rounds, luck)
    assert str(one) == str(other)
    for seat in range(rules.players):
        mine, theirs = one.observation(seat), other.observation(seat)
        assert mine == theirs
        assert hash(mine) == hash(theirs)
        assert repr(mine) == repr(theirs)
        assert mine.__reduce__() == theirs.__reduce__()
        assert one.information_state_string(seat) == other.information_state_string(seat)


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("agent_name", FAST)
def test_lookalikes_get_equal_policies(agent_name: str, name: str) -> None:
    rules = VARIANTS[name]
    agent, rng = make_agent(agent_name, ostrich.Game(rules)), np.random.default_rng(4)
    compared = 0
    for number in range(size(60, 4)):
        luck = random.Random(number)
        one, other = lookalikes(rules, int(rng.integers(rules.rounds)), luck)
        for seat in range(rules.players):
            if one.legal_actions(seat):
                policies = [agent.policy(state.observation(seat)) for state in (one, other)]
                assert policies[0].tobytes() == policies[1].tobytes()
                compared += 1
    assert compared > 0


def test_the_compact_observation_has_nothing_hidden() -> None:
    public = {"position", "left", "across", "right", "legal", "card", "seen", "round", "player"}
    rules = {"players", "skip", "capacities", "rounds", "amber_value"}
    assert set(CompactObservation._fields) == public | rules  # no seed, no index, no deck to come


def test_the_view_of_a_block_holds_nothing_hidden() -> None:
    game = ostrich.Game()
    block = Rounds(game, 5, 100, 3)
    block.open(0)
    view = block.view(0, 1)
    named = {name: value for name, value in vars(view).items() if not isinstance(value, np.ndarray)}
    assert named == {"rules": game.rules, "player": 1, "round": 0, "lanes": 3}
    arrays = {name: value for name, value in vars(view).items() if isinstance(value, np.ndarray)}
    assert {name: value.shape for name, value in arrays.items()} == {
        "card": (3,),
        "_positions": (3, 3),
        "_seen": (3,),
    }
    assert all(array.base is None for array in arrays.values())  # no way back to the block
    seen = {int(bits).bit_count() for bits in arrays["_seen"]}
    assert seen == {1}


@pytest.mark.parametrize("name", FAST)
def test_agents_that_draw_nothing_play_alike_under_any_seed_and_index(name: str) -> None:
    """Same public rows of a block, another seed and other indices: the same actions."""
    game, lanes = ostrich.Game(), size(2_000, 20)
    agent = make_agent(name, game)
    if not isinstance(agent, CompiledAgent) or agent.draws:
        pytest.skip("its actions depend on what it draws")
    rng, chosen = np.random.default_rng(11), []
    block = Rounds(game, 11, 0, lanes)
    for turn in range(game.rules.rounds):
        block.open(turn)
        told = []
        for seed, first in ((11, 0), (12, 0), (11, 10**9)):
            rows = block._block.copy()
            rows[KEYS:] = rows[KEYS:, :: 1 if not told else -1]  # nor do the lanes' decks matter
            agent.over_lanes(0)(rows, game.facts, agent.parameters, seed, first, turn, 1, lanes)
            told.append(rows[ACTIONS + 1].tolist())
        assert told[0] == told[1] == told[2]
        chosen += told[0]
        for seat in range(3):
            block.put(seat, random_actions(block.view(turn, seat), rng))
        assert block.close(turn) is None
    assert len(set(chosen)) > 3
