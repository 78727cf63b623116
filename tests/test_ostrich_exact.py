"""Exact solutions of small Ostrich variants: brute force, regret on the tree, and each other."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ostrich
from agents import make_agent
from agents.solved import Solved
from agents.solvers.building import build_tree
from agents.solvers.certificates import write_certificate
from agents.solvers.ostrich_exact import solve_exactly
from agents.solvers.ostrich_gain import deviation_gains
from agents.solvers.ostrich_parts import PartStore
from agents.solvers.solver import TreeSolver
from experiments.check_certificate import check_certificate
from experiments.solving import returns_for
from ostrich import Rules
from simulator.agents import as_agent
from simulator.inputs import UsageError
from tests.naive.ostrich_solving import game_of, two_player_value
from tests.sizes import size
from tests.solved_variants import SMALL, TINY

#: Without JIT `test_solvers_small.py` has to do.
pytestmark = pytest.mark.compiled_only

TWO_PLAYERS = {name: rules for name, rules in TINY.items() if rules.players == 2}
PAYOFFS = ("win_share", "score_difference")


def certificate(rules: Rules, path: Path, payoff: str = "win_share", **options: Any) -> Path:
    """Write the certificate of a variant."""
    game = ostrich.Game(rules)
    write_certificate(path, game, solve_exactly(game, payoff, **options))
    return path


@pytest.mark.parametrize("payoff", PAYOFFS)
@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_values_of_two_player_variants_are_those_of_brute_force(name: str, payoff: str) -> None:
    rules = TWO_PLAYERS[name]
    solution = solve_exactly(ostrich.Game(rules), payoff)
    expected = two_player_value(game_of(rules), payoff)
    assert solution.root_values[0] == pytest.approx(expected, abs=1e-9)
    assert solution.root_values.sum() == pytest.approx(
        1.0 if payoff == "win_share" else 0.0, abs=1e-12
    )


@pytest.mark.parametrize("payoff", PAYOFFS)
@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_values_of_two_player_variants_are_those_of_regret_minimisation(
    name: str, payoff: str
) -> None:
    game = ostrich.Game(TWO_PLAYERS[name])
    tree = build_tree(game, returns=returns_for(payoff))
    solver = TreeSolver(tree, "cfr+")
    solver.run(iterations=size(100_000, 300), target=size(1e-4, 1))
    found = solver.value()
    # each player's value is within its own and the other's gain of the value of the game
    expected = solve_exactly(game, payoff).root_values
    np.testing.assert_allclose(found.values, expected, atol=found.nash_conv + 1e-12)
    assert found.nash_conv <= size(1e-4, 1)


@pytest.mark.parametrize("name", [*TINY, *SMALL])
def test_every_solution_passes_the_checker(name: str, tmp_path: Path) -> None:
    rules = {**TINY, **SMALL}[name]
    report = check_certificate(certificate(rules, tmp_path / "certificate.npz"))
    assert report.gain_bound <= 1e-9
    assert sum(report.root_values) == pytest.approx(1, abs=1e-12)
    assert len(set(report.root_values)) == 1  # all begin alike
    assert report.states == solve_exactly(ostrich.Game(rules)).states


@pytest.mark.parametrize("name", [*TINY, *SMALL])
def test_nobody_gains_by_deviating_from_a_solution(name: str) -> None:
    """Best responses to the policies as an agent plays them, by another induction."""
    game = ostrich.Game({**TINY, **SMALL}[name])
    agent = solved_agent(game)
    found = deviation_gains(game, [agent] * game.num_players)
    assert found.gains.max() <= 1e-9
    np.testing.assert_allclose(found.values, 1 / game.num_players, atol=1e-9)


def solved_agent(game: Any) -> Any:
    """Return the agent that plays a variant's solution."""
    from agents.solvers.certificates import certificate_arrays

    return as_agent(Solved(game.rules, certificate_arrays(solve_exactly(game))), game)


def test_stage_games_of_all_kinds_come_up() -> None:
    """So that what is tested here is not tested on pure equilibria alone."""
    tallies = [
        solve_exactly(ostrich.Game(rules)).tally for rules in [*TINY.values(), *SMALL.values()]
    ]
    pure, zero_sum, guessed, searched, resisted = np.sum(tallies, axis=0).tolist()
    assert min(pure, zero_sum, guessed, searched) > 0
    assert resisted == 0


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_and_parts_do_not_change_a_byte(
    threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = certificate(SMALL["two bags"], tmp_path / "whole.npz", threads=1)
    monkeypatch.setattr("agents.solvers.ostrich_exact.STATES_A_PART", 97)
    cut = certificate(SMALL["two bags"], tmp_path / "cut.npz", threads=threads)
    assert cut.read_bytes() == whole.read_bytes()


class Killed(BaseException):
    """Stands for a kill."""


@pytest.mark.parametrize("after", [1, 2, 7, 20, 40])
def test_a_solution_that_was_cut_short_goes_on_to_the_same_bytes(
    after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.solvers.ostrich_exact.STATES_A_PART", 97)
    whole = certificate(SMALL["two bags"], tmp_path / "whole.npz")

    def killing(done: int, _todo: int) -> None:
        if done == after:
            raise Killed

    store = PartStore(tmp_path, {"game": "ostrich"})
    with pytest.raises(Killed):
        solve_exactly(ostrich.Game(SMALL["two bags"]), threads=1, store=store, progress=killing)
    kept = len(list(tmp_path.glob("part-*.npz")))
    assert kept >= after
    again = certificate(SMALL["two bags"], tmp_path / "again.npz", store=store)
    assert again.read_bytes() == whole.read_bytes()


def test_parts_of_another_solution_or_damaged_ones_are_refused(tmp_path: Path) -> None:
    game = ostrich.Game(TINY["two players"])
    solve_exactly(game, store=PartStore(tmp_path, {"payoff": "win_share"}))
    with pytest.raises(UsageError, match=r"part-1-0\.npz belongs to another solution: its payoff"):
        solve_exactly(game, store=PartStore(tmp_path, {"payoff": "score_difference"}))
    part = tmp_path / "part-1-0.npz"
    part.write_bytes(part.read_bytes()[:-100])
    with pytest.raises(UsageError, match=r"part-1-0\.npz"):
        solve_exactly(game, store=PartStore(tmp_path, {"payoff": "win_share"}))


def test_a_solution_can_be_copied_and_pickled() -> None:
    solution = solve_exactly(ostrich.Game(TINY["three players"]))
    for other in (copy.deepcopy(solution), pickle.loads(pickle.dumps(solution))):  # noqa: S301
        assert other.root_values.tolist() == solution.root_values.tolist()
        assert other.states == solution.states


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(UsageError, match="more than 1,000 states after 2 of 10 rounds"):
        solve_exactly(ostrich.Game(), most_states=1000)
    with pytest.raises(UsageError, match="no payoff 'eggs'; there are win_share and score"):
        solve_exactly(ostrich.Game(), "eggs")
    with pytest.raises(UsageError, match="score_difference is for two players, not 3"):
        solve_exactly(ostrich.Game(), "score_difference")
    many = Rules(players=4, bags=(12, 13, 14, 15), deck=tuple(range(1, 33)), rounds=30)
    with pytest.raises(UsageError, match=r"positions in .* of 30 rounds, too many"):
        solve_exactly(ostrich.Game(many))
    cards = Rules(bags=(2,), deck=tuple(range(1, 21)), rounds=18)
    with pytest.raises(UsageError, match="sets of cards that may have been seen"):
        solve_exactly(ostrich.Game(cards))
    with pytest.raises(UsageError, match="too many"):
        deviation_gains(ostrich.Game(cards), [make_agent("random", ostrich.Game(cards))] * 3)
