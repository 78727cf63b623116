"""The command line in processes of its own: signals, pipes, installed packages, the script."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from experiments import bench
from simulator.registry import agent_names
from tests.processes import ROOT

pytestmark = pytest.mark.compiled_only

CLUTCH = Path(sys.executable).with_name("clutch")
#: Says by a file that it has been asked for far more decisions than the first spans hold.
SLOW = """
from pathlib import Path

class Slow:
    asked = 0

    def act(self, observation, legal_actions, rng):
        Slow.asked += 1
        if Slow.asked == 5000:
            Path("playing").touch()
        return legal_actions[0]
"""


def start(folder: Path, line: str, **options: Any) -> subprocess.Popen[str]:
    """Start the console script in a folder."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([CLUTCH, *line.split()], cwd=folder, text=True, **pipes)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Return exit code, output and errors."""
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a process has made a file."""
    while not path.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def test_the_script_is_installed(tmp_path: Path) -> None:
    code, out, err = ended(start(tmp_path, "tournament --help"))
    assert (code, err) == (0, "")
    assert out.startswith("Usage: clutch tournament [OPTIONS]")


def test_a_refusal(tmp_path: Path) -> None:
    line = "tournament ostrich --agents random,gredy"
    code, out, err = ended(start(tmp_path, line))
    assert (code, out) == (2, "")
    assert err == "clutch: there is no agent for ostrich 'gredy'; did you mean greedy?\n"
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    line = "tournament ostrich --agents slow.py:Slow,random --playthroughs 1e12 --json"
    process = start(tmp_path, line)
    wait_for(tmp_path / "playing", process)
    process.send_signal(signal.SIGINT)
    code, out, err = ended(process)
    assert (code, out) == (130, "")
    assert err.startswith("clutch: interrupted; ")
    assert err.count("\n") == 1
    (folder,) = (tmp_path / "results" / "tournament").iterdir()
    assert folder.suffix == ".partial"
    assert str(folder.relative_to(tmp_path)) in err
    config = json.loads((folder / "config.json").read_text())
    assert config["partial"] is True
    assert 0 < config["played"] < config["wanted"] == 4 * 10**12
    assert f"{config['played']:,} of {config['wanted']:,} playthroughs are kept" in err
    code, out, err = ended(start(tmp_path, f"merge {folder}"))
    assert (code, out) == (2, "")
    assert "is not finished" in err


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    line = "tournament ostrich --agents slow.py:Slow --playthroughs 1e12"
    process = start(tmp_path, line)
    try:
        wait_for(tmp_path / "playing", process)
        code, out, err = ended(start(tmp_path, line))
        assert (code, out) == (1, "")
        assert err.startswith("clutch: another process is writing results/tournament/ostrich_1-")
        assert err.count("\n") == 1
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_finds_no_room(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        code, _, err = ended(start(tmp_path, "agents", stdout=full))
    assert code == 1
    assert err == "clutch: No space left on device\n"


def test_a_reader_that_leaves_is_no_fault_to_tell_of(tmp_path: Path) -> None:
    process = start(tmp_path, "agents")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, _, err = ended(process)
    assert err == ""


def test_agents_of_an_installed_package(tmp_path: Path) -> None:
    about = tmp_path / "site" / "nest_egg-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: nest-egg\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[clutch.agents]\nostrich.first = nest_egg:First\n")
    (tmp_path / "site" / "nest_egg.py").write_text(
        'class First:\n    """Claims for its smallest bag."""\n\n'
        "    def act(self, observation, legal_actions, rng):\n        return legal_actions[0]\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    code, out, err = ended(start(tmp_path, "agents ostrich", env=environment))
    assert (code, err) == (0, "")
    lines = [line.split(maxsplit=1) for line in out.splitlines()[1:]]
    assert {name for name, _ in lines} == {*agent_names("ostrich"), "first"}
    assert ["first", "Claims for its smallest bag."] in lines
    line = "tournament ostrich --agents random,first --playthroughs 50 --json"
    code, out, err = ended(start(tmp_path, line, env=environment))
    assert (code, err) == (0, "")
    assert {row["agent"] for row in json.loads(out)["agents"]} == {"random", "first"}


def test_bench_tells_rates_and_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.01)
    measure, caches = bench.start_seconds, []

    def warm(game: str, line_up: tuple[str, ...], cache: str) -> float:
        """Measure with the cache that there is; a cold start takes half a minute."""
        caches.append(cache)
        return measure(game, line_up, os.environ.get("NUMBA_CACHE_DIR", ""))

    monkeypatch.setattr(bench, "start_seconds", warm)
    bench.bench("1", "2", True)
    told = json.loads(capsys.readouterr().out)
    assert (told["threads"], told["repeats"]) == (2, 1)
    games = ["empires", "ostrich"]
    assert [(entry["game"], entry["line_up"]) for entry in told["rates"]] == [
        (game, ",".join(line_up)) for game in games for line_up in bench.LINE_UPS[game]
    ]
    for entry in told["rates"]:
        assert entry["one_thread"] > 0
        assert entry["all_threads"] > 0
    assert [begun["game"] for begun in told["starts"]] == games
    for begun in told["starts"]:
        assert begun["cold_start_seconds"] > 0
        assert begun["warm_start_seconds"] > 0
    assert len(set(caches)) == 2  # the warm starts take what each game's cold one has left


def test_it_runs_as_a_module(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "experiments.main", "nosuch"],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "clutch: No such command 'nosuch'.\n"
