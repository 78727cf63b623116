"""`endgame`: another agent until shortly before the end, then an equilibrium of what is left."""

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.by_policies import ByPolicies
from agents.greedy import ostrich_greedy
from ostrich import Rules
from simulator.inputs import UsageError
from simulator.words import Words

ROUNDS_LEFT = 2
_KEPT = 4  # batches whose solutions are kept: one for each thread that asks in turn, or nearly


class Endgame(ByPolicies):
    """Plays the last two rounds exactly, and as another agent does before.

    In the last rounds it plays the equilibrium that `solve_endgame` finds at each public state: all
    players are taken to play it, so against others it is safe with two players only. Measures what
    an agent loses at the end, whatever brought it there.

    Parameters
    ----------
    game : ostrich.Game
    before : object
        Plays before; has `policies` as `ByPolicies` has.
    rounds_left : int
        Rounds that are played exactly, at most `ostrich_endgame.MOST_ROUNDS`.
    """

    name = "endgame"
    slow = True

    def __init__(self, game: Any, before: Any, rounds_left: int = ROUNDS_LEFT) -> None:
        from agents.solvers.ostrich_endgame import MOST_ROUNDS
        from simulator.inputs import whole_number

        self.rules: Rules = game.rules
        self.rounds_left = whole_number("rounds_left", rounds_left, 0, MOST_ROUNDS)
        self._before = before
        # replaced as a whole, so threads need no lock: at worst one solves what another just did
        self._recent: tuple[tuple[Any, npt.NDArray[np.float64]], ...] = ()

    def policies(
        self, variant: Rules, seat: int, turn: int, positions: Words, card: Words, seen: Words
    ) -> npt.NDArray[np.float64]:
        """Return a seat's policy at many decisions of one round; see `ByPolicies.policies`.

        Raises
        ------
        ValueError
            For other rules.
        """
        if variant != self.rules:
            raise ValueError(f"this agent plays {self.rules}, not {variant}")
        if variant.rounds - turn > self.rounds_left:
            before: npt.NDArray[np.float64] = self._before.policies(
                variant, seat, turn, positions, card, seen
            )
            return before
        return self._solved(turn, positions, card, seen)[:, seat].copy()

    def _solved(
        self, turn: int, positions: Words, card: Words, seen: Words
    ) -> npt.NDArray[np.float64]:
        """Return all seats' policies, float64[decisions, players, num_actions].

        Seat after seat asks about the same decisions, so the last answers are kept.
        """
        from agents.solvers.ostrich_endgame import solve_endgames

        asked = (turn, positions.tobytes(), card.tobytes(), seen.tobytes())
        for known, policies in self._recent:
            if known == asked:
                return policies
        policies = solve_endgames(self.rules, turn, positions, card, seen).policies
        self._recent = ((asked, policies), *self._recent[: _KEPT - 1])
        return policies


def endgame(game: Any) -> Endgame:
    """Plays the last two rounds exactly; before as `equilibrium`, or `greedy` for other rules."""
    from agents.equilibrium import equilibrium

    try:
        return Endgame(game, equilibrium(game))
    except UsageError:  # nothing is learned for these rules
        return Endgame(game, ostrich_greedy)
