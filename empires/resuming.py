"""Take up a playthrough in the middle of a round, at a decision, as the seat that decides sees it.

What the seat cannot know is given beside the observation.
"""

from typing import Any

from empires.observation import Observation
from empires.orders import Orders
from empires.plain import set_of
from empires.position import Position
from empires.rules import Rules
from empires.turns import collecting


def resumed_position(
    variant: Rules, orders: Orders, seen: Observation, hands: Any, piles: Any
) -> Position:
    """Return the position; `orders`, `hands` and `piles` say all that is hidden."""
    position, players = Position(variant, orders), range(variant.players)
    position.round, position.turn, position.stage = seen.round, seen.turn, seen.phase
    position.hands = [tuple(sorted(hand)) for hand in hands]
    position.piles = [tuple(pile) for pile in piles]
    position.holder = seen.holder
    position.totals = [seen.total(seat) for seat in players]
    position.tokens = [seen.tokens(seat) for seat in players]
    position.played = [seen.played(seat) for seat in players]
    position.mulligans = list(seen.mulligans)
    _resume_eggs(position, orders.egg_decks[seen.round], seen)
    if seen.phase not in ("mulligan", "card"):
        _resume_turn(position, seen)
    return position


def _resume_eggs(position: Position, deck: tuple[int, ...], seen: Observation) -> None:
    """Take over eggs and points; the hidden values are those of the deck."""
    base, face_up, offered, hidden = seen.offered()
    players, known = range(position.facts.players), seen.known()
    position.eggs, position.egg_pile = list(deck[: base + offered]), deck[base + offered :]
    position.base, position.face_up, position.offered = base, face_up, offered
    position.left = sum(1 << egg.place - base for egg in seen.offer)
    position.negative = sum(1 << w for w in range(offered) if deck[base + w] < 0)
    position.scouts = [seen.scout_of(base + w) or 0 for w in range(face_up, offered)]
    position.owned = [tuple(egg.place for egg in seen.owned(seat)) for seat in players]
    position.hidden = sum(1 << place for place in hidden)
    position.known[seen.player] = sum(1 << place for place in hidden if place in known)
    for place, scout in enumerate(position.scouts, base + face_up):
        position.known[scout] |= 1 << place
    for seat, places in enumerate(position.owned):
        position.known[seat] |= position.hidden & sum(1 << place for place in places)
        shown = sum(deck[place] for place in places if place in known)
        position.bonuses[seat] = seen.points(seat) - shown


def _resume_turn(position: Position, seen: Observation) -> None:
    """Take over what lies on the table, and whose picks and powers are still to come."""
    position.table = [seen.table(seat) for seat in range(position.facts.players)]
    for seat in range(position.facts.players):
        position.got.update({(seat, n): place for n, place in seen.got(seat).items()})
    position.seen = set_of(tuple(sorted(n for numbers in position.table for n in numbers)))
    number = seen.acting or 0
    position.acting = (seen.player, number)
    cards = collecting(position) if seen.phase == "pick" else position.collected(number)
    position.queue = cards[cards.index(position.acting) + 1 :]
