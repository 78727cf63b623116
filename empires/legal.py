"""The legal actions of each kind of decision, ascending: for states and observations alike."""

from collections.abc import Iterable
from functools import lru_cache

from empires import actions, rules
from empires.plain import KEPT

MULLIGANS = (actions.KEEP_HAND, actions.REDRAW)


@lru_cache(maxsize=KEPT)
def sends(hand: int, decks: int) -> tuple[int, ...]:
    """Return the actions that play cards of a hand, a set of cards."""
    if decks == 1:
        numbers = range(1, rules.MAX_NUMBER + 1)
        return tuple(actions.send_action((n,)) for n in numbers if rules.may_send(hand, n, 0, 1))
    pairs = [pair for pair in actions.PAIRS if rules.may_send(hand, *pair, decks)]
    return tuple(map(actions.send_action, pairs))


@lru_cache(maxsize=KEPT)
def picks(number: int, base: int, face_up: int, left: int, negative: int) -> tuple[int, ...]:
    """Return the actions that take an egg, and the one that takes nothing; () if a card may not.

    Parameters
    ----------
    number : int
        The card.
    base : int
        The place of the first egg on offer.
    face_up : int
        How many lie face up.
    left, negative : int
        Masks of the eggs on offer: not yet taken; worth less than 0.
    """
    face_down = ~((1 << face_up) - 1) & 0xFFFFFFFF
    allowed = int(rules.eggs_allowed(number, left, negative, face_down))
    taken = [actions.FIRST_EGG + base + w for w in range(rules.MAX_OFFERED) if allowed >> w & 1]
    refuses = rules.may_refuse(number, left, negative, face_down)
    return (*taken, actions.TAKE_NOTHING) if refuses else tuple(taken)


@lru_cache(maxsize=KEPT)
def gifts(seat: int, players: int) -> tuple[int, ...]:
    """Return the actions that give an egg of a seat to another, after the one that keeps it."""
    others = (other for other in range(players) if other != seat)
    return (actions.KEEP_EGG, *(actions.FIRST_GIFT + other for other in others))


def discards(places: Iterable[int]) -> tuple[int, ...]:
    """Return the actions that discard one of some eggs, after the one that discards nothing."""
    return (actions.DISCARD_NOTHING, *(actions.FIRST_DISCARD + place for place in sorted(places)))
