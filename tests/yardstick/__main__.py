"""`python -m tests.yardstick`: three random players here and in C, side by side in one run.

The C loops play the same game: `scalar.c` as one writes it first; `lanes.c` lane-wise with a packed
word a player and a cheap hash for random numbers; `tuned.c` as fast as it could be made by fitting
these very rules. Timings alternate, so that a change of the machine's speed hits all alike; the
figures to quote are the medians' ratios. Mean scores must agree, or the comparison is worthless.
"""

import argparse
import ctypes
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import ostrich
from experiments.runs import processor
from ostrich import compiled_agent, is_legal
from simulator import simulate

HERE = Path(__file__).parent
LOOPS = ("scalar", "lanes", "tuned")
PLAYTHROUGHS = {"scalar": 1_000_000, "lanes": 8_000_000, "tuned": 16_000_000}
OURS = 15_000_000


@compiled_agent
def own_random(observation, weights):  # type: ignore[no-untyped-def]
    """Plays any legal claim: what a user would write, to be as fast as the catalogue's."""
    for action in range(5):
        if is_legal(observation, action):
            weights[action] = 1


class PlainRandom:
    """Plays any legal claim, in plain Python."""

    def act(self, observation, legal_actions, rng):  # type: ignore[no-untyped-def]
        return rng.choice(legal_actions)


def c_loop(name: str, folder: Path) -> Callable[[int], tuple[float, list[float]]]:
    """Compile a loop; the function returned plays a seed and gives its rate and means."""
    library = folder / f"{name}.so"
    command = ["gcc", "-O3", "-march=native", "-shared", "-fPIC", str(HERE / f"{name}.c")]
    subprocess.run([*command, "-o", str(library)], check=True)
    play = ctypes.CDLL(str(library)).play
    play.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p]

    def run(seed: int) -> tuple[float, list[float]]:
        means = (ctypes.c_double * 8)()
        began = time.perf_counter()
        play(seed, PLAYTHROUGHS[name], means)
        return PLAYTHROUGHS[name] / (time.perf_counter() - began), list(means)

    return run


def ours(
    agent: object, playthroughs: int, threads: int
) -> Callable[[int], tuple[float, list[float]]]:
    """Return the same for three of an agent of ours, through the public path."""
    game = ostrich.Game()
    simulate(game, [agent] * 3, 1000, 0)

    def run(seed: int) -> tuple[float, list[float]]:
        began = time.perf_counter()
        result = simulate(game, [agent] * 3, playthroughs, seed, threads=threads)
        rate = playthroughs / (time.perf_counter() - began)
        return rate, (result.total("score") / playthroughs).tolist()

    return run


def main() -> None:
    """Time all in turn and print medians and ratios."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--json", action="store_true")
    rounds, as_json = vars(options.parse_args()).values()
    with tempfile.TemporaryDirectory() as folder:
        runners = {name: c_loop(name, Path(folder)) for name in LOOPS}
        runners["random"] = ours("random", OURS, 1)
        runners["random, two threads"] = ours("random", 2 * OURS, 2)
        runners["own random"] = ours(own_random, OURS, 1)
        runners["greedy"] = ours("greedy", OURS, 1)
        runners["plain Python"] = ours(PlainRandom(), 2_000, 1)
        rates: dict[str, list[float]] = {name: [] for name in runners}
        for seed in range(rounds):
            for name, run in runners.items():
                rate, means = run(seed)
                rates[name].append(rate)
                if name in (*LOOPS, "random") and abs(sum(means[:3]) / 3 - 4.8803) > 0.02:
                    raise SystemExit(f"{name} plays another game: mean scores {means[:3]}")
    medians = {name: statistics.median(values) for name, values in rates.items()}
    random = medians["random"]
    ratios = {
        "random / scalar C": random / medians["scalar"],
        "random / lane-wise C": random / medians["lanes"],
        "random / tuned C": random / medians["tuned"],
        "two threads / one": medians["random, two threads"] / random,
        "own random / random": medians["own random"] / random,
        "greedy / random": medians["greedy"] / random,
        "plain-Python decisions a second": medians["plain Python"] * 30,
    }
    if as_json:
        print(json.dumps({"processor": processor(), "rates": medians, "ratios": ratios}, indent=2))
        return
    print(f"{processor()}, medians of {rounds}, million playthroughs a second:")
    for name, rate in medians.items():
        low, high = min(rates[name]) / 1e6, max(rates[name]) / 1e6
        print(f"  {name:22} {rate / 1e6:8.3f}   ({low:.3f} to {high:.3f})")
    for name, ratio in ratios.items():
        print(f"  {name:32} {ratio:10.2f}")


if __name__ == "__main__":
    main()
