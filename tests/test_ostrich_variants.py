"""The rules as values: impossible ones are refused by name, possible ones are kept in one form."""

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import ostrich
from ostrich import Rules
from tests.variants import any_rules

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"rounds": 11}, "rounds=11 must be from 1 to 10, the cards left when 2 of 12 are removed"),
    ({"rounds": 0}, "rounds=0 must be from 1 to 10"),
    ({"rounds": -1}, "rounds=-1"),
    ({"removed": 3}, "rounds=10 must be from 1 to 9"),
    ({"removed": -1}, "removed is -1; it must be from 0 to 11"),
    ({"removed": 12}, "removed is 12"),
    ({"players": 1}, "players is 1; it must be from 2 to 4"),
    ({"players": 5}, "players is 5"),
    ({"players": 0}, "players is 0"),
    ({"players": -3}, "players is -3"),
    ({"bags": ()}, "the number of bags is 0; it must be from 1 to 4"),
    ({"bags": (1, 2, 3, 4, 5)}, "the number of bags is 5"),
    ({"bags": (0, 2)}, "a bag's size is 0; it must be from 1 to 15"),
    ({"bags": (2, 16)}, "a bag's size is 16"),
    ({"bags": (-1,)}, "a bag's size is -1"),
    ({"bags": (2, 3, 2)}, r"bags=\(2, 2, 3\) has two bags of one size"),
    ({"deck": (), "removed": 0, "rounds": 1}, "the number of cards in the deck is 0"),
    ({"deck": (5,) * 33}, "the number of cards in the deck is 33; it must be from 1 to 32"),
    ({"deck": (100,), "removed": 0, "rounds": 1}, "a card is 100; it must be from 0 to 99"),
    ({"deck": (5, -1), "removed": 0, "rounds": 1}, "a card is -1"),
    ({"amber_value": -1}, "amber_value is -1; it must be from 0 to 100"),
    ({"amber_value": 101}, "amber_value is 101"),
]

NOT_NUMBERS: list[Any] = ["3", 3.0, 2.5, True, False, None, np.bool_(True), float("nan"), [3]]


@pytest.mark.parametrize(("changes", "message"), REFUSED)
def test_impossible_rules_are_refused_naming_the_value(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Rules(**changes)


@pytest.mark.parametrize("name", ["players", "removed", "rounds", "amber_value"])
@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_what_is_no_whole_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name}=.* is not a whole number"):
        Rules(**{name: value})


@pytest.mark.parametrize("name", ["bags", "deck"])
@pytest.mark.parametrize("value", NOT_NUMBERS[:-1], ids=repr)
def test_a_list_of_what_is_no_whole_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name}=.* is not a whole number"):
        Rules(**{name: (5, value)})


@pytest.mark.parametrize("name", ["bags", "deck"])
@pytest.mark.parametrize("value", ["2,3", "235", 5, None, 2.5, True], ids=repr)
def test_what_is_no_list_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name}=.* is not a list of whole numbers"):
        Rules(**{name: value})


@pytest.mark.parametrize("value", [1, 0, "True", None, "", 2.0, np.bool_(True)], ids=repr)
def test_out_players_can_win_must_be_true_or_false(value: Any) -> None:
    with pytest.raises(ValueError, match=r"out_players_can_win=.* is not True or False"):
        Rules(out_players_can_win=value)


@pytest.mark.parametrize(
    "changes",
    [
        {"players": 2},
        {"players": 4},
        {"bags": (1,)},
        {"bags": (15,)},
        {"bags": (1, 2, 14, 15)},
        {"deck": (99,), "removed": 0, "rounds": 1},
        {"deck": (0,) * 32, "removed": 0, "rounds": 32},
        {"deck": (1,) * 32, "removed": 31, "rounds": 1},
        {"removed": 0, "rounds": 12},
        {"removed": 11, "rounds": 1},
        {"amber_value": 0},
        {"amber_value": 100},
        {"out_players_can_win": True},
    ],
)
def test_the_outermost_values_are_taken(changes: dict[str, Any]) -> None:
    variant = Rules(**changes)
    assert {name: getattr(variant, name) for name in changes} == changes
    assert ostrich.Game(variant).new_initial_state(seed=1).round == 0


def test_lists_are_taken_and_kept_sorted_as_tuples() -> None:
    variant = Rules(bags=[7, 2, 5, 3], deck=[10, 0, 9, 5, 0, 4, 5, 6, 9, 7, 0, 8])  # type: ignore[arg-type]
    assert variant.bags == (2, 3, 5, 7)
    assert variant.deck == (0, 0, 0, 4, 5, 5, 6, 7, 8, 9, 9, 10)
    assert variant == Rules()


def test_numpy_numbers_are_kept_as_plain_ones() -> None:
    variant = Rules(players=np.int8(2), bags=np.array([3, 2]), amber_value=np.uint16(5))  # type: ignore[arg-type]
    assert variant == Rules(players=2, bags=(2, 3), amber_value=5)
    numbers = [variant.players, variant.amber_value, *variant.bags, *variant.deck]
    assert {type(number) for number in numbers} == {int}


def test_the_defaults_are_the_published_game() -> None:
    published = Rules()
    assert (published.players, published.bags) == (3, (2, 3, 5, 7))
    assert published.deck == (0, 0, 0, 4, 5, 5, 6, 7, 8, 9, 9, 10)
    assert (published.removed, published.rounds, published.amber_value) == (2, 10, 4)
    assert published.out_players_can_win is False
    assert (published.skip, published.num_actions) == (4, 5)


@pytest.mark.parametrize("bags", [(5,), (2, 3), (2, 3, 5), (2, 3, 5, 7)])
def test_the_actions_are_one_a_bag_and_then_skip(bags: tuple[int, ...]) -> None:
    game = ostrich.Game(Rules(bags=bags))
    assert (game.rules.skip, game.num_actions) == (len(bags), len(bags) + 1)
    called = [game.action_to_string(action) for action in range(game.num_actions)]
    assert called == [*map(str, bags), "skip"]
    assert game.new_initial_state(seed=1).legal_actions(0) == list(range(game.num_actions))


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Rules().players = 2  # type: ignore[misc]


@given(any_rules())
def test_equal_rules_are_equal_and_have_one_hash(variant: Rules) -> None:
    other = Rules(
        variant.players,
        variant.bags[::-1],
        variant.deck[::-1],
        variant.removed,
        variant.rounds,
        variant.amber_value,
        variant.out_players_can_win,
    )
    assert other == variant
    assert hash(other) == hash(variant)
    assert len({other, variant, Rules()}) == (1 if variant == Rules() else 2)


@pytest.mark.parametrize(
    ("changes", "slug"),
    [
        ({}, ""),
        ({"players": 2}, "players-2"),
        ({"bags": (3, 2)}, "bags-2-3"),
        ({"amber_value": 5, "out_players_can_win": True}, "amber_value-5_out_players_can_win-True"),
    ],
)
def test_every_change_makes_rules_unequal_and_is_named(changes: dict[str, Any], slug: str) -> None:
    assert (Rules(**changes) == Rules()) is (not changes)
    assert Rules(**changes).slug() == slug
