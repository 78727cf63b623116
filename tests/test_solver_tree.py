"""Games unrolled into arrays, and what profiles are worth there."""

import copy
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import empires
import ostrich
from agents import make_agent
from agents.solvers.building import build_tree, estimated_nodes
from agents.solvers.openspiel import load_openspiel
from agents.solvers.profiles import (
    profile_from,
    read_profile,
    table_of,
    tree_and_profile,
    write_profile,
)
from agents.solvers.sequences import evaluate
from agents.solvers.solver import TreeSolver
from agents.solvers.tree import DECISION, END
from simulator.inputs import UsageError
from tests.openspiel_games import GOOFSPIEL_3, KUHN, KUHN_3, LEDUC
from tests.sizes import size
from tests.solved_variants import TINY


def tree_of(name: str, **options: Any) -> Any:
    return build_tree(load_openspiel(name), **options)


@pytest.mark.parametrize(
    ("name", "nodes", "ends", "sets"), [(KUHN, 58, 30, 12), (KUHN_3, 617, 312, 48)]
)
def test_kuhn_poker_has_as_many_nodes_as_are_known(
    name: str, nodes: int, ends: int, sets: int
) -> None:
    """58 nodes, of them 4 of chance, and 12 information sets (Kuhn 1950); with three players 48."""
    tree = tree_of(name)
    assert len(tree.kind) == nodes
    assert (tree.kind == END).sum() == len(tree.end_chance) == ends
    assert len(tree.strings) == sets
    assert tree.end_chance.sum() > 1  # each end counts by chance alone, whatever players do
    assert tree.merged is None


def test_uniform_play_of_kuhn_poker_is_known_to_be_worth() -> None:
    value = evaluate(tree_of(KUHN), tree_of(KUHN).uniform())
    np.testing.assert_allclose(value.values, [1 / 8, -1 / 8], atol=1e-12)
    assert value.nash_conv == pytest.approx(11 / 12, abs=1e-12)


def test_uniform_play_of_three_player_goofspiel_is_known_to_lose() -> None:
    tree = tree_of(GOOFSPIEL_3)
    value = evaluate(tree, tree.uniform())
    np.testing.assert_allclose(value.gains, 0.496528, atol=5e-7)
    np.testing.assert_allclose(value.values, 0, atol=1e-12)


def test_the_string_alone_merges_histories_and_two_are_named() -> None:
    perfect, merged = tree_of(GOOFSPIEL_3), tree_of(GOOFSPIEL_3, recall="string")
    assert len(merged.strings) == 3345 < len(perfect.strings)
    assert perfect.merged is None
    assert "look the same to a player who acted otherwise in them" in str(merged.merged)
    for refused in (
        lambda: evaluate(merged, merged.uniform()),
        lambda: TreeSolver(merged, "cfr+"),
        lambda: TreeSolver(merged, "external").run(target=1.0),
    ):
        with pytest.raises(UsageError, match=r"without perfect recall.*\(\d, \d, \d\).* and \("):
            refused()
    assert tree_of(KUHN, recall="string").merged is None


@pytest.mark.parametrize("name", [KUHN, KUHN_3, LEDUC])
@pytest.mark.parametrize("kind", ["uniform", "random", "trained"])
def test_gains_are_those_of_openspiel(name: str, kind: str) -> None:
    import pyspiel
    from open_spiel.python.algorithms import expected_game_score, exploitability
    from open_spiel.python.policy import tabular_policy_from_callable

    game = pyspiel.load_game(name)
    tree = build_tree(game)
    if kind == "trained":
        solver = TreeSolver(tree, "cfr")
        solver.run(iterations=20)
        profile = solver.average_policy()
    else:
        weights = np.random.default_rng(5).random(tree.num_sequences)
        profile = tree.uniform() if kind == "uniform" else weights
        for number in range(len(tree.strings)):
            profile[tree.sequences_of(number)] /= profile[tree.sequences_of(number)].sum()
    table = table_of(tree, tree.check_profile(profile))

    def exported(state: Any) -> Any:
        return table[state.current_player(), state.information_state_string()]

    policy = tabular_policy_from_callable(game, exported)
    value = evaluate(tree, profile)
    assert value.nash_conv == pytest.approx(exploitability.nash_conv(game, policy), abs=1e-9)
    expected = expected_game_score.policy_value(
        game.new_initial_state(), [policy] * game.num_players()
    )
    np.testing.assert_allclose(value.values, expected, atol=1e-9)


def goofspiel_value(
    first: Any, second: Any, prizes: Any, lead: int = 0, order: str = "descending"
) -> float:
    """The first player's value of two-player Goofspiel, by induction over states with linprog."""
    known: dict[Any, float] = {}

    def value(one: Any, two: Any, prizes: Any, lead: int) -> float:
        if not prizes:
            return float(np.sign(lead))
        key = (one, two, prizes, lead)
        if key not in known:
            options = [prizes[-1]] if order == "descending" else prizes
            known[key] = sum(turn(one, two, prizes, lead, p) for p in options) / len(options)
        return known[key]

    def turn(one: Any, two: Any, prizes: Any, lead: int, prize: int) -> float:
        left = tuple(p for p in prizes if p != prize)
        matrix = np.array(
            [
                [
                    value(
                        tuple(c for c in one if c != a), tuple(c for c in two if c != b), left,
                        lead + prize * int(np.sign(a - b)),
                    )
                    for b in two
                ]
                for a in one
            ]
        )  # fmt: skip
        count = len(one)
        found = linprog(
            [0.0] * count + [-1.0], A_ub=np.hstack([-matrix.T, np.ones((count, 1))]),
            b_ub=np.zeros(count), A_eq=[[1.0] * count + [0.0]], b_eq=[1.0],
            bounds=[(0, 1)] * count + [(None, None)],
        )  # fmt: skip
        return float(-found.fun)

    return value(first, second, prizes, lead)


class Later:
    """A game of OpenSpiel from its second turn on."""

    def __init__(self, game: Any, joint: list[int]) -> None:
        self.game, self.joint, self.num_players = game, joint, game.num_players

    def new_initial_state(self) -> Any:
        state = self.game.new_initial_state()
        state.apply_actions(self.joint)
        return state


@pytest.mark.parametrize(("cards", "order"), [(3, "descending"), (4, "descending"), (3, "random")])
def test_two_player_goofspiel_comes_to_its_value_by_linear_programming(
    cards: int, order: str
) -> None:
    """It is worth 0 from the start, by symmetry."""
    name = f"goofspiel(players=2,num_cards={cards},points_order={order},imp_info=false)"
    solver = TreeSolver(tree_of(name), "cfr+")
    solver.run(iterations=size(20_000, 30), target=1e-4)
    value = solver.value()
    assert value.nash_conv <= size(1e-4, 10)
    hand = tuple(range(1, cards + 1))
    expected = goofspiel_value(hand, hand, hand, order=order)
    assert value.values[0] == pytest.approx(expected, abs=size(1e-4, 1))


@pytest.mark.parametrize("joint", [[0, 1], [3, 0], [2, 3], [1, 3]])
def test_goofspiel_after_an_uneven_turn_comes_to_its_value(joint: list[int]) -> None:
    """The prize of 4 is gone, and so are the cards bid for it."""
    name = "goofspiel(players=2,num_cards=4,points_order=descending,imp_info=false)"
    tree = build_tree(Later(load_openspiel(name), joint), f"{name} after {joint}")
    solver = TreeSolver(tree, "cfr+")
    solver.run(iterations=size(100_000, 30), target=1e-4)
    hands = [tuple(card for card in (1, 2, 3, 4) if card != bid + 1) for bid in joint]
    lead = 4 * int(np.sign(joint[0] - joint[1]))
    expected = goofspiel_value(hands[0], hands[1], (1, 2, 3), lead)
    assert solver.value().nash_conv <= size(1e-4, 10)
    assert solver.value().values[0] == pytest.approx(expected, abs=size(1e-4, 2))


class Matrix:
    """A stage game as a state in OpenSpiel's vocabulary."""

    num_players = 2

    def __init__(self, payoffs: Any, actions: Any = None) -> None:
        self.payoffs, self.actions = payoffs, actions

    def new_initial_state(self) -> "Matrix":
        return Matrix(self.payoffs)

    clone = new_initial_state

    def is_terminal(self) -> bool:
        return self.actions is not None

    def is_chance_node(self) -> bool:
        return False

    def legal_actions(self, player: int) -> list[int]:
        return list(range(np.shape(self.payoffs)[1 + player]))

    def apply_actions(self, actions: Any) -> None:
        self.actions = tuple(actions)

    def returns(self) -> list[float]:
        return [self.payoffs[player][self.actions[0]][self.actions[1]] for player in range(2)]

    def information_state_string(self, player: int) -> str:
        return f"player {player}"


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr", "external", "outcome"])
def test_an_equilibrium_that_is_neither_uniform_nor_pure(algorithm: str) -> None:
    """[[2, -1], [-1, 1]]: both mix 2/5, 3/5, and the row player gets 1/5."""
    tree = build_tree(Matrix([[[2, -1], [-1, 1]], [[-2, 1], [1, -1]]]), "matrix")
    solver = TreeSolver(tree, algorithm)
    solver.run(iterations=size(300_000, 3000))
    off = size(0.02, 0.1)
    np.testing.assert_allclose(solver.average_policy()[2:], [0.4, 0.6, 0.4, 0.6], atol=off)
    assert solver.value().values[0] == pytest.approx(1 / 5, abs=off)


def test_our_own_games_can_be_unrolled() -> None:
    game = ostrich.Game(TINY["three players"])
    tree, profile = tree_and_profile(game, [make_agent("random", game)] * 3)
    assert (tree.kind == DECISION).any()
    np.testing.assert_allclose(evaluate(tree, profile).values, 1 / 3, atol=1e-12)
    rules = empires.Rules(
        players=2, deck=(3,), adventurers=(1, 2), decks=1, hand=1, revealed=1, turns=1, rounds=1,
        mulligan="off",
    )  # fmt: skip
    small = empires.Game(rules)
    tree, profile = tree_and_profile(small, [make_agent("greedy", small)] * 2)
    value = evaluate(tree, profile)
    assert value.values.sum() == pytest.approx(1, abs=1e-12)
    assert value.gains.min() >= -1e-12


def test_sizes_are_estimated_and_too_large_trees_refused() -> None:
    assert estimated_nodes(load_openspiel(KUHN)) == pytest.approx(58, rel=0.3)
    assert estimated_nodes(load_openspiel(GOOFSPIEL_3)) == 15617  # all playthroughs are alike
    with pytest.raises(UsageError, match=r"some 1\.6e\+04 nodes when unrolled .* at most 1,000"):
        tree_of(GOOFSPIEL_3, limit=1000)
    with pytest.raises(UsageError, match=r"e\+\d\d nodes when unrolled .* GB"):
        build_tree(ostrich.Game())
    with pytest.raises(UsageError, match="recall is perfect or string, not 'none'"):
        tree_of(KUHN, recall="none")


def test_an_estimate_that_is_too_low_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.solvers.building.estimated_nodes", lambda game: 1.0)
    with pytest.raises(UsageError, match="more than the 1,000 nodes"):
        tree_of(GOOFSPIEL_3, limit=1000)


def test_games_of_openspiel_are_found_or_said_to_be_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(UsageError, match="there is no game 'kuhn_pokr'; did you mean kuhn_poker"):
        load_openspiel("kuhn_pokr")
    with pytest.raises(UsageError, match="OpenSpiel refuses"):
        load_openspiel("kuhn_poker(cards=3)")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UsageError, match=r"clutch-lab\[openspiel\]"):
        load_openspiel("kuhn_poker")


def test_profiles_that_lack_a_player_a_state_or_sense_are_refused() -> None:
    tree = tree_of(KUHN)
    table = table_of(tree, tree.uniform())
    np.testing.assert_array_equal(profile_from(tree, table), tree.uniform())
    one = {key: policy for key, policy in table.items() if key[0] == 0}
    with pytest.raises(UsageError, match="lacks player 1"):
        profile_from(tree, one)
    first = next(iter(table))
    with pytest.raises(UsageError, match="lacks player 0's information state"):
        profile_from(tree, {key: policy for key, policy in table.items() if key != first})
    with pytest.raises(UsageError, match="take action 7"):
        profile_from(tree, {**table, first: {0: 0.5, 7: 0.5}})
    for wrong in ({0: 0.5}, {0: 1.5, 1: -0.5}, {0: float("nan"), 1: 1.0}):
        with pytest.raises(UsageError, match="no distribution"):
            profile_from(tree, {**table, first: wrong})
    with pytest.raises(UsageError, match="has 26 entries"):
        evaluate(tree, np.ones(3))


def test_policies_on_disk(tmp_path: Path) -> None:
    tree, path = tree_of(KUHN), tmp_path / "policy.npz"
    write_profile(path, tree, tree.uniform())
    np.testing.assert_array_equal(read_profile(path, tree), tree.uniform())
    with pytest.raises(UsageError, match=r"policy\.npz is a policy of another game: 'kuhn_poker"):
        read_profile(path, tree_of(KUHN_3))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(UsageError, match=r"policy\.npz"):
        read_profile(path, tree)


def test_trees_can_be_copied_and_pickled() -> None:
    tree = tree_of(KUHN)
    for other in (copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):  # noqa: S301
        assert other.fingerprint == tree.fingerprint
    assert tree_of(KUHN_3).fingerprint != tree.fingerprint
