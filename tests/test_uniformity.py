"""Deals and random claims are uniform: chi-square of ten million playthroughs at fixed seeds.

Each statistic must lie between the 1e-4 and the 1 - 1e-4 quantile of its distribution.
"""

from collections import Counter
from typing import Any

import numba
import numpy as np
import pytest
from scipy.stats import chi2

import ostrich
from agents import make_agent
from ostrich import Rules, rules
from ostrich.block import ACTIONS, CARD, POSITIONS
from ostrich.rules import MAX_CARD
from tests.ostrich_rounds import Rounds

pytestmark = pytest.mark.compiled_only

PLAYTHROUGHS = 10_000_000
CHUNK = 1 << 16
PUBLISHED = Rules().deck
LARGE = (*range(5), *range(5), *range(22))  # 32 cards, some of them equal


def plausible(statistic: float, freedom: int) -> bool:
    """Return whether a chi-square statistic is neither too large nor too small."""
    return bool(1e-4 < chi2.sf(statistic, freedom) < 1 - 1e-4)


@numba.njit(nogil=True)
def _count_cards(card: Any, kind_of: Any, counts: Any) -> None:
    """Count the kinds of the cards in a row."""
    for lane in range(card.size):
        counts[kind_of[card[lane]]] += 1


@numba.njit(nogil=True)
def _count_pairs(first: Any, second: Any, kind_of: Any, counts: Any) -> None:
    """Count the kinds of the cards in two rows together."""
    for lane in range(first.size):
        counts[kind_of[first[lane]], kind_of[second[lane]]] += 1


@pytest.mark.parametrize(("deck", "seed"), [(PUBLISHED, 1), (PUBLISHED, 2**63 + 5), (LARGE, 3)])
def test_deals_are_uniform(deck: tuple[int, ...], seed: int) -> None:
    cards = len(deck)
    game = ostrich.Game(Rules(deck=deck, removed=0, rounds=cards))
    values, number = np.unique(deck, return_counts=True)
    kinds = len(values)
    kind_of = np.searchsorted(values, np.arange(MAX_CARD + 1))
    places, pairs = np.zeros((cards, kinds), np.int64), np.zeros((kinds, kinds), np.int64)
    first = np.zeros(CHUNK, np.uint32)
    chunks = PLAYTHROUGHS // CHUNK
    for chunk in range(chunks):
        played = Rounds(game, seed, chunk * CHUNK, CHUNK)
        block = played._block
        for place in range(cards):
            played.open(place)
            _count_cards(block[CARD], kind_of, places[place])
            if place == 0:
                first[:] = block[CARD]
            elif place == 1:
                _count_pairs(first, block[CARD], kind_of, pairs)
    deals = chunks * CHUNK
    # every card is dealt once, so that the table varies less than one of independent cells
    expected = deals * number / cards
    statistic = ((places - expected) ** 2 / expected).sum() * (cards - 1) / cards
    assert plausible(statistic, (cards - 1) * (kinds - 1))
    chance = (np.outer(number, number) - np.diag(number)) / (cards * (cards - 1))
    possible = chance > 0
    assert not pairs[~possible].any()
    expected = deals * chance[possible]
    statistic = ((pairs[possible] - expected) ** 2 / expected).sum()
    assert plausible(statistic, int(possible.sum()) - 1)


@numba.njit(nogil=True)
def _count_claims(positions: Any, actions: Any, skip: int, counts: Any) -> None:
    """Count each action for each set of legal actions."""
    for lane in range(positions.size):
        legal = rules.legal_actions(positions[lane], skip)
        if legal != 0:
            counts[legal, actions[lane]] += 1


def test_random_claims_are_uniform_over_each_set_of_legal_actions() -> None:
    game = ostrich.Game()
    agent, skip = make_agent("random", game), game.rules.skip
    counts = np.zeros((32, 5), np.int64)
    for chunk in range(PLAYTHROUGHS // CHUNK):
        played = Rounds(game, 8, chunk * CHUNK, CHUNK)
        for turn in range(game.rules.rounds):
            played.open(turn)
            for seat in range(3):
                played.decide(turn, seat, agent)
                block = played._block
                _count_claims(block[POSITIONS + seat], block[ACTIONS + seat], skip, counts)
            assert played.close(turn) is None
    statistic: Counter[int] = Counter()
    freedom: Counter[int] = Counter()
    for legal in np.flatnonzero(counts.sum(axis=1)):
        allowed = [action for action in range(5) if legal >> action & 1]
        assert counts[legal].sum() == counts[legal, allowed].sum()
        expected = counts[legal].sum() / len(allowed)
        statistic[len(allowed)] += ((counts[legal, allowed] - expected) ** 2 / expected).sum()
        freedom[len(allowed)] += len(allowed) - 1
    assert set(freedom) == {1, 2, 3, 4, 5}
    for number in (2, 3, 4, 5):
        assert plausible(statistic[number], freedom[number])
