"""The stages of a round before its first turn and after its last (rules 2, 8, 9 and 11).

A stage changes a position and says which comes next (`stages`).
"""

from collections.abc import Sequence

from empires import rules
from empires.position import Position


def begin(position: Position) -> None:
    """Shuffle, and deal hands (rule 2)."""
    position.clear_round()
    players, hand = range(position.facts.players), position.facts.hand
    position.draws = [("card", seat) for seat in players for _ in range(hand)]
    position.stage = "mulligan" if position.rules.has_mulligan(position.round) else "deal_out"


def redraw(position: Position, wishes: Sequence[int]) -> None:
    """Carry out mulligans: new hands are drawn, then the old ones join the piles (R-E15)."""
    for seat, wish in enumerate(wishes):
        position.log(("mulligan", position.round, seat, bool(wish)))
        if wish:
            event = ("old_hand", position.round, seat, position.hands[seat])
            position.log(event, (*event[:3], None), frozenset({seat}))
            position.mulligans.append(seat)
            position.old_hands[seat] = position.hands[seat]
            position.hands[seat] = ()
            position.draws += [("card", seat)] * position.facts.hand
    position.stage = "shuffle_back"


def shuffle_back(position: Position) -> None:
    """Shuffle old hands into the piles."""
    for seat, hand in position.old_hands.items():
        if position.orders:
            position.piles[seat] = position.orders.reshuffle[position.round][seat]
        else:
            position.piles[seat] += hand
    position.stage = "deal_out"


def deal_out(position: Position) -> None:
    """Hand the marker to whom it goes (rule 8), once the hands are known."""
    players = position.facts.players
    for seat, hand in enumerate(position.hands):
        event = ("hand", position.round, seat, hand)
        position.log(event, (*event[:3], None), frozenset({seat}))
    position.drawn = [()] * players
    if position.round == 0:
        position.draws.append(("holder", -1))
    else:
        claims = [
            int(rules.claim_to_marker(total & 0xFFFFFFFF, seat, position.holder, players))
            for seat, total in enumerate(position.totals)
        ]
        position.holder = claims.index(min(claims))
    position.stage = "first_eggs"


def first_eggs(position: Position) -> None:
    """Turn up the first eggs, once the marker's holder is known (rule 2)."""
    position.log(("holder", position.round, position.holder))
    position.reveal()
    position.stage = "first_turn"


def first_turn(position: Position) -> None:
    """Let all choose cards."""
    position.log_reveal(0)
    position.stage = "card"


def end(position: Position) -> None:
    """Add up the round; begin the next one or end the playthrough (rules 9 and 11)."""
    won = [position.won(seat) for seat in range(position.facts.players)]
    position.totals = [total + more for total, more in zip(position.totals, won, strict=True)]
    if position.facts.con_pub:
        best = max(won)
        position.tokens = [n + (w == best) for n, w in zip(position.tokens, won, strict=True)]
    now = tuple(position.totals), tuple(position.tokens)
    position.log(("round", position.round, tuple(won), *now))
    if position.has_winner() or position.round + 1 == position.facts.max_rounds:
        position.owned, position.bonuses = [()] * len(won), [0] * len(won)
        position.stage = "over"
        position.log(("end", *now, tuple(position.returns())))
        return
    position.round += 1
    position.turn = 0
    begin(position)
