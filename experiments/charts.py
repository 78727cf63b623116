"""Charts of a tournament. Each function takes a table and an axes object, and only draws."""

from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib
import pandas as pd

matplotlib.use("Agg")
matplotlib.rcParams.update(
    {
        "svg.hashsalt": "clutch",  # the same chart gives the same bytes
        "font.size": 11,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "figure.dpi": 100,
        "savefig.dpi": 150,
    }
)
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import TwoSlopeNorm  # noqa: E402
from matplotlib.ticker import PercentFormatter  # noqa: E402

BLUE, GREY = "#0072B2", "#555555"  # of the palette of Okabe and Ito
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")


def save(figure: Any, folder: Path, name: str) -> None:
    """Write a figure as PNG and SVG, without dates, and close it."""
    figure.savefig(folder / f"{name}.png", metadata={"Software": None})
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)


def strength_figure(agents: pd.DataFrame, par: float, note: str) -> Any:
    """Return the bar chart of all agents, strongest first."""
    width = 7 + 0.1 * max(len(name) for name in agents["agent"])
    figure, axes = plt.subplots(figsize=(width, 1.6 + 0.5 * len(agents)), layout="constrained")
    draw_strength(axes, agents, par)
    set_note(figure, note)
    return figure


def draw_strength(axes: Any, agents: pd.DataFrame, par: float) -> None:
    """Draw each agent's win share in the whole field as a bar with its 95 % interval.

    Parameters
    ----------
    axes : matplotlib Axes
    agents : DataFrame
        `tables.agent_table`.
    par : float
        What equal agents would get.
    """
    places = range(len(agents))
    errors = [agents["win_share"] - agents["low"], agents["high"] - agents["win_share"]]
    axes.barh(
        places, agents["win_share"], xerr=errors, color=BLUE, ecolor="black", capsize=4, height=0.65
    )
    axes.set_yticks(places, agents["agent"])
    axes.invert_yaxis()
    axes.axvline(par, color=GREY, linestyle="--", linewidth=1)
    top = float(agents["high"].max())
    for place, (share, high) in enumerate(zip(agents["win_share"], agents["high"], strict=True)):
        axes.text(
            high + 0.012 * top, place, f"{share:.1%}", va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
        )  # fmt: skip
    axes.set_xlim(0, top * 1.14)
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel(f"win share, with its 95 % interval; the dashed line is par, {par:.1%}")
    set_title(axes, _strength_title(agents))


def _strength_title(agents: pd.DataFrame) -> str:
    """Return who wins most: all whose intervals reach into the first one's."""
    first, *others = agents.itertuples()
    alike = [other.agent for other in others if other.high >= first.low]
    if not alike:
        return f"{first.agent} wins most against the whole field"
    named = alike[0] if len(alike) == 1 else f"{len(alike)} others"
    return f"{first.agent} and {named} win alike against the whole field, within their intervals"


def matrix_figure(
    shares: pd.DataFrame, order: list[str], par: float, copies: int, note: str
) -> Any:
    """Return the heat map of one agent against copies of another."""
    side = max(2.6 + 0.85 * len(order), 5.5) + 0.06 * max(len(name) for name in order)
    figure, axes = plt.subplots(figsize=(side + 1.4, side), layout="constrained")
    image = draw_matrix(axes, shares, order, par, copies)
    bar = figure.colorbar(image, ax=axes, shrink=0.8, format=PercentFormatter(1, decimals=0))
    bar.set_label(f"win share of the one (par {par:.1%})")
    set_note(figure, note)
    return figure


def draw_matrix(axes: Any, shares: pd.DataFrame, order: list[str], par: float, copies: int) -> Any:
    """Draw the win share of one agent (row) against `copies` of another (column).

    Parameters
    ----------
    axes : matplotlib Axes
    shares : DataFrame
        `tables.against_copies`.
    order : list of str
        Agents, strongest first.
    par : float
        What equal agents would get; the middle of the colours.
    copies : int
    """
    values = shares.loc[order, order].to_numpy(float)
    image = axes.imshow(values, cmap="PuOr_r", norm=TwoSlopeNorm(par, 0, 1), aspect="equal")
    for row in range(len(order)):
        for column in range(len(order)):
            value = values[row, column]
            colour = _readable_on(image.to_rgba(value))
            axes.text(column, row, f"{value:.1%}", ha="center", va="center", color=colour)
    axes.set_xticks(range(len(order)), order, rotation=30, ha="right")
    axes.set_yticks(range(len(order)), order)
    number = {1: "one", 2: "two", 3: "three"}.get(copies, str(copies))
    axes.set_xlabel(f"against {number} of" if copies > 1 else "against")
    axes.set_ylabel("one of")
    axes.spines[:].set_visible(False)
    set_title(axes, _matrix_title(shares, order, number))
    return image


def cards_figure(cards: pd.DataFrame, series: str, note: str) -> Any:
    """Return the chart of the points that each card brings when it is played."""
    figure, axes = plt.subplots(figsize=(9, 5.2), layout="constrained")
    draw_cards(axes, cards, series)
    set_note(figure, note)
    return figure


def draw_cards(axes: Any, cards: pd.DataFrame, series: str) -> None:
    """Draw mean points per play against cards, a line for each of a series, with 95 % intervals.

    Parameters
    ----------
    axes : matplotlib Axes
    cards : DataFrame
        `tables.card_table`, or several with a column that tells them apart.
    series : str
        That column, such as "agent" or "players".
    """
    names = cards.drop_duplicates("card").set_index("card")["name"]
    kinds = list(dict.fromkeys(cards[series]))
    for number, kind in enumerate(kinds):
        rows = cards[(cards[series] == kind) & cards["mean_points"].notna()]
        shift = 0.5 * (number / max(len(kinds) - 1, 1) - 0.5)
        errors = [rows["mean_points"] - rows["low"], rows["high"] - rows["mean_points"]]
        axes.errorbar(
            rows["card"] + shift, rows["mean_points"], yerr=errors, capsize=3, markersize=6,
            marker="osD^v"[number % 5], linestyle="none", label=f"{kind}",
            color=SERIES[number % len(SERIES)],
        )  # fmt: skip
    axes.axhline(0, color=GREY, linewidth=1)
    axes.set_xticks(
        list(names.index),
        [f"{card}\n" + names[card].replace(" ", "\n") for card in names.index],
        fontsize=9,
    )
    for card in list(names.index)[:-1]:
        axes.axvline(card + 0.5, color="#DDDDDD", linewidth=0.8)
    axes.set_ylabel("points a play, with 95 % interval")
    axes.legend(
        title=series, ncols=len(kinds), loc="upper left", fontsize=9,
        facecolor="white", edgecolor="none", framealpha=1.0,
    )  # fmt: skip
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.15 * (high - low))
    set_title(axes, _cards_title(cards, series))


def _cards_title(cards: pd.DataFrame, series: str) -> str:
    """Return which card brings most, and least."""
    means = cards.groupby("name", sort=False)["mean_points"].mean()
    return f"The {means.idxmax()} brings most when played, the {means.idxmin()} least"


def set_note(figure: Any, note: str) -> None:
    """Set the note below a figure in as many lines as its width asks for."""
    text = fill(note, int(12 * figure.get_figwidth()))
    figure.supxlabel(text, fontsize=9, color=GREY)


def set_title(axes: Any, title: str) -> None:
    """Set a title in as many lines as the figure's width asks for."""
    axes.set_title(fill(title, int(7 * axes.figure.get_figwidth())), loc="left")


def _readable_on(colour: tuple[float, ...]) -> str:
    """Return black or white, whichever stands out more (relative luminance, WCAG 2)."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "black" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "white"


def _matrix_title(shares: pd.DataFrame, order: list[str], number: str) -> str:
    """Return what the heat map shows of the strongest agent."""
    best, others = order[0], order[1:]
    if not others:
        return f"{best} against itself"
    hardest = min(others, key=lambda other: float(shares.loc[best, other]))
    return (
        f"{best} gets {shares.loc[best, hardest]:.1%} or more against {number} of any other agent"
    )
