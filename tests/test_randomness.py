"""Random numbers of written agents: the same for both kinds, and refused where senseless."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simulator.randomness import DecisionRandom, LaneRandom, words_at

SEED, FIRST, LANES, STREAM, SLOT = 2**63 + 1, 10**12, 50, 3, 7
WEIGHTS = np.random.default_rng(1).random((LANES, 5)) * (np.arange(5) != 2)


def at(*numbers: int) -> Any:
    """Return indices or slots as agents' random numbers take them."""
    return np.array(numbers, np.uint64)


def one(lane: int) -> DecisionRandom:
    """Return the random numbers of one lane's decision."""
    word = int(words_at(SEED, at(FIRST + lane), STREAM, at(SLOT), 0)[0])
    return DecisionRandom(SEED, FIRST + lane, STREAM, SLOT, word)


def test_both_kinds_draw_the_same_numbers_in_the_same_order() -> None:
    lanes = LaneRandom(SEED, at(*range(FIRST, FIRST + LANES)), STREAM, at(*[SLOT] * LANES))
    drawn = [lanes.random(), lanes.integers(6), lanes.choice(WEIGHTS), lanes.random()]
    drawn += [lanes.integers(np.arange(1, LANES + 1)), lanes.random(), lanes.random()]
    for lane in range(LANES):
        rng = one(lane)
        own = [rng.random(), rng.integers(6), rng.choice(range(5), WEIGHTS[lane]), rng.random()]
        own += [rng.integers(lane + 1), rng.random(), rng.random()]
        assert own == [numbers[lane] for numbers in drawn]


def test_numbers_lie_where_they_should_and_differ() -> None:
    lanes = LaneRandom(1, at(*range(4000)), 1, at(*[0] * 4000))
    numbers = np.concatenate([lanes.random() for _ in range(5)])
    assert 0 <= numbers.min() < 0.001
    assert 0.999 < numbers.max() < 1
    assert len(np.unique(numbers)) > 19_990
    counts = np.bincount(lanes.integers(6), minlength=6)
    assert counts.sum() == 4000
    assert np.abs(counts - 4000 / 6).max() < 4 * np.sqrt(4000 * 5 / 36)
    assert set(lanes.integers(1)) == {0}
    assert not (lanes.choice(np.tile([0.0, 1, 0, 2, 0], (4000, 1))) % 2 == 0).any()


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_integers_need_a_bound(n: int) -> None:
    with pytest.raises(ValueError, match="n from 1 to"):
        one(0).integers(n)
    with pytest.raises((ValueError, OverflowError)):
        LaneRandom(1, at(0, 1, 2), 1, at(0, 0, 0)).integers(n)


BAD: list[Callable[[Any], Any]] = [
    lambda rng: rng.choice([]),
    lambda rng: rng.choice([1, 2], [1]),
    lambda rng: rng.choice([1, 2], [-1, 2]),
    lambda rng: rng.choice([1, 2], [0, 0]),
    lambda rng: rng.choice([1, 2], [float("nan"), 1]),
]


@pytest.mark.parametrize("draw", BAD)
def test_choice_needs_usable_weights(draw: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="choice needs"):
        draw(one(0))
