"""Read the numbers that users give: one parser for the library and the command line."""

import os
import re
from typing import Any

MAX_PLAYTHROUGHS = 10**12
MAX_SEED = 2**64 - 1
LONGEST_NUMBER = 60  # digits


class UsageError(ValueError):
    """A request that cannot be carried out; the message is one clear sentence."""


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """Return `value` as an int from `low` to `high`.

    Understood are ints, floats without a fraction, and texts such as 1000000, 1_000_000 and 1e6.

    Raises
    ------
    UsageError
        If it is anything else, naming `name`, the value and the range.
    """
    number = _exact(value)
    if number is None or not low <= number <= high:
        given = _shown(value)
        raise UsageError(f"{name} must be a whole number from {low} to {_short(high)}, not {given}")
    return number


def _exact(value: Any) -> int | None:
    """Return the whole number that `value` says exactly, or None."""
    if isinstance(value, str):
        text = value.strip()
        if len(text) > LONGEST_NUMBER:
            return None
        if re.fullmatch(r"[+-]?\d+(_\d+)*", text):
            return int(text)
        scientific = re.fullmatch(r"([+-]?\d+)(?:\.(\d+))?[eE]\+?(\d{1,2})", text)
        if scientific is None:
            return None
        digits, fraction, power = scientific[1], scientific[2] or "", int(scientific[3])
        fraction = fraction.rstrip("0")
        return (
            int(digits + fraction) * 10 ** (power - len(fraction))
            if power >= len(fraction)
            else None
        )
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        return None


def _shown(value: Any) -> str:
    """Return a value as it is, or that it is too long to be shown."""
    if isinstance(value, int) and value.bit_length() > 4 * LONGEST_NUMBER:
        return "a number of that length"
    text = repr(value)
    return text if len(text) <= LONGEST_NUMBER else text[:LONGEST_NUMBER] + "..."


def _short(number: int) -> str:
    """Return a round number as a power of ten, any other in full."""
    return "1e12" if number == MAX_PLAYTHROUGHS else str(number)


def playthroughs_from(value: Any) -> int:
    """Return a number of playthroughs, 1 to 1e12, or raise UsageError."""
    return whole_number("playthroughs", value, 1, MAX_PLAYTHROUGHS)


def start_from(value: Any) -> int:
    """Return the index of a first playthrough, 0 to 1e12, or raise UsageError."""
    return whole_number("start", value, 0, MAX_PLAYTHROUGHS)


def seed_from(value: Any) -> int:
    """Return a seed, 0 to 2**64 - 1, or raise UsageError."""
    return whole_number("seed", value, 0, MAX_SEED)


def threads_from(value: Any) -> int:
    """Return a number of threads, all cores for None, or raise UsageError."""
    if value is None:
        return (
            len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count() or 1
        )
    return whole_number("threads", value, 1, 1024)
