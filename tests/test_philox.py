"""Philox against the published vectors, against a slow twin, and its addresses."""

import random

import numpy as np
import pytest

from simulator.philox import CHANCE_STREAM, draw_block, extra_word, philox4x32
from simulator.randomness import words_at
from tests.sizes import size

ONES = 0xFFFFFFFF
PUBLISHED = [  # Random123, kat_vectors: counter, key, result
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ONES,) * 4, (ONES,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def slow_philox(counter: tuple[int, ...], key: tuple[int, ...]) -> tuple[int, ...]:
    """Philox4x32-10 as the paper defines it: ten rounds, the key raised between them."""
    (c0, c1, c2, c3), (k0, k1) = counter, key
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c0, 2**32)
        high1, low1 = divmod(0xCD9E8D57 * c2, 2**32)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return c0, c1, c2, c3


def slow_words(seed: int, index: int, stream: int, slot: int) -> tuple[int, ...]:
    """Return the four words at an address, the counter's words taken from its end."""
    index_high, index_low = divmod(index, 2**32)
    seed_high, seed_low = divmod(seed, 2**32)
    return slow_philox((slot, stream, index_low, index_high), (seed_low, seed_high))


@pytest.mark.parametrize(("counter", "key", "result"), PUBLISHED)
def test_published_vectors(
    counter: tuple[int, ...], key: tuple[int, ...], result: tuple[int, ...]
) -> None:
    assert tuple(map(int, philox4x32(*counter, *key))) == result
    assert slow_philox(counter, key) == result


def test_agrees_with_a_slow_twin() -> None:
    numbers = random.Random(1)
    for _ in range(size(2000, 200)):
        *counter, key0, key1 = (numbers.getrandbits(32) for _ in range(6))
        expected = slow_philox(tuple(counter), (key0, key1))
        assert tuple(map(int, philox4x32(*counter, key0, key1))) == expected


ADDRESSES = [(0, 0), (7, 3), (2**64 - 1, 2**32 - 3), (2**32, 2 * 10**12), (2**63 + 5, 2**40 + 1)]


@pytest.mark.parametrize(("seed", "first"), ADDRESSES)
def test_a_row_holds_a_word_for_each_slot(seed: int, first: int) -> None:
    for stream, block in ((CHANCE_STREAM, 0), (1, 0), (4, 7), (2, 1)):
        words = np.zeros((4, 5), np.uint32)
        draw_block(seed, first, stream, block, words)
        for lane in range(5):
            assert tuple(words[:, lane].tolist()) == slow_words(seed, first + lane, stream, block)
        for slot in range(4):
            indices = np.arange(first, first + 5, dtype=np.uint64)
            slots = np.full(5, 4 * block + slot, np.uint64)
            row = words_at(seed, indices, stream, slots, 0)
            assert row.tolist() == words[slot].tolist()


@pytest.mark.parametrize(("seed", "index"), ADDRESSES)
def test_extra_words_lie_beside_the_row(seed: int, index: int) -> None:
    for stream, slot, number in ((1, 0, 0), (4, 31, 5), (0, 3, 2), (2, 9, 1000), (3, 1, 7)):
        beside = stream + 256 * (1 + number // 4)
        expected = slow_words(seed, index, beside, slot)[number % 4]
        assert int(extra_word(seed, index, stream, slot, number)) == expected
        at = np.array([index], np.uint64), np.array([slot], np.uint64)
        assert words_at(seed, at[0], stream, at[1], number + 1)[0] == expected


def test_no_two_addresses_share_their_words() -> None:
    found = set()
    addresses = 0
    for stream in range(5):
        for block in range(8):
            words = np.zeros((4, 2), np.uint32)
            draw_block(9, 0, stream, block, words)
            found |= {tuple(words[:, 0].tolist()), tuple(words[:, 1].tolist())}
            addresses += 2
        for slot in range(32):
            for beside in range(3):
                numbers = range(4 * beside, 4 * beside + 4)
                found.add(tuple(int(extra_word(9, 0, stream, slot, n)) for n in numbers))
                addresses += 1
    assert len(found) == addresses
