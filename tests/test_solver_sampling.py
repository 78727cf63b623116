"""Sampled regrets and averages are right on average, with three players too."""

from typing import Any

import numpy as np
import pytest

from agents.solvers.building import build_tree
from agents.solvers.openspiel import load_openspiel
from agents.solvers.sampling import SAMPLINGS, sample
from agents.solvers.solver import TreeSolver
from agents.solvers.tree import CHANCE, END
from tests.openspiel_games import GOOFSPIEL_3, GOOFSPIEL_3_SMALL, KUHN_3
from tests.sizes import size


def one_iteration(tree: Any, sampling: str, seed: int, regrets: Any) -> tuple[Any, Any]:
    """Return what one iteration adds to regrets and averages."""
    after, averages, policy = regrets.copy(), np.zeros_like(regrets), np.zeros_like(regrets)
    nodes = len(tree.kind) + 1
    rooms = (np.zeros(nodes, np.int32), np.zeros(nodes, np.int32), np.zeros(nodes), np.zeros(nodes))
    sample(
        tree.kind, tree.first_child, tree.num_children, tree.information_set, tree.chance,
        tree.first_sequence, tree.num_actions, tree.payoffs, SAMPLINGS[sampling], seed,
        np.zeros(1, np.int64), 1, after, averages, policy, tree.uniform(), *rooms,
    )  # fmt: skip
    return after - regrets, averages


def exact_regrets(tree: Any, player: int, policy: Any) -> Any:
    """Return a player's counterfactual regrets, by walking all nodes."""
    regrets = np.zeros(tree.num_sequences)

    def walk(node: int, others: float) -> float:
        if tree.kind[node] == END:
            return float(tree.payoffs[player, tree.first_child[node]])
        children = range(tree.first_child[node], tree.first_child[node] + tree.num_children[node])
        if tree.kind[node] == CHANCE:
            return sum(
                float(tree.chance[c]) * walk(c, others * float(tree.chance[c])) for c in children
            )
        sets = tree.information_set[node]
        counts = [int(tree.num_actions[s]) if s >= 0 else 1 for s in sets]
        worth = np.zeros(counts[player])
        for child in children:
            digits = np.unravel_index(child - tree.first_child[node], counts)
            rest = 1.0
            for p, number in enumerate(sets):
                if number >= 0 and p != player:
                    rest *= policy[tree.first_sequence[number] + digits[p]]
            worth[digits[player]] += rest * walk(child, others * rest)
        if sets[player] < 0:
            return float(worth[0])
        some = tree.sequences_of(sets[player])
        value = float(policy[some] @ worth)
        regrets[some] += others * (worth - value)
        return value

    walk(0, 1.0)
    return regrets


def some_regrets(tree: Any) -> Any:
    """Return regrets that make policies anything but uniform, with zeros among them."""
    rng = np.random.default_rng(8)
    return rng.integers(-2, 5, tree.num_sequences).astype(float)


def policy_of(tree: Any, regrets: Any) -> Any:
    policy = tree.uniform()
    for number in range(len(tree.strings)):
        some = tree.sequences_of(number)
        positive = np.maximum(regrets[some], 0)
        if positive.any():
            policy[some] = positive / positive.sum()
    return policy


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("name", [KUHN_3, GOOFSPIEL_3_SMALL])
def test_sampled_regrets_are_right_on_average(name: str, sampling: str) -> None:
    """The first player's, whose walk comes before any policy changes. Five standard errors."""
    tree = build_tree(load_openspiel(name))
    regrets = some_regrets(tree)
    exact = exact_regrets(tree, 0, policy_of(tree, regrets))
    count = size(20_000, 60)
    found = np.array([one_iteration(tree, sampling, seed, regrets)[0] for seed in range(count)])
    mine = np.concatenate(
        [np.arange(tree.num_sequences)[tree.sequences_of(n)] for n in range(len(tree.strings))
         if tree.set_player[n] == 0]
    )  # fmt: skip
    errors = found[:, mine].std(axis=0) / np.sqrt(count) + 1e-9
    off = np.abs(found[:, mine].mean(axis=0) - exact[mine]) / errors
    seen = found[:, mine].any(axis=0) | (exact[mine] == 0)
    assert off[seen].max() < size(5, 12)
    assert seen.mean() > size(0.99, 0.5)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_averages_count_by_the_players_own_weight_alone(sampling: str) -> None:
    """What is added in a set is its policy, times its own weight, times what never changes.

    What is usual adds the third player's weight too, which this would notice: over all information
    sets the sum divided by own weight and policy would depend on the third player's policy.
    """
    tree = build_tree(load_openspiel(KUHN_3))
    constants = []
    for regrets in (np.zeros(tree.num_sequences), some_regrets(tree)):
        policy, count = policy_of(tree, regrets), size(40_000, 100)
        total = np.zeros(tree.num_sequences)
        for seed in range(count):
            total += one_iteration(tree, sampling, seed, regrets)[1]
        own = weights_of(tree, policy)
        sets = [n for n in range(len(tree.strings)) if tree.set_player[n] == 0]
        sums = np.array([total[tree.sequences_of(n)].sum() for n in sets]) / count
        reach = np.array([own[tree.leads_here[n]] for n in sets])
        assert (sums[reach == 0] == 0).all()
        constants.append(np.where(reach > 0, sums / np.where(reach > 0, reach, 1), np.nan))
    both = ~np.isnan(constants[0]) & ~np.isnan(constants[1])
    assert both.sum() >= 8
    np.testing.assert_allclose(constants[0][both], constants[1][both], rtol=size(0.1, 2.0))


def weights_of(tree: Any, policy: Any) -> Any:
    """Return realisation weights, set by set."""
    own = np.ones(tree.num_sequences)
    for number in range(len(tree.strings)):
        some = tree.sequences_of(number)
        own[some] = own[tree.leads_here[number]] * policy[some]
    return own


def test_external_sampling_solves_a_simultaneous_game_of_three() -> None:
    solver = TreeSolver(build_tree(load_openspiel(GOOFSPIEL_3)), "external")
    solver.run(iterations=size(30_000, 100))
    assert solver.value().nash_conv < size(0.02, 1.5)


def test_sampling_runs_on_trees_that_merge_histories() -> None:
    merged = build_tree(load_openspiel(GOOFSPIEL_3), recall="string")
    solver = TreeSolver(merged, "external")
    solver.run(iterations=100)
    merged.check_profile(solver.average_policy())
