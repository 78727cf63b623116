"""`smmcts`: searches every decision anew, by simultaneous-move Monte Carlo tree search."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.by_policies import ByPolicies, Policies
from agents.solvers.ostrich_playouts import new_playout
from agents.solvers.ostrich_smmcts import (
    DUCT,
    REGRET_MATCHING,
    REWARDS,
    STRATEGY,
    VISITS,
    Tree,
    new_tree,
    search,
)
from ostrich import Rules, rules
from simulator.variants import whole, within
from simulator.words import Words

#: Selection rules by name.
SELECTIONS = {"duct": DUCT, "rm": REGRET_MATCHING}
#: What `search` calls `exploring`, of each rule.
EXPLORING = {"duct": 0.7, "rm": 0.15}
SIMULATIONS = 10_000
MOST_SIMULATIONS = 1_000_000
#: Actions wanted less than this share of the one wanted most are noise, and left out ("rm").
NOISE = 0.2


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
        How players choose in the tree (`agents.solvers.ostrich_smmcts`). In the end "rm" plays its
        average strategy without noise, "duct" the action visited most: against two `greedy` the mix
        by visits won 0.46, the most visited 0.66, of 300 playthroughs of the published game.

    Raises
    ------
    ValueError
        For numbers that are out of range, or an unknown rule of selection.
    """

    name = "smmcts"

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
        self._last = _Last(tuple(array.copy() for array in decisions), found)
        return found

    def _search(self, turn: int, positions: Words, card: Words, seen: Words) -> Searched:
        """Search each decision once, however often and in whatever order of players it comes."""
        order = positions.argsort(axis=0, kind="stable")
        ascending = np.take_along_axis(positions, order, axis=0)
        columns = np.vstack([ascending, card[None], self._by_value(seen)[None]])
        different, which = np.unique(columns, axis=1, return_inverse=True)
        players, actions = self.rules.players, self.rules.num_actions
        tree = new_tree(players, self.simulations, SELECTIONS[self.selection])
        found = np.array([self._searched(tree, turn, one) for one in different.T])
        found = found.reshape(-1, 2, players, actions)[which.ravel()]
        rank = order.argsort(axis=0).T[:, :, None]
        return Searched(
            np.take_along_axis(found[:, 0], rank, axis=1),
            np.take_along_axis(found[:, 1], rank, axis=1),
        )

    def _by_value(self, seen: Words) -> Words:
        """Return the bits of the cards seen as if of equal cards the lowest numbers had come."""
        counted = np.zeros_like(seen)
        for first in np.unique(self._firsts).tolist():
            numbers = np.flatnonzero(self._firsts == first).tolist()
            count = sum(((seen >> np.uint32(n)) & np.uint32(1)).astype(np.uint64) for n in numbers)
            bits = (np.uint64(1) << np.asarray(count, np.uint64)) - np.uint64(1)
            counted |= (bits << np.uint64(first)).astype(np.uint32)
        return counted

    def _searched(self, tree: Tree, turn: int, decision: Words) -> Policies:
        """Return policies and values at a decision of players in ascending positions.

        float64[2, players, num_actions]; means over players in equal positions.
        """
        players, actions = self.rules.players, self.rules.num_actions
        positions, (card, seen) = decision[:players], decision[players:]
        legal = [int(rules.legal_actions(word, self.rules.skip)) for word in positions]
        if not any(legal):
            return np.stack([np.zeros((players, actions)), np.full((players, actions), np.nan)])
        root = np.zeros(rules.MAX_PLAYERS + 2, np.uint32)
        root[:players], root[-2], root[-1] = positions, card, seen
        cards = [n for n in range(len(self.rules.deck)) if not int(seen) >> n & 1]
        playout = new_playout(len(cards))
        playout.unseen[:] = cards
        rule, exploring = SELECTIONS[self.selection], EXPLORING[self.selection]
        facts = self.rules.facts()
        search(tree, playout, root, turn, facts, self._firsts, self.simulations, rule, exploring)
        node = tree.statistics[0, :, :, :actions]
        equal = (positions[:, None] == positions).astype(float)
        equal /= equal.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):  # never visited: NaN
            values = (equal @ node[:, REWARDS]) / (equal @ node[:, VISITS])
        return np.stack([equal @ self._final(node), values])

    def _final(self, node: npt.NDArray[np.float64]) -> Policies:
        """Return the players' policies by a node's statistics, float64[players, num_actions]."""
        weights = node[:, VISITS] if self.selection == "duct" else node[:, STRATEGY]
        most = weights.max(axis=1, keepdims=True)
        least = most if self.selection == "duct" else NOISE * most
        kept = np.where(weights >= least, weights, 0.0)
        total = kept.sum(axis=1, keepdims=True)
        policies: Policies = np.divide(kept, total, out=np.zeros_like(kept), where=total > 0)
        return policies


def smmcts(game: Any) -> SmMcts:
    """Searches 10,000 playouts a decision, in which all players mix by their regrets."""
    return SmMcts(game)


def smmcts_duct(game: Any) -> SmMcts:
    """Searches 10,000 playouts a decision, in which each player follows bounds of its own."""
    return SmMcts(game, selection="duct")
