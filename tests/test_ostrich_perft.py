"""Perft: count all sequences of cards and joint claims, by State, naive twin and formula."""

from collections.abc import Iterator
from itertools import product
from math import prod

import pytest

import ostrich
from ostrich import Rules, State
from tests.naive.ostrich import perft as perft_of_twin
from tests.ostrich_lanes import twin_of
from tests.sizes import size
from tests.variants import VARIANTS

Counts = tuple[int, int, int, int]  # histories, states, terminal, sum of the first player's scores

#: Two players, two bags: small enough for every depth.
SMALL = Rules(players=2, bags=(2, 3), deck=(0, 0, 4, 5, 6), removed=1, rounds=4)
#: Three players, who may all go out.
THREE = Rules(bags=(1, 2), deck=(0, 6, 9), removed=0, rounds=3)
#: Shares of no eggs, bags of one egg, and ambers that still count for players who are out.
ODD = Rules(
    players=2,
    bags=(1, 2),
    deck=(0, 1, 1, 3),
    removed=0,
    rounds=4,
    amber_value=3,
    out_players_can_win=True,
)

KNOWN: list[tuple[str, Rules, int, Counts]] = [
    ("published", Rules(), 1, (1000, 1000, 0, 765)),
    ("small", SMALL, 1, (36, 36, 0, 26)),
    ("small", SMALL, 2, (468, 356, 0, 688)),
    ("small", SMALL, 3, (3884, 1487, 14, 8160)),
    ("small", SMALL, 4, (21240, 3378, 21240, 56314)),
    ("three", THREE, 1, (81, 81, 0, 24)),
    ("three", THREE, 2, (1296, 831, 2, 768)),
    ("three", THREE, 3, (5808, 1290, 5808, 5092)),
    ("odd", ODD, 1, (27, 27, 0, 9)),
    ("odd", ODD, 2, (252, 184, 0, 152)),
    ("odd", ODD, 3, (1632, 587, 0, 1368)),
    ("odd", ODD, 4, (5952, 779, 5952, 6680)),
]


def children(state: State) -> Iterator[State]:
    """Yield the state after every card that may come and every joint claim on it."""
    seats = range(len(state.scores()))
    for card, _ in state.chance_outcomes():
        revealed = state.clone()
        revealed.apply_action(card)
        for joint in product(*(revealed.legal_actions(seat) or [None] for seat in seats)):
            after = revealed.clone()
            after.apply_actions(joint)
            yield after


def perft(rules: Rules, depth: int) -> Counts:
    """Count by State; a game that is over earlier counts as it stands."""
    histories = terminal = score_sum = 0
    states = set()
    waiting = [(ostrich.Game(rules).new_initial_state(), depth)]
    while waiting:
        state, left = waiting.pop()
        if left == 0 or state.is_terminal():
            histories += 1
            terminal += state.is_terminal()
            score_sum += state.scores()[0]
            states.add(state.information_state_string(0))
        else:
            waiting += [(child, left - 1) for child in children(state)]
    return histories, len(states), terminal, score_sum


CASES = [pytest.param(*case[1:], id=f"{case[0]}-{case[2]}") for case in KNOWN]


@pytest.mark.parametrize(("rules", "depth", "counts"), CASES)
def test_state_counts_what_is_known(rules: Rules, depth: int, counts: Counts) -> None:
    if counts[0] > size(10**6, 2_000):
        pytest.skip("too many to count without compiled code")
    assert perft(rules, depth) == counts


@pytest.mark.parametrize(("rules", "depth", "counts"), CASES)
def test_twin_counts_the_same(rules: Rules, depth: int, counts: Counts) -> None:
    found = perft_of_twin(twin_of(rules), depth)
    assert tuple(found[name] for name in ("histories", "states", "terminal", "score_sum")) == counts


@pytest.mark.parametrize("name", VARIANTS)
def test_first_round_by_formula(name: str) -> None:
    rules = VARIANTS[name]
    expected = len(set(rules.deck)) * (len(rules.bags) + 1) ** rules.players
    if expected > size(20_000, 500):
        pytest.skip("too many to count without compiled code")
    assert perft(rules, 1)[:2] == (expected, expected)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_rounds_without_a_broken_bag_by_formula(depth: int) -> None:
    """Bags too large to break: all claims in round one, later all but the one lying out."""
    rules = Rules(players=2, bags=(14, 15), deck=(0, 1, 2), removed=0, rounds=3)
    claims = 3**2 * (2**2) ** (depth - 1)
    assert perft(rules, depth)[0] == prod(range(3, 3 - depth, -1)) * claims


def test_only_claims_break_by_formula() -> None:
    """One bag of one egg: whoever claims on a nine is out, whoever skips must claim next."""
    rules = Rules(players=2, bags=(1,), deck=(9, 9), removed=0, rounds=2)
    both_at_once, one_after_the_other, both_in_round_two = 1, 2, 1
    histories = both_at_once + one_after_the_other + both_in_round_two
    states = 2  # all are out in the end: after one card, or after two
    assert perft(rules, 2) == (histories, states, histories, 0)
