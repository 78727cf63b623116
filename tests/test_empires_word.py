"""The small functions of empires/rules.py on words and numbers, each against plain Python."""

from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest

from empires import Rules, rules

ALL_TEN = range(1, 11)
#: Numbers of Adventurers, of none, and of what a wrong agent may send for one.
SENT = [*range(18), 26, 27, 31, 32, 33, 42, 48, 2**26]
SEATS = [(players, seat) for players in range(2, 7) for seat in range(players)]


def word(*numbers: int) -> int:
    """Return the set of cards that the head of rules.py describes."""
    held = Counter(numbers)
    return sum((1 << n - 1) + (copies > 1) * (1 << 15 + n) for n, copies in held.items())


#: Sets of cards: few and all, once and twice.
SETS: list[tuple[int, ...]] = [
    (),
    *((number,) * copies for number in ALL_TEN for copies in (1, 2)),
    *combinations(ALL_TEN, 2),
    (1, 1, 10, 10),
    (3, 8, 8, 9),
    (3, 3, 9, 9),
    (2, 4, 6, 8, 10),
    (*ALL_TEN,),
    (*ALL_TEN, *ALL_TEN),
]


def test_limits_and_names_that_agents_are_told() -> None:
    assert (rules.MIN_PLAYERS, rules.MAX_PLAYERS, rules.MAX_NUMBER) == (2, 6, 10)
    assert (rules.MAX_ROUNDS, rules.MAX_REVEALED, rules.MAX_OFFERED) == (9, 4, 10)
    assert (rules.REDRAW, rules.TWICE, rules.SHARE_UNITS, rules.RULES_VERSION) == (1, 16, 60, 1)
    assert (rules.MERCHANT_BONUS, rules.BLACKSMITH_PENALTY) == (6, 4)
    for number, name in enumerate(rules.ADVENTURERS, 1):
        assert getattr(rules, name.upper().replace(" ", "_")) == number


def test_facts_of_the_published_game() -> None:
    eggs = [*(2**32 + value for value in range(-10, -1)), *range(1, 14)]
    for players, most in ((3, [2, 22]), (4, [2, 22]), (5, [3, 32]), (6, [4, 42])):
        facts = Rules(players=players).facts()
        tokens = 3 if players < 5 else 2
        assert facts.dtype.name == "uint32"
        assert facts[:11].tolist() == [players, 1, 3, 9, 3, most[0], 0x3FF, 0, 0, 0, tokens]
        assert len(facts) == rules.EGGS + most[1]
    two = [2, 2, 4, 9, 3, 2, 0x3FF03FF, 0, 0, 0, 3]
    assert Rules(players=2).facts().tolist() == [*two, *eggs]


def test_facts_of_variants() -> None:
    variant = Rules(5, (3, -2), (1, 3, 10), 2, 4, 1, 1, 4, "off", "blacksmith_waits", True)
    minus = 2**32 - 2
    assert variant.facts().tolist() == [5, 1, 1, 2, 6, 4, 0b1000000101, 2, 1, 1, 2, minus, 3]
    assert Rules(mulligan="first_round").facts()[rules.MULLIGAN] == 1
    assert Rules(rounds=2).facts()[rules.ROUNDS] == 2


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("harsher", "harsher"),
        ("a,b", "a,b"),
        ("5", (5,)),
        ("-5,+3", (-5, 3)),
        ("+3,-5", (3, -5)),
        ("(3, -2, 0)", (3, -2, 0)),
        ("[3,-2,]", (3, -2)),
        ("()", ()),
        *((f"{digit},1", (digit, 1)) for digit in range(10)),
    ],
)
def test_a_deck_on_the_command_line_is_a_name_or_values(text: str, meant: Any) -> None:
    assert Rules.read_deck(text) == Rules().read_deck(text) == meant


@pytest.mark.parametrize("text", ["1,x", "(a)", "1.5", "1 2"])
def test_values_on_the_command_line_are_whole_numbers(text: str) -> None:
    with pytest.raises(ValueError, match="invalid literal for int"):
        Rules.read_deck(text)


def test_a_set_of_cards_with_one_more_and_without_one() -> None:
    for held in SETS:
        copies = Counter(held)
        for number in range(11):
            assert rules.holds(word(*held), number) == (number in held)
            assert rules.both_in(word(*held), number) == (copies[number] == 2)
            if number == 0:
                assert rules.with_card(word(*held), 0) == word(*held)
                assert rules.without_card(word(*held), 0) == word(*held)
                continue
            if copies[number] < 2:
                assert rules.with_card(word(*held), number) == word(*held, number)
            if copies[number]:
                left = list((copies - Counter([number])).elements())
                assert rules.without_card(word(*held), number) == word(*left)
            assert rules.bit_of(number) == 1 << number - 1


def test_a_third_copy_is_still_twice() -> None:
    for number in ALL_TEN:
        assert rules.with_card(word(number, number), number) == word(number, number)


@pytest.mark.parametrize("held", SETS, ids=str)
def test_cards_that_may_be_sent(held: tuple[int, ...]) -> None:
    for first, second in product(SENT, repeat=2):
        nothing = not held and first == second == 0
        one = first in held and second == 0
        two = first in held and second in held and first != second
        assert rules.may_send(word(*held), first, second, 1) == (one or nothing)
        assert rules.may_send(word(*held), first, second, 2) == (two or nothing)


def test_a_tie_is_any_number_twice_but_the_dark_priestess() -> None:
    for seen in SETS:
        tie = any(copies > 1 for number, copies in Counter(seen).items() if number != 9)
        assert rules.is_tie(word(*seen)) == tie


def test_ranks() -> None:
    usual = [*ALL_TEN]
    first = [1, 2, 4, 5, 6, 7, 8, 3, 9, 10]
    waits = [1, 2, 8, 3, 4, 5, 6, 7, 9, 10]
    for seen in SETS:
        both = 3 in seen and 8 in seen
        for value, changed in ((0, first), (1, waits)):
            order = [number for number in (changed if both else usual) if number in seen]
            ranks = {number: int(rules.rank_of(number, word(*seen), value)) for number in order}
            if seen.count(9) > 1:
                assert ranks[9] == 0
                order.remove(9)
            assert sorted(order, key=ranks.__getitem__) == order
            assert len({ranks[number] for number in order}) == len(order)
            assert all(0 < ranks[number] < 2**20 for number in order)  # it stands above 12 bits
            assert rules.rank_of(0, word(*seen), value) == 0


def test_places_around_the_table() -> None:
    for players, seat in SEATS:
        for other in range(players):
            steps = (seat - other) % players
            assert rules.clockwise(seat, other, players) == steps
            assert rules.seat_after(other, steps, players) == seat
        assert rules.holder_after(seat, 0, players) == seat
        assert rules.holder_after(seat, 1, players) == (seat + 1) % players


def test_eggs_that_a_card_may_take_and_whether_it_may_refuse() -> None:
    eggs = range(4)
    for left, negative, face_down in product(range(16), repeat=3):
        for number in range(11):
            spurned = [w for w in eggs if negative >> w & 1 and not face_down >> w & 1]
            may = [w for w in eggs if left >> w & 1 and (number != 7 or w not in spurned)]
            given = (number, left, negative, face_down)
            assert rules.eggs_allowed(*given) == sum(1 << w for w in may)
            refuses = number == 7 and may and all(face_down >> w & 1 for w in may)
            assert rules.may_refuse(*given) == bool(refuses)


def test_what_cards_are_worth_themselves() -> None:
    for number in range(11):
        worth = {5: 6, 8: 2**32 - 4}.get(number, 0)
        collected = [rules.bonus_of(number, egg) for egg in (0, 1, 2, 63, 64, True, False)]
        assert collected == [worth, 0, 0, 0, 0, 0, worth]


def _claim(total: int, *rest: int) -> int:
    return int(rules.claim_to_marker(total % 2**32, *rest))


@pytest.mark.parametrize(("players", "holder"), SEATS)
def test_the_marker_goes_by_total_then_by_distance(players: int, holder: int) -> None:
    claims = [
        (total, (seat - holder - 1) % players, _claim(total, seat, holder, players))
        for total in (-60000, -8, -7, -1, 0, 1, 7, 8, 60000)
        for seat in range(players)
    ]
    by_rule = sorted(claims, key=lambda claim: claim[:2])
    assert sorted(claims, key=lambda claim: claim[2]) == by_rule
    assert len({claim for _, _, claim in claims}) == len(claims)


def test_standings() -> None:
    totals = (-60000, -1, 0, 1, 60000)
    usual = [rules.standing_of(total % 2**32, 0, 3, 0) for total in totals]
    assert usual == sorted(set(usual)) and usual[0] > 0
    for needed in (2, 3):
        for tokens in range(6):
            standings = [rules.standing_of(total % 2**32, tokens, needed, 1) for total in totals]
            assert standings == (usual if tokens >= needed else [0] * len(totals))


def test_shares_of_the_win_in_sixtieths() -> None:
    assert [rules.win_units(winners) for winners in range(1, 7)] == [60, 30, 20, 15, 12, 10]
