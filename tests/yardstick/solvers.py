"""Set the solvers beside OpenSpiel's, and time the exact ones, side by side in one process.

`python -m tests.yardstick.solvers [ROUNDS]`; medians of five unless told otherwise.
"""

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pyspiel

import ostrich
from agents import make_agent
from agents.solvers.building import build_tree
from agents.solvers.ostrich_exact import solve_exactly
from agents.solvers.ostrich_gain import deviation_gains
from agents.solvers.solver import TreeSolver
from tests.openspiel_games import GOOFSPIEL_3

RULES = ostrich.Rules(bags=(2, 3, 5), deck=(0, 4, 5, 6, 7), removed=0, rounds=4)


def seconds(work: Callable[[], Any]) -> float:
    """Return how long a call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def ten_iterations(solver: Any) -> None:
    """Run OpenSpiel's solver."""
    for _ in range(10):
        solver.evaluate_and_update_policy()


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    game = pyspiel.load_game(GOOFSPIEL_3)
    tree = build_tree(game)
    theirs, ours, ratios, targets = [], [], [], []
    for _ in range(rounds):
        other = pyspiel.CFRPlusSolver(pyspiel.convert_to_turn_based(game))

        theirs.append(10 / seconds(partial(ten_iterations, other)))
        solver = TreeSolver(tree, "cfr+")
        solver.run(iterations=2000)
        ours.append(2000 / solver.spent)
        ratios.append(ours[-1] / theirs[-1])
        solver = TreeSolver(tree, "cfr+")
        targets.append(seconds(partial(solver.run, target=1e-3)))
    print(f"CFR+ on {GOOFSPIEL_3}: {statistics.median(ours):,.0f} iterations a second, OpenSpiel's "
          f"{statistics.median(theirs):,.1f}, ratio {statistics.median(ratios):,.0f}")  # fmt: skip
    print(f"  NashConv 1e-3 in {statistics.median(targets):.2f} s, gains looked at included")
    played = ostrich.Game(RULES)
    solve_exactly(ostrich.Game(ostrich.Rules(bags=(2,), rounds=2)))  # compiled before
    for threads in (1, 2):
        times = [seconds(partial(solve_exactly, played, threads=threads)) for _ in range(rounds)]
        print(
            f"exact solution of {RULES.slug()}, {threads} threads: {statistics.median(times):.2f} s"
        )
    for name in ("greedy", "random"):
        line_up = [make_agent(name, played)] * 3
        deviation_gains(played, line_up)
        times = [seconds(partial(deviation_gains, played, line_up)) for _ in range(rounds)]
        print(f"best responses to three {name} there: {statistics.median(times):.2f} s")


if __name__ == "__main__":
    main()
