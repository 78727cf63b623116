"""`random`: the yardstick that every other agent must beat."""

from typing import Any

from ostrich import MAX_ACTIONS, compiled_agent, is_legal


@compiled_agent(fast=True)
def ostrich_random(observation: Any, weights: Any) -> None:
    """Plays any legal claim, each as likely as the others."""
    for action in range(MAX_ACTIONS):
        weights[action] = 1.0 if is_legal(observation, action) else 0.0
