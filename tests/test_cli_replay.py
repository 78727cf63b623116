"""The command `replay` tells the very playthrough that the simulator plays."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import ostrich
from simulator import SimulationResult, simulate
from tests.command_line import Clutch
from tests.sizes import size
from tests.test_cli import SKIPPER

LINE_UP = ["greedy", "random", "hunter"]
PLAYTHROUGHS = size(400, 30)


@pytest.fixture(scope="module")
def played() -> SimulationResult:
    """Many playthroughs, each kept."""
    return simulate(ostrich.Game(), LINE_UP, PLAYTHROUGHS, 3, threads=1, keep="all")


def replayed(clutch: Clutch, index: int, *more: str) -> str:
    """Return what `replay` prints of a playthrough."""
    done = clutch(
        "replay",
        "ostrich",
        "--agents",
        ",".join(LINE_UP),
        "--seed",
        "3",
        "--index",
        str(index),
        *more,
    )
    assert (done.code, done.err) == (0, "")
    return done.out


@pytest.mark.parametrize("index", [0, 1, 17, PLAYTHROUGHS - 1])
def test_it_ends_as_it_was_played(clutch: Clutch, played: SimulationResult, index: int) -> None:
    told = json.loads(replayed(clutch, index, "--json"))
    assert (told["agents"], told["seed"], told["index"]) == (LINE_UP, 3, index)
    assert told["scores"] == played.scores[index].tolist()
    assert told["returns"] == played.returns[index].tolist()


@pytest.mark.parametrize("index", [0, 1, 17])
def test_its_rounds_can_be_played_after(clutch: Clutch, index: int) -> None:
    told = json.loads(replayed(clutch, index, "--json"))
    game = ostrich.Game()
    state = game.new_initial_state(seed=3, index=index)
    for entry in told["decisions"]:
        assert entry["card"] == state.card
        state.apply_actions(entry["actions"])
        claims = [None if a is None else game.action_to_string(a) for a in entry["actions"]]
        assert entry["says"] == claims
        assert entry["scores"] == state.scores()
        assert entry["state"] == str(state)
    assert state.is_terminal()
    assert state.scores() == told["scores"]


@pytest.mark.parametrize("index", [0, 5])
def test_every_round_is_told(clutch: Clutch, index: int) -> None:
    text = replayed(clutch, index)
    told = json.loads(replayed(clutch, index, "--json"))
    assert text.startswith(f"Eggs of Ostrich, seed 3, playthrough {index}\n")
    blocks = re.split(r"^Round ", text, flags=re.MULTILINE)[1:]
    assert len(blocks) == len(told["decisions"])
    for number, (block, entry) in enumerate(zip(blocks, told["decisions"], strict=True), 1):
        card = entry["card"]
        assert block.startswith(
            f"{number} of 10: " + ("an amber" if card == 0 else f"a card with {card} egg")
        )
        lines = block.splitlines()
        for seat, claim in enumerate(entry["says"]):
            own = [line for line in lines if line.startswith(f"  {LINE_UP[seat]} (seat {seat})")]
            assert len(own) == 2  # what it did, and how it stands
            did = {None: "is out", "skip": "skips"}.get(claim, f"plays {claim}")
            assert did in own[0]
            assert own[1].endswith(f"points: {entry['scores'][seat]}")


def test_the_winner_is_named(clutch: Clutch, played: SimulationResult) -> None:
    best: Any = played.returns.max(axis=1)
    alone = int((best == 1).argmax())
    shared = int((best < 1).argmax())
    winner = int(played.returns[alone].argmax())
    assert replayed(clutch, alone).endswith(f"\n{LINE_UP[winner]} (seat {winner}) wins.\n")
    last = replayed(clutch, shared).splitlines()[-1]
    assert best[shared] < 1
    assert last.endswith(f"share the win, {best[shared]:.4g} each.")
    for seat in range(3):
        assert (f"(seat {seat})" in last) == (played.returns[shared, seat] > 0)


def test_other_rules(clutch: Clutch) -> None:
    line = (
        "replay ostrich --agents greedy,random --players 2 --rule bags=2,3,5 --rule amber_value=9"
    )
    text = clutch(*line.split()).out
    assert "(seat 1)" in text
    assert "(seat 2)" not in text
    assert "7:" not in text
    told = json.loads(clutch(*line.split(), "--json").out)
    rules = ostrich.Rules(players=2, bags=(2, 3, 5), amber_value=9)
    result = simulate(ostrich.Game(rules), ["greedy", "random"], 1, 1, keep="all")
    assert told["scores"] == result.scores[0].tolist()


def test_an_illegal_action_ends_it_after_what_came_before(clutch: Clutch, tmp_path: Path) -> None:
    (tmp_path / "skipper.py").write_text(SKIPPER)
    line = "replay ostrich --agents random,skipper.py:Skipper,random --seed 3 --index 2"
    done = clutch(*line.split())
    assert done.code == 1
    assert "Round 1 of 10" in done.out
    assert "Skipper (seat 1)  skips" in done.out
    assert "Round 2 of 10" not in done.out
    assert done.err.count("\n") == 1
    assert "Skipper in seat 1" in done.err
    assert "round 2" in done.err
    silent = clutch(*line.split(), "--json")
    assert (silent.code, silent.out, silent.err) == (1, "", done.err)
