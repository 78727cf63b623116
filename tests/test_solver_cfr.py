"""Regret minimisation: a naive twin, known values, runs cut and resumed."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agents.solvers.solver
from agents.solvers.building import build_tree
from agents.solvers.cfr import SCHEDULES
from agents.solvers.openspiel import load_openspiel
from agents.solvers.sequences import evaluate
from agents.solvers.solver import ALGORITHMS, TreeSolver
from simulator.inputs import UsageError
from tests.naive.cfr import NaiveCfr
from tests.openspiel_games import GOOFSPIEL_3, GOOFSPIEL_3_SMALL, KUHN, KUHN_3, LEDUC
from tests.sizes import size


def tree_of(name: str) -> Any:
    return build_tree(load_openspiel(name))


@pytest.mark.parametrize("name", [KUHN, KUHN_3, GOOFSPIEL_3_SMALL])
def test_regrets_and_averages_are_those_of_plain_recursion(name: str) -> None:
    """With three players too, sequential and simultaneous."""
    game = load_openspiel(name)
    tree, naive = build_tree(game), NaiveCfr(game)
    solver = TreeSolver(tree, "cfr")
    solver.run(iterations=7)
    for _ in range(7):
        naive.iterate()
    expected = {
        (key[0], key[1], tuple(action for _, action in key[2])): (regrets, naive.sums[key])
        for key, regrets in naive.regrets.items()
    }
    assert len(expected) == len(tree.strings)
    for number, string in enumerate(tree.strings):
        regrets, sums = expected[int(tree.set_player[number]), string, own_actions(tree, number)]
        some = tree.sequences_of(number)
        for place, action in enumerate(tree.actions[some].tolist()):
            sequence = some.start + place
            assert solver._regrets[sequence] == pytest.approx(regrets[action], abs=1e-12)
            assert solver._averages[sequence] == pytest.approx(sums[action], abs=1e-12)


def own_actions(tree: Any, number: int) -> tuple[int, ...]:
    """Return what the player of an information set has done before."""
    done, sequence = [], int(tree.leads_here[number])
    while sequence >= tree.num_players:
        done.append(int(tree.actions[sequence]))
        before = int(np.searchsorted(tree.first_sequence, sequence, side="right")) - 1
        sequence = int(tree.leads_here[before])
    return tuple(reversed(done))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_kuhn_poker_comes_to_its_value(algorithm: str) -> None:
    solver = TreeSolver(tree_of(KUHN), algorithm)
    solver.run(iterations=size(200_000, 500), target=0.005)
    value = solver.value()
    assert value.nash_conv <= size(0.01, 1)
    assert value.values[0] == pytest.approx(-1 / 18, abs=size(0.006, 0.5))


@pytest.mark.parametrize("algorithm", SCHEDULES)
@pytest.mark.parametrize("name", [KUHN_3, LEDUC, GOOFSPIEL_3])
def test_gains_fall(name: str, algorithm: str) -> None:
    """For three players nothing is promised, but here they do."""
    solver = TreeSolver(tree_of(name), algorithm)
    start = evaluate(solver.tree, solver.tree.uniform()).nash_conv
    solver.run(iterations=size(1000, 20))
    assert solver.value().nash_conv < size(0.01, 0.9) * start
    assert solver.value().gains.min() >= -1e-12


def test_discounting_fades_as_it_is_written() -> None:
    """One set, two actions, payoffs 1 and 0: regrets and averages by hand for three iterations."""

    class Choice:
        num_players = 2

        def __init__(self, action: Any = None) -> None:
            self.action = action

        def new_initial_state(self) -> "Choice":
            return Choice()

        clone = new_initial_state

        def is_terminal(self) -> bool:
            return self.action is not None

        def is_chance_node(self) -> bool:
            return False

        def legal_actions(self, player: int) -> list[int]:
            return [0, 1] if player == 0 else []

        def apply_actions(self, actions: Any) -> None:
            self.action = actions[0]

        def returns(self) -> list[float]:
            return [1.0 - self.action, 0.0]

        def information_state_string(self, player: int) -> str:
            return "choose"

    tree = build_tree(Choice(), "choice")
    dcfr, plus, plain = (TreeSolver(tree, name) for name in ("dcfr", "cfr+", "cfr"))
    for solver in (dcfr, plus, plain):
        solver.run(iterations=3)
    # iteration 1: even, regrets 1/2 and -1/2; then only the first action is played, regrets 0, -1
    assert plain._regrets[2:].tolist() == [0.5, -2.5]
    assert plus._regrets[2:].tolist() == [0.5, 0.0]
    kept = [t**1.5 / (t**1.5 + 1) for t in (2, 3)]
    np.testing.assert_allclose(dcfr._regrets[2], 0.5 * kept[0] * kept[1], atol=1e-15)
    np.testing.assert_allclose(dcfr._regrets[3], (-0.5 / 2 - 1) / 2 - 1, atol=1e-15)
    # averages: policies (1/2, 1/2), (1, 0), (1, 0), by 1, by t, by the square of t
    for solver, weights in ((plain, (1, 1, 1)), (plus, (1, 2, 3)), (dcfr, (1, 4, 9))):
        second = 0.5 * weights[0] / sum(weights)
        np.testing.assert_allclose(solver.average_policy()[2:], [1 - second, second], atol=1e-15)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_policies_are_legal_and_defined_everywhere_from_the_start(algorithm: str) -> None:
    tree = tree_of(KUHN_3)
    for iterations in (0, 1, 2, 30):
        solver = TreeSolver(tree, algorithm)
        if iterations:
            solver.run(iterations=iterations)
        policy = solver.average_policy()
        assert np.isfinite(policy).all()
        tree.check_profile(policy)
    assert TreeSolver(tree, algorithm).average_policy().tolist() == tree.uniform().tolist()


@pytest.mark.parametrize("algorithm", ["cfr", "external"])
def test_sums_of_a_hundred_million_visits_still_move(algorithm: str) -> None:
    """float32 would stand still from 2**24 = 17 million on."""
    solver = TreeSolver(tree_of(KUHN), algorithm)
    solver.run(iterations=5)
    solver._averages += 1e8
    solver._regrets += 1e8
    before = solver._averages.copy(), solver._regrets.copy()
    solver.run(iterations=6)
    moved = solver._averages - before[0]
    assert moved.max() == pytest.approx(size(1.0, 1.0), rel=1.0)
    assert (solver._regrets != before[1]).any()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_cut_into_pieces_gives_the_same_bytes(algorithm: str, tmp_path: Path) -> None:
    tree = tree_of(KUHN_3)
    whole, cut = TreeSolver(tree, algorithm, 3), TreeSolver(tree, algorithm, 3)
    whole.run(iterations=200)
    for iterations in (1, 7, 8, 90, 200):
        cut.run(iterations=iterations)
        cut.save(tmp_path / "cut.npz")
        cut = TreeSolver(tree, algorithm, 3)
        cut.load(tmp_path / "cut.npz")
    cut.save(tmp_path / "cut.npz")
    whole.save(tmp_path / "whole.npz")
    assert (tmp_path / "cut.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_interrupt_as_compiled_code_returns_loses_no_count(
    algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C comes through where compiled code returns, before the caller's next line."""
    name = "iterate" if algorithm in SCHEDULES else "sample"
    kernel, tree = getattr(agents.solvers.solver, name), tree_of(KUHN_3)

    def interrupted(*arguments: Any) -> None:
        kernel(*arguments)
        raise KeyboardInterrupt

    cut, whole = TreeSolver(tree, algorithm, 3), TreeSolver(tree, algorithm, 3)
    cut.run(iterations=20)
    monkeypatch.setattr(agents.solvers.solver, name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        cut.run(iterations=40)
    monkeypatch.undo()
    cut.save(tmp_path / "cut.npz")
    cut = TreeSolver(tree, algorithm, 3)
    cut.load(tmp_path / "cut.npz")
    cut.run(iterations=40)
    whole.run(iterations=40)
    cut.save(tmp_path / "cut.npz")
    whole.save(tmp_path / "whole.npz")
    assert (tmp_path / "cut.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_copies_and_pickles_go_on_alike(algorithm: str) -> None:
    solver = TreeSolver(tree_of(KUHN), algorithm, 3)
    solver.run(iterations=10)
    others = [copy.copy(solver), copy.deepcopy(solver), pickle.loads(pickle.dumps(solver))]  # noqa: S301
    solver = copy.deepcopy(solver)
    solver.run(iterations=20)
    for other in others[1:]:
        other.run(iterations=20)
        assert other._regrets.tobytes() == solver._regrets.tobytes()
        assert other.average_policy().tobytes() == solver.average_policy().tobytes()


def test_seeds_matter_to_sampling_alone() -> None:
    tree = tree_of(KUHN)
    for algorithm in ALGORITHMS:
        ends = []
        for seed in (1, 1, 2):
            solver = TreeSolver(tree, algorithm, seed)
            solver.run(iterations=50)
            ends.append(solver._regrets.tobytes())
        assert ends[0] == ends[1]
        assert (ends[0] == ends[2]) == (algorithm in SCHEDULES)


def test_checkpoints_of_other_runs_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    path, tree = tmp_path / "checkpoint.npz", tree_of(KUHN)
    solver = TreeSolver(tree, "external", 1)
    solver.run(iterations=5)
    solver.save(path)
    for other, told in (
        (TreeSolver(tree, "outcome", 1), "algorithm is 'external', not 'outcome'"),
        (TreeSolver(tree, "external", 2), "seed is 1, not 2"),
        (TreeSolver(tree_of(KUHN_3), "external", 1), "game is 'kuhn_poker"),
    ):
        with pytest.raises(UsageError, match=rf"checkpoint\.npz is a checkpoint of .*{told}"):
            other.load(path)
    whole = path.read_bytes()
    for length in range(0, len(whole), len(whole) // 9):
        path.write_bytes(whole[:length])
        with pytest.raises(UsageError, match=r"checkpoint\.npz"):
            solver.load(path)


def test_a_run_ends_at_its_target() -> None:
    solver = TreeSolver(tree_of(KUHN), "cfr+")
    solver.run(target=0.01)
    assert solver.value().nash_conv <= 0.01
    assert solver.history[-2][1].sum() > 0.01
    done = solver.iterations
    solver.run(target=0.01)
    assert solver.iterations == done


def test_seconds_are_told_of_runs_in_one_process_only(tmp_path: Path) -> None:
    tree = tree_of(KUHN)
    solver, resumed = TreeSolver(tree, "cfr"), TreeSolver(tree, "cfr")
    solver.run(iterations=20)
    assert sorted(solver.seconds) == sorted({number for number, _ in solver.history} | {20})
    assert list(solver.seconds.values()) == sorted(solver.seconds.values())
    solver.save(tmp_path / "checkpoint.npz")
    resumed.load(tmp_path / "checkpoint.npz")
    resumed.run(iterations=40)
    assert resumed.seconds == {}


def test_a_run_ends_in_time() -> None:
    solver = TreeSolver(tree_of(KUHN), "cfr+")
    solver.run(seconds=1e-9)
    assert solver.iterations == 0
    solver.run(seconds=0.3)
    assert solver.iterations > 10


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        ({}, "needs an end"),
        ({"iterations": 0}, "iterations must be a whole number from 1"),
        ({"iterations": 1.5}, "iterations must be a whole number"),
        ({"target": 0.0}, "target must be a positive number, not 0.0"),
        ({"target": float("nan")}, "target must be a positive number"),
        ({"seconds": -1.0}, "seconds must be a positive number"),
    ],
)
def test_impossible_ends_are_refused(ends: Any, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        TreeSolver(tree_of(KUHN), "cfr+").run(**ends)


def test_unknown_algorithms_and_seeds_are_refused() -> None:
    with pytest.raises(UsageError, match=r"there is no algorithm 'cfr\+\+'; did you mean"):
        TreeSolver(tree_of(KUHN), "cfr++")
    with pytest.raises(UsageError, match="seed must be a whole number"):
        TreeSolver(tree_of(KUHN), "external", -1)


def test_what_progress_raises_ends_a_run_between_iterations(tmp_path: Path) -> None:
    class Stop(BaseException):
        pass

    def stop(now: TreeSolver) -> None:
        if now.iterations >= 50:
            raise Stop

    tree = tree_of(KUHN)
    solver, whole = TreeSolver(tree, "cfr"), TreeSolver(tree, "cfr")
    with pytest.raises(Stop):
        solver.run(iterations=10_000, progress=stop)
    solver.run(iterations=size(10_000, 200))
    whole.run(iterations=size(10_000, 200))
    assert solver._regrets.tobytes() == whole._regrets.tobytes()
