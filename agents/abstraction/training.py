"""A run of regret minimisation on the abstraction, in steps, and what is kept of it."""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.abstraction.buckets import PARTS, bucketing_of, radix_of
from agents.abstraction.sampling import learn
from agents.cfr import NAME, VERSION
from agents.lookahead.nets import SEATS
from agents.policies import policy_header
from ostrich import MAX_ACTIONS
from simulator.inputs import UsageError
from simulator.stored import Arrays

SLOTS = 1 << 21
STEPS = 40
SECONDS_A_CALL = 0.2  # compiled code is not interrupted for longer
LEAST_WEIGHT = 0.02  # of the mean weight of a bucket: what was met less is left to its own
_PROBED = 200


@dataclass(frozen=True)
class CfrPlan:
    """How long to learn, and on what abstraction.

    Parameters
    ----------
    iterations : int
        Games; each changes the regrets of one player.
    seed : int
    parts : tuple of str
        Of `buckets.PARTS`.
    """

    iterations: int = 1_500_000
    seed: int = 1
    parts: tuple[str, ...] = PARTS


@dataclass(frozen=True)
class Progress:
    """A step that is done: games so far, buckets met, and the mean positive regret of a visit."""

    iterations: int
    buckets: int


class CfrTrainer:
    """Regret minimisation that can be stopped between any two games.

    Parameters
    ----------
    game : ostrich.Game
    plan : CfrPlan

    Raises
    ------
    UsageError
        For a variant with other than three players.
    """

    def __init__(self, game: Any, plan: CfrPlan) -> None:
        if game.num_players != SEATS:
            raise UsageError(f"cfr is trained for {SEATS} players, not {game.num_players}")
        self.game, self.plan, self.done = game, plan, []  # type: ignore[var-annotated]
        self._bucketing = bucketing_of(game.rules, plan.parts)
        self._buckets = np.full(SLOTS, -1, np.int64)
        self._regrets = np.zeros((SLOTS, MAX_ACTIONS), np.float32)
        self._sums = np.zeros((SLOTS, MAX_ACTIONS), np.float32)
        self._played, self._filled = np.zeros(1, np.int64), np.zeros(1, np.int64)

    @property
    def steps(self) -> list[int]:
        """After how many games each step ends."""
        count = min(STEPS, self.plan.iterations)
        return [self.plan.iterations * (step + 1) // count for step in range(count)]

    def run(self, threads: int) -> Iterator[Progress]:
        """Take the steps that are left, on one thread; yields each one when it is done."""
        pace = 100
        for until in self.steps[len(self.done) :]:
            while self._played[0] < until:
                more = min(pace, until - int(self._played[0]))
                began = time.monotonic()
                self._learn(more)
                taken = max(time.monotonic() - began, 1e-6)
                pace = max(1, min(4 * more, int(more * SECONDS_A_CALL / taken)))
            step = Progress(int(self._played[0]), int(self._filled[0]))
            self.done.append(step)
            yield step

    def _learn(self, more: int) -> None:
        """Play some games."""
        table = (self._buckets, self._regrets, self._sums)
        learn(self._bucketing, table, self.plan.seed, self._played, more, self._filled)

    def estimate(self, threads: int) -> tuple[float, int]:
        """Return about how many seconds and bytes the steps that are left will take."""
        probe = CfrTrainer(self.game, self.plan)
        probe._learn(1)
        began = time.monotonic()
        probe._learn(_PROBED)
        each = (time.monotonic() - began) / _PROBED
        left = self.plan.iterations - int(self._played[0])
        return left * each, 350_000_000 + SLOTS * (8 + 8 * MAX_ACTIONS)

    def checkpoint(self) -> tuple[dict[str, Any], Arrays]:
        """Return all that is needed to go on: the slots that are taken."""
        slots = (self._buckets >= 0).nonzero()[0]
        header = {"played": int(self._played[0]), "done": [asdict(one) for one in self.done]}
        return header, {
            "slots": slots,
            "buckets": self._buckets[slots],
            "regrets": self._regrets[slots],
            "sums": self._sums[slots],
        }

    def restore(self, header: dict[str, Any], arrays: Arrays) -> None:
        """Go on from a checkpoint of the same game and plan."""
        slots = arrays["slots"]
        self._buckets[slots], self._regrets[slots] = arrays["buckets"], arrays["regrets"]
        self._sums[slots] = arrays["sums"]
        self._played[0], self._filled[0] = header["played"], len(slots)
        self.done = [Progress(**one) for one in header["done"]]

    def policy(self) -> tuple[dict[str, Any], Arrays]:
        """Return the header and the arrays of the average policy.

        `buckets` uint32 or int64, ascending; `policies` uint8[buckets, actions], in 255ths; and the
        same, `coarse_...`, for buckets of own position and card alone.
        """
        taken = self._buckets >= 0
        buckets, sums = self._buckets[taken], self._sums[taken].astype(np.float64)
        weights = sums.sum(axis=1)
        known = weights > LEAST_WEIGHT * weights.mean()
        coarse, where = np.unique(buckets // radix_of(self.plan.parts), return_inverse=True)
        summed = np.zeros((len(coarse), MAX_ACTIONS))
        np.add.at(summed, where, sums)
        order = buckets[known].argsort()
        header = policy_header(NAME, VERSION, self.game)
        return {**header, "parts": list(self.plan.parts)}, {
            "buckets": _short(buckets[known][order]),
            "policies": _bytes_of(sums[known][order]),
            "coarse_buckets": _short(coarse),
            "coarse_policies": _bytes_of(summed),
        }


def _short(buckets: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Return buckets in as few bytes as hold them."""
    return buckets.astype(np.uint32) if buckets.size and buckets.max() < 1 << 32 else buckets


def _bytes_of(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Return rows of weights as 255ths of their largest, uint8."""
    largest = np.maximum(weights.max(axis=1, keepdims=True), 1e-300)
    rounded: npt.NDArray[np.uint8] = np.rint(255 * weights / largest).astype(np.uint8)
    return rounded
