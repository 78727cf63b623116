"""The chart of ratings."""

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd

from experiments.charts import BLUE, GREY, set_note, set_title


def ratings_figure(ratings: pd.DataFrame, note: str) -> Any:
    """Return the chart of ratings with their intervals, strongest first."""
    figure, axes = plt.subplots(figsize=(9, 2 + 0.4 * len(ratings)), layout="constrained")
    draw_ratings(axes, ratings)
    set_note(figure, note)
    return figure


def draw_ratings(axes: Any, ratings: pd.DataFrame) -> None:
    """Draw a point with its 95 % interval for each agent (`ratings.rating_table`)."""
    places = range(len(ratings))
    errors = [ratings["rating"] - ratings["low"], ratings["high"] - ratings["rating"]]
    axes.errorbar(ratings["rating"], places, xerr=errors, fmt="o", color=BLUE, capsize=4)
    axes.set_yticks(places, ratings["agent"])
    axes.invert_yaxis()
    axes.axvline(0, color=GREY, linestyle="--", linewidth=1)
    for place, (rating, high) in enumerate(zip(ratings["rating"], ratings["high"], strict=True)):
        axes.annotate(
            f"{rating:+.0f}", (max(high, rating), place), xytext=(8, 0),
            textcoords="offset points", va="center",
        )  # fmt: skip
    axes.margins(x=0.12)
    axes.set_xlabel("rating, with its 95 % interval; 0 is the mean")
    first = ratings.iloc[0]
    second = ratings.iloc[1] if len(ratings) > 1 else first
    ahead = first["rating"] - second["rating"]
    set_title(axes, f"{first['agent']} leads by {ahead:.0f} points before {second['agent']}")
