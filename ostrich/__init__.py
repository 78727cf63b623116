"""Eggs of Ostrich: three players claim shares of eggs for their bags, all at the same time.

`rules.py` holds the rules, `README.md` tells them paragraph by paragraph.
"""

from ostrich.compact import CompactObservation, is_legal, next_word, unseen
from ostrich.compiled_agent import compiled_agent
from ostrich.game import Game
from ostrich.observation import Observation
from ostrich.rules import (
    AMBER,
    MAX_ACTIONS,
    MAX_BAGS,
    NO_ACTION,
    RULES_VERSION,
    Rules,
    after_action,
    ambers_of,
    capacity,
    eggs_in,
    is_out,
    is_whole,
    legal_actions,
    lying_out,
    score_of,
    share_of,
)
from ostrich.state import State
from simulator.lifting import inlined

__all__ = [
    "AMBER",
    "MAX_ACTIONS",
    "MAX_BAGS",
    "NO_ACTION",
    "RULES_VERSION",
    "CompactObservation",
    "Game",
    "Observation",
    "Rules",
    "State",
    "after_action",
    "ambers_of",
    "capacity",
    "compiled_agent",
    "eggs_in",
    "inlined",
    "is_legal",
    "is_out",
    "is_whole",
    "legal_actions",
    "lying_out",
    "next_word",
    "score_of",
    "share_of",
    "unseen",
]
