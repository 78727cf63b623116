"""The tables of a tournament, held to a slow computation from every playthrough's own results."""

from collections.abc import Sequence
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import sem, t

import ostrich
from experiments import tables
from simulator import SimulationResult, simulate
from tests.sizes import size

NAMES = ["random", "greedy", "hunter"]
PLAYTHROUGHS = size(3200, 8)  # a multiple of the batch size, so that all batches are equal


def played(
    line_ups: Sequence[tuple[str, ...]], rules: ostrich.Rules | None = None, start: int = 0
) -> list[SimulationResult]:
    """Return the results of some line-ups, every playthrough kept."""
    game = ostrich.Game(rules)
    return [
        simulate(game, line_up, PLAYTHROUGHS, 3, start=start, threads=1, keep="all")
        for line_up in line_ups
    ]


@pytest.fixture(scope="module")
def once() -> list[SimulationResult]:
    """Every line-up in one order of seats."""
    return played(list(combinations_with_replacement(NAMES, 3)))


@pytest.fixture(scope="module")
def ordered() -> list[SimulationResult]:
    """Every line-up in all orders of seats."""
    return played(list(product(NAMES, repeat=3)))


def in_field(results: list[SimulationResult], name: str, kept: str) -> Any:
    """Return an agent's mean in each playthrough over all its opponents, told as plainly as can be.

    Seat the agent and draw its opponents in every way, and look up what it got in the line-up that
    was played of these three.
    """
    values = []
    for others in product(NAMES, repeat=2):
        wanted = sorted([name, *others])
        fitting = [
            getattr(result, kept)[:, seat]
            for result in results
            if sorted(result.agents) == wanted
            for seat in range(3)
            if result.agents[seat] == name
        ]
        values.append(np.mean(fitting, axis=0))
    return np.mean(values, axis=0)


@pytest.mark.parametrize("which", ["once", "ordered"])
def test_agents_are_rated_over_the_whole_field(which: str, request: pytest.FixtureRequest) -> None:
    results = request.getfixturevalue(which)
    table = tables.agent_table(results, ["ambers"]).set_index("agent")
    assert sorted(table.index) == sorted(NAMES)
    for name in NAMES:
        shares = in_field(results, name, "returns")
        batches = shares.reshape(-1, results[0].batch_size).mean(axis=1)
        half = t.ppf(0.975, len(batches) - 1) * sem(batches)
        low, high = max(shares.mean() - half, 0.0), min(shares.mean() + half, 1.0)
        assert table.loc[name, "win_share"] == pytest.approx(shares.mean(), abs=1e-12)
        assert table.loc[name, "low"] == pytest.approx(low, abs=1e-12)
        assert table.loc[name, "high"] == pytest.approx(high, abs=1e-12)
        score = in_field(results, name, "scores").mean()
        assert table.loc[name, "mean_score"] == pytest.approx(score, abs=1e-9)


def test_counters_are_means_over_the_whole_field(once: list[SimulationResult]) -> None:
    table = tables.agent_table(once, ["ambers", "bags_broken"]).set_index("agent")
    orders = {3: 1, 2: 3, 1: 6}  # of a line-up with so many seats for its commonest agent
    for counter in ("ambers", "bags_broken"):
        for name in NAMES:
            total = weight = 0.0
            for result in once:
                stands_for = orders[max(map(result.agents.count, result.agents))]
                for seat in range(3):
                    if result.agents[seat] == name:
                        total += stands_for * result.total(counter)[seat] / PLAYTHROUGHS
                        weight += stands_for
            assert table.loc[name, counter] == pytest.approx(total / weight, abs=1e-9)


def test_strongest_first(once: list[SimulationResult]) -> None:
    shares = list(tables.agent_table(once, [])["win_share"])
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == len(NAMES)


@pytest.mark.parametrize("which", ["once", "ordered"])
def test_the_field_shares_out_every_win(which: str, request: pytest.FixtureRequest) -> None:
    table = tables.agent_table(request.getfixturevalue(which), [])
    assert table["win_share"].mean() == pytest.approx(1 / 3, abs=1e-12)


@pytest.mark.compiled_only
def test_one_order_tells_the_same_as_all_orders(
    once: list[SimulationResult], ordered: list[SimulationResult]
) -> None:
    few = tables.agent_table(once, []).set_index("agent")
    many = tables.agent_table(ordered, []).set_index("agent")
    for name in NAMES:
        assert few.loc[name, "low"] < many.loc[name, "high"]
        assert many.loc[name, "low"] < few.loc[name, "high"]
    assert list(few.index) == list(many.index)


def test_line_ups_that_are_played_in_some_orders_stand_for_the_rest(
    ordered: list[SimulationResult],
) -> None:
    """Weights are shared out: leaving out one of six orders must not weaken its line-up."""
    kept = [result for result in ordered if result.agents != ("random", "greedy", "hunter")]
    table = tables.agent_table(kept, []).set_index("agent")
    for name in NAMES:
        assert table.loc[name, "win_share"] == pytest.approx(
            in_field(kept, name, "returns").mean(), abs=1e-12
        )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_against_copies_of_another(players: int) -> None:
    results = played(
        list(combinations_with_replacement(NAMES, players)), ostrich.Rules(players=players)
    )
    table = tables.against_copies(results)
    assert sorted(table.index) == sorted(table.columns) == sorted(NAMES)
    for one, other in product(NAMES, repeat=2):
        wanted = sorted([one] + [other] * (players - 1))
        shares = [
            result.returns[:, seat].mean()
            for result in results
            if sorted(result.agents) == wanted
            for seat in range(players)
            if one == other or result.agents[seat] == one
        ]
        assert table.loc[one, other] == pytest.approx(np.mean(shares), abs=1e-12)
        if one == other:
            assert table.loc[one, other] == pytest.approx(1 / players, abs=1e-12)


def test_line_ups_seat_by_seat(once: list[SimulationResult]) -> None:
    table = tables.line_up_table(once)
    assert len(table) == 3 * len(once)
    for place, row in table.iterrows():
        result, seat = once[int(place) // 3], int(place) % 3
        assert (row["line_up"], row["seat"]) == (",".join(result.agents), seat)
        assert (row["agent"], row["playthroughs"]) == (result.agents[seat], PLAYTHROUGHS)
        assert row["win_share"] == pytest.approx(result.returns[:, seat].mean(), abs=1e-12)
        assert row["low"] <= row["win_share"] <= row["high"]
        assert row["mean_score"] == pytest.approx(result.scores[:, seat].mean(), abs=1e-12)


@pytest.mark.parametrize("start", [0, 5])
def test_raw_totals_come_back(tmp_path: Path, start: int) -> None:
    results = played([("random", "greedy", "greedy"), ("greedy", "hunter", "random")], start=start)
    raw = tables.raw_table(results)
    assert raw["playthroughs"].sum() == 2 * 3 * PLAYTHROUGHS
    tables.write_parquet(raw, tmp_path / "raw.parquet")
    stored = tables.read_parquet(tmp_path / "raw.parquet")
    pd.testing.assert_frame_equal(raw, stored, check_dtype=False)
    back = tables.results_from(stored, results[0].game, 3, start, results[0].batch_size)
    for before, after in zip(results, back, strict=True):
        assert np.array_equal(before.totals, after.totals)
        for name in ("game", "agents", "seed", "start", "playthroughs", "batch_size", "partial"):
            assert getattr(before, name) == getattr(after, name)


def test_the_same_table_gives_the_same_bytes(tmp_path: Path, once: list[SimulationResult]) -> None:
    for name in ("a", "b"):
        tables.write_parquet(tables.raw_table(once), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_flipped_byte_is_noticed(tmp_path: Path) -> None:
    """The values cannot be compressed, so only the checksum of their page can tell."""
    values = np.random.default_rng(2).integers(2**62, size=500)
    tables.write_parquet(pd.DataFrame({"value": values}), tmp_path / "t.parquet")
    good = (tmp_path / "t.parquet").read_bytes()
    noticed = 0
    for place in range(4, len(good), 41):
        bad = bytearray(good)
        bad[place] ^= 0x10
        (tmp_path / "t.parquet").write_bytes(bad)
        try:
            read = tables.read_parquet(tmp_path / "t.parquet")
        except Exception:  # what kind depends on what the byte says
            noticed += 1
        else:  # a byte that says nothing of the values
            assert np.array_equal(read.to_numpy()[:, 0], values)
    assert noticed >= 4000 // 41


def test_page_checksums_are_written_and_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet

    asked: dict[str, Any] = {}
    write, read = pyarrow.parquet.write_table, pyarrow.parquet.read_table

    def writing(*arguments: Any, **options: Any) -> Any:
        asked.update(options)
        return write(*arguments, **options)

    def reading(*arguments: Any, **options: Any) -> Any:
        asked.update(options)
        return read(*arguments, **options)

    monkeypatch.setattr(pyarrow.parquet, "write_table", writing)
    monkeypatch.setattr(pyarrow.parquet, "read_table", reading)
    tables.write_parquet(pd.DataFrame({"value": [1, 2]}), tmp_path / "t.parquet")
    tables.read_parquet(tmp_path / "t.parquet")
    assert asked["write_page_checksum"] is True
    assert asked["page_checksum_verification"] is True
