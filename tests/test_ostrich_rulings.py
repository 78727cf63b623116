"""Eggs of Ostrich, the rulings R-O1 to R-O11: where the rule text is silent."""

from collections import Counter
from typing import Any

import pytest

import ostrich
from tests.ostrich_table import ambers, bags, cautious, claim, hand, names, rounds, table

#: One bag that any share of a nine breaks: to claim on an egg card is to be out.
TINY: dict[str, Any] = {"bags": (1,), "deck": (0, 9, 9, 9), "removed": 0, "rounds": 4}
#: One card for three; four eggs fill the 4, break the 2 and are worth two points in the others.
DOZEN: dict[str, Any] = {"bags": (2, 4, 9, 10), "deck": (12,), "removed": 0, "rounds": 1}


@pytest.mark.parametrize(
    ("claims", "scores", "returns"),
    [
        ((4, 9, 10), [4, 2, 2], [1, 0, 0]),
        ((2, 9, 10), [0, 2, 2], [0, 1 / 2, 1 / 2]),
        ((4, 2, 4), [4, 0, 4], [1 / 2, 0, 1 / 2]),
        ((9, 9, 10), [2, 2, 2], [1 / 3, 1 / 3, 1 / 3]),
        ((2, 2, 2), [0, 0, 0], [1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_r_o01_tied_players_share_the_win(
    claims: tuple[int, ...], scores: list[int], returns: list[float]
) -> None:
    state = claim(table(12, **DOZEN), *claims)
    assert state.scores() == scores
    assert state.returns() == returns


def test_r_o01_four_tied_players_get_a_quarter_each() -> None:
    assert claim(table(12, **DOZEN, players=4), 9, 9, 10, 10).returns() == [0.25] * 4


def test_r_o02_the_card_of_a_broken_bag_does_not_lie_out() -> None:
    state = rounds(table(9, 9, 0, 0), (7, 5, 3), (3, 7, "skip"))
    assert hand(state, 0) == [2, 5, 7, "skip"]  # every card still held, the 7 back as well
    assert [state.observation(0).lying_out(player) for player in range(3)] == [None, 3, 4]
    rounds(state, (2, 2, 2), (5, 5, 5))
    assert 3 not in hand(state, 0)


def _amber_then_out(**changes: Any) -> ostrich.State:
    """Return a playthrough in which seat 0 has won an amber and then lost its only bag."""
    return rounds(table(0, 9, **{**TINY, **changes}), ("skip", 1, 1), (1, "skip", "skip"))


def test_r_o03_a_player_who_is_out_plays_no_more_and_cannot_win() -> None:
    state = _amber_then_out(rounds=2)
    assert state.scores() == [4, 0, 0]
    assert state.returns() == [0, 1 / 2, 1 / 2]
    going_on = _amber_then_out()
    assert hand(going_on, 0) == []
    for chosen in (0, 1, 7):
        with pytest.raises(ValueError, match="player 0 is out and takes no action"):
            going_on.apply_actions([chosen, 0, 0])


def test_r_o03_when_all_are_out_the_game_ends_and_all_share() -> None:
    state = rounds(_amber_then_out(), (None, 1, 1))
    assert state.is_terminal()
    assert (state.round, state.card, state.phase) == (3, None, "over")
    assert state.scores() == [4, 0, 0]
    assert state.returns() == [1 / 3, 1 / 3, 1 / 3]


def test_r_o03_other_value_out_players_can_win() -> None:
    can_win = {"out_players_can_win": True}
    assert _amber_then_out(rounds=2, **can_win).returns() == [1, 0, 0]
    assert rounds(_amber_then_out(**can_win), (None, 1, 1)).returns() == [1, 0, 0]
    level = claim(table(9, **{**TINY, "rounds": 1, **can_win}), 1, "skip", "skip")
    assert level.returns() == [1 / 3, 1 / 3, 1 / 3]
    assert hand(_amber_then_out(**can_win), 0) == []  # but plays no more cards


def test_r_o04_a_full_bag_may_be_claimed_and_breaks() -> None:
    state = rounds(table(6, 0, 4), 2, 3)
    assert bags(state, 0)[2] == 2
    assert 2 in hand(state, 0)
    claim(state, 2, 5, 7)
    assert bags(state, 0)[2] is None


def test_r_o04_a_share_of_no_eggs_does_nothing() -> None:
    changes = {"deck": (1, 2, 6, 9), "removed": 0, "rounds": 3}
    state = rounds(table(6, 9, 2, **changes), (2, 3, 5), (3, 5, 7), 2)
    assert [bags(state, player)[2] for player in range(3)] == [2, 0, 0]
    assert [state.observation(0).lying_out(player) for player in range(3)] == [0, 0, 0]


def test_r_o05_nothing_carries_over_when_all_skip() -> None:
    state = rounds(table(10, 4, 9), "skip", 5, "skip")
    assert [bags(state, player) for player in range(3)] == [{2: 0, 3: 0, 5: 1, 7: 0}] * 3


def test_r_o06_the_rest_of_a_share_stays_in_the_bank() -> None:
    state = rounds(table(8, 4), (5, 7, 7), (7, 5, 5))  # two are over, then one
    assert [bags(state, player)[5] for player in range(3)] == [2, 1, 1]
    assert [bags(state, player)[7] for player in range(3)] == [1, 2, 2]


def test_r_o07_the_bank_never_runs_out() -> None:
    order = (4, 5, 6, 5, 9, 7, 8, 9, 10, 0)
    state = rounds(table(*order), "skip", 7, 2, 7, 3, 7, 5, 7, 5, "skip")
    for player in range(3):
        assert bags(state, player) == {2: 2, 3: 3, 5: 5, 7: 7}
    assert 3 * (2 + 3 + 5 + 7) == 51  # the box has fifty chips
    assert state.scores() == [17, 17, 17]


def test_r_o08_all_is_public_but_the_deck_and_the_removed_cards() -> None:
    state = rounds(table(9, 0, 5), (7, 5, "skip"), ("skip", 7, 7))
    seen = [state.observation(player) for player in range(3)]
    for view in seen:
        assert [view.bags(p) for p in range(3)] == [(0, 0, 0, 4), (0, 0, 4, 0), (0, 0, 0, 0)]
        assert [view.ambers(p) for p in range(3)] == [1, 0, 0]
        assert [view.lying_out(p) for p in range(3)] == [4, 3, 3]
        assert (view.card, view.round) == (5, 2)
        assert view.unseen() == {0: 2, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1}
    assert state.information_state_string(0).split(": ", 1)[1] == str(state)


def test_r_o09_the_revealer_has_no_effect() -> None:
    order = (9, 0, 5, 8, 0, 6, 10, 4, 9, 7)
    sets = [table(*order) for _ in range(3)]
    while not sets[0].is_terminal():
        options = [hand(sets[0], player) for player in range(3)]
        chosen = [cards[(sets[0].round * 2 + p) % len(cards)] for p, cards in enumerate(options)]
        for turned, state in enumerate(sets):
            claim(state, *(chosen[(seat + turned) % 3] for seat in range(3)))
    for turned, state in enumerate(sets):
        assert state.returns() == [sets[0].returns()[(seat + turned) % 3] for seat in range(3)]
        assert state.scores() == [sets[0].scores()[(seat + turned) % 3] for seat in range(3)]
    assert len(set(sets[0].scores())) > 1


def test_r_o10_a_draw_is_uniform_over_the_cards_not_yet_seen() -> None:
    state = ostrich.Game().new_initial_state()
    unseen = Counter(ostrich.Rules().deck)
    for card in (0, 5, 9, 0, 10, 9, 4, 5, 0, 6):
        left = unseen.total()  # the two removed cards are among them to the end
        expected = [(value, count / left) for value, count in sorted((+unseen).items())]
        assert state.chance_outcomes() == expected
        state.apply_action(card)
        unseen[card] -= 1
        cautious(state)
    assert state.is_terminal()
    assert state.observation(0).unseen() == {7: 1, 8: 1}
    assert not state.is_chance_node()


def test_r_o11_the_only_one_to_skip_gets_the_amber_not_the_only_one_to_claim() -> None:
    assert [ambers(claim(table(0), "skip", 5, 7), player) for player in range(3)] == [1, 0, 0]
    assert [ambers(claim(table(0), 5, "skip", "skip"), player) for player in range(3)] == [0, 0, 0]


def test_r_o11_halves_round_down_not_up() -> None:
    state = claim(table(6), 5, 7, "skip")
    assert names(state)[2] == 5
    assert bags(state, 0)[5] == bags(state, 1)[7] == 3
    assert state.scores() == [1, 1, 0]
