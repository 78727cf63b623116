"""The order of everything that is shuffled in a playthrough, given or dealt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simulator.inputs import UsageError, whole_number


@dataclass(frozen=True)
class Orders:
    """All that chance decides.

    Attributes
    ----------
    egg_decks : tuple of tuple of int
        For each round the values of the eggs, top first; an egg's place is its index here.
    empire_decks : tuple of tuple of tuple of int
        For each round and seat the numbers of the cards, top first.
    reshuffle : tuple of tuple of tuple of int
        For each round and seat the pile after a mulligan, top first: the cards that are then
        neither in the old hand's place nor in the new hand, that is, the old hand (the first cards
        of the deck) and the rest (what comes after the new hand) in a new order.
    holder : int
        The seat that first holds the tie breaker marker.
    """

    egg_decks: tuple[tuple[int, ...], ...]
    empire_decks: tuple[tuple[tuple[int, ...], ...], ...]
    reshuffle: tuple[tuple[tuple[int, ...], ...], ...]
    holder: int


def checked_orders(
    variant: Any, egg_decks: Any, empire_decks: Any, reshuffle: Any, holder: Any
) -> Orders:
    """Return orders that somebody gives, or raise UsageError.

    `reshuffle` may be None, and then a mulligan puts the old hand on top of the pile; a round or a
    seat of it may be None as well. `holder` may be None for seat 0.
    """
    rounds, players = variant.max_rounds, variant.players
    cards = sorted(variant.adventurers * variant.cards_a_turn)
    eggs = [
        _permutation(f"egg_decks[{r}]", deck, sorted(variant.eggs))
        for r, deck in enumerate(_list("egg_decks", egg_decks, rounds))
    ]
    decks = [
        [
            _permutation(f"empire_decks[{r}][{seat}]", deck, cards)
            for seat, deck in enumerate(_list(f"empire_decks[{r}]", of_round, players))
        ]
        for r, of_round in enumerate(_list("empire_decks", empire_decks, rounds))
    ]
    again = _list("reshuffle", reshuffle, rounds) if reshuffle is not None else [None] * rounds
    piles = []
    for r, of_round in enumerate(again):
        seats = _list(f"reshuffle[{r}]", of_round, players) if of_round is not None else None
        piles.append(
            [
                _pile(variant, f"reshuffle[{r}][{seat}]", decks[r][seat], seats and seats[seat])
                for seat in range(players)
            ]
        )
    first = 0 if holder is None else whole_number("holder", holder, 0, players - 1)
    return Orders(tuple(eggs), _tuples(decks), _tuples(piles), first)


def _pile(variant: Any, name: str, deck: tuple[int, ...], given: Any) -> tuple[int, ...]:
    """Return the pile after a mulligan: the given one, or old hand and rest as they are."""
    hand = variant.hand_size
    pile = deck[:hand] + deck[2 * hand :]
    return pile if given is None else _permutation(name, given, sorted(pile))


def _list(name: str, value: Any, length: int) -> Any:
    """Return a list of at least `length` items, cut to it, or raise UsageError."""
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) < length:
        given = f"{len(value)} items" if hasattr(value, "__len__") else repr(value)
        raise UsageError(f"{name} must be a list of {length} items, not {given}")
    return value[:length]


def _permutation(name: str, value: Any, wanted: list[int]) -> tuple[int, ...]:
    """Return a tuple of just the items `wanted` in any order, or raise UsageError."""
    items = tuple(whole_number(f"an item of {name}", item, -99, 99) for item in _items(name, value))
    if sorted(items) != wanted:
        raise UsageError(f"{name} must be an order of {wanted}, not {list(items)}")
    return items


def _items(name: str, value: Any) -> Any:
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise UsageError(f"{name} must be a list of whole numbers, not {value!r}")
    return value


def _tuples(lists: Any) -> Any:
    return tuple(tuple(one) for one in lists)


def random_orders(variant: Any, rng: Any) -> Orders:
    """Return orders drawn by `rng`, whose ``integers(n)`` gives 0 to n - 1 (as NumPy's does)."""
    decks = [
        [shuffled(variant.adventurers * variant.cards_a_turn, rng) for _ in range(variant.players)]
        for _ in range(variant.max_rounds)
    ]
    hand = variant.hand_size
    piles = [[shuffled(deck[:hand] + deck[2 * hand :], rng) for deck in decks_] for decks_ in decks]
    eggs = tuple(shuffled(variant.eggs, rng) for _ in range(variant.max_rounds))
    return Orders(eggs, _tuples(decks), _tuples(piles), int(rng.integers(variant.players)))


def shuffled(items: Sequence[int], rng: Any) -> tuple[int, ...]:
    """Return items in an order drawn by `rng` (Fisher and Yates; Knuth, TAOCP 2, 3.4.2P)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = int(rng.integers(last + 1))
        order[last], order[other] = order[other], order[last]
    return tuple(order)
