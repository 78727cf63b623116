"""What the agents of a line-up do in public states of Ostrich, many states at a time."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrich import Rules
from ostrich.observation import Observation
from simulator.agents import Agent
from simulator.inputs import UsageError
from simulator.words import Words

Policies = npt.NDArray[np.float64]
ROWS_AT_ONCE = 1 << 16


def check_known(agents: Sequence[Agent], players: int) -> None:
    """Raise UsageError unless there is an agent a seat, each without a memory of its own."""
    if len(agents) != players:
        raise UsageError(f"the line-up has {len(agents)} agents for {players} players")
    for agent in agents:
        if agent.has_memory:
            raise UsageError(
                f"{agent.name} declares memory: its policy is no function of the observation, "
                "so its deviation gains cannot be told by public states"
            )


def profile_at(
    agents: Sequence[Agent], variant: Rules, turn: int, positions: Words, card: Words, seen: Words
) -> Policies:
    """Return every seat's policy at decisions of one round.

    Parameters
    ----------
    agents : sequence of Agent
        Seat by seat.
    variant : Rules
    turn : int
        The round, from 0.
    positions : uint32[players, decisions]
    card, seen : uint32[decisions]
        The card that lies open, and the bits of the cards seen, this one included.

    Returns
    -------
    float64[players, decisions, num_actions]
        Zeros where a player is out.

    Raises
    ------
    UsageError
        If an agent's policy is not known, or is no distribution over legal actions.
    """
    profile = np.empty((len(agents), len(card), variant.num_actions))
    for seat, agent in enumerate(agents):
        for first in range(0, len(card), ROWS_AT_ONCE):
            some = slice(first, first + ROWS_AT_ONCE)
            given = (variant, seat, turn, positions[:, some], card[some], seen[some])
            try:
                profile[seat, some] = policies_of(agent, *given)
            except (NotImplementedError, ValueError) as error:
                raise UsageError(f"deviation gains need a known policy: {error}") from error
    return profile


def policies_of(agent: Agent, variant: Rules, seat: int, turn: int, *seen_at: Words) -> Policies:
    """Return a seat's policy at decisions of one round, in bulk if the agent can, else one by one.

    `seen_at` are positions, card and seen, as in `profile_at`.
    """
    bulk: Any = getattr(getattr(agent, "player", agent), "policies", None)
    if bulk is not None:
        policies: Policies = bulk(variant, seat, turn, *seen_at)
        return policies
    positions, cards, seen = seen_at
    weights = np.zeros((len(cards), variant.num_actions))
    is_legal = np.zeros((len(cards), variant.num_actions), bool)
    for number, (card, mask) in enumerate(zip(cards.tolist(), seen.tolist(), strict=True)):
        words = tuple(positions[:, number].tolist())
        observation = Observation(variant, seat, words, card, turn, mask)
        legal = observation.legal_actions
        if legal:
            is_legal[number, legal] = True
            weights[number] = agent.policy(observation)
    return agent.normalised_rows(weights, is_legal, variant.num_actions)
