"""What a seat sees of a position: the rows of a block (`layout`), all 0 that it cannot know."""

from empires.layout import (
    ACTING,
    EGGS,
    ENDED,
    FIRST_VISIBLE,
    GOT,
    HANDS,
    HIDDEN,
    HOLDER,
    KNOWN,
    MULLIGANS,
    OFFER,
    OWNED,
    PLAYED,
    POINTS,
    SCOUTS,
    SEATS,
    SECRET,
    TABLE,
    TOKENS,
    TOTALS,
)
from empires.plain import offer_of, set_of
from empires.position import DECIDED_BY_ALL, Position

WORD = 0xFFFFFFFF


def column_of(position: Position, player: int) -> tuple[int, ...]:
    """Return the rows of a block as a player sees them; see `Observation`."""
    column = [0] * (FIRST_VISIBLE + position.facts.rows)
    column[HOLDER] = position.holder or 0
    column[ENDED] = int(position.has_winner())
    column[MULLIGANS] = sum([1 << seat for seat in position.mulligans])
    if player in position.deciders() and position.stage not in DECIDED_BY_ALL:
        column[ACTING] = position.acting[1]
    hidden, known = position.hidden, position.hidden & position.known[player]
    column[HIDDEN : HIDDEN + 2] = hidden & WORD, hidden >> 32
    column[KNOWN + 2 * player : KNOWN + 2 * player + 2] = known & WORD, known >> 32
    column[HANDS + player] = set_of(position.hands[player])
    for seat in range(position.facts.players):
        _put_seat(column, position, player, seat)
    _put_eggs(column, position, hidden & ~known)
    return tuple(column[FIRST_VISIBLE:])


def _put_seat(column: list[int], position: Position, player: int, seat: int) -> None:
    """Put the rows of what lies before a seat."""
    column[TOTALS + seat] = position.totals[seat] & WORD
    column[TOKENS + seat] = position.tokens[seat]
    column[PLAYED + seat] = set_of(position.played[seat])
    for i, number in enumerate(position.table[seat]):
        column[TABLE + seat] |= number << 4 * i
        column[GOT + seat] |= position.got.get((seat, number), -1) + 1 << 8 * i
    owned, points, secret = 0, position.bonuses[seat], 0
    for place in position.owned[seat]:
        owned |= 1 << place
        if not position.hidden >> place & 1:
            points += position.eggs[place]
        elif position.known[player] >> place & 1:
            secret += position.eggs[place]
    column[OWNED + 2 * seat : OWNED + 2 * seat + 2] = owned & WORD, owned >> 32
    column[POINTS + seat] = points & WORD
    column[SECRET + SEATS * player + seat] = secret & WORD


def _put_eggs(column: list[int], position: Position, unknown: int) -> None:
    """Put the rows of the eggs on offer, and all values but those of a mask of places."""
    if not position.eggs:
        return
    base, face_up, offered = position.base, position.face_up, position.offered
    column[OFFER] = offer_of(base, face_up, offered, position.left)
    for w, seat in enumerate(position.scouts, face_up):
        column[SCOUTS] |= seat << 3 * w
    values = [value & WORD for value in position.eggs]
    if unknown:
        values = [0 if unknown >> place & 1 else value for place, value in enumerate(values)]
    column[EGGS : EGGS + len(values)] = values
