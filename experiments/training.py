"""The command `train`: learn what an agent plays by, from nothing to the file that it reads.

A run ends as `results/train/<run>/` with `policy.npz`, where the agent finds it. One that was cut
short, by Ctrl-C or a kill, is kept as `<run>.partial/`, and the same command goes on from its last
checkpoint to the same bytes.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from shutil import rmtree
from typing import Any, Protocol

import pandas as pd

from agents.policies import write_policy
from experiments.options import game_from, out_from
from experiments.output import Stopped, print_json, print_table, progress_bar
from experiments.runs import (
    PARTIAL,
    check_writable,
    environment,
    run_folder,
    run_name,
    write_json,
)
from simulator.files import only_writer, write_folder
from simulator.inputs import UsageError, seed_from, threads_from, whole_number
from simulator.registry import unknown
from simulator.stored import Arrays, read_stored, write_stored

EXPERIMENT = "train"
CHECKPOINT, CHECKPOINT_KIND = "checkpoint.npz", "training checkpoint"
TRAINED = ("equilibrium", "cfr")


class Trainer(Protocol):
    """What learns: see `agents.lookahead.learning.Learner`."""

    plan: Any
    done: list[Any]

    @property
    def steps(self) -> Any:
        """All steps, those that are done included."""

    def run(self, threads: int) -> Iterator[Any]:
        """Take the steps that are left."""

    def estimate(self, threads: int) -> tuple[float, int]:
        """Return how many seconds and bytes the steps that are left will take."""

    def checkpoint(self) -> tuple[dict[str, Any], Arrays]:
        """Return all that is needed to go on."""

    def restore(self, header: dict[str, Any], arrays: Arrays) -> None:
        """Go on from a checkpoint."""

    def policy(self) -> tuple[dict[str, Any], Arrays]:
        """Return the header and the arrays of what was learned."""


def train(
    game_name: str, agent: str, games: str | None, passes: str | None, iterations: str | None,
    parts: str | None, seed: str, rules: list[str], threads: str | None, out: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Train, write what was learned, and print how it went; the options as texts, as given."""
    if agent not in TRAINED or game_name != "ostrich":
        raise unknown("agent that learns, for " + game_name, agent, TRAINED)
    game, workers = game_from(game_name, rules), threads_from(threads)
    trainer = _trainer(agent, game, games, passes, iterations, parts, seed)
    config = {
        "experiment": EXPERIMENT,
        "game": game_name,
        "agent": agent,
        "rules": game.rules.as_data(),
        "rules_version": game.rules_version,
        **{
            name: list(v) if isinstance(v, tuple) else v for name, v in asdict(trainer.plan).items()
        },
    }
    slug = "_".join(filter(None, [game_name, agent, game.rules.slug()]))
    folder = run_folder(out_from(out), EXPERIMENT, run_name(slug[:120], config))
    check_writable(folder.parent)
    partial = folder.with_name(folder.name + PARTIAL)
    with only_writer(folder):
        partial.mkdir(exist_ok=True)
        seconds = _learn(trainer, config, partial, workers, as_json)
        _write(trainer, config, folder, seconds)
        rmtree(partial, ignore_errors=True)
    rows = [asdict(row) for row in trainer.done]
    told = {**config, "folder": str(folder), "seconds": seconds, "steps": rows}
    told["bytes"] = (folder / "policy.npz").stat().st_size
    if as_json:
        print_json(told)
    else:
        _show(told, folder)


def _trainer(
    agent: str, game: Any, games: str | None, passes: str | None, iterations: str | None,
    parts: str | None, seed: str,
) -> Trainer:  # fmt: skip
    """Return what learns, by its own options; raise UsageError for another's."""
    whole = {
        name: whole_number(name, text, least, most)
        for name, text, least, most in (
            ("games", games, 100, 10**8),
            ("passes", passes, 1, 1000),
            ("iterations", iterations, 1, 10**12),
        )
        if text is not None
    }
    own = {"equilibrium": ("games", "passes"), "cfr": ("iterations", "parts")}[agent]
    for name in [*whole, *(["parts"] if parts is not None else [])]:
        if name not in own:
            raise UsageError(f"{agent} takes {' and '.join(f'--{n}' for n in own)}, no --{name}")
    if agent == "equilibrium":
        from agents.lookahead.learning import Learner, Plan

        return Learner(game, Plan(seed=seed_from(seed), **whole))
    from agents.abstraction.training import CfrPlan, CfrTrainer

    plan = replace(CfrPlan(seed=seed_from(seed)), **whole)  # type: ignore[arg-type]
    return CfrTrainer(game, plan if parts is None else replace(plan, parts=_parts(parts)))


def _parts(text: str) -> tuple[str, ...]:
    """Return what an abstraction counts beside what it always counts; "none" for nothing."""
    from agents.abstraction.buckets import PARTS

    named = [] if text == "none" else [name.strip() for name in text.split(",")]
    for name in named:
        if name not in PARTS:
            raise unknown("part of the abstraction", name, PARTS)
    return tuple(name for name in PARTS if name in named)


def _learn(
    trainer: Trainer, config: dict[str, Any], partial: Path, threads: int, silent: bool
) -> float:
    """Take all steps, with a checkpoint after each; return the seconds, those before included."""
    path, before = partial / CHECKPOINT, 0.0
    if path.exists():
        header, arrays = read_stored(path, CHECKPOINT_KIND)
        if header.get("config") != config:
            raise UsageError(f"{path} is a checkpoint of other settings; remove it to begin anew")
        trainer.restore(header["trainer"], arrays)
        before = float(header["seconds"])
    began = time.monotonic()
    if len(trainer.done) < len(trainer.steps):
        seconds, size = trainer.estimate(threads)
        print(
            f"training takes about {_duration(seconds)} on {threads} threads and "
            f"{size / 1e9:.1f} GB of memory; Ctrl-C keeps what is done",
            file=sys.stderr,
        )
    with progress_bar("steps", len(trainer.steps), silent) as advance:
        advance(len(trainer.done))
        try:
            for _ in trainer.run(threads):
                header, arrays = trainer.checkpoint()
                spent = before + time.monotonic() - began
                told = {"config": config, "trainer": header, "seconds": spent}
                write_stored(path, CHECKPOINT_KIND, told, arrays)
                advance(1)
        except KeyboardInterrupt:
            raise Stopped(
                f"interrupted; {len(trainer.done)} of {len(trainer.steps)} steps are kept in "
                f"{partial}, and the same command goes on from there"
            ) from None
    return before + time.monotonic() - began


def _write(trainer: Trainer, config: dict[str, Any], folder: Path, seconds: float) -> None:
    """Write a run that is done, whole or not at all."""
    table = pd.DataFrame([asdict(row) for row in trainer.done])

    def write(new: Path) -> None:
        write_json(new / "config.json", {**config, "partial": False})
        write_json(new / "environment.json", {**environment(), "seconds": seconds})
        header, arrays = trainer.policy()
        write_policy(new / "policy.npz", header, asdict(trainer.plan), arrays)
        table.to_csv(new / "learning.csv", index=False)

    write_folder(folder, write)


def _duration(seconds: float) -> str:
    """Return seconds as people say them."""
    return f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{max(seconds, 1):.0f} seconds"


def _show(told: dict[str, Any], folder: Path) -> None:
    """Print how learning went."""
    columns = list(told["steps"][0])
    rows = [[f"{v:,}" if isinstance(v, int) else f"{v:.4g}" for v in row.values()]
            for row in told["steps"]]  # fmt: skip
    print_table(f"{told['agent']} learned in {_duration(told['seconds'])}", columns, rows)
    print(f"files: {folder}/")
