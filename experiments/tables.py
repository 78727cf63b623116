"""Tables of a tournament: from the simulator's totals to what is printed, stored and drawn.

The raw table has a row for each line-up, batch and seat; everything else is computed from it, so
each step can be made again alone.
"""

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet

from simulator.result import SimulationResult
from simulator.statistics import batch_interval


def raw_table(results: Sequence[SimulationResult]) -> pd.DataFrame:
    """Return the totals of all line-ups, a row for each line-up, batch and seat."""
    parts = []
    for result in results:
        batches, players, _ = result.totals.shape
        first = result.start // result.batch_size
        part = pd.DataFrame(
            {
                "line_up": ",".join(result.agents),
                "batch": np.repeat(np.arange(first, first + batches), players),
                "seat": np.tile(np.arange(players), batches),
                "agent": np.tile(np.array(result.agents, dtype=object), batches),
                "playthroughs": np.repeat(result.batch_counts(), players),
            }
        )
        for label, value in result.game.labels.items():
            part[label] = value
        for number, counter in enumerate(result.game.counters):
            part[counter] = result.totals[:, :, number].reshape(-1)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def results_from(
    raw: pd.DataFrame, game: Any, seed: int, start: int, size: int
) -> list[SimulationResult]:
    """Return the results that a raw table was made of."""
    results = []
    for line_up, part in raw.groupby("line_up", sort=False):
        players = game.num_players
        totals = (
            part[list(game.counters)].to_numpy(np.int64).reshape(-1, players, len(game.counters))
        )
        played = int(part["playthroughs"].to_numpy()[::players].sum())
        agents = tuple(str(line_up).split(","))
        results.append(SimulationResult(game, agents, seed, start, played, size, totals))
    return results


def write_parquet(table: pd.DataFrame, path: Path) -> None:
    """Write a table as Parquet with page checksums."""
    content = pyarrow.Table.from_pandas(table, preserve_index=False)
    pyarrow.parquet.write_table(content, path, write_page_checksum=True, compression="zstd")


def read_parquet(path: Path) -> pd.DataFrame:
    """Read a Parquet table, its page checksums verified."""
    return pyarrow.parquet.read_table(path, page_checksum_verification=True).to_pandas()


def line_up_table(results: Sequence[SimulationResult]) -> pd.DataFrame:
    """Return a row for each line-up and seat: win share with its interval, and means."""
    parts = []
    for result in results:
        part = result.summary().reset_index()
        part.insert(0, "line_up", ",".join(result.agents))
        part.insert(3, "playthroughs", result.playthroughs)
        for label, value in result.game.labels.items():
            part[label] = value
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def agent_table(results: Sequence[SimulationResult], shown: Sequence[str]) -> pd.DataFrame:
    """Return a row for each agent, strongest first: how it does in the whole field.

    Its opponents are drawn at random from the agents of the tournament, itself included: the mean
    over all orders of opponents of its share in that line-up. All line-ups play the same deals, so
    the interval comes from batches of deals (`batch_interval`).

    Parameters
    ----------
    results : sequence of SimulationResult
        All line-ups over the agents, in any order of seats; the same playthroughs in each.
    shown : sequence of str
        Counters to be averaged, beside the score.
    """
    names = list(dict.fromkeys(name for result in results for name in result.agents))
    counters = results[0].game.counters
    counts = results[0].batch_counts()
    sums = {name: np.zeros((len(counts), len(counters))) for name in names}
    weights = dict.fromkeys(names, 0.0)
    for name, result, seat, weight in _appearances(results):
        sums[name] += weight * result.totals[:, seat]
        weights[name] += weight
    rows = []
    for name in names:
        mean = sums[name] / weights[name]
        units = results[0].game.share_units
        share = batch_interval(mean[:, counters.index("win_units")] / units, counts)
        row = {
            "agent": name,
            "win_share": share.mean,
            "low": max(share.low, 0.0),
            "high": min(share.high, 1.0),
        }
        row["mean_score"] = mean[:, counters.index("score")].sum() / counts.sum()
        for counter in shown:
            row[counter] = mean[:, counters.index(counter)].sum() / counts.sum()
        rows.append({**row, **results[0].game.labels})
    table = pd.DataFrame(rows).sort_values("win_share", ascending=False, kind="stable")
    return table.reset_index(drop=True)


def card_table(results: Sequence[SimulationResult]) -> pd.DataFrame:
    """Return a row for each agent and card: the points that the card brings when it is played.

    The mean over all its plays in the whole field (`agent_table`), with an interval from batches of
    deals. Cards that were not played have no mean.
    """
    game, counters = results[0].game, results[0].game.counters
    rows = []
    for name in dict.fromkeys(name for result in results for name in result.agents):
        sums = sum(
            weight * result.totals[:, seat]
            for agent, result, seat, weight in _appearances(results)
            if agent == name
        )
        for card, title in game.card_names.items():
            plays = sums[:, counters.index(f"plays_{card}")]
            points = sums[:, counters.index(f"points_{card}")]
            played = plays > 0
            row = {"agent": name, "card": card, "name": title, "plays": float(plays.sum())}
            if played.any():
                mean = batch_interval(points[played], plays[played])
                row |= {"mean_points": mean.mean, "low": mean.low, "high": mean.high}
            rows.append({**row, **game.labels})
    return pd.DataFrame(rows)


def _appearances(results: Sequence[SimulationResult]) -> Any:
    """Yield (agent, result, seat, weight): the weights of a line-up's orders, shared by its seats.

    A line-up stands for all its orders that were not played themselves.
    """
    played = {result.agents for result in results}
    for result in results:
        orders = set(permutations(result.agents))
        standing_for = len(orders) / len(orders & played)
        for seat, name in enumerate(result.agents):
            yield name, result, seat, standing_for


def against_copies(results: Sequence[SimulationResult]) -> pd.DataFrame:
    """Return the win share of one agent (row) against copies of another (column)."""
    cells: dict[tuple[str, str], list[float]] = {}
    for result in results:
        for seat, name in enumerate(result.agents):
            others = {*result.agents[:seat], *result.agents[seat + 1 :]}
            if len(others) == 1:
                cells.setdefault((name, others.pop()), []).append(result.win_share(seat).mean)
    series = pd.Series({pair: float(np.mean(shares)) for pair, shares in cells.items()})
    return series.unstack()
