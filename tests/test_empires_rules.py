"""Eggs and Empires, the rule text's paragraphs in its order: setup, turns, rounds, the end."""

from itertools import combinations
from typing import Any

import pytest

from empires import Deck, Game
from empires.actions import FIRST_EGG, send_action
from tests.empires_table import (
    events,
    finish,
    hands,
    keep_hands,
    offer,
    open_table,
    owned,
    play_on,
    redraw,
    send,
    table,
    takes,
    totals,
    turn,
    turns,
)

PLAYERS = [2, 3, 4, 5, 6]
REVEALED = {2: 2, 3: 2, 4: 2, 5: 3, 6: 4}
ALL_TEN = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
#: One card and one egg a turn, two players: who of two cards goes first.
DUEL: dict[str, Any] = {"players": 2, "decks": 1, "revealed": 1}


def test_components_six_matching_decks_of_ten_and_42_eggs() -> None:
    state = table(players=6)
    assert [state.observation(0).unplayed(seat) for seat in range(6)] == [ALL_TEN] * 6
    assert len(state.rules.eggs) == 42


@pytest.mark.parametrize(
    ("players", "used"), [(2, {1}), (3, {1}), (4, {1}), (5, {1, 2}), (6, {1, 2, 3})]
)
def test_setup_egg_cards_used(players: int, used: set[int]) -> None:
    marked = Deck("marked", ((1, 2),) * 20 + ((2, 5),) * 10 + ((3, 6),) * 10)
    state = open_table(players=players, deck=marked)
    state.apply_action(0)  # the marker
    assert {value for value, _ in state.chance_outcomes()} == used


def test_setup_decks_are_shuffled() -> None:
    game = Game()
    deals = [game.new_initial_state(seed=3, index=index) for index in range(60)]
    dealt = [hand for state in deals for hand in hands(state)]
    assert {len(set(hand)) for hand in dealt} == {3}
    assert {number for hand in dealt for number in hand} == set(ALL_TEN)
    assert len(set(dealt)) > 60
    assert len({tuple(offer(keep_hands(state))) for state in deals}) > 40


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_setup_draw_the_top_three_cards(players: int) -> None:
    series = [(10 - seat, 1, 2) for seat in range(players)]
    assert hands(table(*series, players=players)) == [(1, 2, 10 - s) for s in range(players)]


def test_setup_discard_the_entire_starting_hand_and_draw_three_new_cards() -> None:
    again = [None, (7, 3, 8, 2, 9, 1, 10), None]
    state = table((), ALL_TEN, (), reshuffle=again, keep=False)
    redraw(state, 1)
    assert hands(state) == [(1, 2, 3), (4, 5, 6), (1, 2, 3)]
    assert state.phase == "card"  # once only
    turns(state, (1, 4, 2), (2, 7, 1))  # 7 and 3, a card of the old hand, are drawn
    assert hands(state)[1] == (3, 5, 6)


@pytest.mark.parametrize("players", PLAYERS)
def test_setup_reveal_starting_eggs_from_the_top(players: int) -> None:
    state = table(players=players, eggs=(13, -6, 5, -2, 7), holder=1)
    assert offer(state) == [13, -6, 5, -2][: REVEALED[players]]
    assert state.holder == 1


@pytest.mark.parametrize("players", PLAYERS)
def test_gameplay_three_rounds_of_nine_turns(players: int) -> None:
    state = play_on(table(players=players))
    played = [event[:2] for event in events(state, "cards")]
    assert played == [(r, t) for r in range(3) for t in range(9)]
    assert state.is_terminal()


def test_choose_secretly_one_card_each_then_reveal_simultaneously() -> None:
    state = table((10, 4), (9, 3), (8, 2))
    assert (state.phase, state.deciders()) == ("card", [0, 1, 2])
    assert [state.observation(0).table(seat) for seat in range(3)] == [(), (), ()]
    with pytest.raises(ValueError, match="2 actions given for 3 players"):
        state.apply_actions([send_action((10,)), send_action((9,))])
    send(state, 4, 3, 2)
    for viewer in range(3):
        assert [state.observation(viewer).table(seat) for seat in range(3)] == [(4,), (3,), (2,)]


@pytest.mark.parametrize(("low", "high"), list(combinations(ALL_TEN, 2)))
def test_reveal_the_highest_number_chooses_first(low: int, high: int) -> None:
    state = turn(table((low,), (high,), **DUEL, eggs=(5,)), low, high)
    first = (0, 3) if (low, high) == (3, 8) else (1, high)
    assert takes(state) == [(*first, 5)]


def test_reveal_descending_order_of_six_cards() -> None:
    state = table((5,), (10,), (7,), (9,), (6,), (8,), players=6, eggs=(13, 12, 11, 10))
    turn(state, 5, 10, 7, 9, 6, 8)
    assert takes(state) == [(1, 10, 13), (3, 9, 12), (5, 8, 11), (2, 7, 10)]


def test_collect_no_more_than_one_egg_each() -> None:
    state = table((2, 6), (2, 5), (10, 4), eggs=(13, 12, 11, 10, 9, 8, 7, 6))
    turns(state, (2, 2, 10))
    assert len(offer(state)) == 4  # two more than usual, for three players
    turn(state, 6, 5, 4)
    assert [seat for seat, _, _ in takes(state)] == [0, 1, 2]
    assert offer(state) == [7, 6]


def test_collect_must_take_an_egg_if_able() -> None:
    state = send(table((10,), (9,), (8,), eggs=(-3, -10)), 10, 9, 8)
    assert state.legal_actions(0) == [FIRST_EGG, FIRST_EGG + 1]
    turn_over = finish(state)
    assert [owned(turn_over, seat) for seat in range(3)] == [[-3], [-10], []]


def test_collect_the_next_eligible_card_until_the_eggs_are_gone() -> None:
    state = turn(table((7,), (1,), (4,), (9,), players=4, eggs=(-2, -3)), 7, 1, 4, 9)
    assert takes(state) == [(3, 9, -2), (2, 4, -3)]  # the Mage is passed over, the Bard too late
    assert [owned(state, seat) for seat in range(4)] == [[], [], [-3], [-2]]


@pytest.mark.parametrize("holder", [0, 1, 2])
def test_tie_breaker_begins_with_the_holder_and_goes_clockwise(holder: int) -> None:
    state = turn(table((6,), (6,), (6,), holder=holder, eggs=(4, 5)), 6, 6, 6)
    assert [seat for seat, _, _ in takes(state)] == [holder, (holder + 1) % 3]
    assert state.holder == (holder + 1) % 3  # passed to the left


@pytest.mark.parametrize(
    ("sent", "moves"),
    [
        ((10, 6, 5, 4), False),
        ((10, 6, 5, 5), True),  # a tie for no egg
        ((9, 9, 5, 4), False),  # Dark Priestesses cancel
        ((9, 9, 9, 9), False),
        ((9, 9, 5, 5), True),
    ],
)
def test_tie_breaker_passes_after_a_tie_only(sent: tuple[int, ...], moves: bool) -> None:
    state = turn(table(*((one,) for one in sent), players=4, holder=3), *sent)
    assert state.holder == (0 if moves else 3)


def test_next_turn_discards_played_cards_and_unclaimed_eggs() -> None:
    state = turn(table((9,), (9,), (7,), eggs=(-2, -3, 8, 1)), 9, 9, 7)
    assert offer(state) == [8, 1]
    assert [owned(state, seat) for seat in range(3)] == [[], [], []]
    assert state.scores() == [0, 0, 0]
    assert hands(state) == [(1, 2, 3), (1, 2, 3), (1, 2, 3)]
    assert state.observation(1).played(0) == (9,)


@pytest.mark.parametrize("players", PLAYERS)
def test_next_turn_reveals_new_eggs(players: int) -> None:
    state = play_on(table(players=players, rounds=1))
    assert [len(event[2]) for event in events(state, "reveal")] == [REVEALED[players]] * 9


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_draw_back_up_to_three_and_one_card_is_left_unused(players: int) -> None:
    state = table(*[ALL_TEN[::-1]] * players, players=players, rounds=1)
    for number in range(10, 1, -1):
        # there is nothing left to draw before the ninth turn
        assert {len(hand) for hand in hands(state)} == {2 if number == 2 else 3}
        turn(state, *[number] * players)
    assert hands(state) == [(1,)] * players
    assert state.is_terminal()


def _two_turns(shift: int = 0, **changes: Any) -> Any:
    """Play a round of two turns, after which the seats, from `shift` on, have 2, 9 and 19."""
    series = [(5, 10), (10, 8), (7, 9)]
    turned = [series[(seat - shift) % 3] for seat in range(3)]
    state = table(*turned, eggs=(13, 12, -4, 7), turns=2, **changes)
    return turns(state, *zip(*turned, strict=True))


def test_round_scoring_eggs_merchant_and_blacksmith() -> None:
    # 5 gets nothing: +6, then -4; 13, then the Blacksmith gets nothing: -4; 12, then 7
    assert _two_turns(rounds=1).scores() == [6 - 4, 13 - 4, 12 + 7]


@pytest.mark.parametrize("lowest", [0, 1, 2])
@pytest.mark.parametrize("holder", [0, 1, 2])
def test_next_round_the_marker_goes_to_the_lowest_total(lowest: int, holder: int) -> None:
    state = keep_hands(_two_turns(lowest, rounds=2, holder=holder))
    assert state.round == 1
    assert sorted(totals(state)) == [2, 9, 19]
    assert totals(state)[lowest] == 2
    assert state.holder == lowest


def test_next_round_all_cards_and_eggs_are_back() -> None:
    state = _two_turns(rounds=2)
    assert (state.phase, state.round, state.turn) == ("mulligan", 1, 0)
    redraw(state, 0)
    assert hands(state) == [(2, 3, 4), (1, 8, 10), (1, 7, 9)]
    seen = state.observation(0)
    assert offer(state) == [13, 12]
    assert seen.unseen() == dict.fromkeys([*range(1, 12), *range(-10, -1)], 1)
    for seat in range(3):
        assert (seen.played(seat), seen.owned(seat), seen.points(seat)) == ((), (), 0)
        assert seen.unplayed(seat) == ALL_TEN


def test_game_end_the_scores_of_all_three_rounds_are_added() -> None:
    by_round = [(13, 12), (5, 4), (2, 1)]
    state = table((10,), (9,), (1,), eggs=by_round, turns=1)
    for expected in ([0, 0, 0], [13, 12, 0], [18, 16, 0]):
        assert totals(keep_hands(state)) == expected
        assert state.returns() == [0, 0, 0]
        turn(state, 10, 9, 1)
    assert state.is_terminal()
    assert state.scores() == totals(state) == [20, 17, 0]
    assert state.returns() == [1, 0, 0]


def test_game_end_tied_players_share_the_victory() -> None:
    state = table((10,), (9,), (1,), eggs=[(13, 11), (4, 5), (6, 7)], turns=1)
    turns(state, *[(10, 9, 1)] * 3)
    assert state.scores() == [23, 23, 0]
    assert state.returns() == [1 / 2, 1 / 2, 0]
