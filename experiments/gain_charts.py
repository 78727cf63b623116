"""Charts of deviation gains against iterations or seconds."""

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from experiments.charts import SERIES, save, set_note, set_title

__all__ = ["draw_gains", "gains_figure", "save"]


def gains_figure(gains: pd.DataFrame, against: str, note: str) -> Any:
    """Return the chart of NashConv against "iterations" or "seconds", a line an algorithm."""
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    draw_gains(axes, gains, against)
    set_note(figure, note)
    return figure


def draw_gains(axes: Any, gains: pd.DataFrame, against: str) -> None:
    """Draw NashConv on log axes.

    Parameters
    ----------
    axes : matplotlib Axes
    gains : DataFrame
        `solving_trees.gains_table`.
    against : str
        "iterations" or "seconds".
    """
    algorithms = list(dict.fromkeys(gains["algorithm"]))
    for number, algorithm in enumerate(algorithms):
        rows = gains[(gains["algorithm"] == algorithm) & gains[against].notna()]
        axes.plot(
            rows[against], rows["nash_conv"].clip(lower=1e-16), label=algorithm,
            color=SERIES[number % len(SERIES)], marker="osD^v"[number % 5], markersize=4,
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("seconds, one core" if against == "seconds" else "iterations")
    axes.set_ylabel("NashConv (gains by deviating, summed)")
    axes.grid(True, which="major", color="#DDDDDD")
    axes.legend(title="algorithm")
    set_title(axes, _title(gains, algorithms, against))


def _title(gains: pd.DataFrame, algorithms: list[str], against: str) -> str:
    """Return how far the best algorithm came."""
    last = {name: gains[gains["algorithm"] == name].iloc[-1] for name in algorithms}
    best = min(algorithms, key=lambda name: float(last[name]["nash_conv"]))
    reached, count = float(last[best]["nash_conv"]), int(last[best]["iterations"])
    seconds = gains.loc[gains["algorithm"] == best, "seconds"].max()
    effort = f"{count:,} iterations" if against == "iterations" else f"{seconds:.2g} seconds"
    only = f"{best} comes" if len(algorithms) == 1 else f"{best} comes closest,"
    return f"{only} to a NashConv of {reached:.2g} in {effort}"
