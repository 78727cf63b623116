"""The command line: what it prints, what it refuses, and how it exits."""

import json
from pathlib import Path
from typing import Any

import pytest

from experiments.commands import app
from simulator.registry import agent_names
from tests.command_line import Clutch
from tests.sizes import size

SKIPPER = """
class Skipper:
    def act(self, observation, legal_actions, rng):
        return observation.skip
"""
TABLE = ("agent", "win_share", "low", "high", "mean_score", "ambers", "bags_broken")


#: What is refused, with a part of the line that says why.
REFUSED = {
    "nosuch": "nosuch",
    "tournament": "GAME",
    "tournament ostrich --nosuch 1": "--nosuch",
    "tournament ostrich more": "more",
    "tournament chess": "there is no game 'chess'",
    "tournament ostrch": "did you mean ostrich?",
    "tournament ostrich --agents random,gredy": "did you mean greedy?",
    "tournament ostrich --agents zzz": "random",
    "tournament ostrich --agents random,random": "'random' is named twice",
    "tournament ostrich --agents random,": "commas",
    "tournament ostrich --agents no.py:Own": "no file 'no.py'",
    "tournament ostrich --agents broken.py:Own": "ZeroDivisionError",
    "tournament ostrich --agents syntax.py:Own": "SyntaxError",
    "tournament ostrich --agents quits.py:Own": "SystemExit",
    "tournament ostrich --agents skipper.py:Skiper": "did you mean Skipper?",
    "tournament ostrich --agents skipper.py:number": "cannot be used as an agent",
    "tournament ostrich --agents text.txt:Own": "text.txt",
    "tournament ostrich --agents .:Own": "no file",
    "tournament ostrich --playthroughs 0": "playthroughs must be a whole number from 1 to 1e12",
    "tournament ostrich --playthroughs -5": "not '-5'",
    "tournament ostrich --playthroughs 1.5": "not '1.5'",
    "tournament ostrich --playthroughs 1e13": "not '1e13'",
    "tournament ostrich --playthroughs abc": "not 'abc'",
    "tournament ostrich --playthroughs": "--playthroughs",
    "tournament ostrich --seed -1": "seed must be a whole number from 0",
    "tournament ostrich --seed 18446744073709551616": "18446744073709551616",
    "tournament ostrich --start -1": "start must be",
    "tournament ostrich --threads 0": "threads must be",
    "tournament ostrich --threads many": "threads must be",
    "tournament ostrich --rule amber=5": "did you mean amber_value?",
    "tournament ostrich --rule zzz=5": "there are players",
    "tournament ostrich --rule amber_value": "name=value",
    "tournament ostrich --rule amber_value=x": "amber_value",
    "tournament ostrich --rule bags=2,2": "two bags of one size",
    "tournament ostrich --rule bags=2,x": "bags",
    "tournament ostrich --rule out_players_can_win=maybe": "true or false",
    "tournament ostrich --rule rounds=99": "rounds",
    "tournament ostrich --rule players=2 --rule players=3": "given twice",
    "tournament ostrich --rule players=2 --players 2": "given twice",
    "tournament ostrich --players 9": "players",
    "replay ostrich": "--agents",
    "replay ostrich --agents random,greedy": "names 2 agents; ostrich here needs 3",
    "replay ostrich --agents random,greedy,random --players 2": "names 3 agents",
    "replay ostrich --agents random,greedy,gredy": "did you mean greedy?",
    "replay ostrich --agents random,random,random --index -1": "index must be",
    "replay ostrich --agents random,random,random --seed 1.5": "seed must be",
    "agents chess": "there is no game 'chess'",
    "bench --repeats 0": "repeats must be",
    "merge": "RUN",
    "merge nowhere": "nowhere",
}


@pytest.mark.parametrize("line", REFUSED)
@pytest.mark.parametrize("json_too", [False, True], ids=["text", "json"])
def test_what_cannot_be_done_is_refused_in_one_line(
    clutch: Clutch, tmp_path: Path, line: str, json_too: bool
) -> None:
    files = {
        "broken.py": "1 / 0\n",
        "syntax.py": "def (\n",
        "quits.py": "raise SystemExit(0)\n",
        "skipper.py": SKIPPER + "number = 5\n",
        "text.txt": "no Python",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    command, *rest = line.split()
    done = clutch(command, *(["--json"] if json_too and command != "nosuch" else []), *rest)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("clutch: ")
    assert done.err.count("\n") == 1
    assert done.err.endswith("\n")
    assert REFUSED[line] in done.err
    left = {path.name for path in tmp_path.iterdir()} - {"__pycache__"}
    assert left == set(files)


@pytest.mark.parametrize("out", ["file", "file/below"])
def test_a_folder_that_cannot_be_written_is_found_out_first(
    clutch: Clutch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    (tmp_path / "file").write_text("in the way")
    played: list[Any] = []
    monkeypatch.setattr("experiments.tournament.simulate", lambda *a, **_: played.append(a))
    done = clutch("tournament", "ostrich", "--agents", "random", "--out", out)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("clutch: ")
    assert done.err.count("\n") == 1
    assert "file" in done.err
    assert played == []


def test_help_of_every_command(clutch: Clutch) -> None:
    commands = [command for command in app.registered_commands if command.callback]
    names = [command.name or command.callback.__name__ for command in commands]
    assert names == [
        "agents", "tournament", "merge", "replay", "play", "cards", "bench", "solve", "gain",
        "check-certificate", "train", "exploit", "league", "advise",
    ]  # fmt: skip
    whole = clutch("--help")
    assert (whole.code, whole.err) == (0, "")
    assert clutch() == whole
    for name in names:
        assert f"\n  {name} " in whole.out
        helped = clutch(name, "--help")
        assert (helped.code, helped.err) == (0, "")
        assert f"clutch {name} [OPTIONS]" in helped.out
        assert ("--json" in helped.out) == (name != "play")


def test_agents_are_listed(clutch: Clutch) -> None:
    assert [line for line in clutch("agents").out.splitlines() if not line.startswith(" ")] == [
        "empires:",
        "ostrich:",
    ]
    listed = clutch("agents", "ostrich")
    assert (listed.code, listed.err) == (0, "")
    title, *lines = listed.out.splitlines()
    assert title == "ostrich:"
    assert [line.split()[0] for line in lines] == agent_names("ostrich")
    assert all(len(line.split()) > 3 for line in lines)
    told = json.loads(clutch("agents", "ostrich", "--json").out)["agents"]
    learned = ("cfr", "endgame", "equilibrium", "smmcts", "solved")
    assert [entry["agent"] for entry in told] == agent_names("ostrich")
    for entry in told:
        assert entry["game"] == "ostrich"
        assert entry["fast"] == (entry["agent"] not in learned)
        assert entry["about"] in listed.out


def test_a_tournament_says_how_it_ended_and_where_it_lies(clutch: Clutch, tmp_path: Path) -> None:
    done = clutch("tournament", "ostrich", "--agents", "random,greedy", "--playthroughs", "20")
    assert (done.code, done.err) == (0, "")
    (folder,) = (tmp_path / "results" / "tournament").iterdir()
    place = folder.relative_to(tmp_path)
    assert f"tables: {place}/agents.csv" in done.out
    assert f"charts: {place}/win_rates.png" in done.out
    rows = [line.split() for line in done.out.splitlines() if "│" in line]
    assert [row[1] for row in rows] == ["greedy", "random"]


def test_json_is_one_object(clutch: Clutch, tmp_path: Path) -> None:
    line = "tournament ostrich --agents random,greedy --playthroughs 20 --seed 4 --out elsewhere"
    done = clutch(*line.split(), "--json")
    assert (done.code, done.err) == (0, "")
    told = json.loads(done.out)
    (folder,) = (tmp_path / "elsewhere" / "tournament").iterdir()
    assert told["folder"] == str(folder.relative_to(tmp_path))
    assert [row["agent"] for row in told["agents"]] == ["greedy", "random"]
    assert all(set(row) == set(TABLE) for row in told["agents"])
    assert len(told["line_ups"]) == 4 * 3
    stored = json.loads((folder / "config.json").read_text())
    for key in ("experiment", "game", "rules", "rules_version", "ordered", "start"):
        assert told[key] == stored[key]
    assert (told["seed"], told["playthroughs"]) == (4, 20)
    again = json.loads(clutch("merge", told["folder"], "--json").out)
    assert again["agents"] == told["agents"]


@pytest.mark.parametrize("players", [["--rule", "players=2"], ["--players", "2"]])
def test_rules_come_from_the_command_line(clutch: Clutch, players: list[str]) -> None:
    line = ["tournament", "ostrich", "--agents", "random,greedy", "--playthroughs", "6", "--json"]
    rules = ["--rule", "bags=2,3,5", "--rule", "out_players_can_win=true", *players]
    told = json.loads(clutch(*line, *rules).out)
    assert told["rules"]["bags"] == [2, 3, 5]
    assert told["rules"]["players"] == 2
    assert told["rules"]["out_players_can_win"] is True
    assert len(told["line_ups"]) == 3 * 2


@pytest.mark.parametrize(("text", "number"), [("1_0", 10), ("1e1", 10), ("1.2e1", 12), ("007", 7)])
def test_numbers_as_people_write_them(clutch: Clutch, text: str, number: int) -> None:
    line = ["tournament", "ostrich", "--agents", "random", "--playthroughs", text, "--json"]
    told = json.loads(clutch(*line, "--seed", "18446744073709551615").out)
    assert told["playthroughs"] == number
    assert told["seed"] == 2**64 - 1


@pytest.mark.compiled_only
@pytest.mark.parametrize("text", ["1e6", "1_000_000", "1000000"])
def test_a_million_in_three_ways(clutch: Clutch, text: str) -> None:
    line = ["tournament", "ostrich", "--agents", "random", "--playthroughs", text, "--json"]
    assert json.loads(clutch(*line).out)["playthroughs"] == 10**6


def test_an_agent_against_the_rules_is_told_of(clutch: Clutch, tmp_path: Path) -> None:
    (tmp_path / "skipper.py").write_text(SKIPPER)
    done = clutch(
        "tournament", "ostrich", "--agents", "skipper.py:Skipper", "--playthroughs",
        str(size(1000, 4)), "--seed", "9",
    )  # fmt: skip
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1
    for part in ("Skipper in seat 0", "seed 9", "playthrough 0", "round 2"):
        assert part in done.err
    assert list((tmp_path / "results" / "tournament").iterdir()) == []


def test_the_version(clutch: Clutch) -> None:
    done = clutch("--version")
    assert (done.code, done.err) == (0, "")
    assert done.out.split()[0] == "clutch"
    assert done.out.split()[1][0].isdigit()
