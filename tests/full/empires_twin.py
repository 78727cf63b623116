"""`python -m tests.full.empires_twin [GAMES]`: the naive twin beside states, many games.

For each number of players and each option, by default 20,000 games, event by event.
"""

import sys
import time
from typing import Any

from empires import Game, Rules
from tests.empires_twin import comparable, follow, told, twin_playthrough
from tests.test_empires_twin import VARIANTS


def compare(name: str, changes: dict[str, Any], games: int) -> None:
    """Compare some games, and say how many events agreed."""
    variant = Rules(**changes)
    game, events_seen, began = Game(variant), 0, time.perf_counter()
    for seed in range(games):
        orders, records, events, outcome = twin_playthrough(variant, 10**6 + seed)
        state = follow(game, orders, records)
        if comparable(state.history())[:-1] != told(events, variant.turns)[:-1]:
            raise SystemExit(f"{name}: event lists of game {seed} differ")
        if state.scores() != outcome["totals"]:
            raise SystemExit(f"{name}: scores of game {seed} differ")
        if state.returns() != [float(share) for share in outcome["shares"]]:
            raise SystemExit(f"{name}: shares of game {seed} differ")
        events_seen += len(events)
    seconds = time.perf_counter() - began
    print(f"{name}: {games} games, {events_seen} events agree ({seconds:.0f} s)", flush=True)


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    for name, changes in VARIANTS.items():
        compare(name, changes, games)
