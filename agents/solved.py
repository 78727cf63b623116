"""`solved`: plays the exact solution of a small variant."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.by_policies import ByPolicies
from ostrich import Rules
from simulator.inputs import UsageError

RESULTS = Path("results") / "solve"
SMALL = 20_000  # states of a round: solved on the spot, in about a second


class Solved(ByPolicies):
    """Plays an equilibrium of a variant small enough to be solved exactly (`clutch solve`).

    With three players or more there are several, so it is a yardstick, not the one right way. It
    takes the certificate of its variant from ./results/solve; a small variant it solves itself.
    """

    name = "solved"

    def __init__(self, variant: Rules, arrays: dict[str, npt.NDArray[Any]]) -> None:
        from agents.solvers.certificates import stage_games_of

        self.rules = variant
        self._joint, self._mixed = arrays["joint"], arrays["mixed"]
        counts = stage_games_of(variant, arrays["seen"])
        self._first_stage = counts.cumsum() - counts
        self._words, numbers = np.unique(arrays["positions"], return_inverse=True)
        self._masks, sets = np.unique(arrays["seen"], return_inverse=True)
        keys = self._keys(sets, numbers.reshape(arrays["positions"].shape).T)
        self._rows = keys.argsort(kind="stable")
        self._sorted_keys = keys[self._rows]

    def _keys(self, sets: Any, numbers: Any) -> npt.NDArray[np.int64]:
        """Return one number for each state: of the cards seen and the players' positions."""
        keys: npt.NDArray[np.int64] = sets.astype(np.int64)
        for row in numbers:
            keys = keys * len(self._words) + row
        return keys

    def policies(
        self, variant: Rules, seat: int, turn: int, positions: Any, card: Any, seen: Any
    ) -> npt.NDArray[np.float64]:
        """Return a seat's policy at many decisions, float64[decisions, num_actions].

        Arguments as those of `ostrich.compiled_agent.OstrichCompiledAgent.policies`.

        Raises
        ------
        ValueError
            For other rules, or a state that play cannot lead to.
        """
        if variant != self.rules:
            raise ValueError(f"this is a solution of {self.rules}, not of {variant}")
        order = positions.argsort(axis=0, kind="stable")
        ascending = np.take_along_axis(positions, order, axis=0)
        drawn, place = self._draws(card, seen)
        before = seen & ~drawn
        numbers = np.searchsorted(self._words, ascending).clip(max=len(self._words) - 1)
        sets = np.searchsorted(self._masks, before).clip(max=len(self._masks) - 1)
        keys = self._keys(sets, numbers)
        found = np.searchsorted(self._sorted_keys, keys).clip(max=len(self._rows) - 1)
        known = (self._sorted_keys[found] == keys) & (self._masks[sets] == before)
        if not (known & (self._words[numbers] == ascending).all(axis=0)).all():
            raise ValueError("this is a state that play cannot lead to")
        stages = self._first_stage[self._rows[found]] + place
        rank = (order == seat).argmax(axis=0)
        return self._policies_in(self._joint[stages].astype(np.int64), rank)

    def _policies_in(self, joint: Any, rank: Any) -> npt.NDArray[np.float64]:
        """Return the policies of players of some rank in stage games."""
        players, actions = self.rules.players, self.rules.num_actions
        weights = np.zeros((len(joint), actions))
        pure = joint >= 0
        digit = joint // actions ** (players - 1 - rank) % actions
        weights[pure, digit[pure]] = 1.0
        weights[~pure] = self._mixed[-1 - joint[~pure], rank[~pure]]
        return weights

    def _draws(self, card: Any, seen: Any) -> tuple[Any, Any]:
        """Return the bit of the card that lies open, and its place among the values unseen before.

        Of equal cards the lower numbers go first, so it is the highest seen of its value.
        """
        drawn = np.zeros(len(card), np.uint32)
        place = np.zeros(len(card), np.int64)
        deck = np.array(self.rules.deck)
        for number, value in enumerate(deck.tolist()):
            bit = np.uint32(1 << number)
            drawn = np.where((card == value) & (seen & bit != 0), bit, drawn)
        for value in np.unique(deck).tolist():
            bits = np.uint32(sum(1 << number for number in np.flatnonzero(deck == value).tolist()))
            unseen = (seen & ~drawn & bits) != bits
            place += unseen & (value < card)
        return drawn, place


def certificates_in(folder: Path) -> list[Path]:
    """Return the certificates of the runs in a folder, by name."""
    return sorted(folder.glob("*/certificate.npz"))


def solved(game: Any) -> Solved:
    """Plays the exact solution of a small variant; see `clutch solve`."""
    from agents.solvers.certificates import certificate_arrays, certificate_header
    from agents.solvers.ostrich_exact import solve_exactly
    from agents.solvers.ostrich_positions import WIN_SHARE
    from simulator.stored import read_stored

    wanted = certificate_header(game, WIN_SHARE)
    for path in certificates_in(RESULTS):
        header, arrays = read_stored(path, "certificate")
        if all(header.get(name) == value for name, value in wanted.items()):
            return Solved(game.rules, arrays)
    try:
        solution = solve_exactly(game, most_states=SMALL)
    except UsageError as error:
        raise UsageError(
            f"this variant has not been solved here ({RESULTS} has no certificate of it), and it "
            "is too large to be solved on the spot: run `clutch solve ostrich` with its rules first"
        ) from error
    return Solved(game.rules, certificate_arrays(solution))
