"""Between actions, as players name them, and what a block holds of a choice."""

from typing import Any

import numpy as np
import numpy.typing as npt

from empires import actions, rules
from empires.columns import base_in
from empires.compact import CARD_KIND, GIFT_KIND, MULLIGAN_KIND, PICK_KIND
from simulator.words import Words

Numbers = npt.NDArray[np.int64]

_PAIR_WORDS = np.array([low | high << 4 for low, high in actions.PAIRS], np.int64)
ILLEGAL = 1 << 30  # stands in a block for an action of another kind, or none


def choice_of(chosen: Numbers, kind: int, offers: Words) -> Numbers:
    """Return what a block holds of actions, int64[decisions]; ILLEGAL for those of another kind.

    Parameters
    ----------
    chosen : int64[decisions]
        Actions.
    kind : int
        Of the decision.
    offers : uint32[decisions]
        The rows OFFER, for picks.
    """
    given = np.where((chosen >= 0) & (chosen < actions.NUM_ACTIONS), chosen, actions.NUM_ACTIONS)
    if kind == MULLIGAN_KIND:
        return np.where(given <= actions.REDRAW, given, ILLEGAL)
    if kind == CARD_KIND:
        single = given - actions.FIRST_CARD + 1
        pair = _PAIR_WORDS[np.clip(given - actions.FIRST_PAIR, 0, len(_PAIR_WORDS) - 1)]
        words = np.where(given < actions.FIRST_PAIR, single, pair)
        return np.where((single >= 1) & (given < actions.FIRST_EGG), words, ILLEGAL)
    if kind == PICK_KIND:
        w = given - actions.FIRST_EGG - base_in_all(offers) + 1
        inside = (given >= actions.FIRST_EGG) & (w >= 1) & (w <= rules.MAX_OFFERED)
        taken = np.where(inside & (given < actions.TAKE_NOTHING), w, ILLEGAL)
        return np.where(given == actions.TAKE_NOTHING, 0, taken)
    nothing, first, end = (
        (actions.KEEP_EGG, actions.FIRST_GIFT, actions.DISCARD_NOTHING)
        if kind == GIFT_KIND
        else (actions.DISCARD_NOTHING, actions.FIRST_DISCARD, actions.NUM_ACTIONS)
    )
    done = np.where((given >= first) & (given < end), given - first + 1, ILLEGAL)
    return np.where(given == nothing, 0, done)


def action_of(choice: int, kind: int, offer: int) -> int:
    """Return the action that a choice in a block stands for."""
    if kind == MULLIGAN_KIND:
        return choice
    if kind == CARD_KIND:
        low, high = choice & 15, choice >> 4
        return actions.send_action((low, high) if high else (low,))
    if kind == PICK_KIND:
        place = int(base_in(offer)) + choice - 1
        return actions.FIRST_EGG + place if choice else actions.TAKE_NOTHING
    if kind == GIFT_KIND:
        return actions.FIRST_GIFT + choice - 1 if choice else actions.KEEP_EGG
    return actions.FIRST_DISCARD + choice - 1 if choice else actions.DISCARD_NOTHING


def base_in_all(offers: Any) -> Any:
    """Return `columns.base_in` of each word."""
    return (np.asarray(offers, np.int64) >> 18) & 127
