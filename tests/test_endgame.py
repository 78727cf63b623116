"""The last rounds from one position: against all histories, the exact solver, and by hand."""

from typing import Any

import numpy as np
import pytest

import ostrich
from agents import make_agent
from agents.endgame import EXACT, Endgame
from agents.solvers.ostrich_endgame import MOST_LEFT, solve_endgame
from agents.solvers.ostrich_exact import solve_exactly
from ostrich import rules
from simulator import simulate
from simulator.inputs import UsageError
from tests.lookahead_states import decisions_at
from tests.naive.ostrich_solving import game_of, two_player_value
from tests.sizes import size
from tests.solved_variants import SMALL, TINY

PUBLISHED = ostrich.Rules()


def word(bags: tuple[int | None, ...], lying: int = 7, ambers: int = 0) -> int:
    """Return a packed position from eggs (None: broken), the action that lies out, and ambers."""
    packed = lying << rules.LYING_OUT | ambers << rules.AMBERS
    for bag, eggs in enumerate(bags):
        if eggs is not None:
            packed |= eggs << (4 * bag) | 1 << (rules.WHOLE + bag)
    return packed


def seen_but(variant: Any, *unseen: int) -> int:
    """Return the bits of all cards but some, by value."""
    left, mask = list(unseen), 0
    for number, card in enumerate(variant.deck):
        if card in left:
            left.remove(card)
        else:
            mask |= 1 << number
    return mask


def first_turns(variant: Any) -> Any:
    """Yield (chance, card, bit) of the first card."""
    for number, card in enumerate(variant.deck):
        yield 1 / len(variant.deck), card, 1 << number


def root_values(variant: Any) -> Any:
    """Return what a whole small game is worth, by its endgames."""
    start = np.full(variant.players, variant.facts()[rules.START], np.uint32)
    return sum(
        chance * solve_endgame(variant, 0, start, card, bit).values
        for chance, card, bit in first_turns(variant)
    )


@pytest.mark.parametrize("name", [n for n, v in TINY.items() if v.players == 2])
def test_two_players_get_what_all_histories_say(name: str) -> None:
    """Constant-sum: the values are unique; found by brute force over a naive game and linprog."""
    variant = TINY[name]
    first = two_player_value(game_of(variant), "win_share")
    np.testing.assert_allclose(root_values(variant), [first, 1 - first], atol=1e-9)


@pytest.mark.parametrize("name", ["three bags", "worthless ambers"])
@pytest.mark.compiled_only
def test_whole_games_are_worth_what_the_exact_solver_says(name: str) -> None:
    """Both choose among equilibria alike, state by state."""
    variant = SMALL[name]
    solution = solve_exactly(ostrich.Game(variant))
    np.testing.assert_allclose(root_values(variant), solution.root_values, atol=1e-12)


@pytest.mark.parametrize("left", [1, 2, 3])
@pytest.mark.compiled_only
def test_nobody_gains_by_another_claim(left: int) -> None:
    positions, card, seen = decisions_at(PUBLISHED.rounds - left, {1: 60, 2: 30, 3: 2}[left])
    for number in range(len(card)):
        words = positions[:, number]
        found = solve_endgame(
            PUBLISHED, PUBLISHED.rounds - left, words, int(card[number]), int(seen[number])
        )
        for player in range(3):
            claims = found.claim_values[player]
            if not np.isnan(claims).all():
                assert found.policies[player].sum() == pytest.approx(1)
                assert np.isnan(claims[found.policies[player] > 0]).sum() == 0
                assert np.nanmax(claims) - found.values[player] < 1e-9
        assert found.values.sum() == pytest.approx(1)
        seats = [1, 2, 0]
        moved = solve_endgame(
            PUBLISHED, PUBLISHED.rounds - left, words[seats], int(card[number]), int(seen[number])
        )
        np.testing.assert_allclose(moved.values, found.values[seats], atol=1e-12)


def test_claims_of_a_last_round_by_hand() -> None:
    """Ten eggs lie open. The first leads, but must claim: its skip lies out.

    Alone it gets all ten, its 7 bag breaks, and it is out; so the others skip and share the win. If
    one of them claims, its own full bag breaks, and the first fills its 7 with a share of five.
    """
    leader = word((None, None, None, 2), lying=4, ambers=1)
    other = word((None, 3, None, None))
    positions = np.array([leader, other, other], np.uint32)
    seen = seen_but(PUBLISHED, 0, 9)
    found = solve_endgame(PUBLISHED, PUBLISHED.rounds - 1, positions, 10, seen)
    assert found.policies[0].tolist() == [0, 0, 0, 1, 0]
    assert found.policies[1].tolist() == found.policies[2].tolist() == [0, 0, 0, 0, 1]
    np.testing.assert_allclose(found.values, [0, 0.5, 0.5], atol=1e-12)
    assert found.claim_values[1, 1] == 0.0
    assert np.isnan(found.claim_values[0][[0, 1, 2, 4]]).all()


def test_more_rounds_than_can_be_solved_are_refused() -> None:
    start = np.full(3, PUBLISHED.facts()[rules.START], np.uint32)
    with pytest.raises(UsageError, match=f"10 rounds are left; positions with 1 to {MOST_LEFT}"):
        solve_endgame(PUBLISHED, 0, start, 4, 1 << 3)


def test_the_agent_plays_the_last_rounds_by_it_and_others_as_the_one_before() -> None:
    game = ostrich.Game(SMALL["three bags"])
    greedy: Any = make_agent("greedy", game)
    agent = make_agent(Endgame(greedy), game)
    state = game.new_initial_state(seed=3, index=1)
    while not state.is_terminal():
        for player in range(3):
            observation = state.observation(player)
            positions, card, seen = observation.columns()
            policy = agent.policy(observation)
            if game.rules.rounds - state.round <= EXACT:
                words = np.array(positions, np.uint32)
                found = solve_endgame(game.rules, state.round, words, card, seen)
                np.testing.assert_array_equal(policy, found.policies[player])
            else:
                np.testing.assert_array_equal(policy, greedy.policy(observation))
        state.apply_actions([state.legal_actions(player)[0] for player in range(3)])
    result = simulate(game, [agent, "greedy", "greedy"], size(300, 3), 1)
    assert result.win_share(0).mean > 0.3
