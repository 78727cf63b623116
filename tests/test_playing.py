"""How playthroughs are split into blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.playing import lanes_of_block


def blocks(playthroughs: int, most: int) -> list[int]:
    """Return the lanes of the blocks that so many playthroughs are played in."""
    lanes = []
    while playthroughs > 0:
        lanes.append(int(lanes_of_block(playthroughs, most)))
        playthroughs -= lanes[-1]
    return lanes


@given(st.integers(1, 100_000), st.integers(1, 5_000))
def test_every_playthrough_is_in_a_block_that_is_not_too_large(left: int, most: int) -> None:
    split = blocks(left, most)
    assert sum(split) == left
    assert all(1 <= lanes <= most for lanes in split)


@given(st.integers(1, 100_000), st.integers(64, 5_000))
def test_no_block_is_much_smaller_than_another(left: int, most: int) -> None:
    split = blocks(left, most)
    assert len(split) <= -(-left // most) + 1
    assert split[-1] > max(split) // 4 or len(split) == 1


@pytest.mark.parametrize("batch", [1 << power for power in range(10, 16)])
def test_rows_of_a_batch_do_not_crowd_the_cache(batch: int) -> None:
    """But for the last, no block's rows begin a multiple of 512 bytes apart."""
    assert all(lanes % 128 for lanes in blocks(batch, 784)[:-1])
