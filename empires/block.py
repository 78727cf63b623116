"""The game as a program of the simulator's: which steps, and which decisions between them.

A round: shuffles, mulligans, the marker, first eggs. A turn: cards; a pick for every place in the
order; Couriers and Priests, as many times as there may be some; Scouts; draws. The decisions'
moments are round * (turns + 1), and 1 + turn more for those of a turn.
"""

from typing import Any

from empires import rules
from empires.collecting import collect, find_collectors, send
from empires.compact import CARD_KIND, DISCARD_KIND, GIFT_KIND, MULLIGAN_KIND, PICK_KIND
from empires.dealing import place_marker, redraw, reveal, shuffle_deck, shuffle_eggs, start_round
from empires.layout import SHARES, TOTALS, WORDS, WORDS_A_SEAT, block_rows
from empires.powers import count_cards, discard, draw_back, find_power, give, scout
from empires.scoring import end_round, finish
from simulator.program import DECISION, DRAW, Program, lines_of
from simulator.shuffling import in_one_array, sorting_network

STEPS = (
    start_round, shuffle_eggs, shuffle_deck, redraw, place_marker, reveal,
    send, find_collectors, collect,
    count_cards, find_power, give, discard, scout, draw_back,
    end_round, finish,
)  # fmt: skip


def program(variant: Any) -> Program:
    """Return the program for some rules."""
    facts = variant.facts()
    facts.setflags(write=False)
    sizes = (
        len(variant.eggs),
        variant.cards_each,
        variant.cards_each - variant.hand_size,
        variant.players * variant.cards_a_turn,
    )
    return Program(
        STEPS,
        lines_of(*_lines(variant)),
        facts,
        in_one_array(*map(sorting_network, sizes)),
        block_rows(len(variant.eggs)),
        WORDS,
        WORDS_A_SEAT,
        SHARES,
        TOTALS,
    )


def _step(function: Any, moment: int = 0, place: int = 0) -> tuple[int, int, int]:
    return STEPS.index(function), moment, place


def _draws(variant: Any, moment: int) -> list[tuple[int, int, int]]:
    """Return the lines that draw the random words of a moment: a block for each card a turn."""
    blocks = variant.cards_a_turn
    return [(DRAW, 4 * part, blocks * moment + part) for part in range(blocks)]


def _lines(variant: Any) -> list[tuple[int, int, int]]:
    """Return the lines of a whole game."""
    lines = []
    for number in range(variant.max_rounds):
        moment = number * (variant.turns + 1)
        lines += [_step(start_round, number), _step(shuffle_eggs, number)]
        lines += [_step(shuffle_deck, number, seat) for seat in range(variant.players)]
        if variant.has_mulligan(number):
            lines += [*_draws(variant, moment), (DECISION - MULLIGAN_KIND, moment, 0)]
            lines += [_step(redraw)]
        lines += [_step(place_marker, number), _step(reveal)]
        for turn in range(variant.turns):
            lines += _turn(variant, moment + 1 + turn, turn)
        lines += [_step(end_round)]
    return [*lines, _step(finish)]


def _turn(variant: Any, moment: int, turn: int) -> list[tuple[int, int, int]]:
    """Return the lines of a turn."""
    last = turn + 1 == variant.turns
    lines = [*_draws(variant, moment), (DECISION - CARD_KIND, moment, 0), _step(send)]
    for place in range(variant.players * variant.cards_a_turn):
        lines += [_step(find_collectors, place=place), (DECISION - PICK_KIND, moment, place)]
        lines += [_step(collect)]
    lines += [_step(count_cards), _step(reveal, place=int(last))]
    for place in range(variant.players):
        lines += [_step(find_power, place=rules.COURIER), (DECISION - GIFT_KIND, moment, place)]
        lines += [_step(give)]
    for place in range(variant.players):
        lines += [_step(find_power, place=rules.PRIEST), (DECISION - DISCARD_KIND, moment, place)]
        lines += [_step(discard)]
    lines += [] if last else [_step(scout)]
    return [*lines, _step(draw_back, place=turn)]
