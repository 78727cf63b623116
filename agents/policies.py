"""Learned policies on disk: those that ship with the package, and those trained here.

A policy is a file of `simulator.stored`, of the kind "policy". Its header says whose it is, under
which rules it was learned, and by what settings: all that decides its bytes.
"""

from pathlib import Path
from typing import Any

from simulator.inputs import UsageError
from simulator.stored import Arrays, read_stored, write_stored

KIND = "policy"
SHIPPED = Path(__file__).parent / "shipped"
TRAINED = Path("results") / "train"


def policy_header(agent: str, version: int, game: Any) -> dict[str, Any]:
    """Return what a policy of an agent for a game must say of itself.

    `version` is that of what the agent makes of the arrays: it changes when the same arrays would
    play otherwise.
    """
    return {
        "agent": agent,
        "agent_version": version,
        "game": game.name,
        "rules": game.rules.as_data(),
        "rules_version": game.rules_version,
    }


def write_policy(path: Path, header: dict[str, Any], learned: Any, arrays: Arrays) -> None:
    """Write a policy; `learned` is how, such as settings and seed."""
    write_stored(path, KIND, {**header, "learned": learned}, arrays)


def find_policy(wanted: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return header and arrays of an agent's policy for a game: shipped, or trained here.

    Raises
    ------
    UsageError
        If there is none for these rules, or a file that might be one is damaged.
    """
    agent, game = wanted["agent"], wanted["game"]
    shipped = sorted(SHIPPED.glob(f"{game}-{agent}*.npz"))
    for path in [*shipped, *sorted(TRAINED.glob(f"{game}_{agent}*/policy.npz"))]:
        header, arrays = read_stored(path, KIND)
        if all(header.get(name) == value for name, value in wanted.items()):
            return header, arrays
    raise UsageError(
        f"{agent} has learned nothing for these rules (no policy ships for them, and {TRAINED} has "
        f"none): run `clutch train {game} {agent}` with the same --rule options first"
    )
