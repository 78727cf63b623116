"""Nothing hidden can be told from an observation: positions that look alike are treated alike."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrich
from agents import agent_names, make_agent
from ostrich import CompactObservation, Rules, State
from ostrich.block import ACTIONS
from ostrich.view import BlockView
from tests.sizes import size
from tests.variants import VARIANTS, any_rules

LUCK = st.randoms(use_true_random=False)


def lookalikes(rules: Rules, rounds: int, luck: Any) -> tuple[State, State]:
    """Return two positions after the same cards and claims, with other cards still to come."""
    cards = luck.sample(list(rules.deck), len(rules.deck))
    known = cards[: rounds + 1]
    to_come = luck.sample(cards[rounds + 1 :], len(cards) - rounds - 1)
    one, other = (ostrich.Game(rules).new_initial_state(deck=[*known, *rest]) for rest in (cards[rounds + 1 :], to_come))
    for _ in range(rounds):
        if one.is_terminal():
            break
        hands = [one.legal_actions(seat) for seat in range(rules.players)]
        joint = [luck.choice(hand) if hand else None for hand in hands]
        one.apply_actions(joint)
        other.apply_actions(joint)
    return one, other


@settings(max_examples=size(200, 10))
@given(any_rules(), st.integers(0, 31), LUCK)
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


@pytest.mark.parametrize("name", ["published", "two players", "four players", "out players can win"])
@pytest.mark.parametrize("agent_name", agent_names("ostrich"))
def test_lookalikes_get_equal_policies(agent_name: str, name: str) -> None:
    rules = VARIANTS[name]
    agent, rng = make_agent(agent_name, ostrich.Game(rules)), np.random.default_rng(4)
    import random

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
