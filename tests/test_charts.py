"""Charts show what the tables say, with every label inside the picture."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.container import BarContainer

from experiments.charts import matrix_figure, plt, save, strength_figure

NOTE = "Eggs of Ostrich, 3 players, 35 line-ups of 1,000,000 playthroughs, seed 1, rules version 1"
FIELDS = {
    "one": ["random"],
    "two": ["greedy", "random"],
    "five": ["breaker", "filler", "greedy", "hunter", "random"],
    "fifteen": [f"an_agent_with_a_long_name_{number:02}" for number in range(15)],
}


def agents_of(names: list[str]) -> pd.DataFrame:
    """Return a table of agents, strongest first, with lopsided intervals."""
    shares = np.linspace(0.51, 0.08, len(names))
    return pd.DataFrame(
        {"agent": names, "win_share": shares, "low": shares - 0.02, "high": shares + 0.03}
    )


def shares_of(names: list[str]) -> pd.DataFrame:
    """Return a table of one against copies of another; no two values are alike."""
    values = np.linspace(0.97, 0.02, len(names) ** 2).reshape(len(names), len(names))
    table = pd.DataFrame(values, names, names)
    return table.sort_index().sort_index(axis=1)


@pytest.fixture(params=FIELDS)
def names(request: pytest.FixtureRequest) -> list[str]:
    """Return the agents of a field, strongest first."""
    return FIELDS[request.param]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close what a test leaves open."""
    yield
    plt.close("all")


def bars_of(axes: Any) -> tuple[Any, Any]:
    """Return the bars and the error bars of a chart."""
    (bars,) = [found for found in axes.containers if isinstance(found, BarContainer)]
    return bars, bars.errorbar


def texts_of(axes: Any) -> list[str]:
    """Return the texts that are written into a chart, in the order in which they were."""
    return [text.get_text() for text in axes.texts]


def assert_all_inside(figure: Any) -> None:
    """Fail if anything that is drawn leaves the picture."""
    figure.draw_without_rendering()
    drawn = figure.get_tightbbox(figure.canvas.get_renderer())
    width, height = figure.get_size_inches()
    slack = 0.02
    assert drawn.x0 >= -slack, "something sticks out on the left"
    assert drawn.y0 >= -slack, "something sticks out at the bottom"
    assert drawn.x1 <= width + slack, "something sticks out on the right"
    assert drawn.y1 <= height + slack, "something sticks out at the top"


def test_bars_show_the_table(names: list[str]) -> None:
    table = agents_of(names)
    figure = strength_figure(table, 1 / 3, NOTE)
    (axes,) = figure.axes
    bars, errors = bars_of(axes)
    assert [bar.get_width() for bar in bars] == pytest.approx(list(table["win_share"]))
    ends = [segment[:, 0] for segment in errors.lines[2][0].get_segments()]
    assert np.allclose(ends, table[["low", "high"]])
    assert [label.get_text() for label in axes.get_yticklabels()] == names
    centres = [bar.get_y() + bar.get_height() / 2 for bar in bars]
    assert list(axes.get_yticks()) == pytest.approx(centres)
    assert axes.yaxis_inverted()  # the strongest on top
    written = [f"{share:.1%}" for share in table["win_share"]]
    assert texts_of(axes) == written
    assert list(axes.lines[-1].get_xdata()) == pytest.approx([1 / 3, 1 / 3])
    assert axes.get_xlim()[0] == 0
    assert axes.get_xlim()[1] > table["high"].max()


def test_bars_are_explained(names: list[str]) -> None:
    figure = strength_figure(agents_of(names), 1 / 3, NOTE)
    (axes,) = figure.axes
    assert names[0] in axes.get_title(loc="left")
    assert axes.get_xlabel().startswith("win share, with its 95 % interval")
    assert "par, 33.3%" in axes.get_xlabel()
    assert figure.get_supxlabel().replace("\n", " ") == NOTE
    figure.draw_without_rendering()
    assert axes.xaxis.get_ticklabels()[0].get_text() == "0%"


def test_cells_show_the_table(names: list[str]) -> None:
    table = shares_of(names)
    figure = matrix_figure(table, names, 1 / 3, 2, NOTE)
    axes = figure.axes[0]
    expected = [[table.loc[one, other] for other in names] for one in names]
    assert np.allclose(axes.images[0].get_array(), expected)
    assert [label.get_text() for label in axes.get_xticklabels()] == names
    assert [label.get_text() for label in axes.get_yticklabels()] == names
    written = {text.get_position(): text.get_text() for text in axes.texts}
    assert written == {
        (column, row): f"{expected[row][column]:.1%}"
        for row in range(len(names))
        for column in range(len(names))
    }


@pytest.mark.parametrize(
    ("copies", "label"), [(1, "against"), (2, "against two of"), (3, "against three of")]
)
def test_cells_are_explained(names: list[str], copies: int, label: str) -> None:
    table = shares_of(names)
    figure = matrix_figure(table, names, 1 / (copies + 1), copies, NOTE)
    axes, bar = figure.axes
    assert names[0] in axes.get_title(loc="left")
    assert (axes.get_xlabel(), axes.get_ylabel()) == (label, "one of")
    assert bar.get_ylabel() == f"win share of the one (par {1 / (copies + 1):.1%})"
    if len(names) > 1:
        least = min(table.loc[names[0], other] for other in names[1:])
        assert f"{least:.1%} or more" in axes.get_title(loc="left")
    norm = axes.images[0].norm
    assert (norm.vmin, norm.vmax) == (0, 1)
    assert norm(1 / (copies + 1)) == pytest.approx(0.5)  # par is the middle of the colours
    assert figure.get_supxlabel().replace("\n", " ") == NOTE


def test_no_label_of_the_bars_is_cut_off(names: list[str]) -> None:
    figure = strength_figure(agents_of(names), 1 / 3, NOTE)
    assert_all_inside(figure)


def test_no_text_of_the_bars_covers_another(names: list[str]) -> None:
    figure = strength_figure(agents_of(names), 1 / 3, NOTE)
    (axes,) = figure.axes
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    for number, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:number])
    par = boxes[0]  # grey on blue cannot be read
    assert not any(par.overlaps(bar.get_window_extent()) for bar in bars_of(axes)[0])


@pytest.mark.parametrize("copies", [1, 2])
def test_no_label_of_the_cells_is_cut_off(names: list[str], copies: int) -> None:
    figure = matrix_figure(shares_of(names), names, 1 / (copies + 1), copies, NOTE)
    assert_all_inside(figure)


def test_numbers_can_be_read_on_their_colours() -> None:
    """Black or white, whichever stands out: contrast at least 4.5 as the web's guidelines ask."""

    def luminance(colour: Any) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
        return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))

    names = FIELDS["fifteen"]
    figure = matrix_figure(shares_of(names), names, 1 / 3, 2, NOTE)
    axes = figure.axes[0]
    image = axes.images[0]
    for text in axes.texts:
        column, row = text.get_position()
        behind = luminance(image.cmap(image.norm(image.get_array()[row, column])))
        ink = {"black": 0.0, "white": 1.0}[text.get_color()]
        light, dark = max(behind, ink), min(behind, ink)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, text.get_text()


@pytest.mark.parametrize(
    ("shares", "title"),
    [
        ((0.5, 0.3, 0.2), "a wins most against the whole field"),
        ((0.5, 0.49, 0.2), "a and b win alike against the whole field, within their intervals"),
        ((0.5, 0.49, 0.49), "a and 2 others win alike against the whole field"),
    ],
)
def test_a_title_calls_nobody_best_who_may_not_be(shares: tuple[float, ...], title: str) -> None:
    table = agents_of(["a", "b", "c"]).assign(
        win_share=shares, low=np.subtract(shares, 0.01), high=np.add(shares, 0.01)
    )
    figure = strength_figure(table, 1 / 3, NOTE)
    assert title in figure.axes[0].get_title(loc="left").replace("\n", " ")


def test_without_an_interval_bars_are_still_drawn() -> None:
    """One batch alone says nothing of how far the mean is off: the interval is all there is."""
    table = agents_of(["greedy", "random"]).assign(low=0.0, high=1.0)
    figure = strength_figure(table, 0.5, NOTE)
    assert_all_inside(figure)
    _, errors = bars_of(figure.axes[0])
    ends = [segment[:, 0] for segment in errors.lines[2][0].get_segments()]
    assert np.allclose(ends, [[0, 1], [0, 1]])


def test_the_same_chart_gives_the_same_bytes(tmp_path: Path) -> None:
    names = FIELDS["five"]
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        save(strength_figure(agents_of(names), 1 / 3, NOTE), folder, "strength")
        save(matrix_figure(shares_of(names), names, 1 / 3, 2, NOTE), folder, "win_rates")
    files = sorted(path.name for path in (tmp_path / "0").iterdir())
    assert files == ["strength.png", "strength.svg", "win_rates.png", "win_rates.svg"]
    for file in files:
        content = (tmp_path / "0" / file).read_bytes()
        assert content == (tmp_path / "1" / file).read_bytes()
        assert len(content) > 1000
    assert plt.get_fignums() == []  # each is closed once it is saved
