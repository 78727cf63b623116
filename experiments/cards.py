"""The command `cards`: what each card brings when played, by number of players."""

from dataclasses import dataclass
from typing import Any

import pandas as pd

from experiments import tables
from experiments.options import game_from, out_from
from experiments.output import print_json, print_table
from experiments.runs import (
    check_writable,
    environment,
    labels_text,
    run_folder,
    run_name,
    write_json,
)
from simulator import UsageError, simulate
from simulator.files import only_writer, write_folder
from simulator.inputs import playthroughs_from, seed_from, threads_from

EXPERIMENT = "cards"


@dataclass(frozen=True)
class Settings:
    """What decides the outcome: the games by number of players, and who plays them."""

    games: tuple[Any, ...]
    agent: str
    playthroughs: int
    seed: int

    def config(self) -> dict[str, Any]:
        """Return the settings as they are stored; their hash is in the run's name."""
        game = self.games[0]
        return {
            "experiment": EXPERIMENT,
            "game": game.name,
            "rules": [one.rules.as_data() for one in self.games],
            "rules_version": game.rules_version,
            **game.labels,
            "agent": self.agent,
            "playthroughs": self.playthroughs,
            "seed": self.seed,
        }

    def run_name(self) -> str:
        """Return the name of the run's folder."""
        changed = self.games[0].rules.slug().split("_")
        parts = [self.games[0].name, self.agent, f"{self.playthroughs}-playthroughs"]
        parts += [part for part in changed if part and not part.startswith("players-")]
        return run_name("_".join([*parts, f"seed-{self.seed}"])[:120], self.config())


def play_all(settings: Settings, threads: int | None) -> pd.DataFrame:
    """Return `tables.card_table` for every number of players, with a column `players`."""
    parts = []
    for game in settings.games:
        line_up = [settings.agent] * game.num_players
        result = simulate(game, line_up, settings.playthroughs, settings.seed, threads=threads)
        part = tables.card_table([result])
        part.insert(0, "players", game.num_players)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def measure_cards(
    game_name: str,
    agent: str,
    playthroughs: str,
    seed: str,
    rules: list[str],
    deck: str | None,
    threads: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Play, write and print; the options as texts, as they were given."""
    from experiments.charts import cards_figure, save

    workers = None if threads is None else threads_from(threads)
    counts = range(*_players_of(game_name, rules, deck))
    games = tuple(game_from(game_name, rules, str(count), deck) for count in counts)
    settings = Settings(games, agent, playthroughs_from(playthroughs), seed_from(seed))
    folder = run_folder(out_from(out), EXPERIMENT, settings.run_name())
    check_writable(folder.parent)
    table = play_all(settings, workers)
    note = ", ".join(
        [
            f"{games[0].title}, {agent} in all seats, {settings.playthroughs:,} playthroughs "
            f"for each number of players, seed {settings.seed}",
            *labels_text(games[0]),
        ]
    )

    def write(new: Any) -> None:
        write_json(new / "config.json", {**settings.config(), "partial": False})
        write_json(new / "environment.json", environment())
        table.to_csv(new / "cards.csv", index=False)
        tables.write_parquet(table, new / "cards.parquet")
        save(cards_figure(table, "players", note), new, "cards")

    with only_writer(folder):
        write_folder(folder, write)
    if as_json:
        rows = table.to_dict("records")
        print_json({**settings.config(), "folder": str(folder), "cards": rows})
        return
    shown = table.pivot(index="card", columns="players", values="mean_points")
    half = ((table["high"] - table["low"]) / 2).max()
    names = games[0].card_names
    rows = [
        [f"{card} {names[card]}", *[f"{value:+.3f}" for value in shown.loc[card]]]
        for card in shown.index
    ]
    print_table(
        f"Points a play, by number of players; each to within {half:.3f} (95 %); {note}",
        ["card", *[f"{count} players" for count in shown.columns]],
        rows,
    )
    print(f"table: {folder}/cards.csv\nchart: {folder}/cards.png (and .svg)")


def _players_of(game_name: str, rules: list[str], deck: str | None) -> tuple[int, int]:
    """Return the range of the numbers of players, or raise UsageError for a game without cards."""
    if any(rule.startswith("players=") for rule in rules):
        raise UsageError("cards plays every number of players; --rule players=N is not for it")
    game = game_from(game_name, rules, None, deck)
    if not hasattr(game, "card_names"):
        raise UsageError(f"{game_name} has no cards whose points are counted; empires has")
    return game.min_players, game.max_players + 1
