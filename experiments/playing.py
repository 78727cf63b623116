"""The commands `tournament` and `merge`: options in, tables and charts out."""

from pathlib import Path
from typing import Any

from experiments.options import agents_from, game_from, out_from
from experiments.output import Stopped, print_json, print_table, progress_bar
from experiments.runs import check_writable, labels_text, run_folder
from experiments.tournament import (
    EXPERIMENT,
    Settings,
    Tournament,
    TournamentInterrupted,
    name_of,
    read_config,
    read_run,
    run,
    write_run,
)
from simulator import UsageError
from simulator import merge as merge_results
from simulator.files import only_writer, write_folder
from simulator.inputs import threads_from
from simulator.registry import game_class


def play_tournament(
    game_name: str,
    agents: str,
    playthroughs: str,
    seed: str,
    start: str,
    ordered: bool,
    rules: list[str],
    players: str | None,
    deck: str | None,
    threads: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Play a tournament and print its outcome; the options as texts, as they were given."""
    game = game_from(game_name, rules, players, deck)
    workers = None if threads is None else threads_from(threads)
    settings = Settings(game, agents_from(agents, game), playthroughs, seed, start, ordered)  # type: ignore[arg-type]
    total = settings.playthroughs * len(settings.line_ups())
    with progress_bar(f"{len(settings.line_ups())} line-ups", total, as_json) as advance:
        try:
            played = run(settings, out_from(out), workers, advance)
        except TournamentInterrupted as stop:
            raise Stopped(what_was_kept(stop)) from None
    show(played, as_json)


def what_was_kept(stop: TournamentInterrupted) -> str:
    """Return the line that an interrupted tournament ends with."""
    if stop.folder is None:
        return "interrupted; nothing was finished, so nothing is kept"
    return (
        f"interrupted; {stop.done:,} of {stop.wanted:,} playthroughs are kept in {stop.folder}, "
        "and the same command goes on from there"
    )


def show(played: Tournament, as_json: bool) -> None:
    """Print a tournament's outcome."""
    if as_json:
        print_json(
            {
                **played.config,
                "folder": str(played.folder),
                "agents": played.agents.to_dict("records"),
                "line_ups": played.line_ups.to_dict("records"),
            }
        )
        return
    game = played.results[0].game
    title = "; ".join(
        [
            f"{game.title}: {len(played.results)} line-ups, "
            f"{played.config['playthroughs']:,} playthroughs each, seed {played.config['seed']}",
            "means over all opponents in the field",
            *labels_text(game),
        ]
    )
    shown = game.shown_counters
    columns = ["agent", "win share", "95 % interval", "mean score", *shown.values()]
    rows = [
        [
            row["agent"],
            f"{row['win_share']:.4f}",
            f"{row['low']:.4f} to {row['high']:.4f}",
            f"{row['mean_score']:.3f}",
            *[f"{row[counter]:.3f}" for counter in shown],
        ]
        for row in played.agents.to_dict("records")
    ]
    print_table(title, columns, rows)
    print(f"tables: {played.folder}/agents.csv, line_ups.csv")
    print(f"charts: {played.folder}/win_rates.png, strength.png (and .svg)")


def merge_tournaments(runs: list[str], out: str | None, as_json: bool) -> None:
    """Join tournaments that were split by `start` into one, as if played in one piece."""
    folders = [Path(folder) for folder in runs]
    parts = []
    for folder in folders:
        config = read_config(folder)
        if config.get("partial"):
            raise UsageError(f"{folder} is not finished: run its command again first")
        parts.append(read_run(folder, _game_of(folder, config)))
    show(_merged(parts, out), as_json)


def _game_of(folder: Path, config: dict[str, Any]) -> Any:
    """Return the game that a run's settings tell of."""
    try:
        cls = game_class(config["game"])
        return cls(cls.rules_class.from_data(config["rules"]))
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(f"{folder / 'config.json'} is damaged: {error!r}") from error


def _merged(parts: list[Any], out: str | None) -> Tournament:
    """Return the tournament that the parts make up, written like any other."""
    configs = [{**config} for config, _ in parts]
    own = ("start", "playthroughs", "partial")
    shared = [{k: v for k, v in config.items() if k not in own} for config in configs]
    for other in shared[1:]:
        for key, value in other.items():
            if value != shared[0].get(key):
                raise UsageError(
                    f"parts that differ in {key} do not belong together: "
                    f"{shared[0].get(key)} and {value}"
                )
    results = [merge_results(column) for column in zip(*(found for _, found in parts), strict=True)]
    config = {**shared[0], "start": results[0].start, "playthroughs": results[0].playthroughs}
    folder = run_folder(out_from(out), EXPERIMENT, name_of(config, results[0].game))
    tournament = Tournament(config, results, folder)
    check_writable(folder.parent)
    with only_writer(folder):
        write_folder(folder, lambda new: write_run(new, tournament))
    return tournament
