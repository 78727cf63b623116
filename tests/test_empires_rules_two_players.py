"""Eggs and Empires, the rule text on two players, Con/Pub, and what it clarifies."""

import random
from collections import Counter
from typing import Any

import pytest

from empires import Game, Rules
from empires.actions import FIRST_EGG, send_action
from tests.empires_table import (
    finish,
    hands,
    play_on,
    send,
    table,
    takes,
    tokens,
    totals,
    turn,
)
from tests.sizes import size

PLAYERS = [2, 3, 4, 5, 6]
ALL_TEN = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)


def test_two_players_setup() -> None:
    assert Rules(players=2).eggs == Rules(players=3).eggs == Rules(players=4).eggs
    state = table((10, 8, 8, 3), (1, 1, 2, 2), players=2)
    assert hands(state) == [(3, 8, 8, 10), (1, 1, 2, 2)]
    assert [state.observation(0).unplayed(seat) for seat in (0, 1)] == [
        tuple(sorted(ALL_TEN * 2))
    ] * 2


def test_two_players_play_two_cards_and_may_collect_two_eggs() -> None:
    state = turn(table((10, 9), (8, 7), players=2, eggs=(13, 4)), (10, 9), (8, 7))
    assert takes(state) == [(0, 10, 13), (0, 9, 4)]
    assert [len(hand) for hand in hands(state)] == [4, 4]


@pytest.mark.parametrize(
    ("hand", "pairs"),
    [
        ((10, 10, 8, 8), [(8, 10)]),
        ((10, 10, 8, 3), [(3, 8), (3, 10), (8, 10)]),
        ((4, 3, 2, 1), [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]),
    ],
)
def test_two_players_never_two_copies_of_a_card(hand: Any, pairs: list[tuple[int, int]]) -> None:
    state = table(hand, (1, 2, 3, 4), players=2)
    assert state.legal_actions(0) == sorted(send_action(pair) for pair in pairs)


def test_two_players_the_example_of_the_text() -> None:
    state = send(table((10, 8), (8, 3), players=2, eggs=(13, -6)), (10, 8), (8, 3))
    assert (state.deciders(), state.observation(0).acting) == ([0], 10)
    state.apply_actions([FIRST_EGG, None])  # the 13
    assert (state.deciders(), state.observation(1).acting) == ([1], 3)
    assert state.legal_actions(1) == [FIRST_EGG + 1]  # must take the -6
    finish(state)
    assert takes(state) == [(0, 10, 13), (1, 3, -6)]
    assert state.scores() == [13 - 4, -6 - 4]
    assert [len(hand) for hand in hands(state)] == [4, 4]


@pytest.mark.parametrize(("players", "needed"), [(2, 3), (3, 3), (4, 3), (5, 2), (6, 2)])
def test_con_pub_tokens_needed_to_win(players: int, needed: int) -> None:
    numbers = [10, 6, 5, 4, 3, 2][:players] if players > 2 else [(10, 9), (2, 1)]
    series = [(one,) if isinstance(one, int) else one for one in numbers]
    state = table(*series, players=players, con_pub=True, turns=1, eggs=(13, 5, 4, 3))
    for won in range(1, needed + 1):
        assert not state.is_terminal()
        turn(state, *numbers)
        assert tokens(state) == [won] + [0] * (players - 1)
    assert state.is_terminal()
    assert state.returns() == [1.0] + [0.0] * (players - 1)


def test_con_pub_each_tied_player_collects_a_token() -> None:
    state = table((10,), (9,), (1,), con_pub=True, turns=1, deck=(5, 5))
    turn(state, 10, 9, 1)
    assert tokens(state) == [1, 1, 0]


def test_con_pub_the_highest_of_the_round_counts_not_the_total() -> None:
    eggs = [(13, 1), (2, 12), (3, 4)]  # the Hero takes the first one
    state = table((10,), (9,), (1,), con_pub=True, turns=1, eggs=eggs)
    for expected in ([1, 0, 0], [1, 1, 0], [1, 2, 0]):
        assert tokens(turn(state, 10, 9, 1)) == expected
    assert totals(state) == [18, 17, 0]


@pytest.mark.parametrize("players", PLAYERS)
def test_clarifications_hold_in_any_playthrough(players: int) -> None:
    game = Game(Rules(players=players))
    for seed in range(size(12, 2)):
        rng = random.Random(seed)
        state = play_on(game.new_initial_state(seed=seed, index=players), rng.choice)
        happened, played = state.history(), Counter()
        starts = [i for i, event in enumerate(happened) if event[0] == "cards"]
        assert len(starts) == 27
        for start in starts:
            sent = happened[start][3]
            stop = next(i for i in range(start, len(happened)) if happened[i][0] == "unclaimed")
            _check_collecting(sent, happened[start:stop], happened[stop][1], players)
            played.update((happened[start][1], s, n) for s, ns in enumerate(sent) for n in ns)
        for r in range(3):
            for seat in range(players):
                copies = [played[r, seat, number] for number in ALL_TEN]
                assert max(copies) <= (2 if players == 2 else 1)
                assert sum(copies) == (18 if players == 2 else 9)


def _check_collecting(sent: Any, happened: Any, unclaimed: Any, players: int) -> None:
    """Hold one turn to the clarifications."""
    all_sent = Counter(number for numbers in sent for number in numbers)
    taken = [event[1:3] for event in happened if event[0] == "take"]
    numbers = [number for _, number in taken]
    assert len(set(taken)) == len(taken)  # a card collects one egg
    assert max(Counter(seat for seat, _ in taken).values(), default=0) <= len(sent[0])
    usual = [number for number in numbers if number != 3]
    assert usual == sorted(usual, reverse=True)
    if 3 in numbers and 8 in numbers:
        assert numbers.index(8) > max(i for i, number in enumerate(numbers) if number == 3)
    if all_sent[9] > 1:
        assert 9 not in numbers
    if unclaimed:  # then everyone else had to take one
        able = {(s, n) for s, ns in enumerate(sent) for n in ns if n not in (7, 9)}
        assert able <= set(taken)
