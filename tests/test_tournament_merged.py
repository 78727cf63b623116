"""A tournament that is split by start and merged gives the files of the whole."""

from pathlib import Path
from typing import Any

import pytest
from matplotlib.text import Text

import ostrich
from experiments import charts
from experiments.playing import merge_tournaments
from experiments.runs import read_json, write_json
from experiments.tournament import Settings, run
from simulator import UsageError
from tests.sizes import size

PLAYTHROUGHS = size(3000, 12)
OWN = """
class Own:
    def act(self, observation, legal_actions, rng):
        return legal_actions[{}]
"""


@pytest.fixture(autouse=True)
def quick_charts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write what charts say instead of drawing them, which takes most of the time."""

    def save(figure: Any, folder: Path, name: str) -> None:
        said = [text.get_text() for axes in figure.axes for text in axes.findobj(Text)]
        (folder / f"{name}.txt").write_text("\n".join(said))
        charts.plt.close(figure)

    if "drawn" not in request.fixturenames:
        monkeypatch.setattr(charts, "save", save)


@pytest.fixture
def drawn() -> None:
    """Ask for real charts."""


def played(
    out: Path, start: int, playthroughs: int, rules: ostrich.Rules | None = None, **changes: Any
) -> Path:
    """Play a small tournament and return its folder."""
    given = {"agents": ["random", "greedy"], "seed": 5, **changes}
    settings = Settings(ostrich.Game(rules), playthroughs=playthroughs, start=start, **given)
    folder = run(settings, out, 1).folder
    assert folder is not None
    return folder


def merged(out: Path, *parts: Path) -> Path:
    """Merge some runs and return the folder."""
    merge_tournaments([str(part) for part in parts], str(out), True)
    (folder,) = (out / "tournament").iterdir()
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return all that must come out the same again."""
    files = sorted(folder.iterdir())
    return {path.name: path.read_bytes() for path in files if path.name != "environment.json"}


def split(out: Path, start: int, lengths: list[int], **changes: Any) -> list[Path]:
    """Play a tournament in parts."""
    starts = [start + sum(lengths[:number]) for number in range(len(lengths))]
    return [
        played(out, first, length, **changes) for first, length in zip(starts, lengths, strict=True)
    ]


@pytest.mark.parametrize("start", [0, 37])
@pytest.mark.parametrize(
    "lengths",
    [
        [PLAYTHROUGHS // 2] * 2,
        [1, PLAYTHROUGHS - 4, 3],
        [PLAYTHROUGHS // 3 + 1, PLAYTHROUGHS // 2, 1],
    ],
)
def test_parts_make_the_whole(tmp_path: Path, start: int, lengths: list[int]) -> None:
    whole = played(tmp_path / "whole", start, sum(lengths))
    parts = split(tmp_path / "parts", start, lengths)
    joined = merged(tmp_path / "merged", *reversed(parts))
    assert joined.name == whole.name
    assert contents(joined) == contents(whole)


@pytest.mark.compiled_only
def test_in_any_order_and_step_by_step(tmp_path: Path) -> None:
    whole = contents(played(tmp_path / "whole", 3, PLAYTHROUGHS))
    one, two, three = split(tmp_path / "parts", 3, [1000, 1999, 1])
    for number, order in enumerate([(one, two, three), (two, three, one), (three, one, two)]):
        assert contents(merged(tmp_path / str(number), *order)) == whole
    pair = merged(tmp_path / "pair", two, one)
    assert contents(merged(tmp_path / "steps", three, pair)) == whole


@pytest.mark.compiled_only
def test_with_other_rules_and_all_orders(tmp_path: Path, drawn: None) -> None:
    rules = ostrich.Rules(players=2, bags=(2, 3, 5), amber_value=5)
    changes = {"rules": rules, "ordered": True, "agents": ["greedy", "hunter"]}
    whole = played(tmp_path / "whole", 0, PLAYTHROUGHS, **changes)
    parts = split(tmp_path / "parts", 0, [2000, 1000], **changes)
    assert contents(merged(tmp_path / "merged", *parts)) == contents(whole)


def test_with_an_agent_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN.format(0))
    agents = ["random", f"{file}:Own"]
    whole = played(tmp_path / "whole", 0, 12, agents=agents)
    parts = split(tmp_path / "parts", 0, [5, 7], agents=agents)
    file.unlink()  # the results are enough
    assert contents(merged(tmp_path / "merged", *parts)) == contents(whole)


def test_a_part_alone_stays_as_it_is(tmp_path: Path) -> None:
    part = played(tmp_path / "part", 4, 9)
    assert contents(merged(tmp_path / "merged", part)) == contents(part)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 6}, "differ in seed"),
        ({"rules": ostrich.Rules(amber_value=5)}, "differ in rules"),
        ({"agents": ["random", "hunter"]}, "differ in agents"),
        ({"ordered": True}, "differ in ordered"),
    ],
)
def test_parts_of_different_tournaments_are_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    one, two = played(tmp_path, 0, 4), played(tmp_path, 4, 4, **changes)
    with pytest.raises(UsageError, match=message):
        merged(tmp_path / "merged", one, two)
    assert not (tmp_path / "merged").exists()


@pytest.mark.parametrize(
    ("start", "message"),
    [(3, "parts overlap: playthrough 3"), (0, "overlap"), (6, "playthroughs 4 to 5 are missing")],
)
def test_parts_that_do_not_adjoin_are_refused(tmp_path: Path, start: int, message: str) -> None:
    one, two = played(tmp_path, 0, 4), played(tmp_path, start, 5)
    with pytest.raises(UsageError, match=message):
        merged(tmp_path / "merged", two, one)
    assert not (tmp_path / "merged").exists()


def test_parts_of_agents_that_were_edited_in_between_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    agents = ["random", f"{file}:Own"]
    file.write_text(OWN.format(0))
    one = played(tmp_path, 0, 4, agents=agents)
    file.write_text(OWN.format(-1))
    two = played(tmp_path, 4, 4, agents=agents)
    with pytest.raises(UsageError, match="differ in agent_files"):
        merged(tmp_path / "merged", one, two)


def test_what_is_no_finished_tournament_is_refused(tmp_path: Path) -> None:
    run = played(tmp_path, 0, 4)
    config = read_json(run / "config.json")
    for changes, message in (
        ({"partial": True}, "is not finished"),
        ({"experiment": "league"}, "is no tournament"),
        ({"rules_version": -1}, "under rules version -1"),
        ({"game": "chess"}, "no game 'chess'"),
    ):
        write_json(run / "config.json", {**config, **changes})
        with pytest.raises(UsageError, match=message):
            merged(tmp_path / "merged", run)
    with pytest.raises(UsageError, match="does not exist"):
        merged(tmp_path / "merged", tmp_path)


@pytest.mark.parametrize("missing", ["game", "rules", "seed", "start", "playthroughs", "agents"])
def test_settings_with_a_gap_are_refused(tmp_path: Path, missing: str) -> None:
    run = played(tmp_path, 0, 4)
    config = read_json(run / "config.json")
    del config[missing]
    write_json(run / "config.json", config)
    with pytest.raises(UsageError) as refused:
        merged(tmp_path / "merged", run)
    assert str(run / "config.json") in str(refused.value)
