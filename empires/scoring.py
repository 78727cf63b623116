"""Rounds and playthroughs end in every lane: points, tokens, shares of the win, totals."""

from typing import Any

import numpy as np
from numpy import int32, uint32

from empires import rules
from empires.layout import (
    ENDED,
    ORDER,
    PLAYED,
    PLAYS,
    POINTS,
    SCORE,
    SCORE_SQUARED,
    SEATS,
    SECRET,
    SEEN,
    SHARES,
    TOKENS,
    TOTALS,
    WIN_UNITS,
    WIN_UNITS_SQUARED,
)
from simulator.program import step
from simulator.words import Word, Words, field, fill


@step
def end_round(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Add the round's points to the totals, and in Con/Pub give out tokens (rules 9 and 11)."""
    players, ended, best = facts[rules.PLAYERS], block[ENDED], block[ORDER]
    fill(best, uint32(1 << 31))  # the least of all signed numbers
    for seat in range(np.int64(players)):
        points, secret = block[POINTS + seat], block[SECRET + (SEATS + 1) * seat]
        total, played = block[TOTALS + seat], block[PLAYED + seat]
        for lane in range(best.size):
            won = uint32(points[lane] + secret[lane])
            total[lane] = uint32(total[lane] + won)
            best[lane] = uint32(max(int32(best[lane]), int32(won)))
        for number in range(1, rules.MAX_NUMBER + 1):
            plays = uint32(0)
            for lane in range(best.size):
                once = field(played[lane], uint32(number - 1), uint32(1))
                twice = field(played[lane], uint32(number - 1 + rules.TWICE), uint32(1))
                plays = uint32(plays + uint32(once + twice))
            totals[seat, PLAYS + number] += np.int64(plays)
    if facts[rules.CON_PUB] == uint32(0):
        return
    for seat in range(np.int64(players)):
        points, secret = block[POINTS + seat], block[SECRET + (SEATS + 1) * seat]
        tokens = block[TOKENS + seat]
        for lane in range(best.size):
            top = uint32(points[lane] + secret[lane]) == best[lane] and ended[lane] == uint32(0)
            tokens[lane] = uint32(tokens[lane] + uint32(top))
    for seat in range(np.int64(players)):
        tokens = block[TOKENS + seat]
        for lane in range(best.size):
            ended[lane] = uint32(ended[lane] | uint32(tokens[lane] >= facts[rules.TOKENS]))


@step
def finish(
    block: Words, facts: Words, networks: Any, counts: Any, totals: Any,
    seed: Word, first: Word, moment: Word, place: Word,
) -> None:  # fmt: skip
    """Fill in every lane's shares of the win, and add scores and shares to the totals."""
    players, needed, con_pub = facts[rules.PLAYERS], facts[rules.TOKENS], facts[rules.CON_PUB]
    best, winners = block[ORDER], block[SEEN]  # rows at rest once the last turn is over
    fill(best, 0)
    fill(winners, 0)
    for seat in range(np.int64(players)):
        total, tokens, share = block[TOTALS + seat], block[TOKENS + seat], block[SHARES + seat]
        for lane in range(best.size):
            share[lane] = uint32(rules.standing_of(total[lane], tokens[lane], needed, con_pub))
            best[lane] = max(best[lane], share[lane])
    for seat in range(np.int64(players)):
        share = block[SHARES + seat]
        for lane in range(best.size):
            winners[lane] = uint32(winners[lane] + uint32(share[lane] == best[lane]))
    for seat in range(np.int64(players)):
        total, share = block[TOTALS + seat], block[SHARES + seat]
        units = squares = uint32(0)
        points = squared_points = np.int64(0)
        for lane in range(best.size):
            won = rules.win_units(winners[lane])
            share[lane] = won if share[lane] == best[lane] else uint32(0)
            units = uint32(units + share[lane])
            squares = uint32(squares + uint32(share[lane] * share[lane]))
            score = np.int64(int32(total[lane]))
            points += score
            squared_points += score * score
        totals[seat, WIN_UNITS] += np.int64(units)
        totals[seat, WIN_UNITS_SQUARED] += np.int64(squares)
        totals[seat, SCORE] += points
        totals[seat, SCORE_SQUARED] += squared_points
