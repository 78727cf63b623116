"""The list of agents that there are."""

from typing import Any

from experiments.output import print_json
from simulator.registry import agent_names, game_class, game_names, make_agent


def list_agents(game: str | None, as_json: bool) -> None:
    """Print each game's agents with what they do."""
    listed: list[dict[str, Any]] = []
    for name in [game] if game else game_names():
        played = game_class(name)()
        for agent_name in agent_names(name):
            agent = make_agent(agent_name, played)
            listed.append(
                {"game": name, "agent": agent_name, "fast": agent.fast, "about": agent.about}
            )
    if as_json:
        print_json({"agents": listed})
        return
    for name in dict.fromkeys(entry["game"] for entry in listed):
        rows = [[str(e["agent"]), str(e["about"])] for e in listed if e["game"] == name]
        width = max(len(row[0]) for row in rows)
        print(f"{name}:")
        for row in rows:
            print(f"  {row[0]:{width}}  {row[1]}")
