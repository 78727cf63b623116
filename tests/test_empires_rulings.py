"""Eggs and Empires, the rulings R-E1 to R-E13, on a turn; R-E19 is in `test_empires_hidden.py`."""

from collections import Counter
from typing import Any

import pytest

from empires import Deck, Game, Rules
from empires.actions import FIRST_EGG, FIRST_GIFT, KEEP_EGG, TAKE_NOTHING
from tests.empires_table import (
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

FIRST_PART = [*range(1, 14), *range(-10, -1)]  # 1 to 13 and -2 to -10
FIFTH = [1, 3, 5, 7, 9, 11, 12, -2, -4, -6]
SIXTH = [2, 4, 6, 8, 10, 12, 13, -3, -5, -8]


@pytest.mark.parametrize(
    ("players", "eggs"),
    [
        (2, FIRST_PART),
        (3, FIRST_PART),
        (4, FIRST_PART),
        (5, FIRST_PART + FIFTH),
        (6, FIRST_PART + FIFTH + SIXTH),
    ],
)
def test_r_e01_the_assumed_deck_and_its_label(players: int, eggs: list[int]) -> None:
    rules = Rules(players=players)
    assert Counter(rules.eggs) == Counter(eggs)
    scouts = 4 if players == 2 else players  # of a round
    assert 9 * rules.eggs_a_turn + scouts <= len(eggs)
    assert Game(rules).labels == {"egg_deck": "assumed (values assumed)"}
    known = Deck("known", tuple((value, 2) for value in range(22)))
    assert Game(Rules(deck=known)).labels == {"egg_deck": "known"}


@pytest.mark.parametrize("number", [1, 3, 5, 8, 10])
def test_r_e02_a_collector_takes_any_egg_and_must_take_one(number: int) -> None:
    state = send(table((number,), (9,), (9,), eggs=(-6, 13)), number, 9, 9)
    assert state.legal_actions(0) == [FIRST_EGG, FIRST_EGG + 1]
    assert [owned(choose(state.clone(), value), 0) for value in (-6, 13)] == [[-6], [13]]


#: Eggs that a Mage finds: face up, and face down; which it may take, and whether nothing.
MAGE = [
    ("r_e03", (3, 5), (-1,), (0, 1, 2), False),
    ("r_e03", (3, -2), (-1,), (0, 2), False),
    ("r_e03", (0, -2), (), (0,), False),  # nought is not negative
    ("r_e04", (-3, -2), (9,), (2,), True),
    ("r_e04", (-3, -2), (9, -9), (2, 3), True),
    ("r_e05", (-3, -2), (), None, False),
]


@pytest.mark.parametrize(("ruling", "face_up", "laid", "may_take", "may_refuse"), MAGE)
def test_r_e03_to_r_e05_what_a_mage_may_take(
    ruling: str, face_up: Any, laid: Any, may_take: Any, may_refuse: bool
) -> None:
    scouts = [2 if seat < len(laid) else 1 for seat in range(2)]
    eggs = (50, 50, *face_up, *laid)
    state = table((10, 7), (scouts[0], 5), (scouts[1], 4), eggs=eggs, deck=eggs, turns=2)
    send(turn(state, 10, *scouts), 7, 5, 4)
    if may_take is None:
        assert state.deciders() == [1]  # the next card goes on
        return
    nothing = [TAKE_NOTHING] if may_refuse else []
    assert state.legal_actions(0) == [FIRST_EGG + 2 + w for w in may_take] + nothing


def test_r_e04_a_mage_finds_face_down_eggs_alone_after_the_others() -> None:
    state = table((10, 7), (2, 8), (1, 9), eggs=(13, 12, -2, 3, -9))
    send(turn(state, 10, 2, 1), 7, 8, 9)
    choose(state, -2, 3)
    assert state.legal_actions(0) == [FIRST_EGG + 4, TAKE_NOTHING]
    finish(choose(state, None))
    assert owned(state, 0) == [13]


#: What is played from seat 0 on, and the order under each value of R-E6; 0 holds the marker.
SHEPHERDS = [
    ((10, 8, 7, 3), "10 3 8 7", "10 7 3 8"),
    ((8, 3, 8, 3), "3 3 8 8", "3 3 8 8"),
    ((9, 3, 8, 1), "9 3 8 1", "9 3 8 1"),
    ((5, 8, 3, 2), "3 8 5 2", "5 3 8 2"),
    ((2, 8, 3, 1), "3 8 2 1", "3 8 2 1"),
    ((8, 7, 6, 2), "8 7 6 2", "8 7 6 2"),  # no Shepherd
    ((10, 7, 3, 2), "10 7 3 2", "10 7 3 2"),  # no Blacksmith
]


@pytest.mark.parametrize(("sent", "first", "waits"), SHEPHERDS)
@pytest.mark.parametrize("value", ["shepherd_first", "blacksmith_waits"])
def test_r_e06_shepherds_and_blacksmiths(sent: Any, first: str, waits: str, value: str) -> None:
    series = [(number,) for number in sent]
    state = table(*series, players=4, revealed=4, deck=(1, 2, 3, 4), turns=1, shepherd=value)
    turn(state, *sent)
    order = " ".join(str(number) for _, number, _ in takes(state))
    assert order == (first if value == "shepherd_first" else waits)


def test_r_e07_several_ties_pass_the_marker_once_after_the_powers() -> None:
    state = send(table((4,), (4,), (5,), (5,), players=4, holder=2, eggs=(1, 2)), 4, 4, 5, 5)
    finish(choose(state, 1, 2))
    assert [seat for seat, _, _ in takes(state)] == [2, 3]
    assert state.holder == 3
    couriers = send(table((4,), (4,), (1,), holder=1, eggs=(3, 5)), 4, 4, 1)
    choose(couriers, 3, 5)
    assert (couriers.phase, couriers.deciders(), couriers.holder) == ("gift", [1], 1)
    assert finish(couriers).holder == 2


def test_r_e07_in_the_ninth_turn_too_and_with_two_players() -> None:
    state = table((10,), (10,), (9,), turns=1, rounds=1, holder=2)
    assert turn(state, 10, 10, 9).holder == 0
    two = turn(
        table((8, 5), (7, 5), players=2, holder=1, revealed=4, turns=4, eggs=(1, 2, 3, 4)),
        (8, 5),
        (7, 5),
    )
    assert [(seat, number) for seat, number, _ in takes(two)][2:] == [(1, 5), (0, 5)]
    assert two.holder == 0


def test_r_e08_cancelled_dark_priestesses_are_discarded_as_played() -> None:
    state = turn(table((9,), (9,), (1,), eggs=(5, 6)), 9, 9, 1)
    assert takes(state) == [(2, 1, 5)]
    assert [state.observation(2).played(seat) for seat in range(3)] == [(9,), (9,), (1,)]
    two = turn(table((9, 4), (9, 3), players=2, eggs=(5, 6)), (9, 4), (9, 3))
    assert takes(two) == [(0, 4, 5), (1, 3, 6)]


def test_r_e09_new_eggs_then_courier_priest_scout_then_draws() -> None:
    state = send(table((6,), (4,), (2,), eggs=(3, 5, 7, 9, 11)), 6, 4, 2)
    assert [len(hand) for hand in hands(state)] == [2, 2, 2]
    choose(state, 3, 5)
    for phase, seat in (("gift", 1), ("discard", 0)):
        assert (state.phase, state.deciders()) == (phase, [seat])
        assert offer(state) == [7, 9]  # new eggs lie there; no Scout yet, and nothing drawn
        assert [len(hand) for hand in hands(state)] == [2, 2, 2]
        choose(state, None)
    assert offer(state, 2) == [7, 9, 11]
    assert [len(hand) for hand in hands(state)] == [3, 3, 3]


@pytest.mark.parametrize(("number", "phase"), [(4, "gift"), (6, "discard")])
@pytest.mark.parametrize("holder", [0, 1, 2])
def test_r_e09_players_of_one_power_from_the_holder_on(
    number: int, phase: str, holder: int
) -> None:
    state = table(*[(number,)] * 3, revealed=3, deck=(1, 2, 3), holder=holder, turns=1)
    send(state, *[number] * 3)
    choose(state, 1, 2, 3)
    for step in range(3):
        assert (state.phase, state.deciders()) == (phase, [(holder + step) % 3])
        assert offer(state) == []  # none after the last turn
        choose(state, None)


@pytest.mark.parametrize("holder", [0, 1, 2])
def test_r_e09_scouts_from_the_holder_on(holder: int) -> None:
    state = turn(table((2,), (2,), (2,), eggs=range(1, 8), holder=holder), 2, 2, 2)
    seats = [(holder + step) % 3 for step in range(3)]
    assert events(state, "scout") == [(seat, 4 + step) for step, seat in enumerate(seats)]
    for step, seat in enumerate(seats):
        assert offer(state, seat)[2:] == [5 + w if w == step else None for w in range(3)]


def test_r_e10_a_courier_gives_the_egg_it_collected_itself() -> None:
    state = send(table((4,), (4,), (1,), eggs=(3, 5)), 4, 4, 1)
    choose(state, 3, 5)
    assert state.legal_actions(0) == [KEEP_EGG, FIRST_GIFT + 1, FIRST_GIFT + 2]
    choose(state, 1)
    assert state.legal_actions(1) == [KEEP_EGG, FIRST_GIFT, FIRST_GIFT + 2]
    choose(state, 2)  # not the egg just given, but what its own card collected
    assert [owned(state, seat) for seat in range(3)] == [[], [3], [5]]


def test_r_e11_a_priest_may_discard_an_egg_that_a_courier_just_gave() -> None:
    state = choose(send(table((6,), (4,), (1,), eggs=(8, -9)), 6, 4, 1), 8, -9, 0)
    assert (state.phase, owned(state, 0)) == ("discard", [8, -9])
    choose(state, -9)
    assert [owned(state, seat) for seat in range(3)] == [[8], [], []]


def test_r_e11_a_priest_never_discards_a_blacksmith_or_an_egg_of_an_earlier_round() -> None:
    state = table((8, 6), (10, 1), (9, 4), turns=2, rounds=2, eggs=(13, 12, -2, -3))
    turns(state, (8, 10, 9))
    choose(send(state, 6, 1, 4), -2, -3, None)
    assert len(state.legal_actions(0)) == 2  # nothing, or the one egg
    finish(choose(state, -2))
    assert totals(state)[0] == -4
    turn(state, 8, 10, 9)
    choose(send(state, 6, 1, 4), -2, -3, None)
    assert len(state.legal_actions(0)) == 2


def test_r_e12_a_scout_works_without_a_choice_also_when_it_collected() -> None:
    state = turn(table((2,), (1,), (9,), eggs=(1, 2, 3, 4, 5)), 2, 1, 9)
    assert [seat for seat, _, _ in takes(state)] == [2, 0]
    assert offer(state, 0) == [3, 4, 5]


def test_r_e12_a_scout_does_nothing_in_the_last_turn() -> None:
    state = turn(table((2,), (1,), (9,), turns=1, rounds=1), 2, 1, 9)
    assert events(state, "scout") == []
    ninth = turns(table(*[(10, 9, 8, 7, 6, 5, 4, 3, 2)] * 3, rounds=1, holder=1), *[
        (number,) * 3 for number in range(10, 1, -1)
    ])  # fmt: skip
    assert ninth.is_terminal() and events(ninth, "scout") == []
    eighth = table((10, 9, 8, 7, 6, 5, 4, 2), *[(10, 9, 8, 7, 6, 5, 4, 3)] * 2, rounds=1)
    turns(eighth, *[(number,) * 3 for number in range(10, 3, -1)], (2, 3, 3))
    assert events(eighth, "scout") == [(0, 18)]


@pytest.mark.parametrize("holder", [0, 1, 2])
def test_r_e12_scouts_with_an_emptying_deck(holder: int) -> None:
    state = turn(table((2,), (2,), (2,), deck=range(1, 7), holder=holder), 2, 2, 2)
    scouts = [(holder + step) % 3 for step in range(2)]  # two eggs are left for three Scouts
    assert [seat for seat, _ in events(state, "scout")] == scouts
    empty = turn(table((2,), (1,), (9,), deck=range(1, 5)), 2, 1, 9)
    assert events(empty, "scout") == []
    assert offer(empty) == [3, 4]


def test_r_e13_a_face_down_egg_that_nobody_took_is_discarded_unseen() -> None:
    state = table((2, 9), (10, 9), (1, 7), eggs=(13, 12, -2, -3, 11))
    turn(state, 2, 10, 1)
    turn(state, 9, 9, 7, choices=(None,))
    assert events(state, "unclaimed")[-1] == ((2, 3, 4),)
    assert [4 in state.observation(seat).known() for seat in range(3)] == [True, False, False]
    assert state.observation(1).unseen()[11] == 1
    assert 11 not in state.observation(0).unseen()
