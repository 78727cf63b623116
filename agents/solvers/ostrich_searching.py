"""What a search of one decision of Ostrich finds: the players' policies, and values of actions."""

import numpy as np
import numpy.typing as npt

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
from simulator.words import Words

#: Selection rules by name, with what `search` calls `exploring`.
SELECTIONS = {"rm": (REGRET_MATCHING, 0.15), "duct": (DUCT, 0.7)}
#: Actions wanted less than this share of the one wanted most are noise, and left out ("rm").
NOISE = 0.2

Numbers = npt.NDArray[np.float64]


class Searcher:
    """Searches decisions of one variant one after the other, in the same room.

    Parameters
    ----------
    variant : Rules
    simulations : int
    selection : {"rm", "duct"}
    firsts : int64[cards]
        The lowest number of a card of each card's value.
    """

    def __init__(
        self, variant: Rules, simulations: int, selection: str, firsts: npt.NDArray[np.int64]
    ) -> None:
        self._rules, self._simulations, self._firsts = variant, simulations, firsts
        self._selection, self._exploring = SELECTIONS[selection]
        self._tree: Tree = new_tree(variant.players, simulations, self._selection)

    def searched(self, turn: int, decision: Words) -> Numbers:
        """Return policies and values at a decision, float64[2, players, num_actions].

        Means over players in equal positions; what they are: `agents.smmcts.Searched`.

        Parameters
        ----------
        turn : int
            The round, from 0.
        decision : uint32[players + 2]
            Positions, the card, and the cards seen, of equal ones those of the lowest numbers.
        """
        players, actions = self._rules.players, self._rules.num_actions
        positions = decision[:players]
        if not any(rules.legal_actions(word, self._rules.skip) for word in positions):
            return np.stack([np.zeros((players, actions)), np.full((players, actions), np.nan)])
        self._run(turn, decision)
        node = self._tree.statistics[0, :, :, :actions]
        equal = (positions[:, None] == positions).astype(float)
        equal /= equal.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):  # never visited: NaN
            values = (equal @ node[:, REWARDS]) / (equal @ node[:, VISITS])
        return np.stack([equal @ self._final(node), values])

    def _run(self, turn: int, decision: Words) -> None:
        """Fill the tree."""
        root = np.zeros(rules.MAX_PLAYERS + 2, np.uint32)
        root[: self._rules.players], root[-2:] = decision[:-2], decision[-2:]
        unseen = [n for n in range(len(self._rules.deck)) if not int(decision[-1]) >> n & 1]
        playout = new_playout(len(unseen))
        playout.unseen[:] = unseen
        search(
            self._tree, playout, root, turn, self._rules.facts(), self._firsts,
            self._simulations, self._selection, self._exploring,
        )  # fmt: skip

    def _final(self, node: Numbers) -> Numbers:
        """Return the players' policies by a node's statistics, float64[players, num_actions]."""
        visited = self._selection == DUCT
        weights = node[:, VISITS if visited else STRATEGY]
        most = weights.max(axis=1, keepdims=True)
        kept = np.where(weights >= (1.0 if visited else NOISE) * most, weights, 0.0)
        total = kept.sum(axis=1, keepdims=True)
        policies: Numbers = np.divide(kept, total, out=np.zeros_like(kept), where=total > 0)
        return policies
