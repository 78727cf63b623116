"""Ratings of agents from line-ups of several players, and who beats whom in circles.

The model is Luce's (1959): in a line-up an agent's share of the win is its strength over the sum of
all strengths. Ratings are logarithms of strengths on Elo's scale, where 400 points are ten times
the strength; their mean is 0.
"""

import math
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from simulator.result import SimulationResult
from simulator.statistics import batch_interval

SCALE = 400 / math.log(10)
RESAMPLES = 400
_PRIOR = 1e-4  # of a win for each agent in each line-up: keeps one that never wins finite
_STEPS = 100
_CONVERGED = 1e-10

Floats = npt.NDArray[np.float64]


def fitted_strengths(seats: npt.NDArray[np.int64], shares: Floats) -> Floats:
    """Return the logarithms of strengths that make shares of the win likeliest, mean 0.

    Parameters
    ----------
    seats : int64[line-ups, players]
        Which agent sits where.
    shares : float64[line-ups, players]
        Mean share of the win of each seat.

    Notes
    -----
    The log-likelihood is concave: Newton's method with halved steps.
    """
    count = int(seats.max()) + 1
    won = np.bincount(seats.ravel(), (shares + _PRIOR).ravel(), count)
    strengths = np.zeros(count)
    weight = (shares + _PRIOR).sum(axis=1)
    best = -np.inf
    step = np.zeros(count)
    for _ in range(_STEPS):
        trial = strengths + step
        there = trial[seats]
        most = there.max(axis=1, keepdims=True)
        total = np.exp(there - most).sum(axis=1, keepdims=True)
        value = float(won @ trial - weight @ (most + np.log(total))[:, 0])
        if value < best:
            step /= 2
            if np.abs(step).max() < _CONVERGED:
                break
            continue
        strengths, best = trial, value
        chances = np.exp(there - most) / total
        expected = np.bincount(seats.ravel(), (weight[:, None] * chances).ravel(), count)
        hessian = np.zeros((count, count))
        for one in range(seats.shape[1]):
            diagonal = weight * chances[:, one]
            np.add.at(hessian, (seats[:, one], seats[:, one]), diagonal)
            for two in range(seats.shape[1]):
                both = weight * chances[:, one] * chances[:, two]
                np.add.at(hessian, (seats[:, one], seats[:, two]), -both)
        slope = won - expected
        step = np.linalg.lstsq(hessian, slope, rcond=1e-12)[0]
        if np.abs(step).max() < _CONVERGED:
            break
    centred: Floats = strengths - strengths.mean()
    return centred


def rating_table(results: Sequence[SimulationResult], seed: int) -> pd.DataFrame:
    """Return a row for each agent, strongest first: rating with its 95 % interval.

    Intervals are percentiles over resampled batches of deals, which all line-ups share.
    """
    names = list(dict.fromkeys(name for result in results for name in result.agents))
    seats = np.array([[names.index(name) for name in result.agents] for result in results])
    counts = results[0].batch_counts()
    units, number = results[0].game.share_units, results[0].game.counters.index("win_units")
    won = np.array([result.totals[:, :, number] for result in results]) / units
    ratings = SCALE * fitted_strengths(seats, won.sum(axis=1) / counts.sum())
    rng = np.random.default_rng(seed)
    resampled = np.empty((RESAMPLES, len(names)))
    for row in resampled:
        drawn = rng.integers(len(counts), size=len(counts))
        row[:] = SCALE * fitted_strengths(seats, won[:, drawn].sum(axis=1) / counts[drawn].sum())
    low, high = np.percentile(resampled, [2.5, 97.5], axis=0)
    if len(counts) < 2:
        low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    table = pd.DataFrame({"agent": names, "rating": ratings, "low": low, "high": high})
    return table.sort_values("rating", ascending=False, kind="stable").reset_index(drop=True)


def duel_table(results: Sequence[SimulationResult]) -> pd.DataFrame:
    """Return a row for each two agents: by how much one does better than the other between them.

    `margin` is the one's share against copies of the other, less the other's against copies of the
    one; positive if `agent` beats `other`; with its 95 % interval over batches of deals.
    """
    lone: dict[tuple[str, str], Floats] = {}
    counts = results[0].batch_counts()
    for result in results:
        number = result.game.counters.index("win_units")
        for seat, name in enumerate(result.agents):
            others = {*result.agents[:seat], *result.agents[seat + 1 :]}
            if len(others) == 1 and name not in others:
                shares = result.totals[:, seat, number] / result.game.share_units
                pair = (name, others.pop())
                lone.setdefault(pair, np.zeros(len(counts)))
                lone[pair] = lone[pair] + shares / _orders(results, result)
    rows = []
    for one, other in lone:
        if (other, one) in lone and one < other:
            margin = batch_interval(lone[one, other] - lone[other, one], counts)
            rows.append({"agent": one, "other": other, **margin._asdict()})
    return pd.DataFrame(rows, columns=["agent", "other", "mean", "low", "high"]).rename(
        columns={"mean": "margin"}
    )


def _orders(results: Sequence[SimulationResult], one: SimulationResult) -> int:
    """Return in how many orders of seats a line-up was played."""
    return sum(sorted(result.agents) == sorted(one.agents) for result in results)


def cycles_in(duels: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Return all circles of three in which each surely beats the next: its interval is above 0."""
    beats: dict[str, set[str]] = {}
    for row in duels.itertuples():
        if row.low > 0:
            beats.setdefault(row.agent, set()).add(row.other)
        if row.high < 0:
            beats.setdefault(row.other, set()).add(row.agent)
    names = sorted(beats)
    return [
        (a, b, c)
        for a, b, c in permutations(names, 3)
        if a < b and a < c and b in beats[a] and c in beats[b] and a in beats[c]
    ]


def told_cycles(cycles: Sequence[tuple[str, str, str]], agents: Any) -> str:
    """Return in one line what the circles are."""
    if not cycles:
        return "nobody beats one who beats one who beats him: no circle of three is sure"
    told = "; ".join(f"{a} beats {b} beats {c} beats {a}" for a, b, c in cycles[:5])
    more = f"; and {len(cycles) - 5} more" if len(cycles) > 5 else ""
    return f"circles of three: {told}{more}"
