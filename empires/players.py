"""Bases for agents in Python that make one decision of their own and inherit the others.

Derive from `Player` (called for each decision) or `LanePlayer` (for many at once) and write the
methods named by the kinds of decision that are your own; the rest is `sensible`, as in compiled
agents.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from empires.compiled_agent import as_view, compiled_agent
from empires.observation import Observation
from empires.view import BlockView


class _Inherited:
    """Decides everything as `sensible` does."""


inherited = compiled_agent(_Inherited)


class Player:
    """A plain-Python agent whose methods (observation, legal_actions, rng) return an action."""

    def act(self, observation: Observation, legal_actions: list[int], rng: Any) -> int:
        """Return an action of a decision of any kind."""
        return int(getattr(self, observation.phase)(observation, legal_actions, rng))

    def _inherited(self, observation: Observation, legal_actions: list[int], rng: Any) -> int:
        """Decide as `sensible` does."""
        return int(inherited.decide(as_view(observation))[0])

    mulligan = card = pick = gift = discard = _inherited


class LanePlayer:
    """A vectorised agent whose methods (view, rng) return an action for each lane."""

    def act(self, view: BlockView, rng: Any) -> npt.NDArray[np.int64]:
        """Return actions, int64[lanes], of decisions of any one kind."""
        actions: npt.NDArray[np.int64] = getattr(self, view.phase)(view, rng)
        return actions

    def _inherited(self, view: BlockView, rng: Any) -> npt.NDArray[np.int64]:
        """Decide as `sensible` does."""
        return inherited.decide(view)

    mulligan = card = pick = gift = discard = _inherited
