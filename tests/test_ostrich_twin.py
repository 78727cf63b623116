"""The naive twin, written from the rule text by itself, agrees with State and block everywhere."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

import ostrich
from ostrich import Rules, State
from tests.lively import RULES
from tests.naive.ostrich import SKIP, Ostrich
from tests.ostrich_lanes import (
    Round,
    assert_twin_agrees,
    compare_playthroughs,
    rounds_of_block,
    twin_of,
)
from tests.sizes import size
from tests.variants import VARIANTS


def test_twin_agrees_with_the_block_over_many_playthroughs() -> None:
    playthroughs = size(12_000, 40)  # 100,000 by tests/full/twin_100k.py
    assert compare_playthroughs(Rules(), playthroughs, seed=100_000) == 10 * playthroughs


@pytest.mark.parametrize("name", VARIANTS)
def test_twin_agrees_with_the_block_in_variants(name: str) -> None:
    playthroughs = size(300, 3)
    assert compare_playthroughs(VARIANTS[name], playthroughs, seed=7) >= playthroughs


def assert_same_position(twin: Ostrich, state: State) -> None:
    """Compare all that the twin knows of a position with what State says."""
    seats = range(twin.players)
    called = [*twin.sizes, SKIP]
    assert state.is_terminal() is twin.is_over()
    assert state.scores() == [twin.score(seat) for seat in seats]
    for seat in seats:
        seen = state.observation(seat)
        assert seen.bags() == tuple(twin.bags_of(seat).values())
        assert seen.ambers() == twin.ambers_of(seat)
        lies = twin.lying_out[seat]
        assert seen.lying_out() == (None if lies is None else called.index(lies))
        legal = [called.index(chosen) for chosen in twin.legal(seat)]
        assert state.legal_actions(seat) == seen.legal_actions == legal
    assert state.observation(0).unseen() == Counter(twin.unseen())
    if twin.is_over():
        assert state.returns() == [float(share) for share in twin.shares()]
    else:
        assert state.returns() == [0.0] * twin.players


def assert_same_draws(twin: Ostrich, state: State) -> None:
    """Compare the chance of every next card."""
    chances = {card: float(chance) for card, chance in twin.draws().items()}
    if chances:
        assert dict(state.chance_outcomes()) == chances
    assert state.is_chance_node() is bool(chances)


def assert_state_agrees(game: ostrich.Game, seed: int, played: list[Round], lane: int) -> int:
    """Replay a lane in the twin and in two States, one dealt and one drawn card by card.

    Returns how many players are out at the end.
    """
    dealt = game.new_initial_state(seed=seed, index=lane)
    drawn, twin = game.new_initial_state(), twin_of(game.rules)
    called = [*twin.sizes, SKIP]
    for done in played:
        if twin.is_over():
            break
        assert_same_draws(twin, drawn)
        card = done.cards[lane]
        assert dealt.card == card
        drawn.apply_action(card)
        twin.reveal(card)
        assert_same_position(twin, dealt)
        assert_same_position(twin, drawn)
        joint = [None if action < 0 else action for action in done.actions[lane]]
        dealt.apply_actions(joint)
        drawn.apply_actions(joint)
        twin.claim([None if action is None else called[action] for action in joint])
        assert dealt.round == drawn.round == twin.rounds_played
    assert_same_position(twin, dealt)
    assert_same_position(twin, drawn)
    assert_same_draws(twin, drawn)
    return sum(map(twin.is_out, range(twin.players)))


@settings(max_examples=size(250, 12))
@given(RULES, st.integers(0, 2**63 - 1))
@example(VARIANTS["out players can win"], 3)
@example(Rules(bags=(1,), deck=(0, 9, 9, 9), removed=0, rounds=4), 3)
@example(Rules(bags=(1, 2), deck=(0, 1, 2, 2, 3), removed=1, rounds=4), 3)
def test_twin_state_and_block_agree_under_any_rules(rules: Rules, seed: int) -> None:
    game, rng, lanes = ostrich.Game(rules), np.random.default_rng(seed), 3
    played = list(rounds_of_block(game, seed, 0, lanes, rng))
    for lane in range(lanes):
        assert_twin_agrees(rules, played, lane)
        event(f"players out: {assert_state_agrees(game, seed, played, lane)}")


def test_twin_and_state_agree_in_the_published_game() -> None:
    game, rng, lanes = ostrich.Game(), np.random.default_rng(9), size(100, 5)
    played = list(rounds_of_block(game, 9, 0, lanes, rng))
    for lane in range(lanes):
        assert_state_agrees(game, 9, played, lane)
