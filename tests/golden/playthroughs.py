"""Golden playthroughs: what the rules made of some cards and claims, written down for good."""

from pathlib import Path
from typing import Any

import numpy as np

from simulator.registry import game_class

FOLDER = Path(__file__).parent
SEED = 20_250_101
PLAYTHROUGHS = 4

#: File name to the game and the changes to its rules; a file name begins with its game's name.
PLANS: dict[str, tuple[str, dict[str, Any]]] = {
    "ostrich-published": ("ostrich", {}),
    "ostrich-two-players": ("ostrich", {"players": 2, "amber_value": 5}),
    "ostrich-four-players": ("ostrich", {"players": 4, "removed": 0, "rounds": 12}),
    "ostrich-out-players-can-win": (
        "ostrich",
        {
            "bags": (1, 2),
            "deck": (0, 0, 2, 3, 6, 9, 9),
            "removed": 1,
            "rounds": 6,
            "out_players_can_win": True,
        },
    ),
    "ostrich-players-go-out": (
        "ostrich",
        {"players": 4, "bags": (1,), "deck": (0, 0, 4, 5, 9, 9), "removed": 0, "rounds": 6},
    ),
    "ostrich-shares-of-none": (
        "ostrich",
        {"bags": (1, 2, 4), "deck": (0, 1, 1, 2, 2, 3), "removed": 1, "rounds": 5},
    ),
    "empires-two-players": ("empires", {"players": 2}),
    "empires-three-players": ("empires", {}),
    "empires-four-players": ("empires", {"players": 4, "deck": "milder"}),
    "empires-five-players": ("empires", {"players": 5, "shepherd": "blacksmith_waits"}),
    "empires-six-players": ("empires", {"players": 6, "deck": "harsher", "mulligan": "off"}),
    "empires-con-pub": ("empires", {"con_pub": True}),
}


def text_of(plan: str) -> str:
    """Return what a golden file says."""
    name, changes = PLANS[plan]
    kind = game_class(name)
    game = kind(kind.rules_class(**changes))
    lines = [
        "Written by: python -m tests.golden",
        f"game {name}, rules version {kind.rules_version}",
        f"{game.rules}",
    ]
    for index in range(PLAYTHROUGHS):
        lines += ["", f"seed {SEED}, index {index}, {_way(index)}", *_told(game, index)]
    return "\n".join(lines) + "\n"


def _way(index: int) -> str:
    """Return how actions are chosen: at random, but for the last playthrough."""
    return "the first legal action" if index == PLAYTHROUGHS - 1 else "random legal actions"


def _told(game: Any, index: int) -> list[str]:
    """Return a playthrough as lines."""
    state, bits = game.new_initial_state(seed=SEED, index=index), np.random.PCG64([SEED, index])
    seats, lines = range(game.num_players), []
    while not state.is_terminal():
        legal = [state.legal_actions(seat) for seat in seats]
        luck = [0 if index == PLAYTHROUGHS - 1 else int(bits.random_raw() >> 11) for _ in seats]
        joint = [a[n % len(a)] if a else None for a, n in zip(legal, luck, strict=True)]
        called = ["-" if a is None else game.action_to_string(a) for a in joint]
        lines += [
            f"  {state}",
            f"    legal {'; '.join(' '.join(map(str, actions)) or '-' for actions in legal)}",
            f"    actions {joint}: {', '.join(called)}",
        ]
        state.apply_actions(joint)
        lines.append(f"    scores {state.scores()}, returns {state.returns()}")
    return [*lines, f"  {state}"]
