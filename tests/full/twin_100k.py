"""The naive twin against 100,000 random playthroughs: python -m tests.full.twin_100k [COUNT]."""

import sys

from ostrich import Rules
from tests.ostrich_lanes import compare_playthroughs

PART = 5_000


def main(playthroughs: int) -> None:
    """Compare part by part, each with a seed of its own; stop at the first difference."""
    compared = 0
    for seed, first in enumerate(range(0, playthroughs, PART)):
        count = min(PART, playthroughs - first)
        compared += compare_playthroughs(Rules(), count, seed)
        print(f"{first + count:,} playthroughs, {compared:,} rounds agree", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
