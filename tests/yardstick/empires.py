"""`python -m tests.yardstick.empires`: random players here and in C, side by side in one run.

`empires_scalar.c` is the game as one writes it first. Timings alternate, so that a change of the
machine's speed hits all alike; the figures to quote are the medians of the ratios of neighbours.
Mean scores must agree to within five standard errors, or the comparison is worthless.
"""

import argparse
import ctypes
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from empires import Game, Rules
from experiments.runs import processor
from simulator import simulate

HERE = Path(__file__).parent
PLAYTHROUGHS = 200_000


def c_loop(folder: Path) -> Any:
    """Compile the loop; the function returned plays a seed and gives its rate and mean score."""
    library = folder / "empires.so"
    command = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", str(HERE / "empires_scalar.c")]
    subprocess.run([*command, "-o", str(library)], check=True)
    play = ctypes.CDLL(str(library)).play
    play.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int, ctypes.c_void_p]

    def run(players: int, seed: int) -> tuple[float, float]:
        sums = (ctypes.c_int64 * 16)()
        began = time.perf_counter()
        play(seed, PLAYTHROUGHS, players, sums)
        rate = PLAYTHROUGHS / (time.perf_counter() - began)
        return rate, sum(sums[6 : 6 + players]) / PLAYTHROUGHS / players

    return run


def ours(agent: str, players: int, seed: int, threads: int = 1) -> tuple[float, float, float]:
    """Return the rate, mean score, and its standard error of an agent in all seats."""
    began = time.perf_counter()
    game = Game(Rules(players=players))
    result = simulate(game, [agent] * players, PLAYTHROUGHS, seed, threads=threads)
    rate = PLAYTHROUGHS / (time.perf_counter() - began)
    mean = result.total("score") / PLAYTHROUGHS
    spread = result.total("score_squared") / PLAYTHROUGHS - mean**2
    return rate, float(mean.mean()), float((spread.mean() / PLAYTHROUGHS) ** 0.5)


def main() -> None:
    """Time all in turn and print medians and ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--players", type=int, nargs="*", default=[3, 2, 4, 5, 6])
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        loop = c_loop(Path(folder))
        for players in given.players:
            rates: dict[str, list[float]] = {}
            for agent in ("random", "greedy"):
                ours(agent, players, 0)
            for seed in range(given.rounds):
                rate, mean = loop(players, seed + 1)
                random, own_mean, error = ours("random", players, seed)
                if abs(mean - own_mean) > 5 * 1.5 * error:
                    raise SystemExit(f"another game: means {mean} and {own_mean} +- {error}")
                for name, one in (
                    ("scalar C", rate),
                    ("random", random),
                    ("random, two threads", ours("random", players, seed, 2)[0]),
                    ("greedy", ours("greedy", players, seed)[0]),
                ):
                    rates.setdefault(name, []).append(one)
            row: dict[str, Any] = {"players": players}
            row |= {name: statistics.median(values) for name, values in rates.items()}
            for name, one, other in (
                ("random / C", "random", "scalar C"),
                ("two threads / one", "random, two threads", "random"),
                ("greedy / random", "greedy", "random"),
            ):
                pairs = zip(rates[one], rates[other], strict=True)
                row[name] = statistics.median(a / b for a, b in pairs)
            rows.append(row)
    if given.json:
        print(json.dumps({"processor": processor(), "rows": rows}, indent=2))
        return
    print(f"{processor()}, medians of {given.rounds}, playthroughs a second:")
    for row in rows:
        told = [f"{k} {v:,.0f}" if v > 100 else f"{k} {v:.2f}" for k, v in row.items()]
        print("  " + ", ".join(told))


if __name__ == "__main__":
    main()
