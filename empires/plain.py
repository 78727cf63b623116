"""Scalar functions of kernels as plain Python asks them: whole numbers in and out, answers kept.

To look an answer up takes a third of the time of a call from Python to compiled code.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from empires import columns, rules

KEPT = 1 << 14  # answers of a function at most: some megabytes


def _kept(function: Callable[..., Any]) -> Callable[..., int]:
    """Return a function that remembers what it answered."""
    return lru_cache(maxsize=KEPT)(lambda *given: int(function(*given)))


rank_of, clockwise = _kept(rules.rank_of), _kept(rules.clockwise)
is_tie, holder_after = _kept(rules.is_tie), _kept(rules.holder_after)
offer_of, left_in, offered_in = map(_kept, (columns.offer_of, columns.left_in, columns.offered_in))
face_up_in, base_in = _kept(columns.face_up_in), _kept(columns.base_in)


@lru_cache(maxsize=KEPT)
def set_of(numbers: tuple[int, ...]) -> int:
    """Return a set of cards as one word; to be asked for ascending numbers, so as to be known."""
    cards = 0
    for number in numbers:
        cards = int(rules.with_card(cards, number))
    return cards


@lru_cache(maxsize=KEPT)
def around(holder: int, players: int) -> tuple[int, ...]:
    """Return the seats, clockwise from the marker's holder."""
    return tuple(int(rules.seat_after(holder, steps, players)) for steps in range(players))


@lru_cache(maxsize=KEPT)
def bonus_of(number: int, collected: bool) -> int:
    """Return what a card is worth itself."""
    return signed(int(rules.bonus_of(number, collected)))


def signed(word: int) -> int:
    """Return a word as a signed number."""
    return word - (1 << 32) if word >> 31 else word
