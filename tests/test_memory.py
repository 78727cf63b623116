"""With totals only, memory is that of the blocks in flight, whatever the number played."""

import pytest

import ostrich
from simulator import simulate
from tests.processes import run_python
from tests.sizes import size

PEAKS = """
import resource
import ostrich
from simulator import simulate
rules = ostrich.Rules(players=2, bags=(2, 3), deck=(0, 4, 5), removed=1, rounds=2)
game = ostrich.Game(rules)
peaks = []
for playthroughs in (10**5, 10**5, 10**8):
    simulate(game, ["greedy", "greedy"], playthroughs, 1, threads=2)
    peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(peaks[2] - peaks[1])
"""


@pytest.mark.compiled_only
def test_a_thousand_times_the_playthroughs_take_no_more_memory() -> None:
    """One byte kept of each would be 98,000 kB; the allocator may take a few thousand."""
    assert int(run_python("-c", PEAKS).stdout) < 20_000


def test_totals_are_at_most_129_batches_and_nothing_else_is_kept() -> None:
    game = ostrich.Game()
    for count in (1, 100, size(300_000, 300)):
        result = simulate(game, ["random"] * 3, count, 1, start=5)
        assert len(result.totals) <= 129
        assert result.win_units is None
        assert result.scores_by_seat is None
