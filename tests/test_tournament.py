"""A tournament: its line-ups, its settings, its folder, and the same bytes again."""

import json
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import ostrich
from experiments.runs import run_name
from experiments.tournament import Settings, Tournament, read_run, run
from simulator import UsageError
from tests.sizes import size

NAMES = ["random", "greedy"]
PLAYTHROUGHS = size(300, 4)
FILES = {
    "agents.csv",
    "config.json",
    "environment.json",
    "line_ups.csv",
    "strength.png",
    "strength.svg",
    "totals.parquet",
    "win_rates.png",
    "win_rates.svg",
}
FIRST = "class Own:\n    def act(self, observation, legal_actions, rng):\n        return {}\n"


def settings(
    agents: Sequence[Any] = NAMES, rules: ostrich.Rules | None = None, **changes: Any
) -> Settings:
    """Return the settings of a small tournament."""
    given = {"playthroughs": PLAYTHROUGHS, "seed": 11, **changes}
    return Settings(ostrich.Game(rules), agents, **given)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all that must come out the same again."""
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "environment.json"}


def folder_of(played: Tournament) -> Path:
    """Return where a tournament was written."""
    assert played.folder is not None
    return played.folder


@pytest.mark.parametrize(
    ("agents", "players", "count"), [(1, 3, 1), (2, 2, 3), (3, 3, 10), (5, 4, 70)]
)
def test_every_line_up_is_there_once(agents: int, players: int, count: int) -> None:
    names = ["random", "greedy", "hunter", "filler", "breaker"][:agents]
    rules = ostrich.Rules(players=players)
    line_ups = settings(names, rules).line_ups()
    assert len(line_ups) == count
    every = set(product(range(agents), repeat=players))
    assert {tuple(sorted(line_up)) for line_up in line_ups} == {tuple(sorted(e)) for e in every}
    ordered = settings(names, rules, ordered=True).line_ups()
    assert len(ordered) == agents**players
    assert set(ordered) == every


@pytest.mark.parametrize(
    ("agents", "changes", "message"),
    [
        (["random", "random"], {}, "'random' is named twice"),
        (["random", "gredy"], {}, "did you mean greedy"),
        ([], {}, "at least one agent"),
        (NAMES, {"playthroughs": 0}, "playthroughs must be"),
        (NAMES, {"playthroughs": 1.5}, "playthroughs must be"),
        (NAMES, {"playthroughs": 10**13}, "playthroughs must be"),
        (NAMES, {"seed": -1}, "seed must be"),
        (NAMES, {"seed": 2**64}, "seed must be"),
        (NAMES, {"start": -1}, "start must be"),
    ],
)
def test_settings_are_refused(agents: list[str], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        settings(agents, **changes)


def test_too_many_line_ups_are_refused() -> None:
    own = []
    for number in range(30):
        kind = type(f"Own{number}", (), {"act": lambda self, view, rng: view.card})
        own.append(kind)
    assert len(settings(own).line_ups()) == 4960
    with pytest.raises(UsageError, match="30 agents make 27000 line-ups; at most 20000"):
        settings(own, ordered=True)


def test_a_run_lies_where_it_should(tmp_path: Path) -> None:
    wanted = settings(rules=ostrich.Rules(players=2, amber_value=5), start=7)
    played = run(wanted, tmp_path, 1)
    folder = folder_of(played)
    assert folder.parent == tmp_path / "tournament"
    assert list(folder.parent.iterdir()) == [folder]  # no lock, no probe, nothing half done
    slug, _, short = folder.name.rpartition("-")
    assert slug == f"ostrich_2-agents_{PLAYTHROUGHS}-playthroughs_players-2_amber_value-5_seed-11"
    assert folder.name == run_name(slug, wanted.config())
    assert len(short) == 8
    assert {path.name for path in folder.iterdir()} == FILES
    about = json.loads((folder / "environment.json").read_text())
    assert {"commit", "python", "versions", "system", "processor", "command"} <= about.keys()


def test_the_settings_are_kept(tmp_path: Path) -> None:
    played = run(settings(rules=ostrich.Rules(amber_value=6), start=3), tmp_path, 1)
    config = json.loads((folder_of(played) / "config.json").read_text())
    assert config.pop("rules")["amber_value"] == 6
    assert config == {
        "experiment": "tournament",
        "game": "ostrich",
        "rules_version": ostrich.RULES_VERSION,
        "agents": NAMES,
        "agent_files": [],
        "ordered": False,
        "playthroughs": PLAYTHROUGHS,
        "seed": 11,
        "start": 3,
        "partial": False,
    }


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 12},
        {"start": 1},
        {"playthroughs": PLAYTHROUGHS + 1},
        {"ordered": True},
        {"rules": ostrich.Rules(amber_value=5)},
        {"agents": ["random", "hunter"]},
    ],
)
def test_other_settings_have_another_name(changed: dict[str, Any]) -> None:
    assert settings(**changed).run_name() != settings().run_name()
    assert settings(**changed).run_name() == settings(**changed).run_name()


def test_what_is_stored_can_be_read(tmp_path: Path) -> None:
    played = run(settings(), tmp_path, 1)
    config, results = read_run(folder_of(played), ostrich.Game())
    assert config == {**played.config, "partial": False}
    for stored, fresh in zip(results, played.results, strict=True):
        assert (stored.totals == fresh.totals).all()
        assert stored.agents == fresh.agents
    with pytest.raises(UsageError, match="is damaged or missing"):
        (folder_of(played) / "totals.parquet").unlink()
        read_run(folder_of(played), ostrich.Game())


def test_one_playthrough_is_enough(tmp_path: Path) -> None:
    """A single batch has no interval; tables and charts must come out all the same."""
    played = run(settings(playthroughs=1), tmp_path, 1)
    assert (played.agents["low"] == 0).all()
    assert (played.agents["high"] == 1).all()
    assert {path.name for path in folder_of(played).iterdir()} == FILES


@pytest.mark.compiled_only
def test_the_same_command_gives_the_same_bytes(tmp_path: Path) -> None:
    agents = ["random", "greedy", "hunter"]
    first = folder_of(run(settings(agents, playthroughs=5000), tmp_path / "a", 1))
    threads = folder_of(run(settings(agents, playthroughs=5000), tmp_path / "b", 2))
    assert first.name == threads.name
    assert set(contents(first)) == FILES - {"environment.json"}
    assert contents(first) == contents(threads)
    (first / "stray.txt").write_text("from an earlier version")
    again = folder_of(run(settings(agents, playthroughs=5000), tmp_path / "a", 2))
    assert contents(again) == contents(threads)  # played again and replaced whole


@pytest.mark.compiled_only
def test_another_seed_gives_other_bytes(tmp_path: Path) -> None:
    first = contents(folder_of(run(settings(), tmp_path, 1)))
    other = contents(folder_of(run(settings(seed=12), tmp_path, 1)))
    assert all(first[name] != other[name] for name in first)


def test_progress_adds_up(tmp_path: Path) -> None:
    steps: list[int] = []
    run(settings(), tmp_path, 1, steps.append)
    assert sum(steps) == 4 * PLAYTHROUGHS


def test_an_edited_agent_has_another_name(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(FIRST.format("legal_actions[0]"))
    specs = ["random", f"{file}:Own"]
    assert settings(specs).config()["agents"] == ["random", "Own"]
    before = settings(specs).run_name()
    assert settings(specs).run_name() == before
    file.write_text(FIRST.format("legal_actions[-1]"))
    assert settings(specs).run_name() != before


def test_the_settings_tell_of_the_agent_that_was_loaded(tmp_path: Path) -> None:
    """An edit while a tournament is played must not get into its settings."""
    file = tmp_path / "own.py"
    file.write_text(FIRST.format("legal_actions[0]"))
    loaded = settings(["random", f"{file}:Own"])
    before = loaded.config()
    file.write_text(FIRST.format("legal_actions[-1]"))
    assert loaded.config() == before


def test_each_file_counts_for_the_name(tmp_path: Path) -> None:
    """Two files of one name in two folders: an edit of either gives another name."""
    for folder, name in (("one", "A"), ("two", "B")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "own.py").write_text(
            FIRST.format("legal_actions[0]").replace("Own", name)
        )
    specs = [f"{tmp_path}/one/own.py:A", f"{tmp_path}/two/own.py:B"]
    before = settings(specs).run_name()
    file = tmp_path / "one" / "own.py"
    file.write_text(file.read_text().replace("[0]", "[-1]"))
    assert settings(specs).run_name() != before


@pytest.mark.parametrize("place", [".", "file", "file/below"])
def test_an_unwritable_folder_is_found_out_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "tournament").write_text("in the way")
    played: Callable[..., None] = lambda *_: pytest.fail("something was played")  # noqa: E731
    monkeypatch.setattr("experiments.tournament.simulate", played)
    with pytest.raises(OSError):
        run(settings(), tmp_path / place, 1)
    assert (tmp_path / "file").read_text() == "in the way"
