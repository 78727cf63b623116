"""The decisions that an agent inherits where it makes none of its own: `greedy`'s.

Each is a function of the compact observation and of `values`, as `compiled_agent` describes.
"""

from typing import Any

from numpy import int32, uint32

from empires.compact import UNKNOWN, is_legal
from empires.rules import (
    MAX_NUMBER,
    MAX_OFFERED,
    MAX_PLAYERS,
)
from simulator.lifting import inlined

MEAN_EGG = 2  # what a face-down egg counts as: about the mean of the assumed deck


def _worth(value: Any) -> Any:
    """Return what an egg counts as: its value, MEAN_EGG if it is not known."""
    value = int32(value)
    return value if value != int32(UNKNOWN) else int32(MEAN_EGG)


worth = inlined(_worth)


def mulligan(observation: Any) -> Any:
    """Redraw a hand without any card of at least 7."""
    return uint32(uint32(observation.hand & uint32(0x3C0)) == uint32(0))


def card(observation: Any, values: Any) -> Any:
    """Play the highest card while a good egg lies there, else the lowest."""
    best = int32(-99)
    for w in range(MAX_OFFERED):
        there = uint32(w) < observation.offered
        value = worth(values[w + 1]) if there else int32(-99)
        best = max(best, value)
    highest = lowest = uint32(0)
    for number in range(1, MAX_NUMBER + 1):
        legal = is_legal(observation, number) != uint32(0)
        highest = uint32(number) if legal else highest
        lowest = uint32(number) if legal and lowest == uint32(0) else lowest
    return highest if best > int32(4) else lowest


def pick(observation: Any, values: Any) -> Any:
    """Take the egg that counts most; a Mage leaves a face-down egg that counts less than 0."""
    chosen, best = uint32(0), int32(-200)
    if is_legal(observation, 0):
        best = int32(0)
    for option in range(1, observation.offered + 1):
        value = worth(values[option])
        better = is_legal(observation, option) != uint32(0) and value > best
        chosen = uint32(option) if better else chosen
        best = value if better else best
    return chosen


def gift(observation: Any, values: Any) -> Any:
    """Give a negative egg to the other player with most points; keep any other."""
    leader, most = uint32(0), int32(-(2**31) + 1)
    for player in range(1, MAX_PLAYERS):
        points = int32(observation.totals[player] + observation.points[player])
        leads = uint32(player) < observation.players and points > most
        leader = uint32(player) if leads else leader
        most = points if leads else most
    return leader if values[0] < 0 else uint32(0)


def discard(observation: Any, values: Any) -> Any:
    """Discard the worst egg if it is negative."""
    chosen, worst = uint32(0), int32(0)
    for option in range(1, observation.eggs[0] + 1):
        value = int32(values[option])
        chosen = uint32(option) if value < worst else chosen
        worst = min(worst, value)
    return chosen
