"""Read what the commands' options have in common: agents, rules, and where results go."""

from dataclasses import fields
from pathlib import Path
from typing import Any

from simulator.inputs import UsageError, whole_number
from simulator.registry import game_class, listed_agents, unknown

FAST = "fast"


def game_from(
    name: str, rules: list[str], players: str | None = None, deck: str | None = None
) -> Any:
    """Return a game from its name, ``name=value`` rules, and a deck's file where it takes one.

    Raises
    ------
    UsageError
        For an unknown game or rule, a value that cannot be read, or an impossible combination.
    """
    cls = game_class(name)
    given = [rule.partition("=") for rule in rules]
    if players is not None:
        given.append(("players", "=", players))
    values: dict[str, Any] = {}
    if deck is not None:
        if not hasattr(cls, "load_deck"):
            raise UsageError(f"{name} takes no --deck FILE; its deck is a rule (--rule deck=...)")
        try:
            values["deck"] = cls.load_deck(deck)
        except ValueError as error:
            raise UsageError(str(error)) from error
    kinds = {entry.name: entry.default for entry in fields(cls.rules_class)}
    for rule, equals, text in given:
        if not equals:
            raise UsageError(f"--rule takes name=value, such as players=2, not {rule!r}")
        if rule not in kinds:
            raise unknown("rule", rule, list(kinds))
        if rule in values:
            raise UsageError(f"rule {rule!r} is given twice")
        reader = getattr(cls.rules_class, f"read_{rule}", None)
        values[rule] = reader(text) if reader else _value(rule, text.strip(), kinds[rule])
    try:
        return cls(cls.rules_class(**values))
    except ValueError as error:
        raise UsageError(str(error)) from error


def _value(rule: str, text: str, default: Any) -> Any:
    """Return a rule's value from its text, read as what the default is."""
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise UsageError(f"rule {rule} is true or false, not {text!r}")
        return text.lower() == "true"
    if isinstance(default, tuple):
        parts = [part for part in text.strip("()[] ").split(",") if part.strip()]
        return tuple(whole_number(f"rule {rule}", part, -(10**9), 10**9) for part in parts)
    if isinstance(default, int) or default is None:
        return whole_number(f"rule {rule}", text, -(10**9), 10**9)
    return text


def agents_from(text: str, game: Any) -> list[str]:
    """Return the names in a list with commas; "fast" stands for all that the catalogue calls so."""
    names = [name.strip() for name in text.split(",")]
    if names == [FAST]:
        return [agent.name for agent in listed_agents(game) if agent.fast]
    if not all(names):
        raise UsageError(f"--agents takes names with commas between them, not {text!r}")
    return names


def out_from(text: str | None) -> Path:
    """Return the folder for results: `results` in the current folder unless another is named."""
    return Path("results") if text is None else Path(text)
