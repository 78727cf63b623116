"""What a run of playthroughs gives: exact integer totals, kept in batches of fixed index ranges.

Batches lie on a grid of playthrough indices whose step is a power of two. So parts of a run, split
anywhere, add up to the very totals of the whole run; and quantities that several runs share, such
as line-ups that played the same deals, can be compared batch by batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from simulator.inputs import UsageError
from simulator.statistics import Interval, share_interval

if TYPE_CHECKING:
    import pandas as pd

MAX_BATCHES = 128


def batch_size_for(playthroughs: int) -> int:
    """Return the smallest power of two that divides a run into at most 128 batches."""
    size = 1
    while size * MAX_BATCHES < playthroughs:
        size *= 2
    return size


@dataclass(frozen=True)
class SimulationResult:
    """The outcome of `playthroughs` playthroughs of one line-up, from index `start` on.

    Attributes
    ----------
    game : Any
        The game object, with its rules.
    agents : tuple of str
        The line-up, an agent's name for each seat.
    seed, start, playthroughs : int
    batch_size : int
        Playthroughs in a batch; batch b holds the indices from b * batch_size on.
    totals : int64[batches, players, counters]
        Sums of `game.counters`; the first batch is the one that holds `start`.
    win_units, scores : uint8, int32 [players, playthroughs] or None
        Each playthrough's shares of the win in units of 1 / `game.share_units`, and its scores.
    partial : bool
        Whether the run was interrupted before all that was asked for was played.
    """

    game: Any
    agents: tuple[str, ...]
    seed: int
    start: int
    playthroughs: int
    batch_size: int
    totals: npt.NDArray[np.int64]
    win_units: npt.NDArray[np.uint8] | None = None
    scores_by_seat: npt.NDArray[np.int32] | None = None
    partial: bool = False

    def total(self, counter: str) -> npt.NDArray[np.int64]:
        """Return the sum of a counter for each seat, int64[players]."""
        sums: npt.NDArray[np.int64] = self.totals[:, :, self.game.counters.index(counter)].sum(
            axis=0
        )
        return sums

    def batch_counts(self) -> npt.NDArray[np.int64]:
        """Return the playthroughs in each batch, int64[batches]."""
        first = self.start // self.batch_size
        edges = np.arange(first, first + len(self.totals) + 1) * self.batch_size
        inside = np.clip(edges, self.start, self.start + self.playthroughs)
        return inside[1:] - inside[:-1]

    def win_share(self, seat: int) -> Interval:
        """Return a seat's share of the win with its 95 % interval."""
        units = self.game.share_units
        total = int(self.total("win_units")[seat]) / units
        squared = int(self.total("win_units_squared")[seat]) / units**2
        return share_interval(total, squared, self.playthroughs)

    @property
    def returns(self) -> npt.NDArray[np.float64]:
        """Shares of the win, float64[playthroughs, players], in playthrough order."""
        shares: npt.NDArray[np.float64] = self._kept(self.win_units).T / self.game.share_units
        return shares

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        """Scores, int32[playthroughs, players], in playthrough order."""
        return np.ascontiguousarray(self._kept(self.scores_by_seat).T)

    def _kept(self, array: Any) -> Any:
        if array is None:
            raise ValueError('each playthrough\'s results were not kept; simulate with keep="all"')
        return array

    def summary(self) -> "pd.DataFrame":
        """Return a row per seat: agent, win share with its 95 % interval, means a playthrough."""
        import pandas as pd  # half a second to import

        rows = []
        for seat, agent in enumerate(self.agents):
            share = self.win_share(seat)
            row = {"agent": agent, "win_share": share.mean, "low": share.low, "high": share.high}
            row["mean_score"] = float(self.total("score")[seat]) / self.playthroughs
            for counter in self.game.counters:
                if not counter.startswith(("win_", "score")):
                    row[counter] = float(self.total(counter)[seat]) / self.playthroughs
            rows.append(row)
        return pd.DataFrame(rows, index=pd.RangeIndex(len(rows), name="seat"))


def coarsened(
    totals: npt.NDArray[np.int64], start: int, size: int, wanted: int
) -> npt.NDArray[np.int64]:
    """Return batch totals on the grid of `wanted`, a multiple of the batch size `size`."""
    first = start // size
    group = (first + np.arange(len(totals))) * size // wanted
    merged = np.zeros((int(group[-1] - group[0]) + 1, *totals.shape[1:]), np.int64)
    np.add.at(merged, group - group[0], totals)
    return merged


def merge(results: Sequence[SimulationResult]) -> SimulationResult:
    """Join the parts of a run that was split by `start`; the same as the run in one piece.

    Raises
    ------
    UsageError
        If the parts overlap, leave a gap, or differ in game, rules, line-up, seed or what is kept.
    """
    if not results:
        raise UsageError("there is nothing to merge")
    parts = sorted(results, key=lambda part: part.start)
    head = parts[0]
    for part in parts[1:]:
        for name in ("game", "agents", "seed"):
            if getattr(part, name) != getattr(head, name):
                raise UsageError(
                    f"parts that differ in {name} do not belong together: "
                    f"{getattr(head, name)} and {getattr(part, name)}"
                )
        if (part.win_units is None) != (head.win_units is None):
            raise UsageError("parts with and without each playthrough's results cannot be merged")
    for before, after in pairwise(parts):
        end = before.start + before.playthroughs
        if after.start < end:
            raise UsageError(
                f"parts overlap: playthrough {after.start} is in the part from {before.start} "
                f"to {end - 1}"
            )
        if after.start > end:
            raise UsageError(
                f"playthroughs {end} to {after.start - 1} are missing between the parts"
            )
    return _joined(parts)


def _joined(parts: list[SimulationResult]) -> SimulationResult:
    """Return adjoining parts as one result."""
    head, last = parts[0], parts[-1]
    playthroughs = last.start + last.playthroughs - head.start
    # the parts of an interrupted run may have larger batches than a run of their length
    size = max(batch_size_for(playthroughs), *(part.batch_size for part in parts))
    first = head.start // size
    batches = (last.start + last.playthroughs - 1) // size - first + 1
    totals = np.zeros((batches, *head.totals.shape[1:]), np.int64)
    for part in parts:
        piece = coarsened(part.totals, part.start, part.batch_size, size)
        place = part.start // size - first
        totals[place : place + len(piece)] += piece
    kept: dict[str, Any] = {}
    if head.win_units is not None:
        kept["win_units"] = np.concatenate([part.win_units for part in parts], axis=1)
        kept["scores_by_seat"] = np.concatenate([part.scores_by_seat for part in parts], axis=1)
    return replace(
        head,
        playthroughs=playthroughs,
        batch_size=size,
        totals=totals,
        partial=any(part.partial for part in parts),
        **kept,
    )
