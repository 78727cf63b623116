"""95 % intervals. Every function takes sums, so that nothing per playthrough need be kept."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Z95 = 1.959963984540054  # a standard normal variable lies within it 95 % of the time


class Interval(NamedTuple):
    """An estimate and its 95 % interval."""

    mean: float
    low: float
    high: float


def share_interval(total: float, squared: float, count: int) -> Interval:
    """Return the mean of shares, each from 0 to 1, of independent playthroughs.

    Wilson's score interval (Wilson 1927), which stays within 0 and 1 and is right for shares near
    them, at the number of yes-or-no trials that would vary as much as these shares (a split win
    varies less than a toss). Where no share varies, each counts as one trial.

    Parameters
    ----------
    total, squared : float
        Sum of the shares and of their squares.
    count : int
        Playthroughs, at least 1.
    """
    mean = min(max(total / count, 0.0), 1.0)
    spread = mean * (1 - mean)
    variance = max(squared / count - mean * mean, 0.0) * count / max(count - 1, 1)
    trials = count * spread / variance if variance > 0 and spread > 0 else float(count)
    trials = max(trials, float(count))
    middle = (mean + Z95**2 / (2 * trials)) / (1 + Z95**2 / trials)
    half = Z95 / (1 + Z95**2 / trials) * math.sqrt(spread / trials + Z95**2 / (4 * trials**2))
    return Interval(mean, min(max(middle - half, 0.0), mean), max(min(middle + half, 1.0), mean))


def mean_interval(total: float, squared: float, count: int) -> Interval:
    """Return the mean of independent values by the normal approximation.

    Parameters
    ----------
    total, squared : float
        Sum of the values and of their squares.
    count : int
        Values; with only one the interval is infinite.
    """
    mean = total / count
    if count < 2:
        return Interval(mean, -math.inf, math.inf)
    variance = max(squared / count - mean * mean, 0.0) * count / (count - 1)
    half = Z95 * math.sqrt(variance / count)
    return Interval(mean, mean - half, mean + half)


def batch_interval(sums: npt.NDArray[np.float64], counts: npt.NDArray[np.int64]) -> Interval:
    """Return a mean from independent batches whose values are correlated within a batch.

    What is summed may come from line-ups that all played the same deals: whatever is correlated
    lies in one batch, so the batches' sums say how far the mean is off (batch means, Student's t).

    Parameters
    ----------
    sums : float64[batches]
        Sum of the values in each batch.
    counts : int64[batches]
        Number of values in each batch.
    """
    from scipy.stats import t  # imports for half a second

    batches, total = len(counts), int(counts.sum())
    mean = float(sums.sum() / total)
    if batches < 2:
        return Interval(mean, -math.inf, math.inf)
    residuals = sums - mean * counts
    variance = float((residuals**2).sum()) * batches / (batches - 1) / total**2
    half = float(t.ppf(0.975, batches - 1)) * math.sqrt(variance)
    return Interval(mean, mean - half, mean + half)
