"""With totals only, memory is that of the blocks in flight, whatever the number played."""

from typing import Any

import pytest

import empires
import ostrich
from simulator import simulate
from tests.processes import run_python
from tests.sizes import size

PEAKS = """
import resource
import empires, ostrich
from simulator import simulate
game = {game}
peaks = []
for playthroughs in (10**5, 10**5, 5 * 10**7):
    simulate(game, ["greedy", "greedy"], playthroughs, 1, threads=2)
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(peaks[2] - peaks[1])
"""
SHORT = {
    "ostrich": "ostrich.Game(ostrich.Rules(players=2, bags=(2, 3), deck=(0, 4, 5), removed=1, "
    "rounds=2))",
    "empires": "empires.Game(empires.Rules(players=2, deck=(3,), adventurers=(1, 2), decks=1, "
    "hand=1, revealed=1, turns=1, rounds=1, mulligan='off'))",
}


@pytest.mark.compiled_only
@pytest.mark.parametrize("name", SHORT)
def test_five_hundred_times_the_playthroughs_take_no_more_memory(name: str) -> None:
    """One byte kept of each would be 49,000 kB; the allocator may take a few thousand."""
    assert int(run_python("-c", PEAKS.format(game=SHORT[name])).stdout) < 20_000


@pytest.mark.parametrize("game", [ostrich.Game(), empires.Game()], ids=["ostrich", "empires"])
def test_totals_are_at_most_129_batches_and_nothing_else_is_kept(game: Any) -> None:
    for count in (1, 100, size(300_000, 30)):
        result = simulate(game, ["random"] * 3, count, 1, start=5)
        assert len(result.totals) <= 129
        assert result.win_units is None
        assert result.scores_by_seat is None
