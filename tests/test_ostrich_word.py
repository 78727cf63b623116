"""The small functions of ostrich/rules.py on position words, each against plain Python."""

from itertools import product

import pytest

from ostrich import NO_ACTION, Rules, rules

SKIP = 4
CAPACITIES = Rules().facts()[rules.CAPACITIES]
ACTIONS = [*range(9), 30, 31, 32, 33, 36, 39, 2**31, 2**32 - 1]


def word(eggs: tuple[int | None, ...], lying_out: int | None = None, ambers: int = 0) -> int:
    """Return the position word that the head of rules.py describes; None is a broken bag."""
    bits = (NO_ACTION if lying_out is None else lying_out) << 20 | ambers << 23
    for bag, held in enumerate(eggs):
        bits |= 0 if held is None else held << 4 * bag | 1 << 16 + bag
    return bits


POSITIONS = [
    (eggs, lying_out, ambers)
    for eggs in product((None, 0, 1, 2), (None, 3), (None, 0, 5), (None, 6, 7))
    for lying_out in (None, *(bag for bag in range(4) if eggs[bag] is not None), SKIP)
    for ambers in (0, 3)
]


def test_the_layout_of_a_position() -> None:
    for eggs, lying_out, ambers in POSITIONS:
        position = word(eggs, lying_out, ambers)
        held = tuple(rules.eggs_in(position, bag) for bag in range(4))
        assert held == tuple(eggs_in or 0 for eggs_in in eggs)
        assert [bool(rules.is_whole(position, b)) for b in range(4)] == [
            e is not None for e in eggs
        ]
        assert rules.lying_out(position) == (NO_ACTION if lying_out is None else lying_out)
        assert rules.ambers_of(position) == ambers
        assert bool(rules.is_out(position)) is (eggs == (None,) * 4)


def test_the_most_ambers_and_eggs_that_fit() -> None:
    position = word((15, 15, 15, 15), NO_ACTION, 32)
    assert [rules.eggs_in(position, bag) for bag in range(4)] == [15, 15, 15, 15]
    assert (rules.ambers_of(position), rules.lying_out(position)) == (32, NO_ACTION)
    assert position < 2**32


def test_limits_that_agents_are_told() -> None:
    assert (rules.MAX_BAGS, rules.MAX_ACTIONS, rules.MAX_PLAYERS) == (4, 5, 4)
    assert (rules.MAX_CARDS, rules.MAX_CARD, rules.SHARE_UNITS) == (32, 99, 12)
    assert (rules.AMBER, NO_ACTION, rules.RULES_VERSION) == (0, 7, 1)


def test_facts_of_the_published_game() -> None:
    start = word((0, 0, 0, 0))
    expected = [3, 4, 0xFFFF7532, 10, 4, 0, start, 0, 0, 0, 4, 5, 5, 6, 7, 8, 9, 9, 10]
    assert Rules().facts().tolist() == expected
    assert Rules().facts().dtype.name == "uint32"


def test_facts_of_a_variant() -> None:
    variant = Rules(4, (15, 1), (0, 9), 1, 1, 100, True)
    expected = [4, 2, 0xFFFFFFF1, 1, 100, 1, word((0, 0)), 0, 9]
    assert variant.facts().tolist() == expected


@pytest.mark.parametrize("skip", [1, 2, 3, 4])
def test_claims_are_the_actions_below_skip(skip: int) -> None:
    assert [a for a in range(8) if rules.claims(a, skip)] == list(range(skip))


def test_shares_are_divisions() -> None:
    for card in range(rules.MAX_CARD + 1):
        shares = [rules.share_of(card, claimants) for claimants in range(5)]
        assert shares == [0, card, card // 2, card // 3, card // 4]


def test_an_amber_is_won_by_one_skipper_of_an_amber_card() -> None:
    for card in range(rules.MAX_CARD + 1):
        won = [rules.amber_won(card, skippers) for skippers in range(5)]
        assert won == [0, int(card == 0), 0, 0, 0]


def test_players_who_are_out_stay_as_they_are() -> None:
    position = word((None,) * 4, None, 2)
    for share, amber in product((0, 3, 99), (0, 1)):
        after = rules.after_action(position, NO_ACTION, share, amber, CAPACITIES, SKIP)
        assert after == position


@pytest.mark.parametrize("score", [0, 1, 29])
def test_standing_is_one_more_than_the_score_or_nothing(score: int) -> None:
    playing, out = word((None, 0, None, None)), word((None,) * 4)
    assert [rules.standing_of(playing, score, can_win) for can_win in (0, 1)] == [score + 1] * 2
    assert [rules.standing_of(out, score, can_win) for can_win in (0, 1)] == [0, score + 1]


def test_shares_of_the_win_in_twelfths() -> None:
    for best in (0, 1, 9):
        for winners in (1, 2, 3, 4):
            shares = [rules.win_twelfths(standing, best, winners) for standing in range(12)]
            assert shares == [12 // winners * (standing == best) for standing in range(12)]


def test_legal_and_allowed_actions() -> None:
    for eggs, lying_out, ambers in POSITIONS:
        out = eggs == (None,) * 4
        held = [*(bag for bag in range(4) if eggs[bag] is not None), SKIP]
        legal = [] if out else [action for action in held if action != lying_out]
        position = word(eggs, lying_out, ambers)
        assert rules.legal_actions(position, SKIP) == sum(1 << action for action in legal)
        allowed = [NO_ACTION] if out else legal
        assert [a for a in ACTIONS if rules.is_allowed(position, a, SKIP)] == allowed


def test_after_an_action() -> None:
    for (eggs, lying_out, ambers), action in product(POSITIONS, range(5)):
        if action == lying_out or (action < SKIP and eggs[action] is None):
            continue
        for share, amber in ((0, 0), (0, 1), (1, 0), (3, 0), (99, 0)):
            after, lies = list(eggs), action
            if action < SKIP:
                held = (eggs[action] or 0) + share
                broken = held > Rules().bags[action]
                after[action] = None if broken else held
                lies = NO_ACTION if broken else action
            won = amber if action == SKIP else 0
            position = word(eggs, lying_out, ambers)
            found = rules.after_action(position, action, share, amber, CAPACITIES, SKIP)
            assert found == word(tuple(after), lies, ambers + won)


def test_scores() -> None:
    for eggs, lying_out, ambers in POSITIONS:
        points = 0
        for held, holds in zip(eggs, Rules().bags, strict=True):
            points += holds if held == holds else (held or 0) // 2
        for value in (0, 4, 100):
            score = rules.score_of(word(eggs, lying_out, ambers), CAPACITIES, value)
            assert score == points + value * ambers
