"""Equilibria of stage games: known ones, another library's values; nobody gains by deviating."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from agents.solvers.stage_games import METHOD_NAMES, StageSolution, solve_stage_game
from tests.sizes import size

NOBODY_GAINS = 1e-9


def gains(payoffs: Any, policies: list[Any]) -> list[float]:
    """What each player gains by its best action, worked out joint action by joint action."""
    payoffs = np.asarray(payoffs, float)
    counts = payoffs.shape[1:]
    found = []
    for player in range(len(counts)):
        by_action = np.zeros(counts[player])
        for joint in product(*map(range, counts)):
            others = [policies[p][a] for p, a in enumerate(joint) if p != player]
            by_action[joint[player]] += np.prod(others) * payoffs[(player, *joint)]
        found.append(by_action.max() - policies[player] @ by_action)
    return found


def solved(payoffs: Any, classes: Any = None) -> StageSolution:
    """Solve, and see that what is told of the solution is so."""
    solution = solve_stage_game(payoffs, classes)
    for policy in solution.policies:
        assert policy.min() >= 0
        assert policy.sum() == pytest.approx(1, abs=1e-12)
    largest, spread = max(gains(payoffs, solution.policies)), max(1.0, float(np.ptp(payoffs)))
    assert solution.gain == pytest.approx(largest, abs=1e-12 * spread)
    assert largest <= NOBODY_GAINS * spread
    assert solution.method != "resisted"
    return solution


def zero_sum(matrix: Any) -> Any:
    """Return the payoffs of both players."""
    return np.array([matrix, -np.asarray(matrix)], float)


def test_zero_sum_that_is_not_uniform() -> None:
    """Row mixes 2/5, 3/5: then both columns cost 2 * 2/5 - 3/5 = -2/5 + 3/5 = 1/5."""
    solution = solved(zero_sum([[2, -1], [-1, 1]]))
    np.testing.assert_allclose(solution.policies[0], [2 / 5, 3 / 5], atol=1e-12)
    np.testing.assert_allclose(solution.policies[1], [2 / 5, 3 / 5], atol=1e-12)
    np.testing.assert_allclose(solution.values, [1 / 5, -1 / 5], atol=1e-12)
    assert solution.method == "zero-sum"


def linprog_value(matrix: Any) -> float:
    """Return the row player's value by another library's linear programming."""
    rows, columns = matrix.shape
    found = linprog(
        [0.0] * rows + [-1.0],
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(None, None)],
    )
    return float(-found.fun)


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (5, 5), (2, 5), (4, 3), (1, 4)])
def test_zero_sum_values_are_those_of_another_library(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    for number in range(size(40, 5)):
        high = 3 if number % 2 else 1000  # many ties, or none
        matrix = rng.integers(-high, high + 1, shape).astype(float)
        value = solved(zero_sum(matrix)).values[0]
        assert value == pytest.approx(linprog_value(matrix), abs=1e-9 * high)


def test_a_player_without_a_choice_leaves_a_zero_sum_game_of_two() -> None:
    matrix = np.array([[2, -1], [-1, 1]], float)
    payoffs = np.stack([matrix, np.full((2, 2), 7.0), -matrix])[:, :, None, :]
    solution = solved(payoffs)
    assert solution.method == "zero-sum"
    np.testing.assert_allclose(solution.policies[2], [2 / 5, 3 / 5], atol=1e-12)


def test_two_players_who_do_not_play_for_one_sum() -> None:
    """Unequal matching pennies: the unique equilibrium makes the other indifferent.

    The row player gets 4 for (0, 0), 1 for (1, 1); the column player 1 for (0, 1), 2 for (1, 0).
    Row mixes p with 2 (1 - p) = p, so 2/3; column q with 4 q = 1 - q, so 1/5.
    """
    solution = solved([[[4, 0], [0, 1]], [[0, 1], [2, 0]]])
    np.testing.assert_allclose(solution.policies[0], [2 / 3, 1 / 3], atol=1e-12)
    np.testing.assert_allclose(solution.policies[1], [1 / 5, 4 / 5], atol=1e-12)


def three_pennies(first: float, second: float, third: float) -> Any:
    """Three-player matching pennies (Jordan 1993), with another stake for one side of each coin.

    The first wants to match the second, the second the third, the third not to match the first;
    matching on side 0 pays each player its stake, on side 1 it pays 1; the third's stake is for
    (0, not 0).
    """
    payoffs = np.zeros((3, 2, 2, 2))
    for a, b, c in product(range(2), repeat=3):
        payoffs[0, a, b, c] = (first if a == 0 else 1) * (a == b)
        payoffs[1, a, b, c] = (second if b == 0 else 1) * (b == c)
        payoffs[2, a, b, c] = (third if c == 0 else 1) * (c != a)
    return payoffs


@pytest.mark.parametrize("stakes", [(1, 1, 1), (2, 1, 1), (1, 3, 1), (4, 2, 5)])
def test_three_player_matching_pennies(stakes: tuple[float, float, float]) -> None:
    """The equilibrium is unique (Jordan 1993) and mixed.

    The first is indifferent if stake_1 * P(second plays 0) = P(second plays 1), so the second plays
    0 with 1 / (1 + stake_1); likewise the third with 1 / (1 + stake_2). The third is if stake_3 *
    P(first plays 1) = P(first plays 0), so the first plays 0 with stake_3 / (1 + stake_3).
    """
    one, two, three = stakes
    solution = solved(three_pennies(*stakes))
    np.testing.assert_allclose(solution.policies[0][0], three / (1 + three), atol=1e-10)
    np.testing.assert_allclose(solution.policies[1][0], 1 / (1 + one), atol=1e-10)
    np.testing.assert_allclose(solution.policies[2][0], 1 / (1 + two), atol=1e-10)


def congestion(players: int, actions: int, prizes: Any) -> Any:
    """A symmetric game: each gets the prize of its action divided by all who chose it."""
    payoffs = np.zeros((players, *[actions] * players))
    for joint in product(range(actions), repeat=players):
        for player, action in enumerate(joint):
            payoffs[(player, *joint)] = prizes[action] / joint.count(action) ** 2
    return payoffs


@pytest.mark.parametrize("prizes", [(1, 1), (3, 2), (5, 4, 3), (1, 1, 1, 1)])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_interchangeable_players_get_one_policy(players: int, prizes: Any) -> None:
    payoffs = congestion(players, len(prizes), prizes)
    alone = solved(payoffs)
    together = solved(payoffs, [0] * players)
    for policy in together.policies[1:]:
        assert policy.tolist() == together.policies[0].tolist()
    assert np.ptp(together.values) < 1e-12
    if len(set(prizes)) == 1 and players <= len(prizes):
        assert np.ptp(alone.values) < 1e-12  # all apart is a pure equilibrium


def test_two_of_three_may_be_interchangeable() -> None:
    payoffs = congestion(3, 3, (4, 3, 2))
    solution = solved(payoffs, [0, 1, 1])
    assert solution.policies[1].tolist() == solution.policies[2].tolist()


@pytest.mark.parametrize(
    "payoffs",
    [
        np.zeros((3, 3, 3, 3)),
        np.ones((2, 1, 1)),
        np.ones((4, 2, 1, 3, 2)),
        np.repeat(zero_sum([[2, -1], [-1, 1]]), 2, axis=1),  # every row twice
        np.repeat(three_pennies(4, 2, 5), 2, axis=2),
    ],
    ids=["nothing at stake", "no choice", "few choices", "twin rows", "twin actions"],
)
def test_degenerate_games(payoffs: Any) -> None:
    solved(payoffs)


def test_of_several_pure_equilibria_the_safest() -> None:
    """In the first each loses 3 by deviating, in the other 1."""
    payoffs = np.array([[[3, 0], [0, 1]], [[3, 0], [0, 1]]], float)
    solution = solved(payoffs)
    assert solution.method == "pure"
    assert solution.policies[0].tolist() == [1, 0]
    assert solved(payoffs[:, ::-1, ::-1]).policies[0].tolist() == [0, 1]


@settings(max_examples=size(300, 10))
@given(st.data())
def test_nobody_gains_in_any_game(data: st.DataObject) -> None:
    players = data.draw(st.integers(2, 4))
    counts = [data.draw(st.integers(1, 3 if players == 4 else 4)) for _ in range(players)]
    high = data.draw(st.sampled_from([1, 2, 12, 10**6]))
    seed = data.draw(st.integers(0, 10**6))
    payoffs = np.random.default_rng(seed).integers(0, high + 1, (players, *counts)).astype(float)
    solution = solved(payoffs)
    moved = solved(7.5 * payoffs - 3.0)
    assert (solution.method == "pure") == (moved.method == "pure")


@pytest.mark.parametrize("payoffs", [three_pennies(4, 2, 5), zero_sum([[2, -1], [-1, 1]])])
def test_seats_do_not_matter_where_there_is_one_equilibrium(payoffs: Any) -> None:
    players = len(payoffs)
    order = [*range(1, players), 0]
    turned = payoffs[order].transpose(0, *[1 + player for player in order])
    here, there = solved(payoffs), solved(turned)
    for place, player in enumerate(order):
        np.testing.assert_allclose(there.policies[place], here.policies[player], atol=1e-10)


def test_the_same_game_gives_the_same_bytes() -> None:
    payoffs = np.random.default_rng(1).random((3, 4, 4, 4))
    one, two = solved(payoffs), solved(payoffs)
    assert [p.tobytes() for p in one.policies] == [p.tobytes() for p in two.policies]
    assert one.method in METHOD_NAMES


@pytest.mark.parametrize(
    ("payoffs", "classes", "told"),
    [
        (1.0, None, "need an axis"),
        (np.zeros((1, 2)), None, "need an axis"),
        (np.zeros((5, *[2] * 5)), None, "need an axis"),
        (np.zeros((2, 6, 2)), None, "each may have 1 to 5"),
        (np.full((2, 2, 2), np.nan), None, "finite"),
        (zero_sum([[2, -1], [-1, 1]]), [0, 0], "not interchangeable"),
        (np.zeros((2, 2, 3)), [0, 0], "not interchangeable"),
        (np.zeros((2, 2, 2)), [0], "one for each of 2 players"),
    ],
)
def test_what_is_no_stage_game_is_refused(payoffs: Any, classes: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        solve_stage_game(payoffs, classes)
