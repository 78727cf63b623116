"""The command `gain`: what each player of a line-up would gain by best responding, exactly."""

import time
from pathlib import Path
from typing import Any

from experiments.options import agents_from
from experiments.output import print_json, print_table
from experiments.solving import check_payoff, game_or_openspiel, returns_for
from simulator.inputs import UsageError
from simulator.registry import make_agents

UNIFORM = "uniform"
FILE = ".npz"


def gain(
    game: str, agents: str, payoff: str, rules: list[str], players: str | None, as_json: bool
) -> None:
    """Measure and print; the options as texts, as they were given."""
    made = game_or_openspiel(game, rules, players)
    check_payoff(payoff, made)
    began = time.monotonic()
    names, value, size = _measured(game, made, agents, payoff)
    told: dict[str, Any] = {
        "game": game,
        "rules": made.rules.as_data() if hasattr(made, "rules") else None,
        "payoff": payoff,
        "agents": names,
        "values": value.values.tolist(),
        "best_responses": value.best_responses.tolist(),
        "gains": value.gains.tolist(),
        "nash_conv": value.nash_conv,
        **size,
        "seconds": time.monotonic() - began,
    }
    if as_json:
        print_json(told)
        return
    columns = ["player", "agent", "gets", "best response gets", "gain"]
    rows = [
        [str(player), name, *[f"{number:.6f}" for number in (gets, best, best - gets)]]
        for player, (name, gets, best) in enumerate(
            zip(names, told["values"], told["best_responses"], strict=True)
        )
    ]
    sizes = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in size.items())
    print_table(
        f"{game}: exact deviation gains ({payoff.replace('_', ' ')}; {sizes})", columns, rows
    )
    print(f"NashConv {value.nash_conv:.6g}")


def _measured(name: str, game: Any, agents: str, payoff: str) -> tuple[list[str], Any, Any]:
    """Return the names seat by seat, what they are worth, and the size of what was gone through."""
    if not hasattr(game, "rules") or (agents.endswith(FILE) and name != "ostrich"):
        return _measured_on_tree(name, game, agents, payoff)
    line_up = _line_up(game, agents)
    names = [agent.name for agent in line_up]
    if name == "ostrich":
        from agents.solvers.ostrich_gain import deviation_gains

        gains = deviation_gains(game, line_up, payoff)
        return names, gains, {"states": gains.states, "bytes": gains.nbytes}
    from agents.solvers.profiles import tree_and_profile
    from agents.solvers.sequences import evaluate

    tree, profile = tree_and_profile(game, line_up, returns=returns_for(payoff))
    sizes = {"nodes": len(tree.kind), "states": len(tree.strings), "bytes": tree.nbytes}
    return names, evaluate(tree, profile), sizes


def _line_up(game: Any, agents: str) -> list[Any]:
    """Return an agent for each seat: one name is taken for all of them."""
    if agents.endswith(FILE):
        from agents.solved import Solved
        from agents.solvers.certificates import read_certificate
        from simulator.agents import as_agent

        _, arrays = read_certificate(Path(agents), game)
        return [as_agent(Solved(game.rules, arrays), game)] * game.num_players
    names = agents_from(agents, game)
    line_up = make_agents(names * game.num_players if len(names) == 1 else names, game)
    if len(line_up) != game.num_players:
        raise UsageError(f"AGENT is one name, or {game.num_players}, seat by seat; not {agents!r}")
    return line_up


def _measured_on_tree(name: str, game: Any, agents: str, payoff: str) -> tuple[list[str], Any, Any]:
    """Measure the uniform policy, or one from a file, on a game's tree."""
    from agents.solvers.building import build_tree
    from agents.solvers.profiles import read_profile
    from agents.solvers.sequences import evaluate

    if agents != UNIFORM and not agents.endswith(FILE):
        raise UsageError(
            f"in {name} the agent is {UNIFORM!r} or a policy file of `clutch solve`, not {agents!r}"
        )
    tree = build_tree(game, name, returns=returns_for(payoff))
    profile = tree.uniform() if agents == UNIFORM else read_profile(Path(agents), tree)
    sizes = {"nodes": len(tree.kind), "states": len(tree.strings), "bytes": tree.nbytes}
    return [agents] * tree.num_players, evaluate(tree, profile), sizes
