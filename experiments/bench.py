"""The command `bench`: how many playthroughs a second, and how long a start takes.

Rates are medians of several timings on a machine that may be shared: compare them only with rates
of the same call. `tests/yardstick` sets them against C loops, side by side.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from experiments.output import print_json, print_table
from experiments.runs import processor
from simulator import simulate
from simulator.inputs import threads_from, whole_number
from simulator.registry import game_class, game_names

SECONDS = 0.4  # how long one timing should take

#: Line-ups that are timed in each game, by its name.
LINE_UPS = {
    "ostrich": [
        ("random", "random", "random"),
        ("greedy", "greedy", "greedy"),
        ("greedy", "random", "random"),
        ("breaker", "filler", "hunter"),
    ],
    "empires": [
        ("random", "random", "random"),
        ("greedy", "greedy", "greedy"),
        ("greedy", "random", "random"),
        ("counter", "dodger", "greedy"),
    ],
}

_START = """
import time
began = time.perf_counter()
import {game}
from simulator import simulate
simulate({game}.Game(), {line_up!r}, 1000, 1, threads=1)
print(time.perf_counter() - began)
"""


def rate(game: Any, line_up: tuple[str, ...], threads: int, repeats: int) -> float:
    """Return the median number of playthroughs a second."""
    simulate(game, line_up, 1000, 0, threads=threads)
    playthroughs, taken = 20_000, 0.0
    while taken < SECONDS / 4:
        playthroughs *= 2
        taken = _seconds(game, line_up, playthroughs, 0, threads)
    playthroughs = int(playthroughs * max(SECONDS / taken, 1.0))
    times = [_seconds(game, line_up, playthroughs, seed, threads) for seed in range(repeats)]
    return playthroughs / statistics.median(times)


def _seconds(
    game: Any, line_up: tuple[str, ...], playthroughs: int, seed: int, threads: int
) -> float:
    """Return how long a run takes."""
    began = time.perf_counter()
    simulate(game, line_up, playthroughs, seed, threads=threads)
    return time.perf_counter() - began


def start_seconds(game_name: str, line_up: tuple[str, ...], cache: str) -> float:
    """Return the seconds from a new process's first import to its first result."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    script = _START.format(game=game_name, line_up=list(line_up))
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def bench(repeats: str, threads: str | None, as_json: bool) -> None:
    """Print rates and start times for each game; the options as texts, as they were given."""
    times = whole_number("repeats", repeats, 1, 1000)
    most = threads_from(None if threads is None else threads)
    rates: list[dict[str, Any]] = []
    starts: list[dict[str, Any]] = []
    for name in game_names():
        game = game_class(name)()
        for line_up in LINE_UPS[name]:
            one = rate(game, line_up, 1, times)
            many = one if most == 1 else rate(game, line_up, most, times)
            rates.append(
                {"game": name, "line_up": ",".join(line_up), "one_thread": one, "all_threads": many}
            )
        with tempfile.TemporaryDirectory() as cache:
            cold = start_seconds(name, LINE_UPS[name][1], cache)
            warm = statistics.median(
                start_seconds(name, LINE_UPS[name][1], cache) for _ in range(times)
            )
        starts.append({"game": name, "cold_start_seconds": cold, "warm_start_seconds": warm})
    if as_json:
        print_json(
            {
                "processor": processor(),
                "threads": most,
                "repeats": times,
                "rates": rates,
                "starts": starts,
            }
        )
        return
    rows = [
        [
            f"{entry['game']}: {entry['line_up']}",
            f"{entry['one_thread'] / 1e6:.2f}",
            f"{entry['all_threads'] / 1e6:.2f}",
            f"{entry['all_threads'] / entry['one_thread']:.2f}",
        ]
        for entry in rates
    ]
    title = f"Million playthroughs a second, medians of {times}, {processor()}"
    print_table(title, ["line-up", "one thread", f"{most} threads", "ratio"], rows)
    for entry in starts:
        print(
            f"{entry['game']}: first result {entry['cold_start_seconds']:.1f} s after a cold start "
            f"(everything compiled), {entry['warm_start_seconds']:.2f} s after a warm one"
        )
