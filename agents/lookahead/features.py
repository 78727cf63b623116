"""A public state of Ostrich as the rows of a table that a network adds up.

A player's position is three rows: what lies out with the contents of the two smaller bags, the same
with those of the two larger ones, and the points in bags with the ambers. (A row for the contents
of all four bags together was tried: it learns by heart, and errs more on positions not seen.) The
cards to come are a row for each value, by how many are unseen.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import int64, uint32

from ostrich import AMBER, MAX_BAGS, Rules, rules
from simulator.compiling import compiled
from simulator.words import ones_in

PARTS = 3  # rows of a position
#: Places in `Features.layout`: how many contents each bag may have, where each part's rows begin,
#: how many things may lie out, the most ambers, and the packed sizes of the bags.
CONTENTS, BEGINS = 0, MAX_BAGS
LYING, MOST_AMBERS, CAPACITIES = BEGINS + PARTS, BEGINS + PARTS + 1, BEGINS + PARTS + 2
LAYOUT = types.int64[::1]


@dataclass(frozen=True)
class Features:
    """The rows of a variant.

    Parameters
    ----------
    variant : Rules
    """

    variant: Rules

    @property
    def _contents(self) -> list[int]:
        """How many contents each bag may have: 0 to full, and broken; 1 for one that is not."""
        sizes = [size + 2 for size in self.variant.bags]
        return sizes + [1] * (MAX_BAGS - len(sizes))

    @cached_property
    def layout(self) -> npt.NDArray[np.int64]:
        """What `position_rows` needs, int64[10]; see the names above."""
        contents, lying = self._contents, self.variant.skip + 2
        sizes = [
            lying * contents[0] * contents[1],
            lying * contents[2] * contents[3],
        ]
        begins = np.cumsum([0, *sizes]).tolist()
        ambers = self.variant.deck.count(AMBER)
        capacities = int(self.variant.facts()[rules.CAPACITIES])
        return np.array([*contents, *begins, lying, ambers, capacities], np.int64)

    @property
    def num_rows(self) -> int:
        """Rows of positions."""
        ambers = self.variant.deck.count(AMBER) + 1
        return int(self.layout[BEGINS + 2]) + (sum(self.variant.bags) + 1) * ambers

    @cached_property
    def cards(self) -> list[int]:
        """The different cards, ascending."""
        return sorted(set(self.variant.deck))

    @cached_property
    def masks(self) -> npt.NDArray[np.uint32]:
        """For each different card the bits of its copies in the sorted deck."""
        deck = self.variant.deck
        bits = [sum(1 << n for n, value in enumerate(deck) if value == card) for card in self.cards]
        return np.array(bits, np.uint32)

    @property
    def num_card_rows(self) -> int:
        """Rows of the cards to come: for each different card, none unseen to all."""
        return len(self.variant.deck) + len(self.cards)

    @cached_property
    def card_begins(self) -> npt.NDArray[np.int64]:
        """For each different card the first of its rows, int64[cards]."""
        sizes = [self.variant.deck.count(card) + 1 for card in self.cards]
        return np.cumsum([0, *sizes[:-1]]).astype(np.int64)


@compiled(types.int64(LAYOUT, types.uint32, types.int64), inline=True)
def content_of(layout: Any, word: Any, bag: Any) -> Any:
    """Return the eggs in a bag, or the last of its contents if it is broken or does not exist."""
    whole = rules.is_whole(word, uint32(bag)) != uint32(0)
    return int64(rules.eggs_in(word, uint32(bag))) if whole else layout[CONTENTS + bag] - 1


@compiled(types.UniTuple(types.int64, PARTS)(LAYOUT, types.uint32), inline=True)
def position_rows(layout: Any, word: Any) -> Any:
    """Return the three rows of a position."""
    lies = min(int64(rules.lying_out(word)), layout[LYING] - 1)
    ambers = min(int64(rules.ambers_of(word)), layout[MOST_AMBERS])
    small = content_of(layout, word, 0) * layout[1] + content_of(layout, word, 1)
    large = content_of(layout, word, 2) * layout[3] + content_of(layout, word, 3)
    points = int64(rules.score_of(word, uint32(layout[CAPACITIES]), uint32(0)))
    return (
        lies * layout[0] * layout[1] + small,
        layout[BEGINS + 1] + lies * layout[2] * layout[3] + large,
        layout[BEGINS + 2] + points * (layout[MOST_AMBERS] + 1) + ambers,
    )


@compiled(types.int64(types.uint32, types.uint32), inline=True)
def unseen_of(seen: Any, mask: Any) -> Any:
    """Return how many of the cards in a mask are unseen."""
    return int64(ones_in(uint32(uint32(mask) & ~uint32(seen))))
