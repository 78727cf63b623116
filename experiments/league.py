"""The command `league`: all agents in all line-ups, with ratings, duels and circles."""

from pathlib import Path
from typing import Any

from experiments.options import agents_from, game_from, out_from
from experiments.output import Stopped, print_json, print_table, progress_bar
from experiments.playing import what_was_kept
from experiments.ratings import cycles_in, duel_table, rating_table, told_cycles
from experiments.tournament import Settings, Tournament, TournamentInterrupted, run, write_run
from simulator.inputs import UsageError, threads_from
from simulator.registry import listed_agents, make_agent

EXPERIMENT = "league"
ALL = "all"


def league(
    game_name: str, agents: str, playthroughs: str, seed: str, rules: list[str],
    players: str | None, deck: str | None, threads: str | None, out: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Play a league and print its outcome; the options as texts, as given."""
    game = game_from(game_name, rules, players, deck)
    names = everybody(game) if agents == ALL else agents_from(agents, game)
    workers = None if threads is None else threads_from(threads)
    settings = Settings(game, names, playthroughs, seed, experiment=EXPERIMENT)  # type: ignore[arg-type]
    total = settings.playthroughs * len(settings.line_ups())
    with progress_bar(f"{len(settings.line_ups())} line-ups", total, as_json) as advance:
        try:
            played = run(settings, out_from(out), workers, advance, write_league)
        except TournamentInterrupted as stop:
            raise Stopped(what_was_kept(stop)) from None
    ratings, duels = rating_table(played.results, settings.seed), duel_table(played.results)
    cycles = cycles_in(duels)
    if as_json:
        print_json(
            {
                **played.config,
                "folder": str(played.folder),
                "ratings": ratings.to_dict("records"),
                "agents": played.agents.to_dict("records"),
                "duels": duels.to_dict("records"),
                "cycles": [list(cycle) for cycle in cycles],
                "line_ups": played.line_ups.to_dict("records"),
            }
        )
        return
    _show(played, ratings, cycles)


def everybody(game: Any) -> list[str]:
    """Return all agents that play a game's rules at some speed.

    Slow ones are asked for by name, and so is `solved`, which may have to solve first.
    """
    names = []
    for listed in listed_agents(game):
        if listed.name == "solved":
            continue
        try:
            if not make_agent(listed.name, game).slow:
                names.append(listed.name)
        except UsageError:
            continue
    return names


def write_league(folder: Path, played: Tournament) -> None:
    """Write a finished league: a tournament's files, and ratings, duels and their chart."""
    from experiments.charts import save
    from experiments.rating_charts import ratings_figure

    write_run(folder, played)
    ratings, duels = rating_table(played.results, played.config["seed"]), duel_table(played.results)
    ratings.to_csv(folder / "ratings.csv", index=False)
    duels.to_csv(folder / "duels.csv", index=False)
    game = played.results[0].game
    note = (
        f"{game.title}, {len(played.results)} line-ups of "
        f"{played.config['playthroughs']:,} playthroughs, seed {played.config['seed']}; "
        f"400 points are ten times the share; {told_cycles(cycles_in(duels), ratings)}"
    )
    save(ratings_figure(ratings, note), folder, "ratings")


def _show(played: Tournament, ratings: Any, cycles: Any) -> None:
    """Print ratings, shares in the whole field, and circles."""
    shares = played.agents.set_index("agent")
    rows = [
        [
            row.agent, f"{row.rating:+.0f}", f"{row.low:+.0f} to {row.high:+.0f}",
            f"{shares.loc[row.agent, 'win_share']:.4f}",
            f"{shares.loc[row.agent, 'low']:.4f} to {shares.loc[row.agent, 'high']:.4f}",
        ]
        for row in ratings.itertuples()
    ]  # fmt: skip
    title = (
        f"League of {len(ratings)} agents: {len(played.results)} line-ups, "
        f"{played.config['playthroughs']:,} playthroughs each, seed {played.config['seed']}"
    )
    columns = ["agent", "rating", "95 % interval", "win share in the field", "95 % interval"]
    print_table(title, columns, rows)
    print(told_cycles(cycles, ratings))
    print(f"files: {played.folder}/")
