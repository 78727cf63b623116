"""An interrupted tournament keeps what is done, and ends with the bytes of one that was not."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from matplotlib.text import Text

import ostrich
from experiments import charts
from experiments.tournament import Settings, Tournament, TournamentInterrupted, read_run, run
from simulator import Interrupted, SimulationResult, UsageError, simulate
from simulator.result import batch_size_for, coarsened
from tests.sizes import size

PLAYTHROUGHS = size(1000, 10)
ALL = 4 * PLAYTHROUGHS  # in the four line-ups of two agents


def settings(start: int = 0) -> Settings:
    """Return the settings of a small tournament."""
    return Settings(ostrich.Game(), ["random", "greedy"], PLAYTHROUGHS, 5, start)


@pytest.fixture(autouse=True, scope="module")
def quick_charts() -> Iterator[None]:
    """Write what charts say instead of drawing them, which takes most of the time."""

    def save(figure: Any, folder: Path, name: str) -> None:
        said = [text.get_text() for axes in figure.axes for text in axes.findobj(Text)]
        (folder / f"{name}.txt").write_text("\n".join(said))
        charts.plt.close(figure)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charts, "save", save)
        yield


def contents(played: Tournament) -> dict[str, bytes]:
    """Return all that must come out the same again."""
    assert played.folder is not None
    files = sorted(played.folder.iterdir())
    return {path.name: path.read_bytes() for path in files if path.name != "environment.json"}


def interrupting(budget: int) -> Callable[..., SimulationResult]:
    """Return a `simulate` that Ctrl-C stops once `budget` playthroughs are played."""
    left = [budget]

    def stopped(
        game: Any, agents: Any, playthroughs: int, seed: int, start: int, threads: Any
    ) -> SimulationResult:
        now = min(left[0], playthroughs)
        left[0] -= now
        if now == 0:
            raise Interrupted(None)
        result = simulate(game, agents, now, seed, start, threads)
        if now == playthroughs:
            return result
        size = batch_size_for(playthroughs)  # the engine divides what was asked for
        totals = coarsened(result.totals, start, result.batch_size, size)
        raise Interrupted(replace(result, batch_size=size, totals=totals, partial=True))

    return stopped


def interrupt(settings: Settings, out: Path, budget: int) -> TournamentInterrupted:
    """Play a part of a tournament, up to Ctrl-C."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("experiments.tournament.simulate", interrupting(budget))
        with pytest.raises(TournamentInterrupted) as stop:
            run(settings, out, 1)
    return stop.value


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What an uninterrupted run gives."""
    return contents(run(settings(), tmp_path_factory.mktemp("whole"), 1))


@pytest.mark.parametrize(
    "done", [1, PLAYTHROUGHS // 3, PLAYTHROUGHS, PLAYTHROUGHS * 5 // 2, ALL - 1]
)
def test_it_goes_on_where_it_was_stopped(
    tmp_path: Path, whole: dict[str, bytes], done: int
) -> None:
    stop = interrupt(settings(), tmp_path, done)
    assert (stop.done, stop.wanted) == (done, ALL)
    folder = tmp_path / "tournament" / f"{settings().run_name()}.partial"
    assert stop.folder == folder
    assert list(folder.parent.iterdir()) == [folder]
    config = json.loads((folder / "config.json").read_text())
    assert (config["partial"], config["played"], config["wanted"]) == (True, done, ALL)
    assert {path.name for path in folder.iterdir()} == {
        "config.json",
        "environment.json",
        "line_ups.csv",
        "totals.parquet",
    }
    steps: list[int] = []
    played = run(settings(), tmp_path, 1, steps.append)
    assert steps[0] == done  # taken up, not played again
    assert sum(steps) == ALL
    assert contents(played) == whole
    assert played.folder is not None
    assert list(folder.parent.iterdir()) == [played.folder]


@pytest.mark.parametrize("budgets", [[7] * 3, [PLAYTHROUGHS + 1] * 3, [3, PLAYTHROUGHS * 2, 5, 1]])
def test_it_may_be_stopped_again_and_again(
    tmp_path: Path, whole: dict[str, bytes], budgets: list[int]
) -> None:
    for number, budget in enumerate(budgets):
        stop = interrupt(settings(), tmp_path, budget)
        assert stop.done == sum(budgets[: number + 1])
    assert contents(run(settings(), tmp_path, 1)) == whole


@pytest.mark.compiled_only
@pytest.mark.parametrize("start", [1, 7, 12_345])
@pytest.mark.parametrize("budgets", [[250, 2, 500], [2256, 29, 1], [745, 1, 1, 2000]])
def test_the_first_index_may_lie_anywhere(tmp_path: Path, start: int, budgets: list[int]) -> None:
    expected = contents(run(settings(start), tmp_path / "whole", 1))
    for budget in budgets:
        interrupt(settings(start), tmp_path / "parts", budget)
    assert contents(run(settings(start), tmp_path / "parts", 1)) == expected


def test_without_anything_done_nothing_is_kept(tmp_path: Path) -> None:
    stop = interrupt(settings(), tmp_path, 0)
    assert (stop.folder, stop.done) == (None, 0)
    assert list((tmp_path / "tournament").iterdir()) == []


def test_an_interrupt_before_anything_new_keeps_the_old(
    tmp_path: Path, whole: dict[str, bytes]
) -> None:
    interrupt(settings(), tmp_path, 25)
    stop = interrupt(settings(), tmp_path, 0)
    assert (stop.done, stop.folder is None) == (25, False)
    assert contents(run(settings(), tmp_path, 1)) == whole


@pytest.mark.parametrize("done", [PLAYTHROUGHS // 2, PLAYTHROUGHS * 3 // 2])
def test_an_interrupt_outside_of_play_keeps_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: dict[str, bytes], done: int
) -> None:
    """Such as while an agent is compiled: it is a plain KeyboardInterrupt then."""
    interrupt(settings(), tmp_path, done)

    def compiling(*_: Any) -> SimulationResult:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("experiments.tournament.simulate", compiling)
        with pytest.raises(TournamentInterrupted) as stop:
            run(settings(), tmp_path, 1)
    assert stop.value.done == done
    steps: list[int] = []
    assert contents(run(settings(), tmp_path, 1, steps.append)) == whole
    assert steps[0] == done


def test_an_interrupt_while_charts_are_drawn_keeps_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: dict[str, bytes]
) -> None:
    def drawing(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("experiments.tournament.write_run", drawing)
        with pytest.raises(KeyboardInterrupt):
            run(settings(), tmp_path, 1)
    steps: list[int] = []
    assert contents(run(settings(), tmp_path, 1, steps.append)) == whole
    assert steps[0] == ALL


def damaged(content: bytes, how: str) -> bytes:
    """Return a file's content, damaged."""
    if how == "cut":
        return content[: len(content) // 2]
    if how == "empty":
        return b""
    # A name that the file's own description spells out, which no checksum covers.
    return content.replace(b"playthroughs", b"playthroughz")


@pytest.mark.parametrize("name", ["totals.parquet", "config.json"])
@pytest.mark.parametrize("how", ["cut", "empty", "misnamed"])
def test_a_damaged_partial_run_is_refused(tmp_path: Path, name: str, how: str) -> None:
    stop = interrupt(settings(), tmp_path, 25)
    assert stop.folder is not None
    file = stop.folder / name
    file.write_bytes(damaged(file.read_bytes(), how))
    with pytest.raises(UsageError) as refused:
        run(settings(), tmp_path, 1)
    assert str(file) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert file.exists()  # for its owner to look at


@pytest.mark.compiled_only
def test_no_flipped_byte_goes_unnoticed(tmp_path: Path) -> None:
    stop = interrupt(settings(), tmp_path, 1500)
    assert stop.folder is not None
    kept = read_run(stop.folder, ostrich.Game())[1]
    file = stop.folder / "totals.parquet"
    good = file.read_bytes()
    refused = 0
    for place in range(0, len(good), len(good) // 300):
        bad = bytearray(good)
        bad[place] ^= 0x10
        file.write_bytes(bad)
        try:
            read = read_run(stop.folder, ostrich.Game())[1]
        except UsageError as error:
            assert str(file) in str(error)
            refused += 1
        else:  # a byte that says nothing of the results
            assert [result.agents for result in read] == [result.agents for result in kept]
            assert all((a.totals == b.totals).all() for a, b in zip(read, kept, strict=True))
    assert refused > 100
