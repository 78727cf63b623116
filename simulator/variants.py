"""Values of rules: checked one by one, named in a folder's name, stored as plain data."""

from dataclasses import fields
from typing import Any, Self

import numpy as np


class Variant:
    """What the frozen dataclasses of all games' rules share."""

    def slug(self) -> str:
        """Return a readable name of what differs from the published game, for folder names."""
        changed = []
        for entry in fields(self):  # type: ignore[arg-type]
            value = getattr(self, entry.name)
            if value != entry.default:
                text = "-".join(map(str, value)) if isinstance(value, tuple) else str(value)
                changed.append(f"{entry.name}-{text}")
        return "_".join(changed)

    def as_data(self) -> dict[str, Any]:
        """Return the rules as what JSON holds."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}  # type: ignore[arg-type]
        return {name: _plain(value) for name, value in values.items()}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """Return the rules that `as_data` told, or raise ValueError, KeyError or TypeError."""
        return cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in data.items()})


def _plain(value: Any) -> Any:
    """Return a rule's value as what JSON holds."""
    if hasattr(value, "as_data"):
        return value.as_data()
    return list(value) if isinstance(value, tuple) else value


def whole(name: str, value: object) -> int:
    """Return `value` as an int; refuse anything that is not a whole number."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"{name}={value!r} is not a whole number")
    return int(value)


def wholes(name: str, value: Any) -> tuple[int, ...]:
    """Return a list of whole numbers, sorted; refuse anything else."""
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise ValueError(f"{name}={value!r} is not a list of whole numbers such as 2,3,5")
    return tuple(sorted(whole(name, one) for one in value))


def truth(name: str, value: object) -> None:
    """Refuse anything that is not True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name}={value!r} is not True or False")


def one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    """Refuse anything that is not one of the texts `known`."""
    if value not in known:
        raise ValueError(f"{name}={value!r} is not one of {', '.join(known)}")


def within(name: str, value: int, low: int, high: int) -> None:
    """Refuse a value outside `low` to `high`."""
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}; it must be from {low} to {high}")
