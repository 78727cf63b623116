"""The list of agents that there are."""

from typing import Any

from experiments.output import print_json
from simulator.registry import Listed, game_class, game_names, listed_agents


def list_agents(game: str | None, as_json: bool) -> None:
    """Print each game's agents with what they do."""
    listed: list[dict[str, Any]] = []
    for name in [game] if game else game_names():
        game_class(name)  # there must be such a game
        listed += [
            {"game": name, "agent": agent.name, **_shown(agent)} for agent in listed_agents(name)
        ]
    if as_json:
        print_json({"agents": listed})
        return
    for name in dict.fromkeys(entry["game"] for entry in listed):
        rows = [[str(e["agent"]), str(e["about"])] for e in listed if e["game"] == name]
        width = max(len(row[0]) for row in rows)
        print(f"{name}:")
        for row in rows:
            print(f"  {row[0]:{width}}  {row[1]}")


def _shown(agent: Listed) -> dict[str, Any]:
    """Return what is told of an agent beside its name."""
    return {"fast": agent.fast, "about": agent.about}
