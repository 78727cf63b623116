"""What agents of Ostrich share that work out policies for many decisions at once."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ostrich import Rules
from simulator.words import Words

Policies = npt.NDArray[np.float64]


class ByPolicies:
    """Plays by what its own `policies` says: so what it plays and what it reports are one."""

    def policies(
        self, variant: Rules, seat: int, turn: int, positions: Words, card: Words, seen: Words
    ) -> Policies:
        """Return a seat's policy at many decisions of one round, float64[decisions, num_actions].

        Arguments, and zeros where the player is out, as in
        `ostrich.compiled_agent.OstrichCompiledAgent.policies`.
        """
        raise NotImplementedError

    def act(self, view: Any, rng: Any) -> npt.NDArray[np.int64]:
        """Draw an action for every lane."""
        card, seen = view.card.astype(np.uint32), view.seen.astype(np.uint32)
        weights = self.policies(view.rules, view.player, view.round, view.positions, card, seen)
        out = ~view.legal.any(axis=1)
        weights[out, 0] = 1.0  # ignored, but something has to be drawn
        actions: npt.NDArray[np.int64] = rng.choice(weights)
        return actions

    def policy(self, observation: Any) -> Policies:
        """Return the probability of each action, float64[num_actions]."""
        positions, card, seen = observation.columns()
        if not observation.legal_actions:
            raise ValueError(f"player {observation.player} is out and has nothing to decide")
        words = np.array(positions, np.uint32)[:, None]
        cards, masks = np.array([card], np.uint32), np.array([seen], np.uint32)
        seat, turn = observation.player, observation.round
        only: Policies = self.policies(observation.rules, seat, turn, words, cards, masks)[0]
        return only
