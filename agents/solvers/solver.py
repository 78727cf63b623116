"""A run of regret minimisation on a tree: so many iterations, or until nobody gains much.

What a run has come to depends on the tree, the algorithm, the seed and the number of iterations
alone: not on how it was cut into pieces. So it can be stopped at any iteration, kept, and gone on
with, to the same bytes.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from agents.solvers.cfr import SCHEDULES, average_policy, iterate
from agents.solvers.gains import ProfileValue
from agents.solvers.sampling import SAMPLINGS, sample
from agents.solvers.sequences import evaluate, sweep_arguments
from agents.solvers.tree import Floats, GameTree
from simulator.inputs import UsageError, seed_from, whole_number
from simulator.registry import unknown
from simulator.stored import read_stored, write_stored

ALGORITHMS = (*SCHEDULES, *SAMPLINGS)
KIND = "checkpoint"
SECONDS_A_CALL = 0.1  # compiled code is not interrupted for longer
MOST_ITERATIONS = 10**12
_GROWTH = 1.2  # gains are looked at after so many times as many iterations

Progress = Callable[["TreeSolver"], None]


class TreeSolver:
    """Regret minimisation on one tree by one algorithm.

    Parameters
    ----------
    tree : GameTree
        With perfect recall, but for the sampling algorithms.
    algorithm : str
        "cfr", "cfr+", "dcfr" (see `cfr`), "external" or "outcome" (see `sampling`).
    seed : int
        Of the sampling algorithms.

    Attributes
    ----------
    history : list of (int, float64[players])
        Deviation gains of the average policy after so many iterations.
    seconds : dict of int to float
        How long it took to come there, looking at gains left out; not known after a `load`.
    spent : float
        Seconds of all iterations in this process.

    Raises
    ------
    UsageError
        For an unknown algorithm or seed, or a tree that the algorithm has no meaning for.
    """

    def __init__(self, tree: GameTree, algorithm: str, seed: int = 1) -> None:
        if algorithm not in ALGORITHMS:
            raise unknown("algorithm", algorithm, ALGORITHMS)
        if algorithm in SCHEDULES:
            tree.require_perfect_recall()
        self.tree, self.algorithm, self.seed = tree, algorithm, seed_from(seed)
        self._done = np.zeros(1, np.int64)
        self.history: list[tuple[int, Floats]] = []
        self.seconds: dict[int, float] = {}
        self._regrets = np.zeros(tree.num_sequences)
        self._averages = np.zeros(tree.num_sequences)
        self._work = [np.zeros(tree.num_sequences) for _ in range(3)]
        self._run_until(0)  # what is compiled late is compiled now, and not timed
        self.spent, self._pace, self._was_loaded = 0.0, 1, False

    @property
    def iterations(self) -> int:
        """How many iterations are done."""
        return int(self._done[0])

    def average_policy(self) -> Floats:
        """Return the average policy: a profile of the tree, legal and defined everywhere."""
        policy = np.ones(self.tree.num_sequences)
        tree = self.tree
        average_policy(tree.first_sequence, tree.num_actions, self._averages, policy)
        return policy

    def value(self) -> ProfileValue:
        """Return what the average policy is worth, and what deviating from it is."""
        return evaluate(self.tree, self.average_policy())

    def run(
        self,
        iterations: Any = None,
        target: float | None = None,
        seconds: float | None = None,
        progress: Progress = lambda _solver: None,
    ) -> None:
        """Go on until the first of these is reached.

        Parameters
        ----------
        iterations : int
            In all, those of earlier calls included.
        target : float
            NashConv, the sum of the players' deviation gains, looked at now and then.
        seconds : float
            Of this call.
        progress : callable
            Called with the solver some ten times a second. What it raises ends the run between
            two iterations.

        Raises
        ------
        UsageError
            If none of the three is given, or one is impossible.
        """
        most = self._most(iterations, target, seconds)
        end = None if seconds is None else time.monotonic() + seconds
        while self.iterations < most and not self._reached(target):
            if end is not None and time.monotonic() >= end:
                break
            self._advance(min(self._next_look(), most, self.iterations + self._pace))
            if self.iterations == self._next_look():
                self.history.append((self.iterations, self.value().gains))
                self._note_time()
            progress(self)
        self._note_time()

    def _note_time(self) -> None:
        """Keep how long it took to come here, if all of it was in this process."""
        if not self._was_loaded:
            self.seconds[self.iterations] = self.spent

    def _most(self, iterations: Any, target: float | None, seconds: float | None) -> int:
        """Return the most iterations, once all that ends a run is known to be possible."""
        if iterations is None and target is None and seconds is None:
            raise UsageError("a run needs an end: iterations, a target or seconds")
        for name, value in (("target", target), ("seconds", seconds)):
            if value is not None and not 0 < value < float("inf"):
                raise UsageError(f"{name} must be a positive number, not {value!r}")
        if target is not None:
            self.tree.require_perfect_recall()
        if iterations is None:
            return MOST_ITERATIONS
        return whole_number("iterations", iterations, 1, MOST_ITERATIONS)

    def _reached(self, target: float | None) -> bool:
        """Return whether gains are small enough, as far as is known."""
        return target is not None and bool(self.history) and self.history[-1][1].sum() <= target

    def _next_look(self) -> int:
        """Return after how many iterations gains are looked at next, if they can be told."""
        if self.tree.merged is not None:
            return MOST_ITERATIONS
        last = self.history[-1][0] if self.history else 0
        return max(last + 1, int(last * _GROWTH))

    def _advance(self, until: int) -> None:
        """Run iterations up to a number, and learn how many take SECONDS_A_CALL."""
        began, more = time.monotonic(), until - self.iterations
        self._run_until(until)
        taken = time.monotonic() - began
        self.spent += taken
        self._pace = max(1, min(4 * more, int(more * SECONDS_A_CALL / max(taken, 1e-6))))

    def _run_until(self, until: int) -> None:
        """Run iterations up to a number."""
        tree, more = self.tree, until - self.iterations
        policy, first, second = self._work
        if self.algorithm in SCHEDULES:
            iterate(
                *sweep_arguments(tree), np.array(SCHEDULES[self.algorithm]), self._done, more,
                self._regrets, self._averages, policy, first, second,
            )  # fmt: skip
        else:
            sample(
                tree.kind, tree.first_child, tree.num_children, tree.information_set, tree.chance,
                tree.first_sequence, tree.num_actions, tree.payoffs, SAMPLINGS[self.algorithm],
                self.seed, self._done, more, self._regrets, self._averages, policy,
                tree.uniform(), *self._rooms(),
            )  # fmt: skip

    def _rooms(self) -> tuple[Any, ...]:
        """Return what a walk works in."""
        nodes = len(self.tree.kind) + 1
        return (
            np.zeros(nodes, np.int32), np.zeros(nodes, np.int32), np.zeros(nodes), np.zeros(nodes),
        )  # fmt: skip

    def _header(self) -> dict[str, Any]:
        """Return what decides the run."""
        return {
            "game": self.tree.name,
            "tree": self.tree.fingerprint,
            "algorithm": self.algorithm,
            "seed": self.seed,
        }

    def save(self, path: Path) -> None:
        """Write a checkpoint; the file appears whole or not at all."""
        looked = [number for number, _ in self.history]
        gains = [gains for _, gains in self.history]
        write_stored(
            path, KIND, {**self._header(), "iterations": self.iterations},
            {
                "regrets": self._regrets,
                "averages": self._averages,
                "looked": np.array(looked, np.int64),
                "gains": np.array(gains).reshape(-1, self.tree.num_players),
            },
        )  # fmt: skip

    def load(self, path: Path) -> None:
        """Go on from a checkpoint.

        Raises
        ------
        UsageError
            If the file is damaged, or of another game, algorithm or seed.
        """
        header, arrays = read_stored(path, KIND)
        for name, value in self._header().items():
            if header.get(name) != value:
                raise UsageError(
                    f"{path} is a checkpoint of another run: its {name} is {header.get(name)!r}, "
                    f"not {value!r}"
                )
        self._regrets, self._averages = arrays["regrets"], arrays["averages"]
        self._done[0] = int(header["iterations"])
        self.history = list(zip(arrays["looked"].tolist(), arrays["gains"], strict=True))
        self.seconds, self._was_loaded = {}, True
