"""What holds in every playthrough: no egg goes missing, no seat is favoured, all is in bounds."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrich
from ostrich import AMBER, Rules, State
from tests.lively import LUCK, RULES
from tests.ostrich_lanes import rounds_of_block
from tests.ostrich_rounds import Rounds
from tests.sizes import size
from tests.variants import VARIANTS

SOME = ["published", "two players", "four players", "out players can win"]
SEEDS = st.integers(0, 2**64 - 1)


def joint_action(state: State, luck: Any) -> list[int | None]:
    """Return a random legal joint action."""
    hands = [state.legal_actions(seat) for seat in range(len(state.scores()))]
    return [luck.choice(hand) if hand else None for hand in hands]


def all_bags(state: State) -> list[tuple[int | None, ...]]:
    """Return every player's bags."""
    return [state.observation(0).bags(seat) for seat in range(len(state.scores()))]


@settings(max_examples=size(200, 10))
@given(RULES, SEEDS, LUCK)
def test_every_egg_is_in_a_bag_or_crushed_or_in_bank(rules: Rules, seed: int, luck: Any) -> None:
    """Eggs on the cards = eggs in bags + eggs crushed + what stayed in the bank."""
    state = ostrich.Game(rules).new_initial_state(seed=seed)
    on_cards = crushed = in_bank = 0
    while not state.is_terminal():
        card, joint, before = state.card, joint_action(state, luck), all_bags(state)
        assert card is not None
        state.apply_actions(joint)
        claims = [(seat, a) for seat, a in enumerate(joint) if a is not None and a < rules.skip]
        share = card // len(claims) if claims else 0
        on_cards += card
        in_bank += card - share * len(claims)
        for seat, bag in claims:
            if all_bags(state)[seat][bag] is None:
                held = before[seat][bag]
                assert held is not None
                assert held + share > rules.bags[bag]
                crushed += held + share
        in_bags = sum(eggs or 0 for player in all_bags(state) for eggs in player)
        assert on_cards == in_bags + crushed + in_bank


@settings(max_examples=size(200, 10))
@given(RULES, SEEDS, LUCK)
def test_one_claim_changes_one_bag_and_ambers_are_handed_out_once(
    rules: Rules, seed: int, luck: Any
) -> None:
    state = ostrich.Game(rules).new_initial_state(seed=seed)
    turned_up = 0
    while not state.is_terminal():
        turned_up += state.card == AMBER
        joint, before = joint_action(state, luck), all_bags(state)
        state.apply_actions(joint)
        for seat, (old, new) in enumerate(zip(before, all_bags(state), strict=True)):
            changed = [bag for bag in range(len(old)) if old[bag] != new[bag]]
            assert changed in ([], [joint[seat]])
        held = sum(state.observation(0).ambers(seat) for seat in range(rules.players))
        assert held <= turned_up


@settings(max_examples=size(200, 10))
@given(RULES, SEEDS, LUCK)
def test_scores_returns_and_length_are_in_bounds(rules: Rules, seed: int, luck: Any) -> None:
    game = ostrich.Game(rules)
    state = game.new_initial_state(seed=seed)
    most = sum(rules.bags) + rules.amber_value * rules.deck.count(AMBER)
    assert game.max_score == most
    while not state.is_terminal():
        assert state.round < game.max_game_length == rules.rounds
        assert state.returns() == [0.0] * rules.players
        assert all(0 <= score <= most for score in state.scores())
        for bags in all_bags(state):
            pairs = zip(bags, rules.bags, strict=True)
            assert all(eggs is None or 0 <= eggs <= holds for eggs, holds in pairs)
        state.apply_actions(joint_action(state, luck))
    returns = state.returns()
    assert sum(returns) == pytest.approx(game.utility_sum, abs=1e-12)
    assert min(returns) >= game.min_utility
    assert max(returns) <= game.max_utility
    winners = [share for share in returns if share > 0]
    assert winners == [1 / len(winners)] * len(winners)
    assert all(0 <= score <= most for score in state.scores())


@settings(max_examples=size(100, 5))
@given(RULES, SEEDS, LUCK)
def test_permuted_seats_permute_results_of_a_state(rules: Rules, seed: int, luck: Any) -> None:
    game, seats = ostrich.Game(rules), list(range(rules.players))
    order = luck.sample(seats, len(seats))  # seat i of the other table does what seat order[i] does
    one, other = game.new_initial_state(seed=seed), game.new_initial_state(seed=seed)
    while not one.is_terminal():
        joint = joint_action(one, luck)
        assert [other.legal_actions(i) for i in seats] == [one.legal_actions(s) for s in order]
        one.apply_actions(joint)
        other.apply_actions([joint[seat] for seat in order])
        assert all_bags(other) == [all_bags(one)[seat] for seat in order]
        assert other.scores() == [one.scores()[seat] for seat in order]
    assert other.is_terminal()
    assert other.returns() == [one.returns()[seat] for seat in order]


@pytest.mark.parametrize("name", SOME)
def test_permuted_seats_permute_results_of_a_block(name: str) -> None:
    game, lanes = ostrich.Game(VARIANTS[name]), size(500, 4)
    played = list(rounds_of_block(game, 3, 0, lanes, np.random.default_rng(3)))
    for order in permutations(range(game.num_players)):
        block = Rounds(game, 3, 0, lanes)
        for turn, done in enumerate(played):
            block.open(turn)
            actions = np.array(done.actions)
            for seat, other in enumerate(order):
                block.put(seat, np.ascontiguousarray(actions[:, other]))
            assert block.close(turn) is None
        scores, twelfths = block.settled()
        assert scores.tolist() == np.array(played[-1].scores)[:, order].tolist()
        assert twelfths.tolist() == np.array(played[-1].twelfths)[:, order].tolist()
