"""The stages of a turn, and what its decisions change (rules 3 to 8).

A stage changes a position and says which comes next (`stages`).
"""

from collections.abc import Sequence

from empires import legal, rules
from empires.plain import around, bonus_of, clockwise, holder_after, is_tie, rank_of, set_of
from empires.position import Card, Position


def send(position: Position, sent: Sequence[tuple[int, ...]]) -> None:
    """Reveal cards and put them in the order in which they collect (rules 3 and 5)."""
    for seat, numbers in enumerate(sent):
        position.hands[seat] = _apart(position.hands[seat], numbers)
        position.played[seat] = tuple(sorted(position.played[seat] + numbers))
    position.table = list(sent)
    position.seen = set_of(tuple(sorted([number for numbers in sent for number in numbers])))
    position.log(("cards", position.round, position.turn, tuple(sent)))
    position.queue = collecting(position)
    position.stage = "next_pick"


def _apart(hand: tuple[int, ...], numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return a hand without one card of each of some numbers."""
    rest = list(hand)
    for number in numbers:
        rest.remove(number)
    return tuple(rest)


def collecting(position: Position) -> list[Card]:
    """Return the cards on the table in the order in which they collect; not those that do not."""
    holder, players = position.holder, position.facts.players
    ranked = []
    for seat, numbers in enumerate(position.table):
        for number in numbers:
            if rank := rank_of(number, position.seen, position.facts.waits):
                ranked.append((-rank, clockwise(seat, holder, players), seat, number))
    return [(seat, number) for _, _, seat, number in sorted(ranked)]


# --- Collecting -----------------------------------------------------------------------------------


def next_pick(position: Position) -> None:
    """Find the next card that may take an egg."""
    while position.queue:
        position.acting = position.queue.pop(0)
        if picks(position):
            position.stage = "pick"
            return
    _end_collecting(position)


def picks(position: Position) -> tuple[int, ...]:
    """Return the legal actions of the card whose turn it is to collect."""
    base, face_up = position.base, position.face_up
    return legal.picks(position.acting[1], base, face_up, position.left, position.negative)


def pick(position: Position, seat: int, number: int, chosen: tuple[int, ...]) -> None:
    """Let a card take an egg, or nothing (rule 4)."""
    position.stage = "next_pick"
    if not chosen:
        position.log(("refuse", seat, number))
        return
    place = chosen[0]
    position.left ^= 1 << place - position.base
    position.got[seat, number] = place
    position.take(seat, place)
    event, knowers = ("take", seat, number, place, position.eggs[place]), None
    if position.hidden >> place & 1:
        knowers = frozenset(s for s, known in enumerate(position.known) if known >> place & 1)
    position.log(event, (*event[:4], None), knowers)


def _end_collecting(position: Position) -> None:
    """Count Merchants and Blacksmiths, discard, and turn up new eggs (rules 4 and 7)."""
    for seat, numbers in enumerate(position.table):
        for number in numbers:
            position.bonuses[seat] += bonus_of(number, (seat, number) in position.got)
    position.log(("unclaimed", position.places_left()))
    if _is_last(position):
        position.clear_offer(0)
    else:
        position.reveal()
    position.queue = position.collected(rules.COURIER)
    position.stage = "after_reveal"


def _is_last(position: Position) -> bool:
    """Return whether this is the round's last turn."""
    return position.turn + 1 == position.facts.turns


# --- Powers ---------------------------------------------------------------------------------------


def after_reveal(position: Position) -> None:
    """Let the Couriers decide, then the Priests."""
    if not _is_last(position):
        position.log_reveal(position.turn + 1)
    position.stage = "next_gift"


def next_gift(position: Position) -> None:
    """Find the next Courier."""
    if position.queue:
        position.acting, position.stage = position.queue.pop(0), "gift"
    else:
        position.queue, position.stage = position.collected(rules.PRIEST), "next_discard"


def gift(position: Position, seat: int, number: int, chosen: tuple[int, ...]) -> None:
    """Let a Courier give the egg away, or keep it (R-E10)."""
    place = position.got[seat, number]
    if chosen:
        position.give_up(seat, place)
        position.take(chosen[0], place)
    position.log(("gift", seat, chosen[0] if chosen else None, place))
    position.stage = "next_gift"


def next_discard(position: Position) -> None:
    """Find the next Priest."""
    if position.queue:
        position.acting, position.stage = position.queue.pop(0), "discard"
    else:
        position.stage = "scouting"


def discard(position: Position, seat: int, number: int, chosen: tuple[int, ...]) -> None:
    """Let a Priest discard an egg, seen by all, or nothing (R-E11)."""
    if chosen:
        position.give_up(seat, chosen[0])
        position.hidden &= ~(1 << chosen[0])
    position.log(("priest", seat, chosen[0] if chosen else None))
    position.stage = "next_discard"


def scouting(position: Position) -> None:
    """Let Scouts lay eggs face down, as many as there are (R-E12)."""
    if not _is_last(position):
        seats = around(position.holder, position.facts.players)
        scouts = [seat for seat in seats if rules.SCOUT in position.table[seat]]
        position.draws += [("egg", seat) for seat in scouts[: len(position.egg_pile)]]
    position.stage = "drawing_back"


# --- The end of a turn ----------------------------------------------------------------------------


def drawing_back(position: Position) -> None:
    """Draw back to full hands (not after the last turn)."""
    position.drawn = [()] * position.facts.players
    if not _is_last(position):
        for seat, pile in enumerate(position.piles):
            position.draws += [("card", seat)] * min(position.facts.decks, len(pile))
    position.stage = "passing_marker"


def passing_marker(position: Position) -> None:
    """Pass the marker after a tie, and begin the next turn or end the round (rule 8)."""
    for seat, drawn in enumerate(position.drawn):
        position.log(("draw", seat, drawn), ("draw", seat, None), frozenset({seat}))
    tie = is_tie(position.seen)
    position.holder = holder_after(position.holder, tie, position.facts.players)
    position.log(("marker", position.holder))
    position.clear_turn()
    if _is_last(position):
        position.stage = "end_of_round"
    else:
        position.turn += 1
        position.stage = "card"
