"""After a game of Ostrich: what each of a person's claims gave away."""

from collections.abc import Sequence
from typing import Any

from experiments.output import print_table
from simulator.inputs import UsageError

GOOD, SMALL, LARGE = 0.005, 0.02, 0.06  # of the win


def print_grades(game: Any, start: Any, joints: Sequence[Sequence[int | None]], me: int) -> None:
    """Print a row for each claim of a seat, graded by the strongest player.

    Parameters
    ----------
    game : ostrich.Game
    start : State
        Before the first round, with its card open.
    joints : sequence of joint actions
        Round by round.
    me : int
        The seat.
    """
    from agents.equilibrium import equilibrium
    from agents.lookahead.advice import advise

    try:
        search = equilibrium(game).search
    except UsageError:
        print("Your claims are not graded: the strongest player has not learned these rules.")
        return
    state, rows, given_away = start.clone(), [], 0.0
    for joint in joints:
        action = joint[me]
        if action is not None:
            observation = state.observation(me)
            advice = advise(lambda: search, observation)
            claims = {claim.action: claim for claim in advice.claims}
            best, taken = advice.claims[0], claims[action]
            given_away += taken.cost
            rows.append(
                [
                    str(observation.round + 1),
                    "amber" if observation.card == 0 else str(observation.card),
                    game.action_to_string(action),
                    game.action_to_string(best.action),
                    f"{taken.cost:.3f}",
                    grade(taken.cost),
                    "exact" if advice.is_exact else "estimated",
                ]
            )
        state.apply_actions(joint)
    columns = ["round", "card", "you played", "best was", "gave away", "grade", "known"]
    print_table("What your claims gave away, in shares of the win", columns, rows)
    print(f"In all you gave away {given_away:.3f}; the others as the strongest player plays them.")


def grade(cost: float) -> str:
    """Return a word for what a claim gave away."""
    if cost <= GOOD:
        return "good"
    if cost <= SMALL:
        return "fair"
    return "poor" if cost <= LARGE else "bad"
