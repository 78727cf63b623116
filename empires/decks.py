"""Egg decks: the values of the eggs, and from how many players on each is used.

The published values are not known (R-E1), so a deck is a TOML file that anybody can replace:
`name`, `assumed` (true if its values are a guess) and, under `[eggs]`, a list of whole numbers for
each of the marks "2-4p", "5p" and "6p".
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.variants import wholes

MARKS = {"2-4p": 2, "5p": 5, "6p": 6}  # a mark, and from how many players on its eggs are used
MIN_VALUE, MAX_VALUE = -99, 99
MAX_EGGS = 64
FOLDER = Path(__file__).with_suffix("")
LONGEST_NAME = 30


@dataclass(frozen=True)
class Deck:
    """The egg cards of a game.

    Parameters
    ----------
    name : str
    eggs : tuple of (int, int)
        Value and least number of players of each egg; kept sorted.
    assumed : bool
        Whether the values are a guess.
    may_run_out : bool
        Whether it may hold fewer eggs than the turns of a round reveal (R-E14).

    Raises
    ------
    ValueError
        For a value out of range, or more than 64 eggs.
    """

    name: str
    eggs: tuple[tuple[int, int], ...]
    assumed: bool = False
    may_run_out: bool = False

    def __post_init__(self) -> None:
        if not re.fullmatch(rf"[\w.+-]{{1,{LONGEST_NAME}}}", self.name):
            raise ValueError(
                f"a deck's name is 1 to {LONGEST_NAME} letters and digits, not {self.name!r}"
            )
        if len(self.eggs) > MAX_EGGS:
            raise ValueError(f"a deck has at most {MAX_EGGS} eggs, not {len(self.eggs)}")
        for value, least in self.eggs:
            if least not in MARKS.values():
                raise ValueError(f"an egg is used from 2, 5 or 6 players on, not from {least!r}")
            if isinstance(value, bool) or not isinstance(value, int):
                raise ValueError(f"an egg's value is a whole number, not {value!r}")
            if not MIN_VALUE <= value <= MAX_VALUE:
                raise ValueError(f"an egg is worth {MIN_VALUE} to {MAX_VALUE}, not {value}")
        object.__setattr__(self, "eggs", tuple(sorted(self.eggs)))

    def __str__(self) -> str:
        return self.name

    def values(self, players: int) -> tuple[int, ...]:
        """Return the values used with so many players, ascending."""
        return tuple(value for value, least in self.eggs if least <= players)

    def as_data(self) -> dict[str, Any]:
        """Return the deck as what JSON holds."""
        return {
            "name": self.name,
            "assumed": self.assumed,
            "may_run_out": self.may_run_out,
            "eggs": [list(egg) for egg in self.eggs],
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Deck":
        """Return the deck that `as_data` told."""
        return cls(**{**data, "eggs": tuple((value, least) for value, least in data["eggs"])})


def own_deck(values: Any) -> Deck:
    """Return a deck of these values for any number of players; it may run out (R-E14)."""
    return Deck("own", tuple((value, 2) for value in wholes("deck", values)), may_run_out=True)


def deck_names() -> list[str]:
    """Return the names of the decks that come with the game."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def shipped_deck(name: str) -> Deck:
    """Return a deck that comes with the game, or raise ValueError."""
    if name not in deck_names():
        raise ValueError(f"there is no deck {name!r}; there are {', '.join(deck_names())}")
    return load_deck(FOLDER / f"{name}.toml")


def load_deck(path: Path | str) -> Deck:
    """Read a deck from a file.

    Raises
    ------
    ValueError
        If there is no such file or it is no deck; the message names the file and the line.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no deck: it is not text ({error.reason})") from error
    except OSError as error:
        raise ValueError(f"the deck {path} cannot be read: {error.strerror}") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:  # says at which line
        raise ValueError(f"{path} is not valid TOML: {error}") from error
    _check_keys(path, text, data)
    eggs = []
    for mark, values in data["eggs"].items():
        if mark not in MARKS:
            _refuse(
                path, _line_of_key(text, mark, "eggs"), f"the mark {mark!r} is none of {_marks()}"
            )
        if not isinstance(values, list):
            _refuse(
                path, _line_of_key(text, mark, "eggs"), f"{mark} must be a list such as [13, -6]"
            )
        for number, value in enumerate(values):
            if isinstance(value, bool) or not isinstance(value, int):
                line = _line_of_item(text, mark, number)
                _refuse(path, line, f"{value!r} under {mark} is not a whole number")
            if not MIN_VALUE <= value <= MAX_VALUE:
                line = _line_of_item(text, mark, number)
                _refuse(path, line, f"an egg is worth {MIN_VALUE} to {MAX_VALUE}, not {value}")
            eggs.append((value, MARKS[mark]))
    try:
        return Deck(data["name"], tuple(eggs), data["assumed"])
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _check_keys(path: Path, text: str, data: dict[str, Any]) -> None:
    """Refuse a file that lacks a key, or has one of the wrong kind or that means nothing."""
    kinds = {"name": (str, "a text"), "assumed": (bool, "true or false"), "eggs": (dict, "a table")}
    for key in data:
        if key not in kinds:
            _refuse(path, _line_of_key(text, key), f"{key!r} is none of {', '.join(kinds)}")
    data.setdefault("name", path.stem)
    data.setdefault("assumed", False)
    for key, (kind, told) in kinds.items():
        if key not in data:
            raise ValueError(f"{path} has no [{key}], with lists for the marks {_marks()}")
        if not isinstance(data[key], kind):
            _refuse(path, _line_of_key(text, key), f"{key} must be {told}, not {data[key]!r}")


def _marks() -> str:
    return ", ".join(MARKS)


def _refuse(path: Path, line: int, what: str) -> None:
    raise ValueError(f"{path}, line {line}: {what}")


def _line_of_key(text: str, key: str, inside: str | None = None) -> int:
    """Return the line, from 1, on which a key or a table of that name stands.

    `inside` is the table that holds it, whose own name comes before it.
    """
    start = 1 if inside is None else _line_of_key(text, inside)
    pattern = rf"(?:^|[\s{{\[.,])[\"']?{re.escape(key)}[\"']?\s*[]=.]"
    for number, line in enumerate(text.splitlines(), 1):
        if number >= start and re.search(pattern, line.partition("#")[0]):
            return number
    return start


def _line_of_item(text: str, key: str, number: int) -> int:
    """Return the line, from 1, on which the `number`-th item (from 0) of a key's list stands."""
    lines = text.splitlines()
    start = _line_of_key(text, key, "eggs")
    rest = "\n".join([lines[start - 1].partition(key)[2].partition("[")[2], *lines[start:]])
    tokens = re.finditer(r"#[^\n]*|\"[^\"\n]*\"|'[^'\n]*'|\[|\]|,|\n|[^\s,\[\]#\"']+", rest)
    line, item, depth = start, 0, 0
    for token in tokens:
        if token[0] == "\n":
            line += 1
        elif token[0] == "," and depth == 0:
            item += 1
        elif token[0] in "[]":
            depth += 1 if token[0] == "[" else -1
        if item == number and not token[0].startswith(("\n", ",", "#")):
            return line
    return line
