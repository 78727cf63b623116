"""The certificate of an exact solution: what a checker needs to verify it, trusting nothing.

The file is one of `stored`. Its arrays:

- `positions` uint32[states, players]: the public states between rounds that play can lead to and
  that are not its end, up to the order of the players: every row ascending (the words of
  `ostrich.rules`).
- `seen` uint32[states]: bit c, card c of the sorted deck has been turned up; of equal cards the
  lower numbers go first. Its ones are the rounds played. Rows ascend by round, seen, positions.
- `values` float64[states, players]: what each player of a row expects before the card is drawn.
- `joint` int32[stage games]: for every state, for every different unseen card, ascending, a pure
  joint action, as digits in the number of actions, the first player's the most significant (0 for
  one who is out); or -1 - m for row m of
- `mixed` float64[mixed stage games, players, num_actions]: the players' policies.

Players in equal positions have equal policies and values, or states could not be taken up to the
order of the players.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.solvers.ostrich_exact import Solution
from agents.solvers.ostrich_layers import shape_of
from agents.solvers.stage_games import METHOD_NAMES
from ostrich import Rules
from simulator.inputs import UsageError
from simulator.stored import Arrays, read_stored, write_stored

KIND = "certificate"


def certificate_header(game: Any, payoff: str) -> dict[str, Any]:
    """Return what decides a solution: the game, its rules, and what is played for."""
    return {
        "game": game.name,
        "rules": game.rules.as_data(),
        "rules_version": game.rules_version,
        "payoff": payoff,
    }


def certificate_arrays(solution: Solution) -> Arrays:
    """Return the arrays of a solution's certificate; see the head of this module."""
    shape, words = shape_of(solution.positions), solution.positions.words
    seen, positions, joints, before = [], [], [], 0
    for one in solution.rounds:
        seen.append(one.layer.draws.masks[one.layer.sets(shape)])
        positions.append(words[one.layer.numbers(shape)].T)
        joints.append(np.where(one.joint < 0, one.joint - before, one.joint).astype(np.int32))
        before += len(one.mixed)
    return {
        "seen": np.concatenate(seen),
        "positions": np.ascontiguousarray(np.concatenate(positions)),
        "values": np.concatenate([one.values for one in solution.rounds]),
        "joint": np.concatenate(joints),
        "mixed": np.concatenate([one.mixed for one in solution.rounds]),
    }


def write_certificate(path: Path, game: Any, solution: Solution) -> None:
    """Write a solution's certificate; the file appears whole or not at all."""
    header = {
        **certificate_header(game, solution.payoff),
        "root_values": solution.root_values.tolist(),
        "largest_gain": solution.largest_gain,
        "gain_bound": solution.gain_bound,
        "methods": dict(zip(METHOD_NAMES, solution.tally.tolist(), strict=True)),
    }
    write_stored(path, KIND, header, certificate_arrays(solution))


def read_certificate(path: Path, game: Any) -> tuple[dict[str, Any], Arrays]:
    """Return the header and the arrays of a certificate for a game.

    Raises
    ------
    UsageError
        If there is no such file, it is damaged, or it is of other rules.
    """
    header, arrays = read_stored(path, KIND)
    wanted = certificate_header(game, header.get("payoff", ""))
    for name, value in wanted.items():
        if header.get(name) != value:
            raise UsageError(
                f"{path} was made for another game: its {name} is {header.get(name)!r}, "
                f"not {value!r}"
            )
    return header, arrays


def stage_games_of(rules: Rules, seen: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """Return the number of stage games of each state, int64[states], by the cards seen."""
    masks, place = np.unique(seen, return_inverse=True)
    deck = rules.deck
    counts = [len({deck[c] for c in range(len(deck)) if not int(m) >> c & 1}) for m in masks]
    return np.array(counts, np.int64)[place]
