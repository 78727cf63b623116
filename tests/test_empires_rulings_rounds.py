"""Eggs and Empires, the rulings R-E14 to R-E23, on rounds and the game (not R-E19)."""

from collections import Counter
from typing import Any

import pytest

from empires import Game, Rules
from empires.actions import FIRST_EGG, KEEP_HAND, REDRAW
from tests.empires_table import (
    choose,
    events,
    finish,
    hands,
    keep_hands,
    offer,
    open_table,
    redraw,
    send,
    table,
    takes,
    tokens,
    totals,
    turn,
    turns,
)


def test_r_e14_as_many_eggs_as_there_are_are_revealed() -> None:
    state = table((10, 9, 8), (9, 8, 7), (8, 7, 6), deck=(3, 4, 5), turns=3, rounds=1)
    assert offer(state) == [3, 4]
    assert offer(turn(state, 10, 9, 8)) == [5]
    assert offer(turn(state, 9, 8, 7)) == []
    turn(state, 8, 7, 6)  # and there is nothing to take
    assert state.is_terminal()
    assert state.scores() == [3 + 5 - 4, 4 - 4, -4]


@pytest.mark.parametrize(
    ("value", "rounds"), [("every_round", [0, 1, 2]), ("first_round", [0]), ("off", [])]
)
def test_r_e15_when_hands_may_be_exchanged(value: str, rounds: list[int]) -> None:
    state, asked = table(mulligan=value, turns=2, keep=False), []
    while not state.is_terminal():
        if state.phase == "mulligan":
            asked.append(state.round)
            assert state.deciders() == [0, 1, 2]  # all at the same time
            assert state.legal_actions(1) == [KEEP_HAND, REDRAW]
            assert (offer(state), state.observation(0).mulligans) == ([], ())
            redraw(state, 0, 2)
            assert state.phase == "card"
            assert state.observation(1).mulligans == (0, 2)  # public
        finish(send(state, *(hand[0] for hand in hands(state))))
    assert asked == rounds


@pytest.mark.parametrize("players", [2, 3])
def test_r_e15_a_whole_new_hand_is_drawn_before_the_old_one_is_shuffled_in(players: int) -> None:
    state = Game(Rules(players=players)).new_initial_state()
    copies, size = (2, 4) if players == 2 else (1, 3)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert state.holder is None
    left = Counter(dict.fromkeys(range(1, 11), copies))
    left.subtract(hands(state)[1])
    redraw(state, 1)
    for _ in range(size):
        cards = left.total()
        assert state.chance_outcomes() == [(n, c / cards) for n, c in sorted(left.items()) if c]
        highest = max((+left).elements())
        state.apply_action(highest)
        left[highest] -= 1
    assert state.holder is None  # the marker comes after that
    assert hands(state)[1] == ((9, 9, 10, 10) if players == 2 else (8, 9, 10))


def test_r_e16_bonuses_count_for_each_card_that_collected_nothing() -> None:
    series = ((5, 8, 5, 8), (10, 9, 10, 9))
    state = table(*series, players=2, eggs=(13, 12, 11, 10), turns=2, rounds=1)
    turns(state, ((5, 8), (10, 9)), ((5, 8), (10, 9)))
    assert state.scores() == [2 * 6 - 2 * 4, 13 + 12 + 11 + 10]
    one = turn(table((5, 8), (10, 4), players=2, eggs=(3, 12)), (5, 8), (10, 4))
    assert one.scores() == [12 + 6, 3]  # by card, not by player


def test_r_e16_a_gift_or_a_discard_later_changes_nothing() -> None:
    waits = {"shepherd": "blacksmith_waits"}
    state = send(table((8,), (4,), (3,), eggs=(3, 12), **waits), 8, 4, 3)
    finish(choose(state, 3, 12, 0))  # the Courier gives its egg to the Blacksmith's player
    assert state.scores() == [3 - 4, 0, 12]
    two = send(table((5, 6), (1, 2), players=2, eggs=(4, -9)), (5, 6), (1, 2))
    finish(choose(two, 4, -9, -9))  # the Priest discards the Merchant's egg
    assert two.scores() == [4, 0]


#: First holder, what seats get in the first round, who holds the marker in the second (R-E17).
MARKERS = [
    (0, (5, 0, 0), 1),
    (1, (5, 0, 0), 2),
    (2, (5, 0, 0), 1),
    (0, (0, 5, 0), 2),
    (1, (0, 5, 0), 2),
    (2, (0, 5, 0), 0),  # the present holder comes last
    (0, (0, 0, 0), 1),
    (1, (0, 0, 0), 2),
    (2, (0, 0, 0), 0),
    (2, (0, 0, -5), 2),
    (0, (0, -5, 5), 1),
]


@pytest.mark.parametrize(("holder", "points", "expected"), MARKERS)
@pytest.mark.parametrize("con_pub", [False, True])
def test_r_e17_the_marker_at_a_rounds_start(
    holder: int, points: Any, expected: int, con_pub: bool
) -> None:
    collects = sorted((seat for seat in range(3) if points[seat]), key=lambda seat: seat)
    eggs = [points[seat] for seat in collects] or [0]
    sent = [10 - collects.index(seat) if seat in collects else 1 + seat for seat in range(3)]
    series = [(number,) for number in sent]
    state = table(
        *series, deck=eggs, turns=1, rounds=2, revealed=len(eggs), holder=holder, con_pub=con_pub
    )
    assert totals(keep_hands(turn(state, *sent))) == list(points)
    assert state.holder == expected


def test_r_e17_the_present_holder_is_the_one_after_a_tie_in_the_last_turn() -> None:
    state = table((10,), (1,), (1,), deck=(5,), revealed=1, turns=1, rounds=2, holder=0)
    keep_hands(turn(state, 10, 1, 1))  # the marker passes to seat 1, so seat 2 comes first
    assert state.holder == 2


def test_r_e17_the_totals_of_all_rounds_count() -> None:
    eggs = [(13, 12), (2, -10)]
    state = table(*[(10, 9, 1)] * 3, eggs=eggs, turns=1, mulligan="off")
    assert turn(state, 10, 9, 1).holder == 2
    turn(state, 1, 1, 10)  # seat 0 gets -10 and, after the tie, the marker
    assert totals(state) == [3, 12, 2]
    assert state.holder == 2


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_r_e18_the_first_holder_is_drawn_at_random(players: int) -> None:
    state = open_table(players=players)
    assert state.chance_outcomes() == [(seat, 1 / players) for seat in range(players)]
    game = Game(Rules(players=players, mulligan="off"))
    first = Counter(game.new_initial_state(seed=18, index=i).holder for i in range(120))
    assert set(first) == set(range(players))
    assert max(first.values()) < 2 * 120 / players


def test_r_e20_two_players_count() -> None:
    rules = Rules(players=2)
    assert (rules.cards_each, rules.hand_size, rules.cards_a_turn) == (20, 4, 2)
    state = table(players=2, rounds=1)
    for played in range(9):
        assert [len(hand) for hand in hands(state)] == [4, 4]
        assert [len(state.observation(0).played(seat)) for seat in (0, 1)] == [2 * played] * 2
        finish(send(state, *(_two_different(hand) for hand in hands(state))))
    assert [len(hand) for hand in hands(state)] == [2, 2]
    drawn = Counter(seat for seat, cards in events(state, "draw") for _ in cards)
    assert drawn == {0: 16, 1: 16}


def _two_different(hand: tuple[int, ...]) -> tuple[int, int]:
    return min(hand), max(hand)


def test_r_e20_common_order_and_a_scout_for_each_deck() -> None:
    state = table((10, 4, 2, 6), (9, 7, 2, 5), players=2, deck=range(1, 15), revealed=4, turns=3)
    turn(state, (10, 4), (9, 7))
    assert [number for _, number, _ in takes(state)] == [10, 9, 7, 4]
    turn(state, (2, 6), (2, 5))
    assert len(offer(state)) == 4 + 2


def _rounds_won(con_pub_players: int, winners: list[int], **given: Any) -> Any:
    """Play rounds of one turn of Con/Pub, each won by one seat: it alone gets an egg."""
    players = con_pub_players
    given = {"deck": (5,), "revealed": 1, "decks": 1, "hand": 3, **given}
    series = [(10, 1, 2)] * players
    state = table(*series, players=players, con_pub=True, turns=1, **given)
    for winner in winners:
        assert not state.is_terminal()
        turn(state, *(10 if seat == winner else 1 for seat in range(players)))
    return state


@pytest.mark.parametrize(("players", "most"), [(2, 5), (3, 7), (4, 9), (5, 6), (6, 7)])
def test_r_e21_as_many_rounds_as_it_takes(players: int, most: int) -> None:
    each = 2 if players <= 4 else 1
    winners = [*range(players)] * each + [0]
    assert len(winners) == most
    state = _rounds_won(players, winners)
    assert state.is_terminal()
    assert state.returns() == [1.0] + [0.0] * (players - 1)
    assert Rules(players=players, con_pub=True).max_rounds == most


#: Eggs of a round (the Heroes of seats 0 and 1 take them): level, and seat 0 ahead by a gift.
LEVEL, FOR_TWO = (7, 7), (9, 5)


def _shared(*by_round: Any) -> Any:
    """Play Con/Pub: level rounds of seats 0 and 1, and rounds for seat 2, seat 0 second."""
    eggs = [one if one == LEVEL else FOR_TWO for one in by_round]
    state = table(*[(10, 9, 1)] * 3, con_pub=True, turns=1, deck=(7, 7, 9, 5), eggs=eggs)
    for one in by_round:
        turn(state, *((10, 9, 1) if one == LEVEL else (9, 1, 10)))
    return state


def test_r_e21_several_reach_it_together() -> None:
    level = _shared(LEVEL, LEVEL, LEVEL)
    assert (tokens(level), level.returns()) == ([3, 3, 0], [1 / 2, 1 / 2, 0])
    ahead = _shared(LEVEL, FOR_TWO, LEVEL, LEVEL)
    assert (tokens(ahead), totals(ahead)) == ([3, 3, 1], [26, 21, 9])
    assert ahead.returns() == [1, 0, 0]


def test_r_e21_who_has_too_few_tokens_does_not_win_by_points() -> None:
    deck, eggs = (90, 1, 2), [(90, 1, 2), (1, 2, 90)]
    state = table(*[(10, 9, 1)] * 3, con_pub=True, turns=1, revealed=1, deck=deck, eggs=eggs)
    for sent in ((1, 9, 10), (10, 9, 1), (10, 9, 1), (10, 9, 1)):
        turn(state, *sent)
    assert (tokens(state), totals(state)) == ([3, 0, 1], [3, 0, 90])
    assert state.returns() == [1, 0, 0]


@pytest.mark.parametrize(
    ("players", "deck"),
    [*((3, (value,) * 3) for value in (0, 5, -5)), *((n, (0,)) for n in (2, 4, 5, 6))],
)
def test_r_e22_ties_share(players: int, deck: Any) -> None:
    given = {"players": players, "decks": 1, "revealed": 3}
    level = table(*[(10, 9, 1)] * players, deck=deck, turns=1, **given)
    turns(level, *[(10, 9, 1, 10, 10, 10)[:players]] * 3)
    assert level.returns() == [1 / players] * players


def test_r_e23_a_forced_choice_is_a_decision() -> None:
    state = table((10,), (9,), (8,), hand=1, mulligan="off", eggs=(13, -6))
    assert [state.legal_actions(seat) for seat in range(3)] == [[11], [10], [9]]
    send(state, 10, 9, 8)
    choose(state, 13)
    assert (state.phase, state.deciders()) == ("pick", [1])
    assert state.legal_actions(1) == [FIRST_EGG + 1]  # the last egg


def test_r_e23_a_card_that_may_take_no_egg_has_no_decision() -> None:
    state = send(table((7,), (6,), (5,), (4,), players=4, eggs=(-2, -3)), 7, 6, 5, 4)
    asked = []
    while state.phase == "pick":
        asked += state.deciders()
        choose(state, -2 if -2 in offer(state) else -3)
    assert asked == [1, 2]  # not the Mage, and not the Courier, for whom none is left
    gone = table((10, 9), (9, 8), (8, 7), deck=(1,), turns=2, rounds=1)
    turn(gone, 10, 9, 8)
    assert send(gone, 9, 8, 7).is_terminal()


def test_r_e23_one_legal_action_each_still_takes_all_turns() -> None:
    state = table(adventurers=(3, 8), hand=1, turns=2, mulligan="off", deck=(4,), rounds=1)
    asked = 0
    while not state.is_terminal():
        asked += len(state.deciders())
        legal = [state.legal_actions(seat) for seat in range(3)]
        assert {len(actions) for actions in legal} <= {0, 1}
        state.apply_actions([actions[0] if actions else None for actions in legal])
    assert asked == 3 + 1 + 3
