"""Solve a variant of Ostrich exactly, for the command `solve`."""

import time
from pathlib import Path
from typing import Any

import pandas as pd

from experiments.output import Stopped, print_table, progress_bar
from experiments.runs import environment, write_json
from experiments.solving import Outcome, Settings
from simulator.compiling import sources_hash
from simulator.files import write_folder


def solve_whole(
    settings: Settings, folder: Path, partial: Path, threads: int, silent: bool
) -> Outcome:
    """Solve, and write the run; parts that are done are kept in `partial` until it is whole."""
    from agents.solvers.certificates import certificate_header, write_certificate
    from agents.solvers.ostrich_exact import solve_exactly
    from agents.solvers.ostrich_parts import PartStore

    began = time.monotonic()
    partial.mkdir(exist_ok=True)
    header = {**certificate_header(settings.game, settings.payoff), "sources": sources_hash()}
    store = PartStore(partial, header)
    with progress_bar("parts", 100, silent) as advance:
        shown = 0

        def progress(done: int, todo: int) -> None:
            nonlocal shown
            now = 100 * done // todo
            advance(now - shown)
            shown = now

        try:
            solution = solve_exactly(settings.game, settings.payoff, threads, store, progress)
        except KeyboardInterrupt:
            raise Stopped(
                f"interrupted; what is solved is kept in {partial}, and the same command goes on "
                "from there"
            ) from None
    seconds = time.monotonic() - began
    table = rounds_table(solution)

    def write(new: Path) -> None:
        write_json(new / "config.json", {**settings.config(), "partial": False})
        write_json(new / "environment.json", {**environment(), "seconds": seconds})
        write_certificate(new / "certificate.npz", settings.game, solution)
        table.to_csv(new / "rounds.csv", index=False)

    write_folder(folder, write)
    told = {
        "root_values": solution.root_values.tolist(),
        "states": solution.states,
        "stage_games": int(table["stage_games"].sum()),
        "mixed_share": float(1 - table["pure"].sum() / table["stage_games"].sum()),
        "resisted": int(table["resisted"].sum()),
        "largest_gain": solution.largest_gain,
        "gain_bound": solution.gain_bound,
        "iterations": len(solution.rounds),
        "gains": [solution.gain_bound] * settings.game.num_players,
        "seconds": seconds,
        "bytes": (folder / "certificate.npz").stat().st_size,
        "rounds": table.to_dict("records"),
    }
    return Outcome(told, lambda: _show(settings, table, told))


def rounds_table(solution: Any) -> pd.DataFrame:
    """Return a row for each round: states, stage games, how they were solved, the largest gain."""
    from agents.solvers.stage_games import METHOD_NAMES

    rows = []
    for number, one in enumerate(solution.rounds):
        methods = dict(zip(METHOD_NAMES, one.tally.tolist(), strict=True))
        rows.append(
            {
                "round": number + 1,
                "states": len(one.layer.keys),
                "stage_games": len(one.joint),
                **{name.replace(" ", "_").replace("-", "_"): n for name, n in methods.items()},
                "largest_gain": one.gain,
            }
        )
    return pd.DataFrame(rows)


def _show(settings: Settings, table: pd.DataFrame, told: dict[str, Any]) -> None:
    """Print what came out."""
    title = f"{settings.game.title}, solved exactly in {told['seconds']:.1f} s"
    print_table(title, list(table.columns), [[*map(_text, row)] for row in table.to_numpy()])
    values = ", ".join(f"{value:.6f}" for value in told["root_values"])
    print(f"root values ({settings.payoff.replace('_', ' ')}): {values}")
    print(f"{told['mixed_share']:.1%} of stage games mixed, {told['resisted']} resisted; nobody "
          f"gains more than {told['gain_bound']:.2g} by deviating")  # fmt: skip


def _text(value: Any) -> str:
    """Return a number of the table as it is shown."""
    return f"{int(value):,}" if value == int(value) else f"{value:.2g}"
