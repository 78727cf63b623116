"""Minimise regret on a game's tree, for the command `solve`."""

import time
from pathlib import Path
from typing import Any

import pandas as pd

from experiments.output import Stopped, print_table, progress_bar
from experiments.runs import environment, write_json
from experiments.solving import Outcome, Settings, file_name_of, returns_for
from simulator.files import write_folder

SECONDS_A_CHECKPOINT = 20.0


def solve_tree(
    settings: Settings, folder: Path, partial: Path, timing: bool, silent: bool
) -> Outcome:
    """Run every algorithm, and write the run; `partial` keeps checkpoints until it is whole."""
    from agents.solvers.building import build_tree
    from agents.solvers.solver import TreeSolver

    tree = build_tree(settings.game, settings.name, returns=returns_for(settings.payoff))
    partial.mkdir(exist_ok=True)
    solvers = [TreeSolver(tree, name, settings.seed) for name in settings.algorithms]
    with progress_bar(", ".join(settings.algorithms), 100 * len(solvers), silent) as advance:
        for solver in solvers:
            _run(solver, settings, partial, advance)
    values = [solver.value() for solver in solvers]
    table = gains_table(solvers, values)

    def write(new: Path) -> None:
        from agents.solvers.profiles import write_profile
        from experiments.gain_charts import gains_figure, save

        write_json(new / "config.json", {**settings.config(), "partial": False})
        seconds = {solver.algorithm: solver.spent for solver in solvers}
        write_json(new / "environment.json", {**environment(), "seconds": seconds})
        table.drop(columns="seconds").to_csv(new / "gains.csv", index=False)
        for solver in solvers:
            name = f"policy-{file_name_of(solver.algorithm)}.npz"
            write_profile(new / name, tree, solver.average_policy())
        note = f"{settings.name}, {len(tree.strings):,} information sets, seed {settings.seed}"
        save(gains_figure(table, "iterations", note), new, "gains")
        if timing:
            table.to_csv(new / "timing.csv", index=False)
            save(gains_figure(table, "seconds", note), new, "gains_by_seconds")

    write_folder(folder, write)
    told: dict[str, Any] = {
        "nodes": len(tree.kind),
        "states": len(tree.strings),
        "bytes": tree.nbytes,
        "solved": [
            {
                "algorithm": solver.algorithm,
                "iterations": solver.iterations,
                "seconds": solver.spent,
                "values": value.values.tolist(),
                "gains": value.gains.tolist(),
                "nash_conv": value.nash_conv,
            }
            for solver, value in zip(solvers, values, strict=True)
        ],
    }
    if len(solvers) == 1:
        told.update(told["solved"][0])
    return Outcome(told, lambda: _show(settings, told))


def _run(solver: Any, settings: Settings, partial: Path, advance: Any) -> None:
    """Run one algorithm from its checkpoint, if there is one, to its end."""
    path = partial / f"checkpoint-{file_name_of(solver.algorithm)}.npz"
    if path.exists():
        solver.load(path)
    began = saved = time.monotonic()
    shown = 0

    def progress(now: Any) -> None:
        nonlocal saved, shown
        if time.monotonic() - saved > SECONDS_A_CHECKPOINT:
            now.save(path)
            saved = time.monotonic()
        parts = [now.iterations / settings.iterations] if settings.iterations else []
        parts += [(time.monotonic() - began) / settings.seconds] if settings.seconds else []
        gained = max(float(now.history[-1][1].sum()), 1e-300)
        parts += [settings.target / gained] if settings.target else []
        done = int(100 * min(max(parts), 1.0))
        advance(done - shown)
        shown = done

    try:
        solver.run(settings.iterations, settings.target, settings.seconds, progress)
    except KeyboardInterrupt:
        solver.save(path)
        raise Stopped(
            f"interrupted; {solver.iterations:,} iterations of {solver.algorithm} are kept in "
            f"{partial}, and the same command goes on from there"
        ) from None
    solver.save(path)  # while another algorithm runs, this one's end must not be lost


def gains_table(solvers: list[Any], values: list[Any]) -> pd.DataFrame:
    """Return a row for each time that gains were looked at, and for the end (`values`).

    Columns: algorithm, iterations, seconds (NaN in a run that was resumed), nash_conv, and gain_0,
    gain_1, ... of the players.
    """
    rows = []
    for solver, value in zip(solvers, values, strict=True):
        looks = {**dict(solver.history), solver.iterations: value.gains}
        for iterations, gains in looks.items():
            seconds = solver.seconds.get(iterations, float("nan"))
            by_player = {f"gain_{player}": gain for player, gain in enumerate(gains)}
            rows.append(
                {
                    "algorithm": solver.algorithm, "iterations": iterations, "seconds": seconds,
                    "nash_conv": gains.sum(), **by_player,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def _show(settings: Settings, told: dict[str, Any]) -> None:
    """Print what came out."""
    rows = [
        [
            entry["algorithm"], f"{entry['iterations']:,}", f"{entry['seconds']:.2f}",
            f"{entry['nash_conv']:.3g}", ", ".join(f"{gain:.3g}" for gain in entry["gains"]),
            ", ".join(f"{value:.4f}" for value in entry["values"]),
        ]
        for entry in told["solved"]
    ]  # fmt: skip
    title = (
        f"{settings.name}: {told['nodes']:,} nodes, {told['states']:,} information sets, "
        f"{told['bytes'] / 1e6:.1f} MB"
    )
    columns = [
        "algorithm",
        "iterations",
        "seconds",
        "NashConv",
        "gain by player",
        "value by player",
    ]
    print_table(title, columns, rows)
