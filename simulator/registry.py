"""Find agents and games by name: installed ones by entry point, one's own by file.

An entry point in the group ``clutch.agents`` is named ``<game>.<name>``; it points to an agent, a
class or a factory (`agents.as_agent`). So `simulator` imports no agent, and an agent of a user's
own package is a name like any other.
"""

import difflib
import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from simulator.agents import Agent, as_agent, first_line
from simulator.inputs import UsageError

AGENT_GROUP = "clutch.agents"
GAME_GROUP = "clutch.games"


@cache
def _entries(group: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=group)}


def unknown(kind: str, name: str, known: Sequence[str]) -> UsageError:
    """Return the error for a name that does not exist, with near matches or all names."""
    near = difflib.get_close_matches(name, known, n=3)
    hint = (
        f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known) or 'none'}"
    )
    return UsageError(f"there is no {kind} {name!r}; {hint}")


def game_names() -> list[str]:
    """Return the names of the installed games."""
    return sorted(_entries(GAME_GROUP))


def game_class(name: str) -> Any:
    """Return a game's class by its name, or raise UsageError."""
    if name not in _entries(GAME_GROUP):
        raise unknown("game", name, game_names())
    return _entries(GAME_GROUP)[name].load()


def agent_names(game: Any) -> list[str]:
    """Return the names of the installed agents for a game (or a game's name), sorted."""
    prefix = (game if isinstance(game, str) else game.name) + "."
    names = [name for name in _entries(AGENT_GROUP) if name.startswith(prefix)]
    return sorted(name.removeprefix(prefix) for name in names)


@dataclass(frozen=True)
class Listed:
    """An installed agent, as lists show it."""

    name: str
    about: str
    fast: bool


def listed_agents(game: Any) -> list[Listed]:
    """Return the installed agents for a game (or a game's name), by name.

    None is made, since some agents play certain variants only. One that cannot be loaded says so.
    """
    prefix = (game if isinstance(game, str) else game.name) + "."
    listed = []
    for name in agent_names(game):
        try:
            thing = _entries(AGENT_GROUP)[prefix + name].load()
            about = thing.about if isinstance(thing, Agent) else first_line(thing)
            listed.append(Listed(name, about, isinstance(thing, Agent) and thing.fast))
        except Exception as error:
            listed.append(Listed(name, f"cannot be loaded: {_reason(error)}", False))
    return listed


def make_agent(name: Any, game: Any) -> Agent:
    """Return an agent for `game` from a name, ``file.py:Name``, or an agent of one's own.

    Raises
    ------
    UsageError
        If the name or file is not known, or what it holds is no agent for this game.
    """
    if not isinstance(name, str):
        try:
            return as_agent(name, game)
        except Exception as error:
            told = str(error) if isinstance(error, TypeError) else _reason(error)
            raise UsageError(f"{name!r} cannot be used as an agent: {told}") from error
    if ":" in name:
        return _agent_from_file(name, game)
    entry = _entries(AGENT_GROUP).get(f"{game.name}.{name}")
    if entry is None:
        raise unknown(f"agent for {game.name}", name, agent_names(game))
    try:
        return as_agent(entry.load(), game, name)
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(
            f"agent {name!r} ({entry.value}) cannot be used: {_reason(error)}"
        ) from error


def make_agents(names: Sequence[Any], game: Any) -> list[Agent]:
    """Return an agent for each name; see `make_agent`."""
    return [make_agent(name, game) for name in names]


def _agent_from_file(spec: str, game: Any) -> Agent:
    """Return the agent that ``file.py:Name`` names."""
    file, _, attribute = spec.rpartition(":")
    module = _import_file(Path(file))
    found = [name for name in vars(module) if not name.startswith("_")]
    if attribute not in vars(module):
        raise unknown(f"agent in {file}", attribute, found)
    try:
        return as_agent(getattr(module, attribute), game)
    except Exception as error:
        raise UsageError(f"{spec} cannot be used as an agent: {_reason(error)}") from error


def _import_file(path: Path) -> ModuleType:
    """Import a file by its path, under a name of its own."""
    if not path.is_file():
        raise UsageError(f"there is no file {str(path)!r} to take an agent from")
    name = f"clutch_user_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise UsageError(f"{str(path)!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raise UsageError(f"{str(path)!r} cannot be imported: {_reason(error)}") from error
    return module


def _reason(error: BaseException) -> str:
    """Return an exception as one line."""
    first = str(error).strip().split("\n")[0]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__
