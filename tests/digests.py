"""Hashes of what some line-ups play, for processes to compare: python -m tests.digests COUNT."""

import hashlib
import json
import sys

import empires
import ostrich
from simulator import simulate
from tests.empires_variants import EMPIRES_VARIANTS
from tests.three_ways import RandomPlain, RandomVectorised, odd_unseen
from tests.variants import VARIANTS


def digests(playthroughs: int) -> dict[str, str]:
    """Return a hash of totals, returns and scores for each of some line-ups and variants."""
    found = {}
    for name in ("published", "two players", "four players", "32 cards"):
        players = VARIANTS[name].players
        line_ups = {
            "compiled": ["random", "greedy", "hunter", "breaker"],
            "stepped": [RandomPlain, odd_unseen, RandomVectorised, "filler"],
        }
        for kind, line_up in line_ups.items():
            game = ostrich.Game(VARIANTS[name])
            result = simulate(game, line_up[:players], playthroughs, seed=5, keep="all")
            parts = (result.totals, result.returns, result.scores)
            content = b"".join(part.tobytes() for part in parts)
            found[f"{name}, {kind}"] = hashlib.sha256(content).hexdigest()
    for name in ("three players", "two players", "con pub"):
        game = empires.Game(EMPIRES_VARIANTS[name])
        line_up = ["random", "greedy", "counter", "dodger"][: game.num_players]
        result = simulate(game, line_up, playthroughs, seed=5, keep="all")
        parts = (result.totals, result.returns, result.scores)
        content = b"".join(part.tobytes() for part in parts)
        found[f"empires, {name}"] = hashlib.sha256(content).hexdigest()
    return found


if __name__ == "__main__":
    print(json.dumps(digests(int(sys.argv[1]))))
