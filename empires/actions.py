"""The numbers of actions: one range for each kind of decision (the table is in `README.md`)."""

from typing import NamedTuple

from empires import rules
from empires.decks import MAX_EGGS

KEEP_HAND, REDRAW = 0, 1
FIRST_CARD = 2  # + number - 1
FIRST_PAIR = FIRST_CARD + rules.MAX_NUMBER  # + number of the pair in PAIRS
PAIRS = tuple((low, high) for low in range(1, 11) for high in range(low + 1, 11))
FIRST_EGG = FIRST_PAIR + len(PAIRS)  # + place in the egg deck
TAKE_NOTHING = FIRST_EGG + MAX_EGGS
KEEP_EGG = TAKE_NOTHING + 1
FIRST_GIFT = KEEP_EGG + 1  # + seat that gets the egg
DISCARD_NOTHING = FIRST_GIFT + rules.MAX_PLAYERS
FIRST_DISCARD = DISCARD_NOTHING + 1  # + place in the egg deck
NUM_ACTIONS = FIRST_DISCARD + MAX_EGGS


class Action(NamedTuple):
    """What an action says: its kind of decision, and what is chosen."""

    kind: str
    chosen: tuple[int, ...]  # numbers of cards, a place, a seat; () for nothing


def send_action(numbers: tuple[int, ...]) -> int:
    """Return the action that plays one number, or two (ascending) with two cards a turn."""
    return FIRST_CARD + numbers[0] - 1 if len(numbers) == 1 else FIRST_PAIR + PAIRS.index(numbers)


def meaning(action: int) -> Action:
    """Return what an action says, or raise ValueError if there is none of that number."""
    if isinstance(action, bool) or action not in range(NUM_ACTIONS):
        raise ValueError(f"there is no action {action!r}; actions are 0 to {NUM_ACTIONS - 1}")
    if action < FIRST_CARD:
        return Action("mulligan", (action,))
    if action < FIRST_PAIR:
        return Action("card", (action - FIRST_CARD + 1,))
    if action < FIRST_EGG:
        return Action("card", PAIRS[action - FIRST_PAIR])
    if action <= TAKE_NOTHING:
        return Action("pick", (action - FIRST_EGG,) if action < TAKE_NOTHING else ())
    if action < DISCARD_NOTHING:
        return Action("gift", (action - FIRST_GIFT,) if action > KEEP_EGG else ())
    return Action("discard", (action - FIRST_DISCARD,) if action > DISCARD_NOTHING else ())


def to_string(action: int) -> str:
    """Return an action in words."""
    kind, chosen = meaning(action)
    if kind == "mulligan":
        return ("keep the hand", "redraw the hand")[chosen[0]]
    if kind == "card":
        return " and ".join(f"{rules.ADVENTURERS[number - 1]} ({number})" for number in chosen)
    if not chosen:
        return {"pick": "take nothing", "gift": "keep the egg", "discard": "discard nothing"}[kind]
    verb = {"pick": "take egg", "gift": "give the egg to seat", "discard": "discard egg"}[kind]
    return f"{verb} {chosen[0]}"
