"""Every solver once, at sizes that run without compiling too, to the same bits in all legs."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ostrich
from agents import make_agent
from agents.solvers.building import build_tree
from agents.solvers.certificates import certificate_arrays, write_certificate
from agents.solvers.ostrich_exact import solve_exactly
from agents.solvers.ostrich_gain import deviation_gains
from agents.solvers.solver import TreeSolver
from agents.solvers.stage_games import solve_stage_game
from experiments.check_certificate import check_certificate
from simulator.stored import checksum
from tests.solved_variants import TINY
from tests.test_stage_games import three_pennies

#: What comes out, compiled or not: taken from a run, so this only says that no leg differs.
DIGESTS = {
    "two players": "099741373ea56da1",
    "three players": "d80a0a8bab53571e",
    "cfr": "6ffc78192839b606",
    "external": "4ec87f57b0f04226",
    "outcome": "65caba5ca43c3b5d",
    "gains": "cf62add5f763f5eb",
    "stage games": "2c635ed32638ffb0",
}


def digest(*arrays: Any) -> str:
    """Return a short hash of some arrays' bytes."""
    return sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[
        :16
    ]


@pytest.mark.parametrize("name", ["two players", "three players"])
def test_exact_solutions(name: str, tmp_path: Path) -> None:
    game, path = ostrich.Game(TINY[name]), tmp_path / "certificate.npz"
    solution = solve_exactly(game)
    write_certificate(path, game, solution)
    assert check_certificate(path).gain_bound <= 1e-12
    assert checksum({}, certificate_arrays(solution))[:16] == DIGESTS[name]


@pytest.mark.parametrize("algorithm", ["cfr", "external", "outcome"])
def test_regret_minimisation(algorithm: str) -> None:
    solver = TreeSolver(build_tree(ostrich.Game(TINY["three players"])), algorithm)
    solver.run(iterations=3)
    assert digest(solver._regrets, solver._averages) == DIGESTS[algorithm]


def test_best_responses() -> None:
    game = ostrich.Game(TINY["three players"])
    found = deviation_gains(game, [make_agent("random", game)] * 3)
    assert found.gains.min() >= 0
    assert digest(found.values, found.best_responses) == DIGESTS["gains"]


def test_stage_games_of_every_kind() -> None:
    rng, found, methods = np.random.default_rng(4), [], set()
    for number in range(6):
        payoffs = rng.integers(0, 4, (3, 2, 2, 2)).astype(float)
        if number == 0:
            matrix = np.array([[2, -1], [-1, 1]])
            payoffs = np.array([matrix, -matrix], float)
        if number == 1:
            payoffs = three_pennies(4, 2, 5)
        solution = solve_stage_game(payoffs)
        methods.add(solution.method)
        found.extend(solution.policies)
    assert len(methods) >= 3
    assert digest(*found) == DIGESTS["stage games"]
