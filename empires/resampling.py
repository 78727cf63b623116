"""Draw what a seat cannot know: a whole state that agrees with all that it sees.

Every way to fill in the hidden cards and eggs is as likely as any other: what has been seen tells
nothing more, since the unplayed cards of a player are alike to all who do not see them (which of
them are in the hand follows from the order of the deck alone), and so are eggs that were not seen.
Cards and eggs of one value are told apart in this count.
"""

from collections import Counter
from typing import Any

from empires.observation import Observation
from empires.orders import Orders, random_orders, shuffled
from empires.state import State


def resampled(game: Any, observation: Observation, rng: Any) -> State:
    """Return a state drawn uniformly from those that agree with an observation.

    The hands, piles and egg deck of this round that the seat does not know, and all of later
    rounds, are drawn; what the seat knows is as observed, and so is whose decision it is. The
    state's history begins here.

    Parameters
    ----------
    game : Game
        Whose rules are the observation's.
    observation : Observation
        At a decision, of a seat that decides.
    rng : object
        Its ``integers(n)`` gives 0 to n - 1, as NumPy's Generator and an agent's `rng` do.

    Raises
    ------
    ValueError
        If the seat has nothing to decide.
    """
    if not observation.legal_actions:
        raise ValueError(f"player {observation.player} has nothing to decide, so none can be drawn")
    variant, me, now = observation.rules, observation.player, observation.round
    orders = random_orders(variant, rng)
    hands, piles = [], []
    for seat in range(variant.players):
        cards = list(observation.unplayed(seat))
        held = list(observation.hand)
        if seat == me:
            rest = list((Counter(cards) - Counter(held)).elements())
        else:
            cards = list(shuffled(cards, rng))
            held, rest = cards[: len(held)], cards[len(held) :]
        hands.append(held)
        piles.append(list(shuffled(rest, rng)))
    known = observation.known()
    unseen = iter(shuffled(tuple(Counter(observation.unseen()).elements()), rng))
    eggs = tuple(
        known[place] if place in known else next(unseen) for place in range(len(variant.eggs))
    )
    replaced = _with_round(variant, orders, now, hands, piles, eggs, rng)
    return State.resumed(game, replaced, observation, hands, piles)


def _with_round(
    variant: Any, orders: Orders, now: int, hands: Any, piles: Any, eggs: Any, rng: Any
) -> Orders:
    """Return orders with the present round replaced."""
    size = variant.hand_size
    decks = tuple(tuple(hand + pile) for hand, pile in zip(hands, piles, strict=True))
    again = tuple(shuffled(deck[:size] + deck[2 * size :], rng) for deck in decks)

    def put(rounds: Any, this: Any) -> Any:
        return (*rounds[:now], this, *rounds[now + 1 :])

    return Orders(
        put(orders.egg_decks, eggs),
        put(orders.empire_decks, decks),
        put(orders.reshuffle, again),
        orders.holder,
    )
