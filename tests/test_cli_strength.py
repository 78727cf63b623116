"""The commands train, exploit, league and advise, and the grades after `play`."""

import json
import os
import shutil
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import experiments.exploiting
import experiments.training
from agents import make_agent
from simulator.inputs import UsageError
from tests.command_line import Clutch

pytestmark = pytest.mark.compiled_only
SMALL = [
    "--rule", "bags=2,3", "--rule", "deck=0,4,5,6", "--rule", "removed=0", "--rule", "rounds=3",
]  # fmt: skip
TRAIN = ["train", "ostrich", "equilibrium", "--games", "500", "--passes", "2", *SMALL, "--json"]
CFR = ["train", "ostrich", "cfr", "--iterations", "400", *SMALL, "--json"]


@pytest.fixture(autouse=True)
def leaves_by_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted command leaves its process at once; here that would be the tests'."""
    monkeypatch.setattr(os, "_exit", sys.exit)


def files_in(folder: Path) -> dict[str, bytes]:
    """Return all files of a run but what differs from run to run."""
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.name != "environment.json"
    }


@pytest.mark.parametrize("command", [TRAIN, CFR])
def test_training_ends_in_a_policy_that_the_agent_finds(clutch: Clutch, command: list[str]) -> None:
    done = clutch(*command)
    assert done.code == 0
    assert "training takes about" in done.err and "GB of memory" in done.err
    told = json.loads(done.out)
    folder = Path(told["folder"])
    assert sorted(path.name for path in folder.iterdir()) == [
        "config.json", "environment.json", "learning.csv", "policy.npz",
    ]  # fmt: skip
    assert told["bytes"] < 10_000_000
    measured = clutch("gain", "ostrich", told["agent"], *SMALL, "--json")
    assert measured.code == 0
    assert max(json.loads(measured.out)["gains"]) < 0.5
    before = files_in(folder)
    assert clutch(*command, "--threads", "1").code == 0
    assert files_in(folder) == before


@pytest.mark.parametrize("command", [TRAIN, CFR])
def test_ctrl_c_keeps_the_last_checkpoint_and_the_rest_is_the_same(
    clutch: Clutch, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = files_in(Path(json.loads(clutch(*command).out)["folder"]))
    shutil.rmtree("results")
    written = experiments.training.write_stored

    def interrupted(*arguments: Any) -> None:
        written(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(experiments.training, "write_stored", interrupted)
        stopped = clutch(*command)
    assert stopped.code == 130
    assert "1 of " in stopped.err and "steps are kept" in stopped.err
    assert not list(Path("results/train").glob("*/policy.npz"))
    again = clutch(*command)
    assert again.code == 0
    assert files_in(Path(json.loads(again.out)["folder"])) == whole


def test_damaged_checkpoints_and_policies_are_refused(
    clutch: Clutch, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(json.loads(clutch(*CFR).out)["folder"])
    policy = folder / "policy.npz"
    whole = policy.read_bytes()
    for place in (100, len(whole) // 2, len(whole) - 10):
        altered = bytearray(whole)
        altered[place] ^= 4
        policy.write_bytes(altered)
        refused = clutch("gain", "ostrich", "cfr", *SMALL)
        assert refused.code == 2
        assert "policy.npz" in refused.err
    policy.write_bytes(whole)
    assert clutch("gain", "ostrich", "cfr", *SMALL).code == 0
    other = [*SMALL[:-2], "--rule", "rounds=2"]
    refused = clutch("gain", "ostrich", "cfr", *other)
    assert refused.code == 2
    assert "cfr has learned nothing for these rules" in refused.err
    assert "run `clutch train ostrich cfr`" in refused.err
    monkeypatch.setattr("agents.cfr.VERSION", 99)
    assert "learned nothing" in clutch("gain", "ostrich", "cfr", *SMALL).err


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["train", "empires", "cfr"], "there is no agent that learns, for empires 'cfr'"),
        (["train", "ostrich", "greedy"], "there is no agent that learns, for ostrich 'greedy'"),
        (["train", "ostrich", "cfr", "--games", "500"], "cfr takes --iterations and --parts, no"),
        (
            ["train", "ostrich", "equilibrium", "--iterations", "9"],
            "takes --games and --passes, no",
        ),
        (["train", "ostrich", "cfr", "--iterations", "0"], "iterations must be"),
        (["train", "ostrich", "cfr", "--parts", "rounds"], "did you mean round?"),
        (["train", "ostrich", "cfr", "--rule", "players=2"], "trained for 3 players, not 2"),
        (["train", "ostrich", "equilibrium", "--rule", "players=4"], "learned for 3 players"),
        (["exploit", "empires", "greedy"], "exploit knows ostrich only, not empires"),
        (["exploit", "ostrich", "gredy"], "did you mean greedy?"),
        (["exploit", "ostrich", "greedy", "--lookahead", "3"], "lookahead must be"),
        (["exploit", "ostrich", "greedy", "--playthroughs", "0"], "playthroughs must be"),
        (["exploit", "ostrich", "greedy", "--probes", "nobody"], "there is no agent"),
        (
            ["exploit", "ostrich", "greedy", "--rule", "players=2"],
            "exploit is for 3 players, not 2",
        ),
        (["league", "ostrich", "--agents", "greedy,greedy"], "named twice"),
        (["league", "nothing"], "there is no game 'nothing'"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(clutch: Clutch, command: list[str], told: str) -> None:
    done = clutch(*command)
    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert not Path("results").exists() or not list(Path("results").rglob("*.json"))


EXPLOIT = [
    "exploit", "ostrich", "greedy", "--games", "600", "--playthroughs", "900",
    "--probes", "random",
    *SMALL, "--json",
]  # fmt: skip


def test_exploit_reports_the_largest_and_goes_on_after_an_interrupt(
    clutch: Clutch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiments.exploiting, "CHECKED", 300)
    monkeypatch.setattr(experiments.exploiting, "MOST_REFITS", 3)
    done = clutch(*EXPLOIT)
    assert done.code == 0
    told = json.loads(done.out)
    assert told["par"] == pytest.approx(1 / 3)
    shares = {row["probe"]: row["win_share"] for row in told["found"]}
    assert list(shares) == ["best responder, 1 turn", "random"]
    assert told["largest"]["win_share"] == max(shares.values()) > 0.25
    assert [row["round"] for row in told["leaf_values"]] == [1, 2]
    for row in told["leaf_values"]:
        assert abs(row["told"] - row["got"]) < 0.2
    folder = Path(told["folder"])
    assert sorted(path.name for path in folder.iterdir()) == [
        "config.json", "environment.json", "exploit.png", "exploit.svg", "leaf_values.csv",
        "probes.csv", "refits.csv",
    ]  # fmt: skip
    whole = files_in(folder)
    shutil.rmtree("results")
    written = experiments.exploiting.write_stored

    def interrupted(*arguments: Any) -> None:
        written(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(experiments.exploiting, "write_stored", interrupted)
        stopped = clutch(*EXPLOIT)
    assert stopped.code == 130
    assert "1 refits are kept" in stopped.err
    assert clutch(*EXPLOIT).code == 0
    assert files_in(folder) == whole


def test_a_league_rates_and_writes_the_same_again(clutch: Clutch) -> None:
    command = ["league", "ostrich", "--agents", "random,greedy,breaker", "--playthroughs", "400"]
    told = json.loads(clutch(*command, "--json").out)
    assert [row["agent"] for row in told["ratings"]][-1] == "random"
    assert told["cycles"] == []
    assert len(told["duels"]) == 3
    folder = Path(told["folder"])
    assert {"ratings.csv", "duels.csv", "ratings.png", "win_rates.png"} <= set(files_in(folder))
    before = files_in(folder)
    shown = clutch(*command)
    assert "no circle of three is sure" in shown.out
    assert files_in(folder) == before


POSITION = [
    "advise", "ostrich", "--player", "2,0,x,3:skip:1", "--player", "0,3,2,4:7:0",
    "--player", "1,1,4,0:2:1", "--seen", "0,4,0,9,5,6,7,10", "--card", "8",
]  # fmt: skip


def test_advice_near_the_end_is_exact_and_adds_up(clutch: Clutch) -> None:
    told = json.loads(clutch(*POSITION, "--json").out)
    assert told["exact"] is True
    claims = {row["claim"]: row for row in told["claims"]}
    assert "skip" not in claims and set(claims) == {"2", "3", "7"}
    assert sum(row["chance"] for row in told["claims"]) == pytest.approx(1)
    assert min(row["cost"] for row in told["claims"]) == 0
    mean = sum(row["chance"] * row["win_share"] for row in told["claims"])
    assert mean == pytest.approx(told["win_share"], abs=1e-6)
    assert claims["2"]["breaks_own"] == 1.0
    assert told["why"].endswith(".")
    shown = clutch(*POSITION).out
    assert "exact: nothing is estimated" in shown
    assert told["why"] in " ".join(shown.split())


@pytest.mark.parametrize(
    ("place", "text", "told"),
    [
        (3, "2,0,x:skip:1", "has 3 bags; these rules have 4"),
        (3, "2,0,x,8:skip:1", "eggs in the 7 bag must be"),
        (3, "2,0,x,3:5:1", "the 5 bag is broken"),
        (3, "2,0,x,3:4:1", "last claim '4' is none of"),
        (3, "2,0,x,3:skip:9", "ambers must be"),
        (3, "2,0,x,3:skip:2", "the players have 3 ambers, but 2 were seen"),
        (3, "2;0", "a position is bags:last:ambers"),
        (9, "0,4,0,9,5,6,7,11", "the deck has 0 cards of 11"),
        (9, "0,4,0,9,5,6,7,10,9,5", "10 cards seen and one open make 11 rounds"),
        (11, "4", "the deck has 1 cards of 4, and more are named"),
        (11, "eight", "card must be"),
    ],
)
def test_positions_that_cannot_be_are_refused(
    clutch: Clutch, place: int, text: str, told: str
) -> None:
    command = list(POSITION)
    command[place] = text
    done = clutch(*command)
    assert (done.code, done.out) == (2, "")
    assert told in done.err


def test_a_position_can_be_typed_step_by_step(
    clutch: Clutch, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [*POSITION[3:8:2], POSITION[9], POSITION[11]]
    monkeypatch.setattr(sys, "stdin", StringIO("\n".join(answers) + "\n"))
    typed = clutch("advise", "ostrich", "--json")
    assert typed.code == 0
    assert json.loads(typed.out) == json.loads(clutch(*POSITION, "--json").out)
    monkeypatch.setattr(sys, "stdin", StringIO("2,0,x,3:skip:1\n"))
    assert clutch("advise", "ostrich").code == 2


def test_after_a_game_each_claim_of_a_person_is_graded(
    clutch: Clutch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("0\n" * 20))
    played = clutch("play", "ostrich", "--seed", "3", *SMALL)
    assert played.code == 0
    assert "Your claims are not graded" in played.out
    assert clutch(*TRAIN).code == 0
    monkeypatch.setattr(sys, "stdin", StringIO("0\n" * 20))
    played = clutch("play", "ostrich", "--seed", "3", *SMALL)
    assert "What your claims gave away" in played.out
    assert "In all you gave away" in played.out


def test_an_agent_that_has_learned_nothing_says_how_to_learn() -> None:
    import ostrich

    game = ostrich.Game(ostrich.Rules(amber_value=7))
    for name in ("equilibrium", "cfr"):
        with pytest.raises(UsageError, match=f"run `clutch train ostrich {name}`"):
            make_agent(name, game)
