"""The command `replay`: one playthrough, told so that a person can follow it at the table."""

from typing import Any

from experiments.options import agents_from, game_from
from experiments.output import print_json
from experiments.runs import labels_text
from simulator.inputs import MAX_PLAYTHROUGHS, UsageError, seed_from, whole_number
from simulator.registry import make_agents
from simulator.stepping import joint_actions


def replay(
    game_name: str,
    agents: str,
    seed: str,
    index: str,
    rules: list[str],
    players: str | None,
    deck: str | None,
    as_json: bool,
) -> None:
    """Print a playthrough decision by decision; the options as texts, as they were given."""
    game = game_from(game_name, rules, players, deck)
    line_up = make_agents(agents_from(agents, game), game)
    if len(line_up) != game.num_players:
        raise UsageError(
            f"--agents names {len(line_up)} agents; {game.name} here needs {game.num_players}, "
            "seat by seat"
        )
    number, place = seed_from(seed), whole_number("index", index, 0, 2 * MAX_PLAYTHROUGHS)
    actions, fault = joint_actions(game, line_up, number, place)
    state = game.new_initial_state(seed=number, index=place)
    names = [f"{agent.name} (seat {seat})" for seat, agent in enumerate(line_up)]
    if as_json:
        if fault is not None:
            raise fault
        print_json(_as_data(game, state, actions, [agent.name for agent in line_up], number, place))
        return
    print(", ".join([game.title, f"seed {number}, playthrough {place}", *labels_text(game)]) + "\n")
    for joint in actions:
        before = state.clone()
        state.apply_actions(joint)
        lines = game.tell_round(before, joint, state, names)
        if lines:
            print("\n".join(lines))
        if game.stands_to_be_told(before, state):
            print("\n".join(game.tell_position(state, names)) + "\n")
    if fault is not None:
        raise fault
    _print_end(state, names)


def _print_end(state: Any, names: list[str]) -> None:
    """Print who wins."""
    returns = state.returns()
    winners = [name for name, share in zip(names, returns, strict=True) if share > 0]
    if len(winners) == 1:
        print(f"{winners[0]} wins.")
    else:
        print(
            f"{', '.join(winners[:-1])} and {winners[-1]} share the win, {max(returns):.4g} each."
        )


def _as_data(
    game: Any, state: Any, actions: list[list[int | None]], agents: list[str], seed: int, index: int
) -> dict[str, Any]:
    """Return the playthrough as plain data."""
    decisions = []
    for joint in actions:
        before = {"phase": state.phase, **game.shown_to_all(state)}
        state.apply_actions(joint)
        says = [None if action is None else game.action_to_string(action) for action in joint]
        decisions.append(
            {
                **before,
                "actions": joint,
                "says": says,
                "scores": state.scores(),
                "state": str(state),
            }
        )
    return {
        "game": game.name,
        **game.labels,
        "agents": agents,
        "seed": seed,
        "index": index,
        "decisions": decisions,
        "scores": state.scores(),
        "returns": state.returns(),
    }
