"""Eggs and Empires: two to six players send numbered Adventurers for dragon eggs, all at once.

`rules.py` holds the rules, `README.md` tells them paragraph by paragraph.
"""

from empires.compact import KINDS, UNKNOWN, CompactObservation, is_legal, next_word
from empires.compiled_agent import compiled_agent
from empires.decks import Deck, deck_names, load_deck, shipped_deck
from empires.game import Game
from empires.observation import Egg, Observation
from empires.players import LanePlayer, Player
from empires.rules import (
    ADVENTURERS,
    BARD,
    BLACKSMITH,
    COURIER,
    DARK_PRIESTESS,
    HERO,
    MAGE,
    MERCHANT,
    PRIEST,
    RULES_VERSION,
    SCOUT,
    SHEPHERD,
    Rules,
    holds,
    with_card,
    without_card,
)
from empires.state import State
from simulator.lifting import inlined

__all__ = [
    "ADVENTURERS",
    "BARD",
    "BLACKSMITH",
    "COURIER",
    "DARK_PRIESTESS",
    "HERO",
    "KINDS",
    "MAGE",
    "MERCHANT",
    "PRIEST",
    "RULES_VERSION",
    "SCOUT",
    "SHEPHERD",
    "UNKNOWN",
    "CompactObservation",
    "Deck",
    "Egg",
    "Game",
    "LanePlayer",
    "Observation",
    "Player",
    "Rules",
    "State",
    "compiled_agent",
    "deck_names",
    "holds",
    "inlined",
    "is_legal",
    "load_deck",
    "next_word",
    "shipped_deck",
    "with_card",
    "without_card",
]
