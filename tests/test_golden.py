"""Playthroughs come out as they were written down in tests/golden/."""

from difflib import unified_diff

import pytest

from simulator.registry import game_names
from tests.golden.playthroughs import FOLDER, PLANS, text_of


@pytest.mark.parametrize("plan", PLANS)
def test_playthroughs_are_as_written_down(plan: str) -> None:
    written = (FOLDER / f"{plan}.txt").read_text(encoding="utf-8").splitlines()
    played = text_of(plan).splitlines()
    diff = "\n".join(unified_diff(written, played, "written down", "played now", lineterm="", n=1))
    assert not diff, f"{plan} differs; if that is meant, run: python -m tests.golden\n{diff}"


def test_every_game_has_a_golden_file() -> None:
    files = {path.stem for path in FOLDER.glob("*.txt")}
    assert files == set(PLANS)
    assert {game for game, _ in PLANS.values()} == set(game_names())
    assert all(stem.startswith(f"{game}-") for stem, (game, _) in PLANS.items())


def test_golden_files_show_what_seldom_happens() -> None:
    told = {plan: (FOLDER / f"{plan}.txt").read_text(encoding="utf-8") for plan in PLANS}
    assert "broken" in told["ostrich-published"]
    assert "None" in told["ostrich-players-go-out"]  # the action of a player who is out
    assert "None" in told["ostrich-out-players-can-win"]
    assert "ambers 1" in told["ostrich-two-players"]
