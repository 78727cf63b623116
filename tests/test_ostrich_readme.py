"""ostrich/README.md and the tests agree: each paragraph names a test, and each named exists."""

import importlib
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
README = (TESTS.parent / "ostrich" / "README.md").read_text(encoding="utf-8")
MODULES = [
    "test_ostrich_rules",
    "test_ostrich_rules_scoring",
    "test_ostrich_rulings",
    "test_ostrich_second_text",
]


def paragraphs() -> dict[str, str]:
    """Return each numbered paragraph's text by its number, such as O7 or R-O3."""
    found = re.findall(
        r"^- \*\*((?:R-)?O\d+)\.\*\* (.*?)(?=^-|^$)", README, re.MULTILINE | re.DOTALL
    )
    assert len(found) == len(dict(found)), "a number is given twice"
    return dict(found)


def named(text: str) -> list[str]:
    """Return the tests that a text names."""
    return re.findall(r"`(test_\w+(?:\[\w+\])?)`", text)


def existing() -> set[str]:
    """Return the tests that there are; of the second text's table one for each row."""
    modules = [importlib.import_module(f"tests.{name}") for name in MODULES]
    names = {name for module in modules for name in vars(module) if name.startswith("test_")}
    rows = {f"test_second_text_agrees[{row}]" for row in modules[-1].ROWS}
    return names - {"test_second_text_agrees"} | rows


def test_paragraphs_are_numbered_without_gaps() -> None:
    expected = [f"O{n}" for n in range(1, 56)] + [f"R-O{n}" for n in range(1, 12)]
    assert list(paragraphs()) == expected


@pytest.mark.parametrize("number", paragraphs())
def test_every_paragraph_names_its_own_test(number: str) -> None:
    digits = f"{int(number.split('O')[1]):02d}"
    own = f"test_{'r_' if number.startswith('R-') else ''}o{digits}_"
    tests = named(paragraphs()[number])
    assert any(test.startswith(own) or test.endswith(f"[{number}]") for test in tests), tests


def test_every_test_that_is_named_exists_and_the_other_way_round() -> None:
    assert set(named(README)) == existing()


def test_the_history_ends_with_the_present_version() -> None:
    from ostrich import RULES_VERSION

    versions = re.findall(r"^\| (\d+) \|", README.split("## Rules version and history")[1], re.M)
    assert versions == [str(n) for n in range(1, RULES_VERSION + 1)]
