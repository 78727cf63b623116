"""Eggs of Ostrich, paragraphs O1 to O28 of ostrich/README.md: the box, the eggs, broken bags."""

from collections import Counter

import pytest

import ostrich
from tests.ostrich_table import ambers, bags, cautious, claim, hand, play_on, rounds, table

EVERYTHING = [2, 3, 5, 7, "skip"]


def test_o01_twelve_egg_cards() -> None:
    chances = dict(ostrich.Game().new_initial_state().chance_outcomes())
    cards = Counter({0: 3, 4: 1, 5: 2, 6: 1, 7: 1, 8: 1, 9: 2, 10: 1})
    assert cards.total() == 12
    assert chances == {card: count / 12 for card, count in cards.items()}


def test_o02_three_players_have_the_same_four_bags() -> None:
    assert ostrich.Game().num_players == 3
    for player in range(3):
        assert bags(table(), player) == {2: 0, 3: 0, 5: 0, 7: 0}


def test_o03_a_claim_card_for_each_bag_and_skip() -> None:
    for player in range(3):
        assert hand(table(), player) == EVERYTHING


def test_o04_there_is_a_stone_for_every_amber_card() -> None:
    state = rounds(table(0, 5, 0, 5, 0), ("skip", 2, 2), 7, ("skip", 2, 2), 7, ("skip", 2, 2))
    assert [ambers(state, player) for player in range(3)] == [3, 0, 0]


def test_o05_the_score_that_counts_is_that_after_ten_rounds() -> None:
    state = rounds(table(5, 6), (5, "skip", "skip"))
    assert state.scores() == [5, 0, 0]
    assert state.returns() == [0.0, 0.0, 0.0]
    play_on(state)
    assert state.round == 10
    assert sum(state.returns()) == 1.0


def test_o06_right_number_counts_too_few_halve_too_many_break() -> None:
    state = claim(table(10), 5, 7, "skip")  # five eggs each
    assert bags(state, 0)[5] == 5 and bags(state, 1)[7] == 5
    assert state.scores() == [5, 2, 0]
    broken = claim(table(10), 3, 7, "skip")
    assert bags(broken, 0)[3] is None
    assert broken.scores()[0] == 0


def test_o07_ambers_count_and_the_most_points_win() -> None:
    state = rounds(table(5, 0, rounds=2), (7, 5, 5), ("skip", 7, 7))
    assert state.scores() == [4, 0, 0]
    assert state.returns() == [1.0, 0.0, 0.0]


def test_o08_shuffled_and_two_cards_removed() -> None:
    game = ostrich.Game()
    deals = []
    for index in range(40):
        state, deal = game.new_initial_state(seed=8, index=index), []
        while not state.is_terminal():
            deal.append(state.card)
            cautious(state)
        deals.append(tuple(deal))
    left_over = [Counter(game.rules.deck) - Counter(deal) for deal in deals]
    assert {len(deal) for deal in deals} == {10}
    assert all(removed.total() == 2 for removed in left_over)
    assert len(set(deals)) == 40
    assert len({tuple(sorted(removed.elements())) for removed in left_over}) > 10


def test_o09_the_rest_lies_face_down() -> None:
    one, other = table(5, 0, 4), table(5, 10, 9)
    assert one.observation(0) == other.observation(0)


def test_o10_everyone_has_bags_and_cards_of_their_own() -> None:
    state = claim(table(9, 5), 2, 5, "skip")  # four eggs break the first player's 2
    assert [list(bags(state, player).values()) for player in range(3)] == [
        [None, 0, 0, 0],
        [0, 0, 4, 0],
        [0, 0, 0, 0],
    ]
    assert [hand(state, player) for player in range(3)] == [
        [3, 5, 7, "skip"],
        [2, 3, 7, "skip"],
        [2, 3, 5, 7],
    ]


def test_o11_bags_lie_open_and_claims_are_chosen_from_the_hand() -> None:
    state = claim(table(9), 7, 5, "skip")
    for player in range(3):
        seen = state.observation(player)
        assert [seen.bags(other) for other in range(3)] == [
            (0, 0, 0, 4),
            (0, 0, 4, 0),
            (0, 0, 0, 0),
        ]
    assert set(hand(state, 0)) == {2, 3, 5, "skip"}


def test_o12_nobody_begins_with_eggs_or_ambers() -> None:
    state = table()
    assert state.scores() == [0, 0, 0]
    assert [ambers(state, player) for player in range(3)] == [0, 0, 0]


def test_o13_who_reveals_makes_no_difference() -> None:
    one, other = claim(table(9), 7, 5, "skip"), claim(table(9), "skip", 7, 5)
    assert [bags(one, seat) for seat in (0, 1, 2)] == [bags(other, seat) for seat in (1, 2, 0)]


def test_o14_the_top_card_is_turned_up_at_the_start_of_each_round() -> None:
    order = (4, 0, 10, 5, 9, 0, 8, 7, 6, 5)
    state = table(*order)
    for turn, card in enumerate(order):
        assert (state.round, state.card) == (turn, card)
        cautious(state)
    assert state.is_terminal()
    assert state.card is None


@pytest.mark.parametrize("card", [4, 5, 6, 7])
def test_o15_the_number_is_how_many_eggs_there_are(card: int) -> None:
    state = claim(table(card), 7, "skip", "skip")
    assert bags(state, 0)[7] == card


def test_o16_everyone_chooses_one_claim_card_and_is_free_to() -> None:
    for first in EVERYTHING:
        for second in EVERYTHING:
            state = claim(table(5), first, second, "skip")
            assert state.round == 1
    with pytest.raises(ValueError, match="player 1"):
        table(5).apply_actions([0, None, 4])


def test_o17_a_numbered_card_asks_for_eggs_and_skip_does_not() -> None:
    state = claim(table(6), 5, "skip", 7)
    assert bags(state, 0)[5] == 3 and bags(state, 2)[7] == 3
    assert bags(state, 1) == {2: 0, 3: 0, 5: 0, 7: 0}


def test_o18_all_claims_are_revealed_at_the_same_time() -> None:
    with pytest.raises(ValueError, match="2 actions given for 3 players"):
        table(9).apply_actions([3, 2])
    state = claim(table(9), 7, 7, 7)
    assert [bags(state, player)[7] for player in range(3)] == [3, 3, 3]  # not 9, then 4, then 3


@pytest.mark.parametrize("card", [4, 5, 6, 7, 8, 9, 10])
@pytest.mark.parametrize("claimants", [1, 2, 3])
def test_o19_those_who_claim_share_equally_rounded_down(card: int, claimants: int) -> None:
    large = {"bags": (11, 12, 13, 14)}
    state = claim(table(card, **large), *[14] * claimants, *["skip"] * (3 - claimants))
    held = [bags(state, player)[14] for player in range(3)]
    assert held == [card // claimants] * claimants + [0] * (3 - claimants)


def test_o20_if_all_skip_nobody_gets_eggs() -> None:
    state = rounds(table(10, 4), "skip", (7, 2, 2))
    assert [bags(state, player)[bag] for player, bag in enumerate((7, 2, 2))] == [1, 1, 1]
    assert sum(sum(bags(state, player).values()) for player in range(3)) == 3


def test_o21_eggs_come_from_the_bank_onto_the_bag_of_that_number() -> None:
    state = rounds(table(6, 4, 5), (2, 3, 5), ("skip", "skip", 7), (5, 5, 3))
    assert [bags(state, player) for player in range(3)] == [
        {2: 2, 3: 0, 5: 1, 7: 0},
        {2: 0, 3: 2, 5: 1, 7: 0},
        {2: 0, 3: 1, 5: 2, 7: 4},
    ]


def test_o22_worked_example_nine_eggs() -> None:
    state = claim(table(9), 7, 5, "skip")
    assert bags(state, 0) == {2: 0, 3: 0, 5: 0, 7: 4}
    assert bags(state, 1) == {2: 0, 3: 0, 5: 4, 7: 0}
    assert bags(state, 2) == {2: 0, 3: 0, 5: 0, 7: 0}


@pytest.mark.parametrize("bag", [4, 5, 6, 7])
def test_o23_a_bag_holds_as_many_eggs_as_its_number(bag: int) -> None:
    exact = claim(table(bag, bags=(1, bag)), bag, "skip", "skip")
    assert bags(exact, 0)[bag] == bag
    one_more = claim(table(bag + 1, bags=(1, bag)), bag, "skip", "skip")
    assert bags(one_more, 0)[bag] is None


def test_o24_a_share_may_be_more_than_the_bag_holds() -> None:
    state = table(10)
    assert 2 in hand(state, 0)  # although any share would break it
    claim(state, 2, 7, 7)
    assert bags(state, 0)[2] is None


def test_o25_the_bag_breaks_and_all_its_eggs_are_crushed() -> None:
    state = rounds(table(4, 0, 10), (3, 5, 7), (2, 3, 3), (3, 5, 7))  # one egg, then three more
    assert bags(state, 0) == {2: 0, 3: None, 5: 0, 7: 0}
    assert bags(state, 1) == {2: 0, 3: 0, 5: 4, 7: 0}  # a broken bag is no concern of others


def test_o26_the_eggs_of_the_broken_bag_alone_go_back() -> None:
    state = rounds(table(6, 5, 10), (2, 3, 5), (5, 7, 7), (2, 5, 5))
    assert bags(state, 0) == {2: None, 3: 0, 5: 1, 7: 0}
    assert state.scores()[0] == 0


def test_o27_the_claim_card_is_put_on_the_broken_bag() -> None:
    state = claim(table(10), 2, 5, 7)
    assert bags(state, 0)[2] is None
    assert hand(state, 0) == [3, 5, 7, "skip"]
    seen = state.observation(1)
    assert seen.lying_out(0) is None  # the card lies on the bag, not before the player
    assert [seen.lying_out(1), seen.lying_out(2)] == [2, 3]


def test_o28_neither_broken_bag_nor_its_card_is_used_again() -> None:
    state = claim(table(9), 2, 5, "skip")
    while not state.is_terminal():
        assert 2 not in hand(state, 0)
        assert bags(state, 0)[2] is None
        with pytest.raises(ValueError, match="player 0 may not take action 0"):
            claim(state, 2, hand(state, 1)[0], hand(state, 2)[0])
        cautious(state)
    assert state.round == 10
