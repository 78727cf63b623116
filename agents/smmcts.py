"""`smmcts`: searches every decision anew, by simultaneous-move Monte Carlo tree search."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.by_policies import ByPolicies, Policies
from ostrich import Rules
from simulator.variants import whole, within
from simulator.words import Words

SELECTIONS = ("rm", "duct")
SIMULATIONS = 10_000
MOST_SIMULATIONS = 1_000_000


class Searched(NamedTuple):
    """What searches found, float64[decisions, players, num_actions] each.

    Parameters
    ----------
    policies
        Zeros for players who are out.
    values
        The share of the win that each own action brought on average, whatever the others did; NaN
        for one that was not tried.
    """

    policies: Policies
    values: Policies


class _Last(NamedTuple):
    """The decisions of one call, and what was found."""

    decisions: tuple[npt.NDArray[Any], ...]
    found: Searched

    def is_of(self, decisions: tuple[npt.NDArray[Any], ...]) -> bool:
        """Return whether these are the decisions."""
        return all(map(np.array_equal, self.decisions, decisions))


class SmMcts(ByPolicies):
    """Searches every decision anew, for all players at once, and plays its own part.

    What it plays is a function of the observation: a search takes its random numbers from the
    public state. Players in equal positions have equal policies, and seats do not matter.

    Parameters
    ----------
    game : ostrich.Game or Rules
    simulations : int
        A decision; 1 to a million. Each takes one to two microseconds and up to 1.5 kB.
    selection : {"rm", "duct"}
        How players choose in the tree (`agents/solvers/ostrich_smmcts.py`). In the end "rm" plays
        its average strategy without noise, "duct" the action visited most: against two `greedy` the
        mix by visits won 0.46, the most visited 0.66, of 300 playthroughs of the published game.
        "rm" won 0.62 there, but 0.37 against two "duct", and one "duct" 0.29 against two "rm".

    Raises
    ------
    ValueError
        For numbers that are out of range, or an unknown rule of selection.
    """

    name = "smmcts"
    slow = True

    def __init__(self, game: Any, simulations: int = SIMULATIONS, selection: str = "rm") -> None:
        self.rules: Rules = getattr(game, "rules", game)
        self.simulations = whole("simulations", simulations)
        within("simulations", self.simulations, 1, MOST_SIMULATIONS)
        if selection not in SELECTIONS:
            raise ValueError(f"selection={selection!r} must be one of {', '.join(SELECTIONS)}")
        self.selection = selection
        deck = self.rules.deck
        self._firsts = np.array([deck.index(card) for card in deck], np.int64)
        self._last: _Last | None = None

    def policies(
        self, variant: Rules, seat: int, turn: int, positions: Words, card: Words, seen: Words
    ) -> Policies:
        """Return a seat's policy at many decisions, float64[decisions, num_actions].

        Arguments as those of `ostrich.compiled_agent.OstrichCompiledAgent.policies`.

        Raises
        ------
        ValueError
            For other rules.
        """
        if variant != self.rules:
            raise ValueError(f"this searches {self.rules}, not {variant}")
        return self.search(turn, positions, card, seen).policies[:, seat].copy()

    def search(self, turn: int, positions: Words, card: Words, seen: Words) -> Searched:
        """Return what searches of many decisions of one round find.

        The last call's results are kept, so that all seats of a table are one search.

        Parameters
        ----------
        turn : int
            The round, from 0.
        positions : uint32[players, decisions]
        card, seen : uint32[decisions]
            The card that lies open, and the bits of the cards seen, this one included.
        """
        decisions = (np.array(turn), positions, card, seen)
        last = self._last  # read once: another thread may put in another one
        if last is not None and last.is_of(decisions):
            return last.found
        found = self._search(turn, positions, card, seen)
        for array in found:
            array.setflags(write=False)
        self._last = _Last(tuple(array.copy() for array in decisions), found)
        return found

    def _search(self, turn: int, positions: Words, card: Words, seen: Words) -> Searched:
        """Search each decision once, however often and in whatever order of players it comes."""
        from agents.solvers.ostrich_searching import Searcher  # compiles

        order = positions.argsort(axis=0, kind="stable")
        ascending = np.take_along_axis(positions, order, axis=0)
        columns = np.vstack([ascending, card[None], self._by_value(seen)[None]])
        different, which = np.unique(columns, axis=1, return_inverse=True)
        players, actions = self.rules.players, self.rules.num_actions
        searcher = Searcher(self.rules, self.simulations, self.selection, self._firsts)
        found = np.array([searcher.searched(turn, one) for one in different.T])
        found = found.reshape(-1, 2, players, actions)[which.ravel()]
        rank = order.argsort(axis=0).T[:, :, None]
        return Searched(
            np.take_along_axis(found[:, 0], rank, axis=1),
            np.take_along_axis(found[:, 1], rank, axis=1),
        )

    def _by_value(self, seen: Words) -> Words:
        """Return the cards seen as if of equal cards those of the lowest numbers had come first."""
        counted = np.zeros_like(seen)
        for first in np.unique(self._firsts).tolist():
            numbers = np.flatnonzero(self._firsts == first).tolist()
            count = sum(((seen >> np.uint32(n)) & np.uint32(1)).astype(np.uint64) for n in numbers)
            bits = (np.uint64(1) << np.asarray(count, np.uint64)) - np.uint64(1)
            counted |= (bits << np.uint64(first)).astype(np.uint32)
        return counted


def smmcts(game: Any) -> SmMcts:
    """Searches 10,000 playouts a decision, in which all players mix by their regrets."""
    return SmMcts(game)


def smmcts_duct(game: Any) -> SmMcts:
    """Searches 10,000 playouts a decision, in which each player follows bounds of its own."""
    return SmMcts(game, selection="duct")
