"""The commands solve, gain and check-certificate, as one types them."""

import json
from pathlib import Path
from typing import Any

import pytest

from experiments import gain_charts
from tests.command_line import Clutch
from tests.openspiel_games import KUHN_3

SMALL = [
    "--rule", "bags=2,3", "--rule", "deck=0,0,4,5,6", "--rule", "removed=0", "--rule", "rounds=3",
]  # fmt: skip


def told_by(clutch: Clutch, *arguments: Any) -> Any:
    """Run a command with --json, which must succeed, and return what it tells."""
    done = clutch(*map(str, arguments), "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def refused(clutch: Clutch, *arguments: Any) -> str:
    """Run a command that must be refused in one line before anything is written."""
    done = clutch(*map(str, arguments))
    assert done.code == 2
    assert done.err.startswith("clutch: ")
    assert done.err.count("\n") == 1
    assert not done.out
    return str(done.err)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all that must come out the same again."""
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "environment.json"}


def test_solve_exactly(clutch: Clutch, tmp_path: Path) -> None:
    found = told_by(clutch, "solve", "ostrich", *SMALL, "--out", tmp_path)
    assert found["root_values"] == pytest.approx([1 / 3] * 3, abs=1e-9)
    assert found["resisted"] == 0
    assert found["gain_bound"] <= 1e-9
    assert {"states", "stage_games", "seconds", "bytes", "gains", "mixed_share"} <= found.keys()
    folder = Path(found["folder"])
    assert folder.parent == tmp_path / "solve"
    names = {"certificate.npz", "config.json", "environment.json", "rounds.csv"}
    assert {path.name for path in folder.iterdir()} == names
    before = contents(folder)
    assert told_by(clutch, "solve", "ostrich", *SMALL, "--out", tmp_path, "--threads", 1)["states"]
    assert contents(folder) == before
    assert [path.name for path in (tmp_path / "solve").iterdir()] == [folder.name]
    checked = told_by(clutch, "check-certificate", folder / "certificate.npz")
    assert checked["holds"] is True
    assert checked["states"] == found["states"]
    gain = told_by(clutch, "gain", "ostrich", folder / "certificate.npz", *SMALL)
    assert max(gain["gains"]) <= 1e-9


def test_solve_tells_people_too(clutch: Clutch, tmp_path: Path) -> None:
    done = clutch("solve", "ostrich", *SMALL, "--out", str(tmp_path))
    assert done.code == 0
    assert "root values (win share): 0.333333, 0.333333, 0.333333" in done.out
    assert "0 resisted" in done.out
    (certificate,) = tmp_path.glob("solve/*/certificate.npz")
    done = clutch("check-certificate", str(certificate))
    assert "holds" in done.out
    assert "nobody gains more than" in done.out


def test_solve_by_several_algorithms(clutch: Clutch, tmp_path: Path) -> None:
    arguments = [
        "solve", KUHN_3, "--algorithm", "cfr,cfr+,dcfr,external,outcome", "--iterations", "300",
        "--out", tmp_path,
    ]  # fmt: skip
    found = told_by(clutch, *arguments)
    assert [entry["algorithm"] for entry in found["solved"]] == arguments[3].split(",")
    assert all(entry["iterations"] == 300 for entry in found["solved"])
    folder = Path(found["folder"])
    before = contents(folder)
    assert {"gains.csv", "gains.png", "gains.svg", "policy-cfr-plus.npz"} <= before.keys()
    assert told_by(clutch, *arguments)["folder"] == str(folder)
    assert contents(folder) == before
    gain = told_by(clutch, "gain", KUHN_3, folder / "policy-cfr-plus.npz")
    entry = found["solved"][1]
    assert gain["gains"] == entry["gains"]
    assert gain["nash_conv"] == entry["nash_conv"]


def test_solve_to_a_target_with_timing(clutch: Clutch, tmp_path: Path) -> None:
    found = told_by(
        clutch, "solve", "kuhn_poker", "--algorithm", "cfr+", "--target", "1e-3", "--timing",
        "--out", tmp_path,
    )  # fmt: skip
    assert found["solved"][0]["nash_conv"] <= 1e-3
    assert found["solved"][0]["values"][0] == pytest.approx(-1 / 18, abs=1e-3)
    names = set(contents(Path(found["folder"])))
    assert {"timing.csv", "gains_by_seconds.png", "gains_by_seconds.svg"} <= names


def test_solve_ostrich_on_the_tree(clutch: Clutch, tmp_path: Path) -> None:
    found = told_by(
        clutch, "solve", "ostrich", "--algorithm", "cfr+", "--payoff", "score_difference",
        "--players", 2, "--rule", "bags=2,3", "--rule", "deck=0,4,5", "--rule", "removed=0",
        "--rule", "rounds=2", "--iterations", 100, "--out", tmp_path,
    )  # fmt: skip
    assert found["payoff"] == "score_difference"
    assert found["nodes"] > 100


def test_gain_of_agents(clutch: Clutch) -> None:
    uniform = told_by(clutch, "gain", "kuhn_poker", "uniform")
    assert uniform["nash_conv"] == pytest.approx(11 / 12)
    alone = told_by(clutch, "gain", "ostrich", "greedy", *SMALL)
    assert alone["agents"] == ["greedy"] * 3
    assert alone["gains"][0] > 0.1
    mixed = told_by(clutch, "gain", "ostrich", "greedy,random,breaker", *SMALL)
    assert sum(mixed["values"]) == pytest.approx(1)
    done = clutch("gain", "ostrich", "greedy", *SMALL)
    assert "NashConv" in done.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["solve", "ostrich"], "more than"),
        (["solve", "ostrch"], "ostrch"),
        (["solve", "ostrich", "--algorithm", "cfr++"], "there is no algorithm for ostrich 'cfr++'"),
        (["solve", "kuhn_poker", "--algorithm", "exact"], "no algorithm for kuhn_poker 'exact'"),
        (["solve", "kuhn_poker", "--algorithm", "cfr,cfr"], "without repeats"),
        (["solve", "ostrich", *SMALL, "--algorithm", "exact,cfr"], "without repeats"),
        (["solve", "ostrich", *SMALL, "--iterations", "5"], "no iterations, target or seconds"),
        (["solve", "ostrich", *SMALL, "--timing"], "--timing is for algorithms"),
        (["solve", "ostrich", *SMALL, "--payoff", "eggs"], "there is no payoff 'eggs'"),
        (["solve", "ostrich", *SMALL, "--payoff", "score_difference"], "for two players, not 3"),
        (["solve", "kuhn_poker", "--payoff", "score_difference"], "is for the lab's own games"),
        (["solve", "kuhn_poker", "--players", "3"], "takes parameters in its name"),
        (["solve", "kuhn_poker", "--rule", "players=3"], "takes parameters in its name"),
        (["solve", "kuhn_poker", "--target", "0"], "target must be a positive number, not '0'"),
        (["solve", "kuhn_poker", "--target", "soon"], "target must be a positive number"),
        (["solve", "kuhn_poker", "--seconds", "nan"], "seconds must be a positive number"),
        (["solve", "kuhn_poker", "--iterations", "0"], "iterations must be a whole number from 1"),
        (["solve", "kuhn_poker", "--seed", "-1"], "seed must be a whole number"),
        (["solve", "ostrich", *SMALL, "--threads", "0"], "threads must be a whole number"),
        (["solve", "ostrich", "--algorithm", "cfr+"], "nodes when unrolled"),
        (["gain", "ostrich", "greedy,random", *SMALL], "one name, or 3, seat by seat"),
        (["gain", "ostrich", "gredy", *SMALL], "did you mean greedy"),
        (["gain", "ostrich", "greedy"], "more than"),
        (["gain", "kuhn_poker", "greedy"], "the agent is 'uniform' or a policy file"),
        (["gain", "ostrich", "none.npz", *SMALL], "there is no file"),
        (["check-certificate", "none.npz"], "there is no file"),
        (["check-certificate", "pyproject.toml"], "pyproject.toml"),
    ],
    ids=lambda value: " ".join(value[:4]) if isinstance(value, list) else None,
)
def test_what_cannot_be_is_refused(
    clutch: Clutch, arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.solvers.ostrich_exact.MOST_STATES", 2000)
    monkeypatch.setattr("agents.solvers.ostrich_gain.MOST_STATES", 2000)
    out = ["--out", str(tmp_path)] if arguments[0] == "solve" else []
    assert told in refused(clutch, *arguments, *out)
    assert not list(tmp_path.rglob("config.json"))


def test_the_title_says_how_far_it_came() -> None:
    import pandas as pd

    gains = pd.DataFrame(
        {
            "algorithm": ["cfr", "cfr", "cfr+", "cfr+"],
            "iterations": [1, 50, 1, 40],
            "seconds": [0.1, 0.2, float("nan"), 0.3],
            "nash_conv": [1.0, 0.1, 1.0, 0.001],
        }
    )
    for against in ("iterations", "seconds"):
        (axes,) = gain_charts.gains_figure(gains, against, "note").axes
        assert axes.get_title(loc="left").replace("\n", " ") == (
            "cfr+ comes closest, to a NashConv of 0.001 in "
            + ("40 iterations" if against == "iterations" else "0.3 seconds")
        )
        assert axes.get_xscale() == axes.get_yscale() == "log"
        assert against in axes.get_xlabel()
        lines = {line.get_label(): line.get_xdata() for line in axes.get_lines()}
        assert len(lines["cfr+"]) == (2 if against == "iterations" else 1)
