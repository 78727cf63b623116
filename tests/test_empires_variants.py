"""Eggs and Empires: rules, orders and actions that are refused; small variants are played."""

import random
from typing import Any

import numpy as np
import pytest

from empires import Deck, Game, Rules, State
from empires.actions import (
    DISCARD_NOTHING,
    FIRST_CARD,
    FIRST_EGG,
    FIRST_GIFT,
    FIRST_PAIR,
    KEEP_EGG,
    NUM_ACTIONS,
    TAKE_NOTHING,
)
from simulator.inputs import UsageError
from tests.empires_table import choose, open_table, play_on, send, table, turn

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"players": 1}, "players is 1; it must be from 2 to 6"),
    ({"players": 7}, "players is 7"),
    ({"players": -2}, "players is -2"),
    ({"rounds": 0}, "rounds is 0; it must be from 1 to 9"),
    ({"rounds": 10}, "rounds is 10"),
    ({"turns": 0}, "turns=0 must be from 1 to 10 with 10 cards each"),
    ({"turns": 11}, "turns=11 must be from 1 to 10 with 10 cards each"),
    ({"turns": 10, "players": 2}, "turns=10 must be from 1 to 9 with 20 cards each"),
    ({"turns": 4, "adventurers": (1, 2, 3), "hand": 1}, "turns=4 must be from 1 to 3"),
    ({"revealed": 0}, "revealed is 0; it must be from 1 to 4"),
    ({"revealed": 5}, "revealed is 5"),
    ({"decks": 0}, "decks is 0; it must be from 1 to 1"),
    ({"decks": 2}, "decks is 2; it must be from 1 to 1"),
    ({"decks": 3, "players": 2}, "decks is 3; it must be from 1 to 2"),
    ({"hand": 0}, "hand is 0; it must be from 1 to 10"),
    ({"hand": 11}, "hand is 11"),
    ({"hand": 2, "players": 2}, "hand is 2; it must be from 3 to 20"),
    ({"hand": 6}, "mulligan='every_round' needs 12 cards each, .* there are 10 .* needs no more"),
    ({"hand": 6, "mulligan": "first_round"}, "mulligan='first_round' needs 12 cards"),
    ({"hand": 11, "players": 2}, "mulligan='every_round' needs 22 cards each"),
    ({"adventurers": ()}, "the number of adventurers is 0; it must be from 1 to 10"),
    ({"adventurers": (0, 1, 2)}, "an adventurer is 0; it must be from 1 to 10"),
    ({"adventurers": (1, 2, 11)}, "an adventurer is 11"),
    ({"adventurers": (1, 2, 2)}, r"adventurers=\(1, 2, 2\) names one twice"),
    ({"adventurers": (1, 2, 3, 4), "turns": 9}, "turns=9 must be from 1 to 4 with 4 cards each"),
    ({"mulligan": "never"}, "mulligan='never' is not one of every_round, first_round, off"),
    ({"mulligan": True}, "mulligan=True is not one of"),
    ({"shepherd": "first"}, "shepherd='first' is not one of shepherd_first, blacksmith_waits"),
    ({"shepherd": None}, "shepherd=None is not one of"),
    ({"deck": "real"}, "there is no deck 'real'"),
    ({"deck": ()}, "deck own has 0 eggs"),
    ({"deck": (1,) * 65}, "at most 64 eggs, not 65"),
    ({"deck": (1, 100)}, "an egg is worth -99 to 99, not 100"),
    ({"deck": (1, -100)}, "an egg is worth -99 to 99, not -100"),
    ({"deck": (1, 2.5)}, "deck=2.5 is not a whole number"),
    ({"deck": (1, "2")}, "deck='2' is not a whole number"),
    ({"deck": (1, True)}, "deck=True is not a whole number"),
    ({"deck": 5}, "5"),
    ({"deck": 2.5}, "2.5"),
    ({"deck": None}, "None"),
    ({"deck": True}, "True"),
    ({"revealed": 3}, "deck assumed has 22 eggs for 3 players; 9 turns with 3 eggs each need 27"),
]
NOT_NUMBERS: list[Any] = ["3", 3.0, 2.5, True, np.bool_(True), float("nan"), [3]]
NOT_LISTS: list[Any] = ["2,3", 5, None, 2.5, True]


@pytest.mark.parametrize(("changes", "message"), REFUSED, ids=lambda value: str(value)[:40])
def test_impossible_rules_are_refused_naming_the_value(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Rules(**changes)


@pytest.mark.parametrize("name", ["players", "turns", "rounds", "decks", "hand", "revealed"])
@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_what_is_no_whole_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name}=.* is not a whole number"):
        Rules(**{name: value})


@pytest.mark.parametrize("value", NOT_LISTS, ids=repr)
def test_adventurers_must_be_a_list_of_whole_numbers(value: Any) -> None:
    with pytest.raises(ValueError, match=r"adventurers=.* is not a list of whole numbers"):
        Rules(adventurers=value)


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_an_adventurer_must_be_a_whole_number(value: Any) -> None:
    with pytest.raises(ValueError, match=r"adventurers=.* is not a whole number"):
        Rules(adventurers=(1, value))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [1, 0, "True", None, np.bool_(True)], ids=repr)
def test_con_pub_must_be_true_or_false(value: Any) -> None:
    with pytest.raises(ValueError, match=r"con_pub=.* is not True or False"):
        Rules(con_pub=value)


def test_the_defaults_are_the_published_game() -> None:
    for players, cards, hand, eggs in ((2, 2, 4, 2), (3, 1, 3, 2), (5, 1, 3, 3), (6, 1, 3, 4)):
        rules = Rules(players=players)
        assert (rules.cards_a_turn, rules.hand_size, rules.eggs_a_turn) == (cards, hand, eggs)
        assert (rules.turns, rules.rounds, rules.con_pub) == (9, 3, False)
        assert (rules.mulligan, rules.shepherd) == ("every_round", "shepherd_first")
    assert Rules(adventurers=[*range(10, 0, -1)]) == Rules()  # type: ignore[arg-type]


def test_a_mulligan_needs_cards_for_two_hands_and_no_more() -> None:
    assert Rules(hand=5).hand_size == 5  # of ten cards
    assert Rules(players=2, hand=10).hand_size == 10  # of twenty


SMALL: dict[str, dict[str, Any]] = {
    "one turn": {"turns": 1, "rounds": 1},
    "all ten cards": {"turns": 10, "deck": (1, -1) * 10},
    "one Adventurer": {"adventurers": (7,), "hand": 1, "turns": 1, "mulligan": "off"},
    "one egg": {"deck": (-99,), "rounds": 9},
    "64 eggs": {"deck": (99,) * 64, "players": 6},
    "four eggs a turn": {"revealed": 4, "deck": (1,) * 40},
    "a whole hand": {"hand": 10, "mulligan": "off", "rounds": 1},
    "two decks of two": {"players": 2, "adventurers": (9, 10), "hand": 3, "turns": 1,
                         "mulligan": "off"},
    "two players, hand of three": {"players": 2, "hand": 3, "turns": 9},
    "one deck each": {"players": 2, "decks": 1},
    "con pub": {"con_pub": True, "turns": 2, "players": 4},
    "Scouts and Mages": {"adventurers": (2, 7), "hand": 1, "turns": 2, "players": 6},
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_small_variants_are_played_to_the_end(name: str) -> None:
    rules = Rules(**SMALL[name])
    for seed in range(3):
        state = Game(rules).new_initial_state(seed=seed)
        play_on(state, random.Random(seed).choice)
        assert sum(state.returns()) == pytest.approx(1)
        cards = [event for event in state.history() if event[0] == "cards"]
        rounds = sum(event[0] == "round" for event in state.history())
        assert len(cards) == rounds * rules.turns
        assert rounds <= rules.max_rounds
        assert rounds == rules.max_rounds or rules.con_pub


EGGS = [1, 2, 3, 4]
CARDS = [1, 2, 3, 4]
TINY = Rules(deck=tuple(EGGS), adventurers=tuple(CARDS), hand=2, turns=2, rounds=2)
FAIR: dict[str, Any] = {"egg_decks": [EGGS] * 2, "empire_decks": [[CARDS] * 3] * 2}
BAD_ORDERS: list[tuple[dict[str, Any], str]] = [
    ({"seed": 1}, r"give a seed or orders \(egg_decks, ...\), not both"),
    ({"egg_decks": None}, "orders need both egg_decks and empire_decks"),
    ({"empire_decks": None}, "orders need both egg_decks and empire_decks"),
    ({"egg_decks": [EGGS]}, "egg_decks must be a list of 2 items, not 1 items"),
    ({"egg_decks": 5}, "egg_decks must be a list of 2 items, not 5"),
    ({"egg_decks": "1234"}, "egg_decks must be a list of 2 items"),
    ({"egg_decks": [EGGS, [1, 2, 3]]}, r"egg_decks\[1\] must be an order of \[1, 2, 3, 4\]"),
    ({"egg_decks": [EGGS, [1, 2, 3, 3]]}, r"egg_decks\[1\] must be an order of .* \[1, 2, 3, 3\]"),
    ({"egg_decks": [[*EGGS, 5], EGGS]}, r"egg_decks\[0\] must be an order of"),
    ({"egg_decks": [EGGS, 7]}, r"egg_decks\[1\] must be a list of whole numbers, not 7"),
    ({"egg_decks": ["1234", EGGS]}, r"egg_decks\[0\] must be a list of whole numbers"),
    ({"egg_decks": [EGGS, [1, 2, 3, 4.5]]}, r"an item of egg_decks\[1\] must be .*, not 4.5"),
    ({"egg_decks": [EGGS, [1, 2, 3, None]]}, r"an item of egg_decks\[1\] .*, not None"),
    ({"egg_decks": [[True, 2, 3, 4], EGGS]}, r"an item of egg_decks\[0\] .*, not True"),
    ({"empire_decks": [[CARDS] * 3]}, "empire_decks must be a list of 2 items, not 1 items"),
    ({"empire_decks": [[CARDS] * 3, [CARDS] * 2]}, r"empire_decks\[1\] must be a list of 3 items"),
    ({"empire_decks": [[CARDS] * 3, None]}, r"empire_decks\[1\] must be a list of 3 .* not None"),
    (
        {"empire_decks": [[CARDS] * 3, [CARDS, CARDS, [1, 2, 3, 5]]]},
        r"empire_decks\[1\]\[2\] must be an order of \[1, 2, 3, 4\], not \[1, 2, 3, 5\]",
    ),
    ({"reshuffle": [None]}, "reshuffle must be a list of 2 items"),
    ({"reshuffle": [[None] * 2, None]}, r"reshuffle\[0\] must be a list of 3 items"),
    ({"reshuffle": [None, [None, [3, 4], None]]}, r"reshuffle\[1\]\[1\] must be .* \[1, 2\]"),
    ({"reshuffle": [None, [[1, 2, 3], None, None]]}, r"reshuffle\[1\]\[0\] must be an order of"),
    ({"holder": 3}, "holder must be a whole number from 0 to 2, not 3"),
    ({"holder": -1}, "holder must be .* not -1"),
    ({"holder": True}, "holder must be .* not True"),
    ({"holder": 0.5}, "holder must be .* not 0.5"),
]


@pytest.mark.parametrize(("changes", "message"), BAD_ORDERS, ids=lambda value: str(value)[:40])
def test_orders_that_the_rules_do_not_have_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    Game(TINY).new_initial_state(**FAIR)  # as it is, it is taken
    with pytest.raises(UsageError, match=message):
        Game(TINY).new_initial_state(**{**FAIR, **changes})


@pytest.mark.parametrize("given", [{"holder": 1}, {"reshuffle": [None] * 2}])
def test_orders_need_both_decks(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="orders need both egg_decks and empire_decks"):
        Game(TINY).new_initial_state(**given)


@pytest.mark.parametrize("seed", [-1, 2**64, "x", 1.5, True])
def test_no_seed_is_refused_by_name(seed: Any) -> None:
    with pytest.raises(UsageError, match="seed must be"):
        Game(TINY).new_initial_state(seed=seed)


def _unchanged(state: State, joint: Any, message: str) -> None:
    """See to it that a joint action is refused and that nothing has changed."""

    def told() -> list[str]:
        players = range(state.rules.players)
        return [str(state), *map(state.information_state_string, players), str(state.history())]

    before, twin = told(), state.clone()
    with pytest.raises(ValueError, match=message):
        state.apply_actions(joint)
    assert told() == before
    if state.deciders():
        assert play_on(state).history() == play_on(twin).history()


def _due(phase: str) -> State:
    """Return a state at a decision; in the last three seat 1 decides."""
    if phase == "mulligan":
        return table(keep=False)
    state = table((10, 1), (4, 7), (2, 3), eggs=(13, 5, 4, -2, -3))
    if phase == "card":
        return state
    if phase == "pick":
        return choose(send(state, 10, 4, 2), 13)
    if phase == "gift":
        return choose(send(state, 10, 4, 2), 13, 5)
    priest = table((10,), (6,), (2,), eggs=(13, 5))
    return choose(send(priest, 10, 6, 2), 13, 5)


SEND_10, SEND_4, SEND_2 = FIRST_CARD + 9, FIRST_CARD + 3, FIRST_CARD + 1
#: For a phase joint actions that are none: of all seats, and of seat 1 alone.
ILLEGAL: dict[str, tuple[list[Any], list[Any]]] = {
    "mulligan": (
        [[0, 0], [0, 0, 0, 0], [], [0, None, 0], [0, 0, 2], [0, -1, 0], [True, 0, 0], [0, "1", 0]],
        [],
    ),
    "card": (
        [
            [SEND_10, SEND_4],
            [SEND_10, SEND_4, SEND_2, None],
            [SEND_10, None, SEND_2],
            [SEND_4, SEND_4, SEND_2],  # not in hand
            [SEND_10, SEND_4, FIRST_PAIR],
            [SEND_10, SEND_4, NUM_ACTIONS],
            [SEND_10, SEND_4, -1],
            [SEND_10, SEND_4, True],  # action 1
            [0, 0, 0],
            [SEND_10, float(SEND_4), SEND_2],
            [SEND_10, SEND_4, float("nan")],
        ],
        [],
    ),
    "pick": (
        [[FIRST_EGG + 1, None, None], [FIRST_EGG + 1] * 3, [None, FIRST_EGG + 1, SEND_2]],
        [None, FIRST_EGG, FIRST_EGG + 2, TAKE_NOTHING, KEEP_EGG, SEND_4, FIRST_EGG + 1.0],
    ),
    "gift": (
        [[KEEP_EGG, None, None], [None, None, FIRST_GIFT]],
        [None, FIRST_GIFT + 1, FIRST_GIFT + 3, FIRST_GIFT - 2, DISCARD_NOTHING, float(KEEP_EGG)],
    ),
    "discard": (
        [[DISCARD_NOTHING, None, None], [None, DISCARD_NOTHING, DISCARD_NOTHING]],
        [None, DISCARD_NOTHING + 1, DISCARD_NOTHING + 3, KEEP_EGG, float(DISCARD_NOTHING)],
    ),
}
CASES = [
    (phase, joint)
    for phase, (joints, alone) in ILLEGAL.items()
    for joint in [*joints, *([None, action, None] for action in alone)]
]


@pytest.mark.parametrize(("phase", "joint"), CASES, ids=str)
def test_illegal_joint_actions_are_refused_and_change_nothing(phase: str, joint: Any) -> None:
    state = _due(phase)
    assert state.phase == phase
    if phase not in ("mulligan", "card"):
        assert state.deciders() == [1]
    _unchanged(state, joint, "may not take action|nothing to decide|actions given for 3 players")


def test_a_mage_may_not_take_a_negative_egg_nor_two_players_two_copies() -> None:
    state = send(turn(_due("card"), 10, 4, 2), 1, 7, 3)
    _unchanged(state, [None, FIRST_EGG + 3, None], "player 1 may not take action")
    two = table((10, 10, 8, 3), (1, 2, 3, 4), players=2)
    for action in (FIRST_CARD + 9, FIRST_PAIR, FIRST_EGG):  # one card, not in hand, no card
        _unchanged(two.clone(), [action, FIRST_PAIR], "player 0 may not take action")


def test_nothing_is_taken_at_a_chance_node_or_after_the_end() -> None:
    _unchanged(Game().new_initial_state(), [0, 0, 0], "no decision is due: the phase is 'draw'")
    over = play_on(table(turns=1, rounds=1))
    for joint in ([0, 0, 0], [None] * 3):
        _unchanged(over, joint, "no decision is due: the phase is 'over'")
    with pytest.raises(ValueError, match="nothing is to be drawn: the phase is 'over'"):
        over.apply_action(0)


@pytest.mark.parametrize("outcome", [3, -1, None, "0", 0.5, 1.0, True])
def test_a_draw_that_cannot_be_is_refused_and_changes_nothing(outcome: Any) -> None:
    state = open_table()
    before = str(state), state.chance_outcomes()
    with pytest.raises(ValueError, match=r"cannot be drawn; possible are \[0, 1, 2\]"):
        state.apply_action(outcome)
    assert (str(state), state.chance_outcomes()) == before


@pytest.mark.parametrize("seat", [-1, 3, None, "0"])
def test_there_are_no_other_seats(seat: Any) -> None:
    state = table()
    for asked in (state.legal_actions, state.observation, state.information_state_string):
        with pytest.raises(ValueError, match="there is no player"):
            asked(seat)


def test_equal_rules_have_one_hash_and_a_change_is_named() -> None:
    deck = Deck("a", ((1, 2),) * 20)
    same = Deck("a", ((1, 2),) * 20)
    assert Rules(deck=deck) == Rules(deck=same)
    assert len({Rules(deck=deck), Rules(deck=same), Rules()}) == 2
    assert Rules(players=2, con_pub=True).slug() == "players-2_con_pub-True"
    assert Rules().slug() == ""
