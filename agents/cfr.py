"""`cfr`: plays an average policy of counterfactual regret minimisation on an abstraction."""

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.by_policies import ByPolicies
from agents.policies import find_policy, policy_header
from ostrich import Rules
from simulator.stored import Arrays
from simulator.words import Words

NAME, VERSION = "cfr", 1


class Cfr(ByPolicies):
    """Plays what counterfactual regret minimisation on an abstraction of the whole game found.

    In a decision whose bucket it has hardly met, it goes by its own position and the card alone; in
    one that it knows nothing of, it plays any legal action.

    Parameters
    ----------
    variant : Rules
    parts : tuple of str
        Of `agents.abstraction.buckets.PARTS`: what the abstraction counts.
    arrays : dict of str to array
        As `agents.abstraction.training.CfrTrainer.policy` gives them.
    """

    name = NAME

    def __init__(self, variant: Rules, parts: tuple[str, ...], arrays: Arrays) -> None:
        from agents.abstraction.buckets import bucketing_of, radix_of

        self.rules, self._arrays = variant, arrays
        self._bucketing, self._radix = bucketing_of(variant, parts), radix_of(parts)

    def policies(
        self, variant: Rules, seat: int, turn: int, positions: Words, card: Words, seen: Words
    ) -> npt.NDArray[np.float64]:
        """Return a seat's policy at many decisions; see `ByPolicies.policies`."""
        from agents.abstraction.buckets import list_buckets

        if variant != self.rules:
            raise ValueError(f"this was learned for {self.rules}, not for {variant}")
        turned = np.array(positions[[seat, (seat + 1) % 3, (seat + 2) % 3]], order="C")
        buckets = np.empty(len(card), np.int64)
        legal = np.zeros((len(card), variant.num_actions))
        list_buckets(self._bucketing, turned, card, seen, turn, buckets, legal)
        weights = self._found("buckets", "policies", buckets)
        coarse = self._found("coarse_buckets", "coarse_policies", buckets // self._radix)
        weights = np.where(weights.any(axis=1, keepdims=True), weights, coarse)
        weights = weights[:, : variant.num_actions] * legal
        weights = np.where(weights.any(axis=1, keepdims=True), weights, legal)
        total = weights.sum(axis=1, keepdims=True)
        policies: npt.NDArray[np.float64] = weights / np.where(total > 0, total, 1.0)
        return policies

    def _found(self, names: str, values: str, buckets: Any) -> Any:
        """Return the rows of buckets, zeros for those that are not there."""
        keys, rows = self._arrays[names], self._arrays[values]
        if not len(keys):
            return np.zeros((len(buckets), rows.shape[1]))
        place = np.searchsorted(keys, buckets).clip(max=len(keys) - 1)
        return np.where((keys[place] == buckets)[:, None], rows[place], 0).astype(np.float64)


def from_policy(game: Any, header: dict[str, Any], arrays: Arrays) -> Cfr:
    """Return the agent that plays by a policy's header and arrays."""
    return Cfr(game.rules, tuple(header["parts"]), arrays)


def cfr(game: Any) -> Cfr:
    """Plays what counterfactual regret minimisation on an abstraction of the whole game found."""
    return from_policy(game, *find_policy(policy_header(NAME, VERSION, game)))
