"""The tournament: every line-up of some agents over the seats, the same deals for all of them."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations_with_replacement, product
from pathlib import Path
from shutil import rmtree
from typing import Any

import pandas as pd

from experiments import tables
from experiments.runs import (
    PARTIAL,
    check_writable,
    environment,
    labels_text,
    read_json,
    run_folder,
    run_name,
    write_json,
)
from simulator import Interrupted, SimulationResult, UsageError, merge, simulate
from simulator.files import only_writer, recover_folder, write_folder
from simulator.inputs import playthroughs_from, seed_from, start_from
from simulator.registry import make_agents
from simulator.result import batch_size_for

EXPERIMENT = "tournament"
RAW = "totals.parquet"
MAX_LINE_UPS = 20_000


@dataclass(frozen=True)
class Settings:
    """What decides a tournament's results.

    Parameters
    ----------
    game : Game
    agents : sequence
        Names, ``file.py:Name``, or agents of one's own; without repeats.
    playthroughs : int
        In each line-up.
    seed, start : int
        Every line-up plays the deals of this seed from index `start` on.
    ordered : bool
        All orders of the seats instead of one for each set of agents.
    experiment : str
        What the run is called: a league is a tournament with more to tell.
    """

    game: Any
    agents: Sequence[Any]
    playthroughs: int
    seed: int
    start: int = 0
    ordered: bool = False
    experiment: str = EXPERIMENT

    def __post_init__(self) -> None:
        object.__setattr__(self, "playthroughs", playthroughs_from(self.playthroughs))
        object.__setattr__(self, "seed", seed_from(self.seed))
        object.__setattr__(self, "start", start_from(self.start))
        if not self.agents:
            raise UsageError("a tournament needs at least one agent")
        hashes = _file_hashes(self.agents)
        made = make_agents(self.agents, self.game)
        names = [agent.name for agent in made]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(
                    f"agent {name!r} is named twice; in a tournament each is named once "
                    "(two different agents of one name: give one another)"
                )
        count = len(self.line_ups())
        if count > MAX_LINE_UPS:
            raise UsageError(
                f"{len(names)} agents make {count} line-ups; at most {MAX_LINE_UPS} are played"
            )
        object.__setattr__(self, "made", made)
        object.__setattr__(self, "hashes", hashes)

    @property
    def names(self) -> list[str]:
        """The agents' names."""
        return [agent.name for agent in self.made]  # type: ignore[attr-defined]

    def line_ups(self) -> list[tuple[int, ...]]:
        """Return each line-up as numbers of agents, seat by seat."""
        numbers, seats = range(len(self.agents)), self.game.num_players
        if self.ordered:
            return list(product(numbers, repeat=seats))
        return list(combinations_with_replacement(numbers, seats))

    def config(self) -> dict[str, Any]:
        """Return the settings as they are stored; their hash is in the run's name."""
        return {
            "experiment": self.experiment,
            "game": self.game.name,
            "rules": self.game.rules.as_data(),
            **self.game.labels,
            "rules_version": self.game.rules_version,
            "agents": self.names,
            "agent_files": self.hashes,  # type: ignore[attr-defined]
            "ordered": self.ordered,
            "playthroughs": self.playthroughs,
            "seed": self.seed,
            "start": self.start,
        }

    def run_name(self) -> str:
        """Return the name of the run's folder."""
        return name_of(self.config(), self.game)


def name_of(config: dict[str, Any], game: Any) -> str:
    """Return the name of the folder for settings as they are stored."""
    parts = [game.name, f"{len(config['agents'])}-agents", f"{config['playthroughs']}-playthroughs"]
    parts += [game.rules.slug()] if game.rules.slug() else []
    return run_name("_".join([*parts, f"seed-{config['seed']}"])[:120], config)


@dataclass(frozen=True)
class Tournament:
    """A tournament that was played."""

    config: dict[str, Any]
    results: list[SimulationResult]
    folder: Path | None

    @property
    def agents(self) -> pd.DataFrame:
        """`tables.agent_table`."""
        return tables.agent_table(self.results, list(self.results[0].game.shown_counters))

    @property
    def line_ups(self) -> pd.DataFrame:
        """`tables.line_up_table`."""
        return tables.line_up_table(self.results)


class TournamentInterrupted(KeyboardInterrupt):
    """Ctrl-C during a tournament; `folder` holds what was done, or is None if nothing was."""

    def __init__(self, folder: Path | None, done: int, wanted: int) -> None:
        super().__init__()
        self.folder, self.done, self.wanted = folder, done, wanted


def run(
    settings: Settings,
    out: Path,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
    write: Callable[[Path, Tournament], None] | None = None,
) -> Tournament:
    """Play a tournament, or go on with one that was interrupted, and write its results.

    Raises
    ------
    TournamentInterrupted
        At Ctrl-C; what was done is kept, marked partial, and taken up by the next run.
    OSError
        If the results cannot be written; found out before anything is played.
    """
    folder = run_folder(out, settings.experiment, settings.run_name())
    partial = folder.with_name(folder.name + PARTIAL)
    check_writable(folder.parent)
    environment()  # asked for now, so that an interrupt need not wait for it
    with only_writer(folder):
        recover_folder(partial)
        results = _taken_up(settings, partial)
        progress(sum(result.playthroughs for result in results))
        try:
            _play_missing(settings, results, threads, progress)
            tournament = Tournament(settings.config(), results, folder)
            write_folder(folder, lambda new: (write or write_run)(new, tournament))
        except KeyboardInterrupt:
            done = sum(result.playthroughs for result in results)
            if results:
                write_folder(partial, lambda new: _write_partial(new, settings, results))
            wanted = settings.playthroughs * len(settings.line_ups())
            raise TournamentInterrupted(partial if results else None, done, wanted) from None
        except Exception:  # an agent that fails, a full disk: what was played is kept if it can be
            with suppress(OSError):
                if results:
                    write_folder(partial, lambda new: _write_partial(new, settings, results))
            raise
        rmtree(partial, ignore_errors=True)
    return tournament


def _play_missing(
    settings: Settings,
    results: list[SimulationResult],
    threads: int | None,
    progress: Callable[[int], None],
) -> None:
    """Play what is missing in `results`, which is filled up in place, line-up by line-up."""
    line_ups = settings.line_ups()
    started = bool(results) and results[-1].playthroughs < settings.playthroughs
    for number in range(len(results) - started, len(line_ups)):
        before = results[number:]  # a part of this line-up, or nothing
        done = sum(part.playthroughs for part in before)
        try:
            played = simulate(
                settings.game,
                [settings.made[agent] for agent in line_ups[number]],  # type: ignore[attr-defined]
                settings.playthroughs - done,
                settings.seed,
                settings.start + done,
                threads,
            )
        except Interrupted as stop:
            if stop.result is not None:
                results[number:] = [merge([*before, stop.result])]
            raise
        results[number:] = [merge([*before, played])]
        progress(settings.playthroughs - done)


def _taken_up(settings: Settings, partial: Path) -> list[SimulationResult]:
    """Return what an interrupted run of the same settings has done, or nothing."""
    if not partial.exists():
        return []
    return read_run(partial, settings.game, settings.experiment)[1]


def _write_partial(folder: Path, settings: Settings, results: list[SimulationResult]) -> None:
    """Write what is done of an interrupted tournament; enough to go on from."""
    done = sum(result.playthroughs for result in results)
    wanted = settings.playthroughs * len(settings.line_ups())
    write_json(
        folder / "config.json",
        {**settings.config(), "partial": True, "played": done, "wanted": wanted},
    )
    write_json(folder / "environment.json", environment())
    parts = [coarse(result, settings.playthroughs) for result in results]
    tables.write_parquet(tables.raw_table(parts), folder / RAW)
    tables.line_up_table(results).to_csv(folder / "line_ups.csv", index=False)


def coarse(result: SimulationResult, playthroughs: int) -> SimulationResult:
    """Return a part's result on the batches of the whole run."""
    from dataclasses import replace

    from simulator.result import coarsened

    size = batch_size_for(playthroughs)
    totals = coarsened(result.totals, result.start, result.batch_size, size)
    return replace(result, totals=totals, batch_size=size)


def write_run(folder: Path, tournament: Tournament) -> None:
    """Write a finished tournament: settings, environment, tables, charts."""
    from experiments.charts import cards_figure, matrix_figure, save, strength_figure

    config, results = tournament.config, tournament.results
    write_json(folder / "config.json", {**config, "partial": False})
    write_json(folder / "environment.json", environment())
    tables.write_parquet(tables.raw_table(results), folder / RAW)
    agents = tournament.agents
    agents.to_csv(folder / "agents.csv", index=False)
    tournament.line_ups.to_csv(folder / "line_ups.csv", index=False)
    game = results[0].game
    note = ", ".join(
        [
            f"{game.title}, {game.num_players} players",
            f"{len(results)} line-ups of {config['playthroughs']:,} playthroughs",
            f"seed {config['seed']}, rules version {config['rules_version']}",
            *labels_text(game),
        ]
    )
    par, order = 1 / game.num_players, list(agents["agent"])
    save(strength_figure(agents, par, note), folder, "strength")
    shares = tables.against_copies(results)
    save(matrix_figure(shares, order, par, game.num_players - 1, note), folder, "win_rates")
    if hasattr(game, "card_names"):
        cards = tables.card_table(results)
        cards.to_csv(folder / "cards.csv", index=False)
        save(cards_figure(cards, "agent", note), folder, "cards")


def read_config(folder: Path, experiment: str = EXPERIMENT) -> dict[str, Any]:
    """Read a tournament's settings back, or raise UsageError."""
    config = read_json(folder / "config.json")
    if config.get("experiment") != experiment:
        raise UsageError(f"{folder} is no {experiment}")
    for key in ("game", "rules", "agents", "ordered", "playthroughs", "seed", "start"):
        if key not in config:
            raise UsageError(f"{folder / 'config.json'} is damaged: it lacks {key!r}")
    return config


def read_run(
    folder: Path, game: Any, experiment: str = EXPERIMENT
) -> tuple[dict[str, Any], list[SimulationResult]]:
    """Read a tournament's settings and results back.

    Raises
    ------
    UsageError
        If a file is missing or damaged, or was made under other rules.
    """
    config = read_config(folder, experiment)
    if config.get("rules_version") != game.rules_version:
        raise UsageError(
            f"{folder} was made under rules version {config.get('rules_version')}, "
            f"not {game.rules_version}"
        )
    try:
        raw = tables.read_parquet(folder / RAW)
        size = batch_size_for(config["playthroughs"])
        return config, tables.results_from(raw, game, config["seed"], config["start"], size)
    except Exception as error:
        raise UsageError(f"{folder / RAW} is damaged or missing: {error!r}") from error


def _file_hashes(agents: Sequence[Any]) -> list[str]:
    """Return the hash of each file that an agent is taken from, in the order of the agents."""
    files = [spec.rpartition(":")[0] for spec in agents if isinstance(spec, str) and ":" in spec]
    return [sha256(Path(file).read_bytes()).hexdigest() for file in files if Path(file).is_file()]
