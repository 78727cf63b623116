"""Ratings: strengths that are known come out, and circles are found."""

from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ostrich
from experiments.ratings import SCALE, cycles_in, duel_table, fitted_strengths, rating_table
from simulator import simulate

WIN = ostrich.Game.counters.index("win_units")


def shares_by(strengths: Any, seats: Any) -> Any:
    """Return the shares that the model says."""
    powers = np.exp(np.array(strengths)[seats])
    return powers / powers.sum(axis=1, keepdims=True)


def test_strengths_that_made_the_shares_come_out() -> None:
    strengths = np.array([0.9, 0.1, -0.3, -0.7])
    seats = np.array(list(combinations_with_replacement(range(4), 3)))
    found = fitted_strengths(seats, shares_by(strengths, seats))
    np.testing.assert_allclose(found, strengths - strengths.mean(), atol=2e-3)


def test_one_who_never_wins_stays_finite() -> None:
    seats = np.array([[0, 0, 1], [0, 1, 1]])
    found = fitted_strengths(seats, np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]))
    assert np.isfinite(found).all()
    assert found[0] > found[1] + 3


def league_of(strengths: dict[str, float], batches: int, seed: int) -> list[Any]:
    """Return results of a made-up league: each batch's shares with noise of 100 playthroughs."""
    game, rng = ostrich.Game(), np.random.default_rng(seed)
    names, count = list(strengths), 100
    base = simulate(game, ["random"] * 3, batches * 128, 1)
    results = []
    for line_up in combinations_with_replacement(range(len(names)), 3):
        shares = shares_by(list(strengths.values()), np.array([line_up]))[0]
        totals = np.zeros((batches, 3, len(game.counters)), np.int64)
        won = rng.multinomial(count, shares, size=batches)
        totals[:, :, WIN] = won * game.share_units
        results.append(
            replace(
                base, agents=tuple(names[number] for number in line_up), totals=totals,
                playthroughs=batches * count, batch_size=count,
            )
        )  # fmt: skip
    return results


def test_intervals_hold_what_they_should() -> None:
    """95 % of them the truth, over 40 leagues of four: 152 of 160 expected, 5 errors allowed."""
    strengths = {"a": 0.5, "b": 0.2, "c": -0.1, "d": -0.6}
    inside = 0
    for seed in range(40):
        table = rating_table(league_of(strengths, 30, seed), 1).set_index("agent")
        for name, strength in strengths.items():
            inside += table.loc[name, "low"] <= SCALE * strength <= table.loc[name, "high"]
    assert abs(inside - 152) < 5 * np.sqrt(160 * 0.95 * 0.05)


def test_ratings_do_not_depend_on_the_order_of_line_ups() -> None:
    results = league_of({"a": 0.5, "b": 0.0, "c": -0.5}, 10, 3)
    one, other = rating_table(results, 1), rating_table(results[::-1], 1)
    np.testing.assert_allclose(one["rating"], other["rating"], atol=1e-6)


def test_duels_are_margins_between_two() -> None:
    results = league_of({"a": 0.7, "b": 0.0}, 40, 5)
    duel = duel_table(results).iloc[0]
    lone = np.exp([0.7, 0.0])
    wanted = lone[0] / (lone[0] + 2 * lone[1]) - lone[1] / (2 * lone[0] + lone[1])
    assert duel["low"] < wanted < duel["high"]
    assert duel["margin"] == pytest.approx(wanted, abs=0.05)


def test_circles_of_three_are_told_once_and_only_sure_ones() -> None:
    sure = {"margin": 0.1, "low": 0.05, "high": 0.15}
    duels = pd.DataFrame(
        [
            {"agent": "a", "other": "b", **sure},
            {"agent": "b", "other": "c", **sure},
            {"agent": "a", "other": "c", "margin": -0.1, "low": -0.15, "high": -0.05},
            {"agent": "a", "other": "d", "margin": 0.1, "low": -0.01, "high": 0.2},
        ]
    )
    assert cycles_in(duels) == [("a", "b", "c")]
    duels.loc[2, "high"] = 0.01
    assert cycles_in(duels) == []
