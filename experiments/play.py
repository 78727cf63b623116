"""The command `play`: a person at the terminal against agents, who sees what a seat may see."""

import secrets
import sys
from typing import Any

from experiments.options import game_from
from experiments.runs import labels_text
from simulator.inputs import MAX_PLAYTHROUGHS, UsageError, seed_from, whole_number
from simulator.registry import make_agent
from simulator.stepping import joint_actions

ME = "me"


class _Person:
    """An agent that asks at the terminal; it keeps what it was told, to be told no twice."""

    name = "you"

    def __init__(self, game: Any) -> None:
        self._game = game

    def act(self, observation: Any, legal_actions: list[int], rng: Any) -> int:
        """Show what the seat sees, and return the action that the person types."""
        print("\n".join(self._game.tell_seat(observation)))
        for number, action in enumerate(legal_actions):
            print(f"  {number}: {self._game.tell_action(observation, action)}")
        while True:
            print(f"Your choice (0 to {len(legal_actions) - 1}, q to leave): ", end="", flush=True)
            answer = sys.stdin.readline()
            if not answer or answer.strip().lower() in ("q", "quit"):
                raise Left
            if answer.strip().isdigit() and int(answer) < len(legal_actions):
                return legal_actions[int(answer)]
            print(f"{answer.strip()!r} is none of the numbers above.")


class Left(Exception):
    """The person leaves the table."""


def play(
    game_name: str,
    agents: str,
    seed: str | None,
    index: str,
    rules: list[str],
    players: str | None,
    deck: str | None,
) -> None:
    """Let a person play one playthrough; the options as texts, as they were given."""
    game = game_from(game_name, rules, players, deck)
    names = [name.strip() for name in agents.split(",")] if agents else []
    names = names or [ME, *["greedy"] * (game.num_players - 1)]
    if len(names) != game.num_players or names.count(ME) > 1 or not all(names):
        raise UsageError(
            f"--agents takes {game.num_players} names, seat by seat, of which at most one is "
            f"{ME!r}; not {agents!r}"
        )
    me = names.index(ME) if ME in names else None
    number = secrets.randbits(64) if seed is None else seed_from(seed)
    place = whole_number("index", index, 0, 2 * MAX_PLAYTHROUGHS)
    line_up = [make_agent(_Person(game) if name == ME else name, game) for name in names]
    called = [f"{name} (seat {seat})" for seat, name in enumerate(names)]
    print(", ".join([game.title, *labels_text(game)]))
    _sit(game, line_up, number, place, me, called)


def _sit(
    game: Any, line_up: list[Any], seed: int, index: int, me: int | None, called: list[str]
) -> None:
    """Play one playthrough, telling what happens as it happens."""
    state = game.new_initial_state(seed=seed, index=index)
    start = state.clone()
    joints: list[list[int | None]] = []

    def tell(joint: list[int | None]) -> None:
        before = state.clone()
        joints.append(joint)
        state.apply_actions(joint)
        _print(game.tell_round_to(before, joint, state, called, me))

    _, fault = joint_actions(game, line_up, seed, index, tell)
    if fault is not None:
        if isinstance(fault.__cause__, Left):
            print("You leave the table.")
            return
        raise fault
    _print(game.tell_position(state, called))
    winners = [name for name, share in zip(called, state.returns(), strict=True) if share > 0]
    print(f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}.")
    if me is not None and game.name == "ostrich":
        from experiments.grading import print_grades

        print_grades(game, start, joints, me)


def _print(lines: list[str]) -> None:
    if lines:
        print("\n".join(lines))
