"""empires/README.md and the tests agree: each paragraph names a test, and each named exists."""

import importlib
import re
from pathlib import Path

from empires import RULES_VERSION, actions

TESTS = Path(__file__).parent
README = (TESTS.parent / "empires" / "README.md").read_text(encoding="utf-8")
MODULES = [
    "test_empires_rules",
    "test_empires_rules_adventurers",
    "test_empires_rules_two_players",
    "test_empires_rulings",
    "test_empires_rulings_rounds",
    "test_empires_hidden",
]


def test_paragraphs_are_numbered_without_gaps_and_name_tests() -> None:
    numbers = re.findall(r"\*\*((?:R-)?E\d+)\.\*\*", README)
    assert numbers == [f"E{n}" for n in range(1, 30)] + [f"R-E{n}" for n in range(1, 24)]
    for paragraph in re.findall(r"^- \*\*.*?(?=^-|^$)", README, re.MULTILINE | re.DOTALL):
        assert "`test_" in paragraph, paragraph


def test_every_test_that_is_named_exists_and_the_other_way_round() -> None:
    modules = [importlib.import_module(f"tests.{name}") for name in MODULES]
    existing = {name for module in modules for name in vars(module) if name.startswith("test_")}
    assert set(re.findall(r"`(test_\w+)`", README)) == existing


def test_the_table_of_actions() -> None:
    rows = re.findall(
        r"^\| ([\d to,]+) \| (\w+) \|", README.split("## Rules version")[0], re.MULTILINE
    )
    told: dict[int, str] = {}
    for numbers, kind in rows:
        first, *last = map(int, re.findall(r"\d+", numbers))
        told |= dict.fromkeys(range(first, (last or [first])[0] + 1), kind)
    assert told == {a: actions.meaning(a).kind for a in range(actions.NUM_ACTIONS)}


def test_the_history_ends_with_the_present_version() -> None:
    versions = re.findall(r"^\| (\d+) \|", README.split("## Rules version and history")[1], re.M)
    assert versions == [str(n) for n in range(1, RULES_VERSION + 1)]
