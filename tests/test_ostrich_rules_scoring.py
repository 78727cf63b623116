"""Eggs of Ostrich, paragraphs O29 to O42 of ostrich/README.md: ambers, rounds, points."""

import pytest

from tests.ostrich_table import ambers, bags, cautious, claim, hand, names, rounds, table

#: A share of nine eggs breaks either bag, so a player may be out after two rounds.
TINY = {"bags": (1, 2), "deck": (0, 0, 2, 2, 9, 9), "removed": 0, "rounds": 6}


def test_o29_on_an_amber_any_claim_card_may_be_played() -> None:
    for chosen in (2, 3, 5, 7, "skip"):
        state = claim(table(0), chosen, 2, 3)
        assert state.round == 1
        assert chosen not in hand(state, 0)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_o30_the_only_one_to_skip_gets_the_amber(seat: int) -> None:
    state = claim(table(0), *["skip" if player == seat else 7 for player in range(3)])
    assert [ambers(state, player) for player in range(3)] == [int(p == seat) for p in range(3)]


def test_o31_ambers_are_not_in_bags_and_cannot_be_lost() -> None:
    state = claim(table(0, 9, 9, **TINY), "skip", 1, 2)
    assert bags(state, 0) == {1: 0, 2: 0}
    rounds(state, (1, "skip", "skip"), (2, 1, 1))
    assert bags(state, 0) == {1: None, 2: None}
    assert ambers(state, 0) == 1


@pytest.mark.parametrize("claims", [("skip", "skip", 5), (5, "skip", "skip"), ("skip",) * 3])
def test_o32_if_two_or_three_skip_nobody_gets_the_amber(claims: tuple[object, ...]) -> None:
    state = claim(table(0), *claims)
    assert [ambers(state, player) for player in range(3)] == [0, 0, 0]
    assert [bags(state, player)[5] for player in range(3)] == [0, 0, 0]


def test_o33_those_who_claim_a_bag_on_an_amber_get_nothing() -> None:
    state = claim(table(0), 5, 7, "skip")
    for player in (0, 1):
        assert bags(state, player) == {2: 0, 3: 0, 5: 0, 7: 0}
        assert ambers(state, player) == 0


@pytest.mark.parametrize("chosen", [2, 3, 5, 7, "skip"])
def test_o34_a_card_that_was_played_lies_open_and_rests_a_round(chosen: object) -> None:
    state = claim(table(0), chosen, 3, 7)
    assert state.observation(1).lying_out(0) == names(state).index(chosen)
    assert hand(state, 0) == [other for other in names(state) if other != chosen]
    with pytest.raises(ValueError, match="player 0 may not take action"):
        claim(state, chosen, 2, 2)


@pytest.mark.parametrize("chosen", [2, 3, 5, 7, "skip"])
def test_o35_then_it_comes_back_to_the_hand(chosen: object) -> None:
    state = claim(table(0, 0, 0), chosen, 7, 7)
    other = 3 if chosen == 2 else 2
    claim(state, other, 3, 3)
    assert hand(state, 0) == [card for card in names(state) if card != other]
    claim(state, chosen, 7, 7)
    assert state.round == 3


def test_o36_a_player_without_bags_is_out_and_the_others_play_on() -> None:
    state = rounds(table(9, 9, 0, 2, 2, 0, **TINY), (1, 1, "skip"), (2, "skip", 1))
    assert [hand(state, player) for player in range(3)] == [[], [2], [2, "skip"]]
    claim(state, None, 2, "skip")
    assert ambers(state, 2) == 1  # the only one left to skip
    rounds(state, (None, "skip", 2), (None, 2, "skip"), (None, "skip", 2))
    assert state.round == 6
    assert [bags(state, player)[2] for player in range(3)] == [None, 2, 2]
    assert state.scores() == [0, 6, 6]
    assert state.returns() == [0.0, 0.5, 0.5]


def test_o37_the_game_ends_after_ten_rounds() -> None:
    state = table()
    for played in range(10):
        assert not state.is_terminal()
        assert state.round == played
        cautious(state)
    assert state.is_terminal()
    assert [hand(state, player) for player in range(3)] == [[], [], []]
    with pytest.raises(ValueError, match="no claims are due"):
        claim(state, 2, 2, 2)


def test_o38_every_bag_is_looked_at_and_a_broken_one_counts_nothing() -> None:
    state = rounds(table(6, 9, 9, 10), (2, 3, 5), (3, 5, 7), (5, 7, 3), (2, "skip", "skip"))
    assert bags(state, 0) == {2: None, 3: 3, 5: 3, 7: 0}
    assert bags(state, 1) == {2: 0, 3: 2, 5: 3, 7: 3}
    assert bags(state, 2) == {2: 0, 3: 3, 5: 2, 7: 3}
    assert state.scores() == [3 + 1, 1 + 1 + 1, 3 + 1 + 1]


@pytest.mark.parametrize(("bag", "card", "claimants"), [(2, 6, 3), (3, 6, 2), (5, 5, 1), (7, 7, 1)])
def test_o39_a_full_bag_counts_its_number(bag: int, card: int, claimants: int) -> None:
    state = claim(table(card), *[bag] * claimants, *["skip"] * (3 - claimants))
    assert bags(state, 0)[bag] == bag
    assert state.scores() == [bag] * claimants + [0] * (3 - claimants)


@pytest.mark.parametrize("eggs", range(1, 15))
def test_o40_a_bag_not_full_counts_half_its_eggs_rounded_down(eggs: int) -> None:
    deck = tuple(range(1, 16))
    state = claim(table(eggs, bags=(15,), deck=deck, removed=0, rounds=1), 15, "skip", "skip")
    assert state.scores() == [eggs // 2, 0, 0]
    five = claim(table(6), 5, 7, "skip")
    assert bags(five, 0)[5] == 3
    assert five.scores()[0] == 1  # the example in brackets


def test_o41_every_amber_counts_four() -> None:
    state = table(0, 5, 0, 5, 0)
    points = []
    for others in (7, 5, None):
        claim(state, "skip", 2, 2)
        points.append(state.scores())
        if others is not None:
            claim(state, others, others, others)  # one egg in a bag, worth nothing
    assert points == [[4, 0, 0], [8, 0, 0], [12, 0, 0]]


def test_o42_most_points_win_worked_example() -> None:
    state = rounds(
        table(5, 6, 5, 4, 9, 7, 0, 8, 0, 0),
        ("skip", 7, 7),
        (2, 5, 5),
        ("skip", 7, 7),
        (3, 3, 3),
        "skip",
        (5, 2, 2),
        ("skip", 5, 5),
        (7, 7, 7),
        (2, 3, 3),
        (3, 5, 5),
    )
    assert bags(state, 0) == {2: 2, 3: 1, 5: 2, 7: 2}
    assert ambers(state, 0) == 1
    assert state.scores() == [8, 6, 6]
    assert state.returns() == [1.0, 0.0, 0.0]
