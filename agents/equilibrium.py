"""`equilibrium`: solves every turn as a game of its own, with learned values behind it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.by_policies import ByPolicies
from agents.policies import find_policy, policy_header
from ostrich import Rules
from simulator.stored import Arrays
from simulator.words import Words

NAME, VERSION = "equilibrium", 1
KEPT = 4  # solved blocks: one for each thread that is playing


class Equilibrium(ByPolicies):
    """Solves each turn as a game of all seats, with learned values of what comes after.

    Parameters
    ----------
    search : agents.lookahead.search.Search
    """

    name = NAME

    def __init__(self, search: Any) -> None:
        self.search = search
        self._last: tuple[tuple[tuple[Any, ...], Any], ...] = ()

    def policies(
        self, variant: Rules, seat: int, turn: int, positions: Words, card: Words, seen: Words
    ) -> npt.NDArray[np.float64]:
        """Return a seat's policy at many decisions; see `ByPolicies.policies`."""
        if variant != self.search.variant:
            raise ValueError(f"this was learned for {self.search.variant}, not for {variant}")
        weights = self.turns(turn, positions, card, seen).policies[seat].astype(np.float64)
        total = weights.sum(axis=1, keepdims=True)  # 1 but for the rounding of float32
        policies: npt.NDArray[np.float64] = weights / np.where(total > 0, total, 1.0)
        return policies

    def turns(self, turn: int, positions: Words, card: Words, seen: Words) -> Any:
        """Return solved turns, for all seats; those solved last are kept for the next seat."""
        asked = (positions, card, seen)
        for (kept_turn, *kept), turns in self._last:
            if kept_turn == turn and all(map(np.array_equal, kept, asked)):
                return turns
        turns = self.search.solve(turn, *asked)
        copies = (turn, *(array.copy() for array in asked))
        self._last = ((copies, turns), *self._last[: KEPT - 1])  # one assignment: threads share it
        return turns


def from_policy(game: Any, header: dict[str, Any], arrays: Arrays) -> Equilibrium:
    """Return the agent that plays by a policy's header and arrays."""
    from agents.lookahead.features import Features
    from agents.lookahead.nets import nets_from
    from agents.lookahead.search import Search

    return Equilibrium(Search(Features(game.rules), nets_from(arrays)))


def equilibrium(game: Any) -> Equilibrium:
    """Solves each turn as a game of all seats, with learned values; the strongest player here."""
    return from_policy(game, *find_policy(policy_header(NAME, VERSION, game)))
