"""Eggs of Ostrich: the second rule text (O43 to O54) words it otherwise and plays the same.

Each row is a sentence of the English summary, read by itself, as cards, claims and what follows.
"""

from dataclasses import dataclass
from typing import Any

import pytest

import ostrich
from tests.ostrich_table import ambers, bags, cautious, hand, rounds, table

EMPTY = {2: 0, 3: 0, 5: 0, 7: 0}
ALL = [2, 3, 5, 7, "skip"]


@dataclass(frozen=True)
class Row:
    """Cards and joint claims, and what the first player then has; None is not looked at."""

    cards: tuple[int, ...] = ()
    claims: tuple[Any, ...] = ()
    bags: dict[int, int | None] | None = None
    hand: list[Any] | None = None
    ambers: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None


#: By paragraph, several rows to each; the words quoted are those that differ from the rulebook.
ROWS: dict[str, list[Row]] = {
    # "start with four sacks, numbered 2, 3, 5 and 7"
    "O43": [Row(bags=EMPTY, scores=(0, 0, 0))],
    # "five claim cards in hand, one for each sack and a skip card"
    "O44": [Row(hand=ALL)],
    # "divide the eggs equally amongst themselves": as many each as can be; eggs are not cut
    "O47": [
        Row((10,), ((7, 7, 7),), bags={**EMPTY, 7: 3}),
        Row((9,), ((5, 7, "skip"),), bags={**EMPTY, 5: 4}),
        Row((7,), ((7, "skip", "skip"),), bags={**EMPTY, 7: 7}),
        Row((7,), (("skip", 7, 7),), bags=EMPTY),
        Row((7,), ("skip",), bags=EMPTY),
    ],
    # "sets aside the card ..., leaving it out of play for the next round, after which it returns"
    "O48": [
        Row((0,), (7,), hand=[2, 3, 5, "skip"]),
        Row((0, 0), (7, 5), hand=[2, 3, 7, "skip"]),
        Row((0,), ("skip",), hand=[2, 3, 5, 7]),
        Row((0, 0), ("skip", 5), hand=[2, 3, 7, "skip"]),
    ],
    # "if only one player plays skip, he claims the amber ...; if no players or two or three ..."
    "O49": [
        Row((0,), (("skip", 2, 2),), ambers=(1, 0, 0), bags=EMPTY),
        Row((0,), ((2, 3, 2),), ambers=(0, 0, 0), bags=EMPTY),
        Row((0,), (("skip", "skip", 2),), ambers=(0, 0, 0)),
        Row((0,), ("skip",), ambers=(0, 0, 0)),
    ],
    # "ever holds more eggs than the number on the sack, it rips and all the eggs ... break"
    "O50": [
        Row((9,), ((3, 7, 7),), bags={**EMPTY, 3: 3}),
        Row((9,), ((2, 7, 7),), bags={**EMPTY, 2: None}),
        Row((4, 0, 10), (3, 2, (3, 5, 7)), bags={**EMPTY, 3: None}),
    ],
    # "covers that sack with the matching claim card, which is now out of play for him"
    "O51": [
        Row((9,), ((2, 7, 7),), hand=[3, 5, 7, "skip"]),
        Row((9, 0, 0), ((2, 7, 7), 3, 5), hand=[3, 7, "skip"]),
    ],
    # "exactly the right number ... worth that many points; ... fewer ... half ..., rounded down"
    "O53": [
        Row((9,), ((3, 5, 7),), scores=(3, 1, 1)),
        Row((4,), (2,), scores=(0, 0, 0)),
        Row((7,), ((7, "skip", "skip"),), scores=(7, 0, 0)),
    ],
    # "Each amber is worth 4 points"
    "O54": [Row((0,), (("skip", 2, 2),), scores=(4, 0, 0))],
}


@pytest.mark.parametrize("paragraph", ROWS)
def test_second_text_agrees(paragraph: str) -> None:
    for row in ROWS[paragraph]:
        state = rounds(table(*row.cards), *row.claims)
        found = {
            "bags": bags(state, 0),
            "hand": hand(state, 0),
            "ambers": tuple(ambers(state, player) for player in range(3)),
            "scores": tuple(state.scores()),
        }
        expected = {name: getattr(row, name) for name in found if getattr(row, name) is not None}
        assert expected, "a row that looks at nothing"
        assert {name: found[name] for name in expected} == expected, row


def test_o45_nine_egg_cards_valued_4_to_10_and_three_ambers() -> None:
    eggs = [card for card in ostrich.Rules().deck if card != ostrich.AMBER]
    assert (len(eggs), min(eggs), max(eggs)) == (9, 4, 10)
    assert ostrich.Rules().deck.count(ostrich.AMBER) == 3
    assert ostrich.Rules().removed == 2


def test_o46_a_card_in_each_round_and_all_choose_at_the_same_time() -> None:
    state = table()
    for turn in range(10):
        assert (state.round, state.phase) == (turn, "claim")
        assert state.card is not None
        cautious(state)  # one joint action for all
        assert state.round == turn + 1


def test_o52_after_ten_rounds_points_are_tallied() -> None:
    state = table()
    for _ in range(10):
        assert sum(state.returns()) == 0
        cautious(state)
    assert state.phase == "over"
    assert sum(state.returns()) == 1


def test_o55_the_most_points_make_the_champion() -> None:
    state = rounds(table(9, 0, rounds=2), (3, 5, 7), (2, "skip", 2))
    assert state.scores() == [3, 5, 1]
    assert state.returns() == [0.0, 1.0, 0.0]
