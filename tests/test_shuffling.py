"""The networks that sort the keys of a deck."""

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest

import ostrich
from simulator.shuffling import exchange, in_one_array, network_of_equals, sorting_network
from tests.sizes import size
from tests.variants import VARIANTS


def exchanged(keys: npt.NDArray[np.int64], pairs: list[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """Return columns of keys after each pair in turn was put in order."""
    keys = keys.copy()
    for low, high in pairs:
        keys[[low, high]] = np.minimum(keys[low], keys[high]), np.maximum(keys[low], keys[high])
    return keys


@pytest.mark.parametrize("cards", range(1, 13))
def test_sorts_all_zeros_and_ones_and_so_anything(cards: int) -> None:
    every = np.arange(2**cards) >> np.arange(cards)[:, None] & 1
    assert (np.diff(exchanged(every, sorting_network(cards)), axis=0) >= 0).all()


@pytest.mark.parametrize("cards", range(13, 33))
def test_sorts_random_keys_of_larger_decks(cards: int) -> None:
    keys = np.random.default_rng(cards).integers(0, 40, (cards, 3000))
    np.testing.assert_array_equal(exchanged(keys, sorting_network(cards)), np.sort(keys, axis=0))


def test_equal_cards_are_sorted_among_themselves_only() -> None:
    cards = (0, 0, 0, 4, 5, 5, 6, 6, 6, 6, 9)
    keys = np.random.default_rng(1).permuted(np.tile(np.arange(11), (500, 1)), axis=1).T
    after = exchanged(keys, network_of_equals(cards))
    for start, end in ((0, 3), (3, 4), (4, 6), (6, 10), (10, 11)):
        np.testing.assert_array_equal(after[start:end], np.sort(keys[start:end], axis=0))


def test_networks_in_one_array_sort_as_they_do_alone() -> None:
    networks = [network_of_equals((1, 2, 3)), sorting_network(7), sorting_network(1)]
    keys = np.random.default_rng(3).integers(0, 40, (7, 50)).astype(np.uint32)
    for number, pairs in enumerate(networks):
        rows = keys.copy()
        exchange(rows, in_one_array(*networks), number)
        np.testing.assert_array_equal(rows, exchanged(keys, pairs))


@pytest.mark.parametrize("name", VARIANTS)
def test_deals_are_orders_of_the_deck(name: str) -> None:
    rules = VARIANTS[name]
    game = ostrich.Game(rules)
    seen = set()
    for index in range(size(200, 20)):
        state, cards = game.new_initial_state(seed=3, index=index), []
        while not state.is_terminal():
            cards.append(state.card)
            state.apply_actions(
                [(state.legal_actions(p) or [None])[0] for p in range(rules.players)]
            )
        assert not Counter(cards) - Counter(rules.deck)
        seen.add(tuple(cards))
    assert len(seen) > size(30, 8)
