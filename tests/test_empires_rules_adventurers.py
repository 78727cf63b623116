"""Eggs and Empires, the paragraphs of the rule text on the ten Adventurers."""

from itertools import permutations
from typing import Any

import pytest

from empires.actions import DISCARD_NOTHING, FIRST_DISCARD, FIRST_EGG, TAKE_NOTHING
from tests.empires_table import (
    FACE_DOWN,
    choose,
    events,
    finish,
    hands,
    offer,
    owned,
    send,
    table,
    takes,
    totals,
    turn,
    turns,
)


def _seated(*numbers: int, **given: Any) -> Any:
    """Return a table at which the seats hold these numbers, to be played now."""
    return table(*((number,) for number in numbers), players=len(numbers), **given)


def _bonus(number: int, *others: int, **given: Any) -> int:
    """Return seat 0's points after one turn in which it plays a number."""
    return int(turn(_seated(number, *others, **given), number, *others).scores()[0])


def test_01_bard_has_no_ability_and_comes_last() -> None:
    state = turn(_seated(1, 9, 9, eggs=(5, -3)), 1, 9, 9)
    assert takes(state) == [(0, 1, 5)]
    late = turn(_seated(1, 2, 3, eggs=(5, 4)), 1, 2, 3)
    assert takes(late) == [(2, 3, 5), (1, 2, 4)]
    assert late.scores() == [0, 4, 5]
    assert late.phase == "card"


def test_02_scout_lays_the_top_egg_face_down_and_alone_looks_at_it() -> None:
    state = turn(_seated(2, 10, 9, eggs=(13, 12, 4, -5, -6)), 2, 10, 9)
    assert offer(state, 0) == [4, -5, -6]  # two as always, and the Scout's
    assert offer(state, 1) == offer(state, 2) == [4, -5, None]
    for viewer in range(3):
        seen = state.observation(viewer)
        assert [seen.is_face_down(egg.place) for egg in seen.offer] == [False, False, True]


def test_02_scout_makes_the_egg_available_during_the_next_turn() -> None:
    state = table((2, 4), (10, 6), (9, 5), eggs=(13, 12, 4, -5, 11))
    turn(state, 2, 10, 9)
    turn(state, 4, 6, 5, choices=(FACE_DOWN, -5, 4))
    assert [owned(state, seat) for seat in range(3)] == [[4], [13, 11], [12, -5]]


def test_02_scouts_go_in_player_order_and_each_sees_its_own_egg_alone() -> None:
    state = turn(_seated(2, 10, 2, 2, eggs=(13, 12, 4, -5, 1, 2, 3)), 2, 10, 2, 2)
    assert offer(state, 0) == [4, -5, 1, None, None]
    assert offer(state, 1) == [4, -5, None, None, None]
    assert offer(state, 2) == [4, -5, None, 2, None]
    assert offer(state, 3) == [4, -5, None, None, 3]


@pytest.mark.parametrize("number", [1, 3, 4, 10])
def test_02_no_other_card_lays_an_egg(number: int) -> None:
    assert len(offer(turn(_seated(number, 9, 5), number, 9, 5))) == 2


@pytest.mark.parametrize("shepherd", ["shepherd_first", "blacksmith_waits"])
@pytest.mark.parametrize("sent", list(permutations((10, 8, 7, 3))))
def test_03_shepherd_collects_before_any_blacksmith(sent: tuple[int, ...], shepherd: str) -> None:
    state = turn(_seated(*sent, revealed=4, deck=(1, 2, 3, 4), turns=1, shepherd=shepherd), *sent)
    order = [number for _, number, _ in takes(state)]
    assert sorted(order) == [3, 7, 8, 10]
    assert order.index(3) < order.index(8)
    assert order.index(10) < order.index(7)


def test_03_shepherds_collect_before_blacksmiths_and_may_leave_them_nothing() -> None:
    state = turn(_seated(8, 3, 8, 3, eggs=(5, -4)), 8, 3, 8, 3)
    assert takes(state) == [(1, 3, 5), (3, 3, -4)]
    assert state.scores() == [-4, 5, -4, -4]


@pytest.mark.parametrize("other", [4, 5, 6, 7, 9, 10])
def test_03_shepherd_comes_by_its_number_without_a_blacksmith(other: int) -> None:
    state = turn(_seated(3, other, revealed=1, decks=1, eggs=(5,)), 3, other)
    assert [number for _, number, _ in takes(state)] == [other]


@pytest.mark.parametrize("to", [1, 2, 3])
def test_04_courier_may_give_its_egg_to_any_other_player(to: int) -> None:
    state = send(_seated(4, 3, 2, 1, eggs=(-7, 5)), 4, 3, 2, 1)
    choose(state, -7, 5)
    assert (state.phase, state.deciders()) == ("gift", [0])
    assert len(state.legal_actions(0)) == 4  # three others, or keep it
    choose(state, to)
    assert owned(state, 0) == []
    assert sorted(owned(state, to)) == sorted([-7, 5] if to == 1 else [-7])


def test_04_courier_may_keep_its_egg() -> None:
    state = turn(_seated(4, 3, 2, eggs=(-7, 5)), 4, 3, 2, choices=(-7, 5, None))
    assert [owned(state, seat) for seat in range(3)] == [[-7], [5], []]


def test_04_courier_gives_the_egg_of_this_turn_alone() -> None:
    state = turn(table((10, 4), (9, 3), (1, 2), eggs=(13, 1, -7, 5)), 10, 9, 1)
    turn(state, 4, 3, 2, choices=(-7, 5, 2))
    assert [owned(state, seat) for seat in range(3)] == [[13], [1, 5], [-7]]


def test_04_courier_who_collected_nothing_has_nothing_to_decide() -> None:
    state = turn(table((10, 4), (9, 6), (1, 5), eggs=(13, 12, 3, 4)), 10, 9, 1)
    choose(send(state, 4, 6, 5), 3, 4)
    assert state.phase == "discard"  # the Priest's, and no gift before
    assert events(finish(state), "gift") == []


@pytest.mark.parametrize(
    ("number", "others", "eggs", "points"),
    [
        (5, (10, 9), (13, 12), 6),  # none left
        (5, (10, 1), (13, 12), 12),  # its egg, no bonus
        (5, (10, 1), (13, -3), -3),
        (8, (10, 9), (13, 12), -4),
        (8, (10, 1), (13, 12), 12),
        (8, (10, 1), (13, -3), -3),
        (8, (3, 10), (13, 12), -4),
        (10, (9, 8), (13, 12), 13),
        (4, (10, 9), (13, 12), 0),  # no other card counts for itself
        (9, (9, 9), (13, 12), 0),
    ],
)
def test_05_merchant_and_08_blacksmith_count_if_they_did_not_collect(
    number: int, others: tuple[int, ...], eggs: tuple[int, ...], points: int
) -> None:
    assert _bonus(number, *others, eggs=eggs) == points


def test_05_merchant_and_08_blacksmith_count_at_the_end_of_the_round() -> None:
    state = table((5, 8), (10, 9), (9, 3), turns=2, rounds=2, eggs=(13, 12, 1, 2))
    for sent, points, total in (((5, 10, 9), 6, 0), ((8, 9, 3), 0, 6 - 4)):
        turn(state, *sent)
        assert state.observation(2).points(0) == points
        assert state.observation(2).total(0) == total
    assert totals(state) == [6 - 4, 13 + 1, 12 + 2]


def test_06_priest_may_discard_any_egg_it_collected_this_round() -> None:
    state = table((10, 6), (9, 5), (1, 4), eggs=(-7, 12, -6, 4))
    turn(state, 10, 9, 1, choices=(-7, 12))
    choose(send(state, 6, 5, 4), -6, 4)
    assert (state.phase, state.deciders()) == ("discard", [0])
    places = [egg.place for egg in state.observation(0).owned()]
    assert state.legal_actions(0) == [DISCARD_NOTHING, *(FIRST_DISCARD + p for p in places)]
    for discarded, left in ((None, [-7, -6]), (-7, [-6]), (-6, [-7])):
        after = finish(choose(state.clone(), discarded))
        assert owned(after, 0) == left
        assert after.scores() == [sum(left), 12 + 4, 0]


def test_06_priest_who_collected_nothing_has_nothing_to_discard() -> None:
    state = table((10, 6), (9, 7), (1, 8), eggs=(-7, 12, 3, 4))
    turns(state, (10, 9, 1))
    choose(send(state, 6, 7, 8), 3, 4)
    assert state.phase == "card"
    assert owned(state, 0) == [-7]


def test_07_mage_never_takes_a_negative_egg_that_lies_face_up() -> None:
    state = send(_seated(7, 5, 4, eggs=(-2, 3)), 7, 5, 4)
    assert state.legal_actions(0) == [FIRST_EGG + 1]
    none = turn(_seated(7, 5, 4, eggs=(-2, -3)), 7, 5, 4)
    assert takes(none) == [(1, 5, -2), (2, 4, -3)]
    assert none.scores()[0] == 0


def _scouted(value: int, *face_up: int) -> Any:
    """Return a turn in which seat 0, a Mage, decides about an egg that seat 2 has laid."""
    state = table((10, 7), (9, 5), (2, 4), eggs=(13, 12, *face_up, value))
    turn(state, 10, 9, 2)
    return send(state, 7, 5, 4)


@pytest.mark.parametrize("value", [-10, 11])
def test_07_mage_may_take_a_face_down_egg_and_keeps_it(value: int) -> None:
    state = _scouted(value, -2, -3)
    assert state.legal_actions(0) == [FIRST_EGG + 4, TAKE_NOTHING]
    assert offer(state, 0) == [-2, -3, None]
    finish(choose(state, FACE_DOWN))
    assert owned(state, 0) == [13, value]
    assert state.scores()[0] == 13 + value


def test_07_mage_may_refuse_a_face_down_egg() -> None:
    state = choose(_scouted(11, -2, -3), None)
    assert state.deciders() == [1]  # the next goes on
    assert state.legal_actions(1) == [FIRST_EGG + 2, FIRST_EGG + 3, FIRST_EGG + 4]
    finish(choose(state, FACE_DOWN))
    assert owned(state, 0) == [13]
    assert owned(state, 1) == [12, 11]


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 8, 9, 10])
def test_07_no_other_card_may_refuse_an_egg(number: int) -> None:
    first = 3 if number == 1 else 1
    state = table((first, number), (2, 1), (10, 1), eggs=(13, 12, -2, -3, -4))
    turns(state, (first, 2, 10))
    send(state, number, 1, 1)
    assert state.legal_actions(0) == [FIRST_EGG + 2, FIRST_EGG + 3, FIRST_EGG + 4]


@pytest.mark.parametrize(
    ("sent", "takers"),
    [
        ((9, 8, 7), [9, 8]),
        ((9, 9, 7), [7]),
        ((9, 9, 9), []),
        ((10, 9, 9, 5, 4), [10, 5, 4]),  # three eggs for five players
        ((9, 9, 9, 9, 9, 1), [1]),
    ],
)
def test_09_more_than_one_dark_priestess_cancel(sent: tuple[int, ...], takers: list[int]) -> None:
    state = turn(_seated(*sent, eggs=(5, 4, 3, 2), holder=1), *sent)
    assert [number for _, number, _ in takes(state)] == takers
    assert state.holder == 1  # no tie
    assert 9 not in hands(state)[0]


def test_10_hero_has_no_ability_and_comes_first() -> None:
    state = turn(_seated(8, 3, 10, 9, eggs=(13, -6)), 8, 3, 10, 9)
    assert takes(state) == [(2, 10, 13), (3, 9, -6)]
    worse = turn(_seated(10, 9, 9, eggs=(-6, -7)), 10, 9, 9)
    assert worse.scores() == [-6, 0, 0]
    assert worse.phase == "card"
