"""`python -m tests.full.interrupt`: how long a running command takes to end after Ctrl-C."""

import signal
import statistics
import subprocess
import sys
import tempfile
import time

COMMAND = [sys.executable, "-m", "experiments.main", "tournament", "ostrich", "--agents", "random"]


def seconds_to_end(delay: float, folder: str) -> float:
    """Interrupt a tournament after `delay` seconds; return how long it then takes to end."""
    command = [*COMMAND, "--playthroughs", "1e10", "--seed", str(int(delay * 100)), "--out", folder]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(delay)
    running.send_signal(signal.SIGINT)
    began = time.perf_counter()
    code = running.wait()
    if code != 130:
        raise SystemExit(f"the command ended with {code}, not 130")
    return time.perf_counter() - began


def main() -> None:
    """Interrupt at ten moments and print the times."""
    with tempfile.TemporaryDirectory() as folder:
        taken = [seconds_to_end(4 + 0.17 * number, folder) for number in range(10)]
    middle, most = statistics.median(taken), max(taken)
    print(f"ended {middle:.2f} s after Ctrl-C (median of ten; at most {most:.2f} s)")


if __name__ == "__main__":
    main()
