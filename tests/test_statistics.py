"""Intervals against known values and by their coverage; summaries and batches against NumPy."""

import math

import numpy as np
import pytest
from scipy.stats import norm, t

import ostrich
from simulator import merge, simulate
from simulator.result import MAX_BATCHES, batch_size_for
from simulator.statistics import Z95, batch_interval, mean_interval, share_interval
from tests.sizes import size

GAME = ostrich.Game()
LINE_UP = ["random", "greedy", "random"]


def wilson(wins: float, trials: float) -> tuple[float, float]:
    """Return Wilson's interval, as in his paper: the p whose test does not reject the share."""
    z, p = norm.ppf(0.975), wins / trials
    middle, spread = (
        p + z**2 / (2 * trials),
        z * math.sqrt(p * (1 - p) / trials + z**2 / (4 * trials**2)),
    )
    return (middle - spread) / (1 + z**2 / trials), (middle + spread) / (1 + z**2 / trials)


def test_the_normal_quantile() -> None:
    assert norm.ppf(0.975) == pytest.approx(Z95, abs=1e-14)


@pytest.mark.parametrize("count", [100, 1000, 10**6])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.97])
def test_shares_without_ties_have_wilsons_interval(share: float, count: int) -> None:
    wins = round(share * count)
    interval = share_interval(wins, wins, count)
    assert interval.mean == wins / count
    low, high = wilson(wins, count)
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1 / count)


def test_a_known_value() -> None:
    """20 of 50 gives 0.2761 to 0.5382 (Wilson; 0.276 and 0.538 in many tables)."""
    interval = share_interval(20, 20, 50)
    assert (interval.low, interval.high) == pytest.approx((0.2761, 0.5382), abs=2e-3)


@pytest.mark.parametrize("count", [1, 2, 50, 10**12])
@pytest.mark.parametrize("share", [0, 1])
def test_all_wins_and_none(share: int, count: int) -> None:
    interval = share_interval(share * count, share * count, count)
    assert interval == pytest.approx((share, *wilson(share * count, count)), abs=1e-9)
    assert interval[1 + share] == pytest.approx(share)
    assert 0 <= interval.low < interval.high <= 1


def test_shares_that_never_vary_count_as_a_trial_each() -> None:
    interval = share_interval(20 / 3, 20 / 9, 20)
    assert interval == pytest.approx((1 / 3, *wilson(20 / 3, 20)), abs=1e-9)


def test_split_wins_narrow_the_interval() -> None:
    half = share_interval(500, 375, 1000)  # half of the playthroughs split: variance an eighth
    assert half.high - half.low == pytest.approx(2 * Z95 * math.sqrt(0.125 / 1000), rel=0.01)
    whole = share_interval(500, 500, 1000)
    assert half.high - half.low < 0.72 * (whole.high - whole.low)


def test_mean_interval_is_the_textbooks() -> None:
    values = np.array([3.0, 5, 5, 8, 13, 21])
    interval = mean_interval(values.sum(), (values**2).sum(), len(values))
    half = norm.ppf(0.975) * values.std(ddof=1) / math.sqrt(len(values))
    assert interval == pytest.approx((values.mean(), values.mean() - half, values.mean() + half))
    assert mean_interval(5, 25, 1) == (5, -math.inf, math.inf)
    assert mean_interval(10, 20, 5) == (2, 2, 2)


def test_batch_interval_with_equal_batches_is_students() -> None:
    means = np.array([0.3, 0.35, 0.31, 0.4])
    interval = batch_interval(means * 50, np.full(4, 50))
    half = t.ppf(0.975, 3) * means.std(ddof=1) / 2
    assert interval == pytest.approx((means.mean(), means.mean() - half, means.mean() + half))
    assert batch_interval(np.array([5.0]), np.array([10])) == (0.5, -math.inf, math.inf)


@pytest.mark.parametrize("ties", [0.0, 0.3])
@pytest.mark.parametrize(("count", "share"), [(40, 0.5), (200, 1 / 3), (1000, 0.1)])
def test_share_interval_covers(count: int, share: float, ties: float) -> None:
    """The true share lies within in 93.5 to 96.5 % of 20,000 repeats."""
    rng = np.random.default_rng(4)
    wins = rng.multinomial(
        count, [share * (1 - ties), 2 * share * ties, 1 - share * (1 + ties)], 20_000
    )
    totals, squares = wins[:, 0] + wins[:, 1] / 2, wins[:, 0] + wins[:, 1] / 4
    found = [share_interval(a, b, count) for a, b in zip(totals, squares, strict=True)]
    covered = np.mean([interval.low <= share <= interval.high for interval in found])
    assert 0.935 < covered < 0.965


def test_mean_and_batch_intervals_cover() -> None:
    rng = np.random.default_rng(5)
    values = rng.exponential(3, (4000, 300))
    sums, squares = values.sum(axis=1), (values**2).sum(axis=1)
    found = [mean_interval(a, b, 300) for a, b in zip(sums, squares, strict=True)]
    assert 0.935 < np.mean([i.low <= 3 <= i.high for i in found]) < 0.965
    shared = rng.normal(0, 1, (4000, 20, 1)) + rng.normal(0, 1, (4000, 20, 15))
    batches = [batch_interval(one.sum(axis=1), np.full(20, 15)) for one in shared]
    assert 0.935 < np.mean([i.low <= 0 <= i.high for i in batches]) < 0.965


def test_summary_is_numpys_of_what_is_kept() -> None:
    result = simulate(GAME, LINE_UP, size(5000, 60), 6, keep="all")
    table = result.summary()
    head = ["agent", "win_share", "low", "high", "mean_score"]
    assert list(table.columns) == [*head, "ambers", "bags_full", "bags_broken", "out"]
    assert table.index.name == "seat"
    assert list(table["agent"]) == LINE_UP
    np.testing.assert_allclose(table["win_share"], result.returns.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(table["mean_score"], result.scores.mean(axis=0), rtol=1e-12)
    for counter, expected in (
        ("win_units", (result.returns * 12).sum(axis=0)),
        ("win_units_squared", (result.returns**2 * 144).sum(axis=0)),
        ("score", result.scores.sum(axis=0)),
        ("score_squared", (result.scores.astype(float) ** 2).sum(axis=0)),
    ):
        np.testing.assert_allclose(result.total(counter), expected)
    for seat in range(3):
        shares = result.returns[:, seat]
        interval = share_interval(shares.sum(), (shares**2).sum(), len(shares))
        found = table.loc[seat, ["win_share", "low", "high"]].astype(float)
        assert tuple(found) == pytest.approx(tuple(interval))


@pytest.mark.parametrize(
    ("start", "count"), [(0, 1), (0, 129), (5, size(1000, 140)), (127, 3), (10**12, size(999, 131))]
)
def test_batches_hold_the_playthroughs_of_their_indices(start: int, count: int) -> None:
    result = simulate(GAME, ["random"] * 3, count, 6, start, keep="all")
    batch = (start + np.arange(count)) // result.batch_size
    batch -= batch[0]
    assert result.batch_size == batch_size_for(count)
    assert result.batch_counts().tolist() == np.bincount(batch).tolist()
    for seat in range(3):
        scores = np.bincount(batch, result.scores[:, seat])
        assert result.totals[:, seat, GAME.counters.index("score")].tolist() == scores.tolist()


def test_there_are_64_to_129_batches_of_a_power_of_two() -> None:
    for count in (1, 128, 129, 1000, 10**6, 10**12):
        size_of_one = batch_size_for(count)
        assert size_of_one.bit_count() == 1
        assert -(-count // size_of_one) <= MAX_BATCHES
        assert size_of_one == 1 or count / size_of_one > MAX_BATCHES / 2


def test_merged_batches_are_those_of_the_whole() -> None:
    middle = size(300, 130)
    cuts = ((3, 5), (8, middle), (8 + middle, 10))
    pieces = [simulate(GAME, LINE_UP, count, 6, start) for start, count in cuts]
    whole, joined = simulate(GAME, LINE_UP, middle + 15, 6, 3), merge(pieces)
    assert joined.batch_counts().tolist() == whole.batch_counts().tolist()
    assert joined.totals.tolist() == whole.totals.tolist()


def test_what_was_not_kept_is_said() -> None:
    result = simulate(GAME, LINE_UP, 5, 6)
    for name in ("returns", "scores"):
        with pytest.raises(ValueError, match='simulate with keep="all"'):
            getattr(result, name)
