"""The same playthrough with every seat moved on by one."""

from typing import Any

import numpy as np
import numpy.typing as npt

from empires.actions import DISCARD_NOTHING, FIRST_GIFT


def moved_state(game: Any, state: Any) -> Any:
    """Return the start of the playthrough in which seat i + 1 has what seat i has in `state`."""
    if game.name == "ostrich":  # nothing belongs to a seat at the start
        return state.clone()
    orders = state.orders
    return game.new_initial_state(
        egg_decks=orders.egg_decks,
        empire_decks=[decks[-1:] + decks[:-1] for decks in orders.empire_decks],
        reshuffle=[piles[-1:] + piles[:-1] for piles in orders.reshuffle],
        holder=(orders.holder + 1) % game.num_players,
    )


def moved_action(game: Any, action: int | None) -> int | None:
    """Return an action as it is called after the move: gifts name seats."""
    if game.name != "empires" or action is None or not FIRST_GIFT <= action < DISCARD_NOTHING:
        return action
    return FIRST_GIFT + (action - FIRST_GIFT + 1) % game.num_players


def moved_policy(game: Any, policy: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a policy over actions as they are called after the move."""
    moved = np.zeros_like(policy)
    for action, chance in enumerate(policy):
        moved[moved_action(game, action)] += chance
    return moved
