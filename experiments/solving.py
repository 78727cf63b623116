"""The command `solve`: a game's equilibrium, exactly or by regret minimisation, with its measure.

Ostrich variants are solved exactly unless an algorithm is named; all other games, and Ostrich's
variants for comparison, are unrolled into a tree. Every run ends as `results/solve/<run>/`; one
that was cut short is kept as `<run>.partial/`, and the same command goes on from there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from shutil import rmtree
from typing import Any

from agents.solvers.ostrich_positions import WIN_SHARE
from agents.solvers.ostrich_positions import check_payoff as check_payoff_of_ours
from experiments.options import game_from, out_from
from experiments.output import print_json
from experiments.runs import PARTIAL, check_writable, run_folder, run_name
from simulator.files import only_writer
from simulator.inputs import UsageError, seed_from, threads_from
from simulator.registry import game_names

EXPERIMENT = "solve"
EXACT = "exact"


@dataclass(frozen=True)
class Settings:
    """What decides a solution.

    Parameters
    ----------
    game : Game
        One of the lab's, or of OpenSpiel's.
    name : str
        The game's name, an OpenSpiel game's with its parameters.
    algorithms : tuple of str
        "exact" alone, or any of `agents.solvers.solver.ALGORITHMS`.
    payoff : str
    iterations, target, seconds
        What ends regret minimisation; None where it does not.
    seed : int
    """

    game: Any
    name: str
    algorithms: tuple[str, ...]
    payoff: str
    iterations: int | None
    target: float | None
    seconds: float | None
    seed: int

    @property
    def is_exact(self) -> bool:
        """Whether it is solved by backward induction."""
        return self.algorithms == (EXACT,)

    def config(self) -> dict[str, Any]:
        """Return the settings as they are stored; their hash is in the run's name."""
        config: dict[str, Any] = {
            "experiment": EXPERIMENT,
            "game": self.name,
            "algorithms": list(self.algorithms),
            "payoff": self.payoff,
        }
        if hasattr(self.game, "rules"):
            config["rules"] = self.game.rules.as_data()
            config["rules_version"] = self.game.rules_version
            config.update(self.game.labels)
        if not self.is_exact:
            ends = {"iterations": self.iterations, "target": self.target, "seconds": self.seconds}
            config.update(ends, seed=self.seed)
        return config

    def run_name(self) -> str:
        """Return the name of the run's folder."""
        slug = self.game.rules.slug() if hasattr(self.game, "rules") else ""
        short = "".join(c if c.isalnum() or c in "-_" else "-" for c in self.name).strip("-")
        algorithms = "-".join(map(file_name_of, self.algorithms))
        payoff = "" if self.payoff == WIN_SHARE else self.payoff.replace("_", "-")
        return run_name(
            "_".join(filter(None, [short, slug, algorithms, payoff]))[:120], self.config()
        )


def file_name_of(algorithm: str) -> str:
    """Return an algorithm's name as names of files have it."""
    return algorithm.replace("+", "-plus")


def solve(
    game: str, algorithm: str | None, payoff: str, iterations: str | None, target: str | None,
    seconds: str | None, seed: str, rules: list[str], players: str | None, threads: str | None,
    out: str | None, timing: bool, as_json: bool,
) -> None:  # fmt: skip
    """Solve a game, write what came out, and print it; the options as texts, as given."""
    settings = _settings(game, algorithm, payoff, iterations, target, seconds, seed, rules, players)
    workers = threads_from(None if threads is None else threads)
    if timing and settings.is_exact:
        raise UsageError("--timing is for algorithms that run iterations, not for exact solving")
    folder = run_folder(out_from(out), EXPERIMENT, settings.run_name())
    check_writable(folder.parent)
    partial = folder.with_name(folder.name + PARTIAL)
    with only_writer(folder):
        if settings.is_exact:
            from experiments.solving_exactly import solve_whole

            outcome = solve_whole(settings, folder, partial, workers, as_json)
        else:
            from experiments.solving_trees import solve_tree

            outcome = solve_tree(settings, folder, partial, timing, as_json)
        rmtree(partial, ignore_errors=True)
    if as_json:
        print_json({**settings.config(), "folder": str(folder), **outcome.told})
    else:
        outcome.show()
        print(f"files: {folder}/")


@dataclass(frozen=True)
class Outcome:
    """What a run has to tell: for programs, and for people."""

    told: dict[str, Any]
    show: Callable[[], None]


def _settings(
    game: str, algorithm: str | None, payoff: str, iterations: str | None, target: str | None,
    seconds: str | None, seed: str, rules: list[str], players: str | None,
) -> Settings:  # fmt: skip
    """Read the options; raise UsageError for what cannot be."""
    from agents.solvers.solver import ALGORITHMS
    from simulator.registry import unknown

    made = game_or_openspiel(game, rules, players)
    names = tuple((algorithm or (EXACT if game == "ostrich" else "cfr+")).split(","))
    known = (EXACT, *ALGORITHMS) if game == "ostrich" else ALGORITHMS
    for name in names:
        if name not in known:
            raise unknown(f"algorithm for {game}", name, known)
    if len(set(names)) < len(names) or (EXACT in names and len(names) > 1):
        raise UsageError(
            f"--algorithm takes {EXACT}, or other names without repeats, not {algorithm}"
        )
    ends = (iterations, target, seconds)
    if EXACT in names and any(end is not None for end in ends):
        raise UsageError("an exact solution has no iterations, target or seconds")
    check_payoff(payoff, made)
    most, least, longest = _ends(iterations, target, seconds)
    if EXACT not in names and (most, least, longest) == (None, None, None):
        most = 1000
    return Settings(made, game, names, payoff, most, least, longest, seed_from(seed))


def check_payoff(payoff: str, game: Any) -> None:
    """Raise UsageError for a payoff that there is none of, or not in this game."""
    is_ours = hasattr(game, "rules")
    if not is_ours and payoff != WIN_SHARE:
        raise UsageError(f"--payoff {payoff} is for the lab's own games; this one has its own")
    if is_ours:
        check_payoff_of_ours(payoff, game.num_players)


def _ends(
    iterations: str | None, target: str | None, seconds: str | None
) -> tuple[int | None, float | None, float | None]:
    """Return what ends a run, read and checked."""
    from agents.solvers.solver import MOST_ITERATIONS
    from simulator.inputs import whole_number

    found: list[float | None] = []
    for name, text in (("target", target), ("seconds", seconds)):
        try:
            value = None if text is None else float(text)
        except ValueError:
            value = float("nan")
        if value is not None and not 0 < value < float("inf"):
            raise UsageError(f"{name} must be a positive number, not {text!r}")
        found.append(value)
    most = (
        None if iterations is None else whole_number("iterations", iterations, 1, MOST_ITERATIONS)
    )
    return most, found[0], found[1]


def game_or_openspiel(name: str, rules: list[str], players: str | None) -> Any:
    """Return a game of the lab, or else of OpenSpiel, which takes its parameters in its name."""
    if name in game_names():
        return game_from(name, rules, players)
    if rules or players is not None:
        raise UsageError(
            f"{name} takes parameters in its name, such as 'kuhn_poker(players=3)', no --rule"
        )
    from agents.solvers.openspiel import load_openspiel

    return load_openspiel(name)


def returns_for(payoff: str) -> Callable[[Any], Any] | None:
    """Return what a tree's ends pay, where that is not what the game says."""
    if payoff == WIN_SHARE:
        return None

    def difference(state: Any) -> list[float]:
        one, two = state.scores()
        return [float(one - two), float(two - one)]

    return difference
