"""The decisions that an agent inherits where it makes none of its own: `greedy`'s.

Each is a function of the compact observation and of `values`, as `compiled_agent` describes. The
helpers below serve other agents too: `ahead` gives the chances that so many cards collect before
one's own, `best_eggs` what is then left, `expected` puts the two together.
"""

from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy import float32, int32, uint32

from empires.compact import UNKNOWN, is_legal
from empires.rules import (
    BLACKSMITH,
    BLACKSMITH_PENALTY,
    DARK_PRIESTESS,
    MAGE,
    MAX_NUMBER,
    MAX_OFFERED,
    MAX_PLAYERS,
    MERCHANT,
    MERCHANT_BONUS,
)
from simulator.lifting import inlined, local_array, spliced

MEAN_EGG = 2  # what a face-down egg counts as: about the mean of the assumed deck
_NO_EGG = -1000.0

six_floats = local_array(MAX_PLAYERS)


def _worth(value: Any) -> Any:
    """Return what an egg counts as: its value, MEAN_EGG if it is not known."""
    return int32(value) if int32(value) != int32(UNKNOWN) else int32(MEAN_EGG)


worth = inlined(_worth)


def _best_eggs(observation: Any, values: Any, best: Any) -> None:
    """Fill float32[6] with the eggs on offer, the best first; _NO_EGG where there are no more."""
    for place in range(MAX_PLAYERS):
        best[place] = float32(_NO_EGG)
    for w in range(MAX_OFFERED):
        egg = float32(worth(values[w + 1]))
        egg = egg if uint32(w) < observation.offered else float32(_NO_EGG)
        for place in range(MAX_PLAYERS):
            higher = best[place] if best[place] > egg else egg
            egg = egg if best[place] > egg else best[place]
            best[place] = higher


def _add_rival(chances: Any, higher: Any) -> None:
    """Change chances, float32[6], for one more card that collects first with chance `higher`."""
    lower = float32(float32(1.0) - higher)
    for place in range(MAX_PLAYERS):
        j = MAX_PLAYERS - 1 - place
        before = chances[j - 1] if j > 0 else float32(0.0)
        chances[j] = float32(float32(chances[j] * lower) + float32(before * higher))


def _expected(number: Any, best: Any, chances: Any) -> Any:
    """Return the points that a card is expected to bring, from chances[j] of j cards before it."""
    nothing = float32(MERCHANT_BONUS) if number == MERCHANT else float32(0.0)
    nothing = float32(-BLACKSMITH_PENALTY) if number == BLACKSMITH else nothing
    points = float32(0.0)
    for place in range(MAX_PLAYERS):
        egg = best[place] if best[place] > float32(_NO_EGG) else nothing
        egg = max(egg, float32(0.0)) if number == MAGE else egg
        points = float32(points + float32(chances[place] * egg))
    return points


best_eggs, expected, add_rival = spliced(_best_eggs), inlined(_expected), spliced(_add_rival)


def mulligan(observation: Any) -> Any:
    """Redraw a hand without any card above 6."""
    return uint32(uint32(observation.hand & uint32(0x3C0)) == uint32(0))


def _table_of_chances() -> npt.NDArray[np.float32]:
    """Return float32[rivals, number, j]: the chance that j of so many cards, each any, are higher.

    For a Dark Priestess times the chance that none of them is another one.
    """
    table = np.zeros((MAX_PLAYERS, MAX_NUMBER + 1, MAX_PLAYERS))
    for rivals in range(MAX_PLAYERS):
        for number in range(1, MAX_NUMBER + 1):
            higher = (MAX_NUMBER - number) / MAX_NUMBER
            alone = 0.9**rivals if number == DARK_PRIESTESS else 1.0
            for j in range(rivals + 1):
                ways = comb(rivals, j) * higher**j * (1 - higher) ** (rivals - j)
                table[rivals, number, j] = alone * ways
    return table.astype(np.float32)


CHANCES = _table_of_chances()


def card(observation: Any, values: Any) -> Any:
    """Play the card that is expected to bring most, as if the others could hold any card.

    Of equal ones it plays the lowest.
    """
    best = six_floats()
    best_eggs(observation, values, best)
    rivals = np.int64(uint32(observation.players - uint32(1)) * observation.decks)
    chosen, most = uint32(0), float32(-10000.0)
    for number in range(1, MAX_NUMBER + 1):
        chances = CHANCES[rivals, number]
        points = expected(number, best, chances)
        points = points if is_legal(observation, number) else float32(-10000.0)
        chosen = uint32(number) if points > most else chosen
        most = points if points > most else most
    return chosen


def pick(observation: Any, values: Any) -> Any:
    """Take the egg that counts most; a Mage leaves a face-down egg that counts less than 0."""
    chosen = uint32(0)
    best = int32(0) if is_legal(observation, 0) != uint32(0) else int32(-200)
    for option in range(1, MAX_OFFERED + 1):
        value = worth(values[option])
        better = is_legal(observation, option) != uint32(0) and value > best
        chosen = uint32(option) if better else chosen
        best = value if better else best
    return chosen


def gift(observation: Any, values: Any) -> Any:
    """Give a negative egg to the other player with most points; keep any other."""
    leader, most = uint32(1), int32(-(2**31) + 1)
    for player in range(1, MAX_PLAYERS):
        points = int32(observation.totals[player] + observation.points[player])
        leads = uint32(player) < observation.players and points > most
        leader = uint32(player) if leads else leader
        most = points if leads else most
    return leader if values[0] < 0 else uint32(0)


def discard(observation: Any, values: Any) -> Any:
    """Discard the worst egg if it is negative."""
    chosen, worst = uint32(0), int32(0)
    for option in range(1, np.int64(observation.eggs[0]) + 1):
        value = int32(values[option])
        chosen = uint32(option) if value < worst else chosen
        worst = min(worst, value)
    return chosen
