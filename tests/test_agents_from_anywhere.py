"""What is no agent, as an object or in a file, is refused with the reason in one line."""

from pathlib import Path
from typing import Any

import pytest

import ostrich
from agents import make_agent
from simulator import UsageError, simulate

GAME = ostrich.Game()


class TakesFour:
    """Takes one argument too many."""

    def act(self, a: Any, b: Any, c: Any, d: Any) -> int:
        """Return an action."""
        return 0


def forgot_the_decorator(observation: Any) -> Any:
    """Skips."""
    return observation.skip


class Fails:
    """Cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError("no licence")


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (3, "int is no agent: it needs act"),
        (None, "NoneType is no agent"),
        (object, "object is no agent"),
        (TakesFour, "TakesFour.act takes 4 arguments"),
        (forgot_the_decorator, "forgot_the_decorator"),
        (Fails, "Fails.*no licence"),
    ],
)
def test_things_that_are_no_agents(thing: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        simulate(GAME, ["random", thing, "random"], 10, 1)


GOOD = '''
class Hunter:
    """Plays its first legal action."""
    def act(self, observation, legal_actions, rng):
        return legal_actions[0]
'''
FILES = {
    "no such name": (
        GOOD.replace("Hunter", "Huntress"),
        "there is no agent in .*'Hunter'; did you mean Huntress",
    ),
    "import error": (
        "import nothing_of_the_kind\n" + GOOD,
        "cannot be imported: ModuleNotFoundError",
    ),
    "syntax error": ("class Hunter\n", "cannot be imported: SyntaxError"),
    "exit": ("raise SystemExit(3)\n", "cannot be imported: SystemExit"),
    "not an agent": ("Hunter = 3\n", "cannot be used as an agent: TypeError: int is no agent"),
    "wrong act": (GOOD.replace(", rng", ""), None),
    "act with one": (GOOD.replace(", legal_actions, rng", ""), "act takes 1 arguments"),
    "no init": (
        GOOD + "    def __init__(self, a, b):\n        pass\n",
        "cannot be used as an agent",
    ),
    "not utf-8": (b"\xff\xfe\x00", "cannot be imported"),
    "empty": ("", "there is no agent in"),
}


@pytest.mark.parametrize("kind", FILES)
def test_files_that_hold_no_agent(kind: str, tmp_path: Path) -> None:
    content, message = FILES[kind]
    path = tmp_path / "mine.py"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if message is None:  # two arguments are those of a vectorised agent, which this one is not
        path.write_text(str(content))
        assert make_agent(f"{path}:Hunter", GAME).name == "Hunter"
        return
    with pytest.raises(UsageError, match=message) as caught:
        simulate(GAME, ["random", f"{path}:Hunter", "random"], 10, 1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", ["nowhere.py:Hunter", ":Hunter", "/:Hunter", "tests:Hunter"])
def test_files_that_are_not_there(spec: str) -> None:
    with pytest.raises(UsageError, match="there is no file"):
        simulate(GAME, ["random", spec, "random"], 10, 1)


def test_a_good_file_plays(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GOOD)
    result = simulate(GAME, [f"{path}:Hunter", "random", "random"], 10, 1)
    assert result.agents == ("Hunter", "random", "random")
