"""The commands of `clutch`. Each reads its options, calls one experiment, and prints the outcome.

Everything that takes time to import is imported inside the commands, so that `--help` is instant.
"""

from typing import Annotated

import typer

app = typer.Typer(
    name="clutch",
    help="A strategy lab for egg games whose moves are simultaneous.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="ostrich or empires")]
Rule = Annotated[
    list[str],
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        help="Change a rule, such as amber_value=5; may be repeated.",
    ),
]
Players = Annotated[str | None, typer.Option(help="Short for --rule players=N.")]
Deck = Annotated[str | None, typer.Option(metavar="FILE", help="Egg deck of empires, a TOML file.")]
Seed = Annotated[str, typer.Option(help="Seed, 0 to 2^64-1.")]
Threads = Annotated[
    str | None, typer.Option(help="Threads; all cores by default. Results do not depend on it.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Out = Annotated[str | None, typer.Option(help="Folder for results, instead of ./results.")]


def _tell_version(wanted: bool) -> None:
    """Print the version and end, if it is asked for."""
    if wanted:
        from importlib.metadata import version

        print(f"clutch {version('clutch-lab')}")
        raise typer.Exit


@app.callback()
def clutch(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """A strategy lab for egg games whose moves are simultaneous."""


@app.command()
def agents(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="One game's agents only.")
    ] = None,
    json: Json = False,
) -> None:
    """List the agents that there are, a line each."""
    from experiments.listing import list_agents

    list_agents(game, json)


@app.command()
def tournament(
    game: GameName,
    agents: Annotated[
        str,
        typer.Option(help='Names with commas, files as mine.py:Hunter; "fast" is all fast ones.'),
    ] = "fast",
    playthroughs: Annotated[
        str, typer.Option(help="Playthroughs in each line-up, such as 1000000 or 1e6.")
    ] = "100_000",
    seed: Seed = "1",
    start: Annotated[
        str, typer.Option(help="Index of the first playthrough, for runs in parts.")
    ] = "0",
    ordered: Annotated[
        bool, typer.Option("--ordered", help="Play all orders of the seats.")
    ] = False,
    rule: Rule = [],  # noqa: B006
    players: Players = None,
    deck: Deck = None,
    threads: Threads = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Play every line-up of some agents, and write tables and charts."""
    from experiments.playing import play_tournament

    play_tournament(
        game, agents, playthroughs, seed, start, ordered, rule, players, deck, threads, out, json
    )


@app.command()
def merge(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN...", help="Folders of a tournament's parts.")
    ],
    out: Out = None,
    json: Json = False,
) -> None:
    """Join the parts of a tournament that was split by --start; the same files as in one piece."""
    from experiments.playing import merge_tournaments

    merge_tournaments(runs, out, json)


@app.command()
def replay(
    game: GameName,
    agents: Annotated[str, typer.Option(help="The line-up, seat by seat.")],
    seed: Seed = "1",
    index: Annotated[str, typer.Option(help="Which playthrough of the seed.")] = "0",
    rule: Rule = [],  # noqa: B006
    players: Players = None,
    deck: Deck = None,
    json: Json = False,
) -> None:
    """Tell one playthrough decision by decision."""
    from experiments.replay import replay as tell

    tell(game, agents, seed, index, rule, players, deck, json)


@app.command()
def play(
    game: GameName,
    agents: Annotated[
        str, typer.Option(help='The line-up, seat by seat; "me" is you, and may be once only.')
    ] = "",
    seed: Annotated[
        str | None, typer.Option(help="Seed; by default one that nobody knows.")
    ] = None,
    index: Annotated[str, typer.Option(help="Which playthrough of the seed.")] = "0",
    rule: Rule = [],  # noqa: B006
    players: Players = None,
    deck: Deck = None,
) -> None:
    """Play against agents at the terminal, seeing what your seat may see."""
    from experiments.play import play as sit_down

    sit_down(game, agents, seed, index, rule, players, deck)


@app.command()
def cards(
    game: GameName = "empires",
    agent: Annotated[str, typer.Option(help="Who sits in all seats.")] = "greedy",
    playthroughs: Annotated[
        str, typer.Option(help="Playthroughs for each number of players.")
    ] = "100_000",
    seed: Seed = "1",
    rule: Rule = [],  # noqa: B006
    deck: Deck = None,
    threads: Threads = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Measure what each card brings when played, by number of players, and draw it."""
    from experiments.cards import measure_cards

    measure_cards(game, agent, playthroughs, seed, rule, deck, threads, out, json)


@app.command()
def bench(
    repeats: Annotated[str, typer.Option(help="Timings of each; the median is shown.")] = "5",
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Measure playthroughs a second, and how long a cold and a warm start take."""
    from experiments.bench import bench as measure

    measure(repeats, threads, json)


SolvedGame = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help='ostrich, empires, or a game of OpenSpiel, as "kuhn_poker(players=3)".'
    ),
]
Payoff = Annotated[
    str, typer.Option(help="win_share, or score_difference for two players; of the lab's games.")
]


@app.command()
def solve(
    game: SolvedGame,
    algorithm: Annotated[
        str | None,
        typer.Option(
            help='"exact" (ostrich; the default there), or cfr, cfr+, dcfr, external, outcome; '
            "several with commas are drawn in one chart."
        ),
    ] = None,
    payoff: Payoff = "win_share",
    iterations: Annotated[
        str | None, typer.Option(help="End after so many (1000 if no end is given).")
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="End when NashConv, all deviation gains together, is so low.")
    ] = None,
    seconds: Annotated[str | None, typer.Option(help="End after so long.")] = None,
    seed: Seed = "1",
    rule: Rule = [],  # noqa: B006
    players: Players = None,
    threads: Threads = None,
    out: Out = None,
    timing: Annotated[
        bool,
        typer.Option(
            "--timing",
            help="Also chart gains against seconds, which come out otherwise in every run.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Solve a small game: exactly, or by regret minimisation until nobody gains much."""
    from experiments.solving import solve as run

    run(
        game, algorithm, payoff, iterations, target, seconds, seed, rule, players, threads, out,
        timing, json,
    )  # fmt: skip


@app.command()
def gain(
    game: SolvedGame,
    agent: Annotated[
        str,
        typer.Argument(
            help="Who plays: one name for all seats, or one a seat with commas; or a certificate "
            'or policy of `clutch solve`; in games of OpenSpiel "uniform" or a policy.'
        ),
    ],
    payoff: Payoff = "win_share",
    rule: Rule = [],  # noqa: B006
    players: Players = None,
    json: Json = False,
) -> None:
    """Say exactly what each player would gain by best responding to the others."""
    from experiments.gaining import gain as measure

    measure(game, agent, payoff, rule, players, json)


@app.command("check-certificate")
def check_certificate(
    file: Annotated[str, typer.Argument(help="A certificate.npz of `clutch solve ostrich`.")],
    json: Json = False,
) -> None:
    """Verify an exact solution, trusting nothing in it; shares no code with the solver."""
    from experiments.check_certificate import print_check

    print_check(file, json)


@app.command()
def train(
    game: GameName,
    agent: Annotated[str, typer.Argument(help="equilibrium or cfr")],
    games: Annotated[
        str | None, typer.Option(help="equilibrium: games played for each pass (300000).")
    ] = None,
    passes: Annotated[
        str | None, typer.Option(help="equilibrium: how often it learns from better play (3).")
    ] = None,
    iterations: Annotated[
        str | None, typer.Option(help="cfr: iterations of regret minimisation.")
    ] = None,
    parts: Annotated[
        str | None,
        typer.Option(
            help="cfr: what its abstraction counts, of round,others,lead,ambers; or none."
        ),
    ] = None,
    seed: Seed = "1",
    rule: Rule = [],  # noqa: B006
    threads: Threads = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Learn what an agent plays by; the same command goes on after an interruption."""
    from experiments.training import train as run

    run(game, agent, games, passes, iterations, parts, seed, rule, threads, out, json)


@app.command()
def exploit(
    game: GameName,
    agent: Annotated[str, typer.Argument(help="Who is exploited.")],
    lookahead: Annotated[
        str, typer.Option(help="Turns that the best responder looks ahead: 1 or 2.")
    ] = "1",
    playthroughs: Annotated[
        str, typer.Option(help="Playthroughs that measure a probe.")
    ] = "60_000",
    games: Annotated[
        str, typer.Option(help="Games that the responder plays and learns from at each refit.")
    ] = "30_000",
    probes: Annotated[
        str | None,
        typer.Option(help="Agents that are tried too, as they are; by default the catalogue."),
    ] = None,
    seed: Seed = "1",
    rule: Rule = [],  # noqa: B006
    threads: Threads = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Find out how much a player who knows an agent gets against two copies of it."""
    from experiments.exploiting import exploit as run

    run(game, agent, lookahead, playthroughs, games, probes, seed, rule, threads, out, json)


@app.command()
def league(
    game: GameName,
    agents: Annotated[
        str,
        typer.Option(help='Names with commas; "all" is the catalogue but for slow agents.'),
    ] = "all",
    playthroughs: Annotated[str, typer.Option(help="Playthroughs in each line-up.")] = "10_000",
    seed: Seed = "1",
    rule: Rule = [],  # noqa: B006
    players: Players = None,
    deck: Deck = None,
    threads: Threads = None,
    out: Out = None,
    json: Json = False,
) -> None:
    """Play all agents in all line-ups; rate them, and find who beats whom in circles."""
    from experiments.league import league as run

    run(game, agents, playthroughs, seed, rule, players, deck, threads, out, json)


@app.command()
def advise(
    game: GameName = "ostrich",
    player: Annotated[
        list[str],
        typer.Option(
            help="A position as bags:last:ambers, such as 2,0,x,3:5:1 (x: broken; - for no last "
            "claim); three times: you, then clockwise. Without it you are asked."
        ),
    ] = [],  # noqa: B006
    seen: Annotated[
        str | None, typer.Option(help="Cards seen before this one, with commas; - for none.")
    ] = None,
    card: Annotated[str | None, typer.Option(help="This round's card; 0 for an amber.")] = None,
    rule: Rule = [],  # noqa: B006
    json: Json = False,
) -> None:
    """Say what to claim in a position, what each claim is worth, and why."""
    from experiments.advising import advise as look

    look(game, player, seen, card, rule, json)
