"""The last rounds played exactly: naive recursions, the exact solver, and cases done by hand."""

import copy
import pickle
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import ostrich
from agents import make_agent
from agents.endgame import Endgame, endgame
from agents.greedy import ostrich_greedy
from agents.solvers import ostrich_endgame
from agents.solvers.ostrich_endgame import EndgameSolution, solve_endgame, solve_endgames
from agents.solvers.ostrich_exact import solve_exactly
from agents.solvers.ostrich_layers import CARD, SEEN_AFTER, shape_of
from agents.solvers.stage_games import solve_stage_game
from ostrich import Rules
from simulator import simulate
from simulator.inputs import UsageError
from tests.naive.ostrich_solving import matrix_value
from tests.sizes import size
from tests.solved_variants import SMALL, TINY

TWO_PLAYERS = {
    **{name: rules for name, rules in TINY.items() if rules.players == 2},
    "two players, four rounds": SMALL["two players, four rounds"],
}
LAST_THREE = {**TINY, **{name: rules for name, rules in SMALL.items() if rules.rounds == 3}}


def solved_at(state: Any) -> EndgameSolution:
    """Return the solution at a state in which players are to claim."""
    return solve_endgame(state.rules, state.round, *state.observation(0).columns())


def claims_of(state: Any) -> list[Any]:
    """Return each player's legal actions, [None] of one who is out."""
    return [state.legal_actions(player) or [None] for player in range(state.rules.players)]


def after(state: Any, actions: Any) -> Any:
    """Return the state that follows on a joint action."""
    then = state.clone()
    then.apply_actions(list(actions))
    return then


def shown(state: Any, card: int) -> Any:
    """Return the state that follows when a card is turned up."""
    then = state.clone()
    then.apply_action(card)
    return then


def decision(rules: Rules, left: int, seed: int) -> Any:
    """Return a state with so many rounds left, some seats having played greedily, some at random.

    Its draws to come are open.
    """
    game, rng = ostrich.Game(rules), np.random.default_rng(seed)
    greedy = make_agent("greedy", game)
    while True:
        state, is_greedy = game.new_initial_state(), rng.random(rules.players) < 0.5
        while not state.is_terminal():
            cards, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(cards, p=chances)))
            if rules.rounds - state.round == left:
                return state
            actions: list[int | None] = []
            for player in range(rules.players):
                legal = state.legal_actions(player)
                if legal and is_greedy[player]:
                    actions.append(int(greedy.policy(state.observation(player)).argmax()))
                else:
                    actions.append(int(rng.choice(legal)) if legal else None)
            state.apply_actions(actions)


# --- Naive recursions over states, nothing merged ------------------------------------------------


def two_player_value(state: Any) -> float:
    """Return what the first of two players gets, by linear programming all the way."""
    if state.is_terminal():
        return float(state.returns()[0])
    if state.is_chance_node():
        draws = state.chance_outcomes()
        return sum(chance * two_player_value(shown(state, card)) for card, chance in draws)
    rows, columns = claims_of(state)
    matrix = [[two_player_value(after(state, (row, column))) for column in columns] for row in rows]
    return float(matrix_value(np.array(matrix)))


def naive_values(state: Any) -> npt.NDArray[np.float64]:
    """Return what the players get when each stage game is played as `solve_stage_game` says."""
    if state.is_terminal():
        return np.array(state.returns())
    if state.is_chance_node():
        draws = state.chance_outcomes()
        return np.sum([chance * naive_values(shown(state, card)) for card, chance in draws], axis=0)
    words = state.observation(0).columns()[0]
    order = sorted(range(len(words)), key=lambda player: words[player])
    claims = claims_of(state)
    payoffs = np.zeros((len(words), *(len(claims[player]) for player in order)))
    for place in np.ndindex(*payoffs.shape[1:]):
        actions = [None] * len(words)
        for player, number in zip(order, place, strict=True):
            actions[player] = claims[player][number]
        payoffs[(slice(None), *place)] = naive_values(after(state, actions))[order]
    classes = [words.index(words[player]) for player in order]
    values = np.zeros(len(words))
    values[order] = solve_stage_game(payoffs, classes).values
    return values


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_values_for_two_players_are_those_of_linear_programming(name: str) -> None:
    rules = TWO_PLAYERS[name]
    for left in range(1, min(rules.rounds, 2 if rules.rounds == 4 else 3) + 1):
        for seed in range(6):
            state = decision(rules, left, seed)
            solution = solved_at(state)
            assert solution.values[0] == pytest.approx(two_player_value(state), abs=1e-9)
            assert solution.values.sum() == pytest.approx(1, abs=1e-12)


#: Name, rounds left and seed of a decision at which players mix, and not alike.
MIXING = ("three bags", 2, 0)
NAIVE = [(name, left) for name, rules in TINY.items() for left in range(1, rules.rounds + 1)]


@pytest.mark.parametrize(("name", "left"), [*NAIVE, ("two bags", 2), MIXING[:2]])
def test_values_and_claim_values_are_those_of_a_recursion_over_states(name: str, left: int) -> None:
    rules = {**TINY, **SMALL}[name]
    for seed in range(size(3, 1)):
        state = decision(rules, left, seed)
        solution, claims = solved_at(state), claims_of(state)
        np.testing.assert_allclose(solution.values, naive_values(state), atol=1e-12)
        expected = np.zeros_like(solution.policies)
        for joint in product(*claims):
            gets = naive_values(after(state, joint))
            chances = [
                1.0 if action is None else solution.policies[player, action]
                for player, action in enumerate(joint)
            ]
            for player, action in enumerate(joint):
                if action is not None:
                    others = np.prod(chances[:player] + chances[player + 1 :])
                    expected[player, action] += others * gets[player]
        for player, legal in enumerate(claims):
            expected[player, [a for a in range(rules.num_actions) if a not in legal]] = np.nan
        np.testing.assert_allclose(solution.claim_values, expected, atol=1e-12)


def test_players_who_mix_differently_come_up() -> None:
    """So that what is tested here is not tested on pure or symmetric equilibria alone."""
    name, left, seed = MIXING
    policies = solved_at(decision(SMALL[name], left, seed)).policies
    mixing = {tuple(policy) for policy in policies if 0 < policy.max() < 1}
    assert len(mixing) > 1


# --- The exact solver ----------------------------------------------------------------------------


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", LAST_THREE)
def test_all_states_of_small_variants_have_the_values_of_the_exact_solver(name: str) -> None:
    rules = LAST_THREE[name]
    solution = solve_exactly(ostrich.Game(rules))
    shape = shape_of(solution.positions)
    for solved in solution.rounds:
        draws, sets = solved.layer.draws, solved.layer.sets(shape)
        words = solution.positions.words[solved.layer.numbers(shape)]
        values = np.zeros_like(solved.values)
        for draw in range(draws.table.shape[1]):
            some = (draws.table[sets, draw, CARD] >= 0).nonzero()[0]
            card = draws.table[sets[some], draw, CARD]
            seen = draws.masks_after[draws.table[sets[some], draw, SEEN_AFTER]]
            found = solve_endgames(rules, solved.layer.round, words[:, some], card, seen)
            values[some] += draws.chances[sets[some], draw, None] * found.values
        np.testing.assert_allclose(values, solved.values, atol=1e-12)


def test_a_variant_in_which_all_are_out_before_the_last_round() -> None:
    rules = Rules(players=2, bags=(1,), deck=(5, 5, 5), removed=0, rounds=3)
    solution = solve_exactly(ostrich.Game(rules))
    assert [len(one.layer.keys) for one in solution.rounds] == [1, 2, 0]
    state = ostrich.Game(rules).new_initial_state(deck=(5, 5, 5))
    assert solved_at(state).values.tolist() == solution.root_values.tolist() == [0.5, 0.5]


# --- By hand -------------------------------------------------------------------------------------


def test_an_amber_in_the_only_round_is_skipped_for() -> None:
    """Who skips alone wins; if both do, or both claim, they tie."""
    rules = Rules(players=2, bags=(2, 3), deck=(0, 4), removed=1, rounds=1)
    solution = solved_at(ostrich.Game(rules).new_initial_state(deck=(0,)))
    assert solution.policies.tolist() == [[0, 0, 1], [0, 0, 1]]
    assert solution.values.tolist() == [0.5, 0.5]
    assert solution.claim_values.tolist() == [[0, 0, 0.5], [0, 0, 0.5]]
    assert (solution.stage_games, solution.resisted, solution.gain_bound) == (1, 0, 0)


def test_four_eggs_for_two_in_the_only_round() -> None:
    """Both claim for the bag of 2, which is full then; a bag of 3 with 2 eggs scores less.

    Whoever claims alone breaks a bag, so against one who skips all claims tie.
    """
    rules = Rules(players=2, bags=(2, 3), deck=(0, 4), removed=1, rounds=1)
    solution = solved_at(ostrich.Game(rules).new_initial_state(deck=(4,)))
    assert solution.policies.tolist() == [[1, 0, 0], [1, 0, 0]]
    assert solution.claim_values.tolist() == [[0.5, 0, 0.5], [0.5, 0, 0.5]]


def test_who_leads_skips_for_the_amber_in_the_last_round() -> None:
    """Scores are 2, 1 and 0; the third skipped, so it may not now. By skipping the first wins."""
    rules = Rules(players=3, bags=(2, 3), deck=(0, 4, 5), removed=0, rounds=2)
    state = ostrich.Game(rules).new_initial_state(deck=(4, 0, 5))
    state.apply_actions([0, 1, 2])
    solution = solved_at(state)
    assert solution.values.tolist() == [1, 0, 0]
    assert solution.policies[0].tolist() == [0, 0, 1]
    second_claims, nan = solution.policies[1, 0], np.nan
    np.testing.assert_array_equal(
        solution.claim_values, [[nan, second_claims, 1], [0, nan, 0], [0, 0, nan]]
    )


# --- The published game --------------------------------------------------------------------------

PUBLISHED = [(left, seed) for left, seeds in ((1, 12), (2, 23), (3, 5)) for seed in range(seeds)]


@pytest.mark.compiled_only
@pytest.mark.parametrize(("left", "seed"), PUBLISHED)
def test_nobody_gains_by_another_claim(left: int, seed: int) -> None:
    state = decision(Rules(), left, seed)
    solution = solved_at(state)
    assert solution.resisted == 0
    assert 0 <= solution.gain_bound < 1e-9
    assert solution.values.sum() == pytest.approx(1, abs=1e-12)
    for player, legal in enumerate(claims_of(state)):
        policy, claim_values = solution.policies[player], solution.claim_values[player]
        if legal == [None]:
            assert policy.tolist() == [0] * 5
            assert np.isnan(claim_values).all()
            continue
        assert np.flatnonzero(~np.isnan(claim_values)).tolist() == legal
        assert set(np.flatnonzero(policy)) <= set(legal)
        assert policy.min() >= 0
        assert policy.sum() == pytest.approx(1, abs=1e-12)
        value = policy[legal] @ claim_values[legal]
        assert value == pytest.approx(solution.values[player], abs=1e-12)
        assert claim_values[legal].max() - value < 1e-9


@pytest.mark.compiled_only
@pytest.mark.parametrize("left", [1, 2])
def test_moving_the_seats_moves_the_answer(left: int) -> None:
    for seed in range(10):
        positions, card, seen = decision(Rules(), left, seed).observation(0).columns()
        words, turn = np.array(positions, np.uint32), 10 - left
        here = solve_endgame(Rules(), turn, words, card, seen)
        for order in ([1, 2, 0], [2, 1, 0]):
            there = solve_endgame(Rules(), turn, words[order], card, seen)
            np.testing.assert_array_equal(there.policies, here.policies[order])
            np.testing.assert_array_equal(there.values, here.values[order])
            np.testing.assert_array_equal(there.claim_values, here.claim_values[order])


def test_equal_players_get_equal_policies() -> None:
    state = ostrich.Game(TINY["three players"]).new_initial_state(deck=(3, 0))
    solution = solved_at(state)
    assert (solution.policies == solution.policies[0]).all()
    np.testing.assert_allclose(solution.values, 1 / 3, atol=1e-12)


def many(left: int, count: int) -> Any:
    """Return positions, cards and cards seen at some decisions, one of them twice."""
    seeds = [*range(count - 1), 0]
    columns = [decision(Rules(), left, seed).observation(0).columns() for seed in seeds]
    positions, card, seen = (np.array(row, np.uint32) for row in zip(*columns, strict=True))
    return np.ascontiguousarray(positions.T), card, seen


@pytest.mark.compiled_only
@pytest.mark.parametrize("most", [200_000, 300])
def test_many_decisions_are_solved_as_one_by_one(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the bit, also where they are too many to be solved together."""
    positions, card, seen = many(left=2, count=20)
    alone = [
        solve_endgame(Rules(), 8, positions[:, number], int(card[number]), int(seen[number]))
        for number in range(20)
    ]
    monkeypatch.setattr(ostrich_endgame, "MOST_POSITIONS", most)
    together = solve_endgames(Rules(), 8, positions, card, seen)
    for number, one in enumerate(alone):
        np.testing.assert_array_equal(together.policies[number], one.policies)
        np.testing.assert_array_equal(together.values[number], one.values)
        np.testing.assert_array_equal(together.claim_values[number], one.claim_values)
    assert together.stage_games < sum(one.stage_games for one in alone)
    assert together.gain_bound == max(one.gain_bound for one in alone)


def test_what_is_no_endgame_is_refused() -> None:
    state = ostrich.Game().new_initial_state(seed=1)
    positions, card, seen = state.observation(0).columns()
    words = np.array(positions, np.uint32)
    with pytest.raises(UsageError, match=r"^10 rounds are left, .* ask in round 8 of 10 or later"):
        solve_endgame(Rules(), 0, words, card, seen)
    with pytest.raises(UsageError, match=r"^4 rounds are left"):
        solve_endgame(Rules(), 6, words, card, seen)
    with pytest.raises(ValueError, match="turn must be from 0 to 9, not 10"):
        solve_endgame(Rules(), 10, words, card, seen)
    with pytest.raises(ValueError, match=r"positions have shape \(2, 1\); they need 3 players'"):
        solve_endgame(Rules(), 9, words[:2], 0, (1 << 10) - 1)
    for card, seen in ((10, (1 << 10) - 1), (0, (1 << 11) - 1), (0, (1 << 9) - 1 | 1 << 12)):
        with pytest.raises(ValueError, match=f"a card {card} cannot lie open in round 10"):
            solve_endgame(Rules(), 9, words, card, seen)


# --- The agent -----------------------------------------------------------------------------------


@pytest.mark.compiled_only
@pytest.mark.parametrize("rounds_left", [0, 1, 2])
def test_the_agent_plays_as_greedy_and_then_exactly(rounds_left: int) -> None:
    agent = Endgame(ostrich.Game(), ostrich_greedy, rounds_left)
    for left in (1, 2, 3):
        positions, card, seen = many(left, count=6)
        for seat in range(3):
            asked = (Rules(), seat, 10 - left, positions, card, seen)
            policies = agent.policies(*asked)
            if left > rounds_left:
                expected = ostrich_greedy.policies(*asked)
            else:
                expected = solve_endgames(Rules(), 10 - left, positions, card, seen).policies
                expected = expected[:, seat]
            np.testing.assert_array_equal(policies, expected)


@pytest.mark.compiled_only
def test_the_agent_solves_once_for_all_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counting(*arguments: Any) -> Any:
        asked.append(arguments)
        return solve_endgames(*arguments)

    monkeypatch.setattr(ostrich_endgame, "solve_endgames", counting)
    agent, given = endgame(ostrich.Game()), many(left=1, count=6)
    first = agent.policies(Rules(), 0, 9, *given)
    kept = first.copy()
    first[:] = -1  # what one seat does with its answer is no matter to the others
    for seat in (1, 2, 0):
        again = agent.policies(Rules(), seat, 9, *given)
    assert len(asked) == 1
    np.testing.assert_array_equal(again, kept)
    positions, card, seen = given
    positions[:, 0] = positions[[1, 2, 0], 0]  # a block is played on in place
    agent.policies(Rules(), 0, 9, positions, card, seen)
    assert len(asked) == 2


@pytest.mark.compiled_only
def test_the_agent_plays_the_same_on_any_threads_and_copied() -> None:
    game = ostrich.Game()
    agent = endgame(game)
    line_up = [agent, "greedy", agent]
    first = simulate(game, line_up, 300, 1, keep="all", threads=1)
    assert first.win_share(0).mean > first.win_share(1).mean
    for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):  # noqa: S301
        again = simulate(game, [other, "greedy", other], 300, 1, keep="all", threads=2)
        np.testing.assert_array_equal(first.returns, again.returns)


@pytest.mark.compiled_only
def test_ending_exactly_does_not_lose_with_two_players() -> None:
    """What is exact is safe with two: five standard errors below even would be a fault."""
    game = ostrich.Game(Rules(players=2))
    share = simulate(game, [endgame(game), "greedy"], 2000, 3).win_share(0).mean
    assert share > 0.5 - 5 * 0.5 / np.sqrt(2000)


def test_the_agent_plays_its_own_rules_only() -> None:
    agent = endgame(ostrich.Game())
    with pytest.raises(ValueError, match="this agent plays Rules"):
        agent.policies(Rules(players=2), 0, 9, *many(left=1, count=2))
    with pytest.raises(UsageError, match="rounds_left must be a whole number from 0 to 3, not 4"):
        Endgame(ostrich.Game(), ostrich_greedy, 4)
