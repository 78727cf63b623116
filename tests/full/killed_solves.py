"""Kill long solves at random moments and go on: the files must be those of a solve left alone.

`python -m tests.full.killed_solves [KILLS]` (20 by default) does so for an exact solution and for
regret minimisation; a few minutes.
"""

import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

#: What is solved, each in some ten seconds.
SOLVES = {
    "exact": [
        "ostrich", "--rule", "bags=2,3,5", "--rule", "deck=4,5,6,7,0", "--rule", "removed=0",
        "--rule", "rounds=5",
    ],
    "regret": [
        "goofspiel(players=3,num_cards=4,points_order=descending,imp_info=false)",
        "--algorithm", "cfr+,external", "--iterations", "40000",
    ],
}  # fmt: skip


def start(arguments: list[str], out: Path) -> subprocess.Popen[bytes]:
    """Start a solve."""
    script = (
        "import experiments.solving_trees as t; t.SECONDS_A_CHECKPOINT = 0.5; "
        "from experiments.main import main; main()"
    )
    return subprocess.Popen(
        [sys.executable, "-c", script, "solve", *arguments, "--out", str(out)],
        stdout=subprocess.DEVNULL,
    )


def finished(out: Path) -> dict[str, bytes]:
    """Return the files of the only run, but for environment.json."""
    (folder,) = [path for path in (out / "solve").iterdir() if not path.name.startswith(".")]
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "environment.json"}


def killed(arguments: list[str], kills: int, luck: random.Random) -> tuple[int, bool]:
    """Kill a solve again and again; return how often it was, and whether its files are right."""
    with tempfile.TemporaryDirectory() as folder:
        alone, cut = Path(folder) / "alone", Path(folder) / "cut"
        began = time.monotonic()
        assert start(arguments, alone).wait() == 0
        whole = time.monotonic() - began
        done = 0
        while done < kills:
            process = start(arguments, cut)
            try:
                process.wait(timeout=luck.uniform(0.3, 1.2) * whole)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                done += 1
                continue
            if finished(cut) != finished(alone):
                return done, False
            for path in sorted(cut.rglob("*"), reverse=True):  # begin anew
                path.rmdir() if path.is_dir() else path.unlink()
        assert start(arguments, cut).wait() == 0
        return done, finished(cut) == finished(alone)


def main() -> None:
    """Kill, and say whether all came out right."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for name, arguments in SOLVES.items():
        done, right = killed(arguments, kills, random.Random(1))
        print(
            f"{name}: killed {done} times, {'same files' if right else 'OTHER FILES'}", flush=True
        )
        if not right:
            sys.exit(1)


if __name__ == "__main__":
    main()
