"""`random`: the yardstick that every other agent must beat."""

from typing import Any

import empires
import ostrich
from empires.compact import OPTIONS_OF


@ostrich.compiled_agent(fast=True)
def ostrich_random(observation: Any, weights: Any) -> None:
    """Plays any legal claim, each as likely as the others."""
    for action in range(ostrich.MAX_ACTIONS):
        weights[action] = 1.0 if ostrich.is_legal(observation, action) else 0.0


def _any_of(options: int) -> Any:
    """Return the function that gives each legal option the same weight.

    Their number is known when it is compiled, so that the loop over lanes vectorises.
    """

    def weigh(observation: Any, weights: Any) -> None:
        for option in range(options):
            weights[option] = empires.is_legal(observation, option)

    return weigh


@empires.compiled_agent(fast=True)
class empires_random:  # noqa: N801  (named as an agent is)
    """Decides everything by chance: any legal option, each as likely as the others."""

    mulligan, card, pick, gift, discard = map(_any_of, OPTIONS_OF)
