"""Agents for the tests, the same strategy written in each of the ways in."""

from typing import Any

import numpy as np
from numpy import uint32

from ostrich import AMBER, MAX_ACTIONS, MAX_BAGS, compiled_agent, inlined, is_legal, unseen
from simulator.engine import COMPILED_LANES, Ledger
from simulator.registry import make_agents
from simulator.result import SimulationResult, batch_size_for
from simulator.stepping import stepped_runner


@inlined
def largest_claim(observation: Any) -> Any:
    """Return skip on an amber if it is legal, else the largest legal bag, else skip."""
    chosen = observation.skip
    for number in range(MAX_BAGS):
        bag = uint32(number)
        chosen = bag if is_legal(observation, bag) and bag < observation.skip else chosen
    skips = observation.card == uint32(AMBER) and is_legal(observation, observation.skip)
    return observation.skip if skips else chosen


@compiled_agent
def largest(observation: Any) -> Any:
    """Skips on ambers if it can, else claims for its largest legal bag."""
    return largest_claim(observation)


@compiled_agent
def largest_by_weights(observation: Any, weights: Any) -> None:
    """The same, by weights."""
    chosen = largest_claim(observation)
    for action in range(MAX_ACTIONS):
        weights[action] = 3.0 if uint32(action) == chosen else 0.0


class LargestVectorised:
    """The same, for all lanes at once."""

    def act(self, view: Any, rng: Any) -> Any:
        """Return an action for each lane."""
        bags = view.legal[:, : view.skip]
        last = view.skip - 1 - bags[:, ::-1].argmax(axis=1)
        chosen = np.where(bags.any(axis=1), last, view.skip)
        return np.where((view.card == AMBER) & view.legal[:, view.skip], view.skip, chosen)


class LargestPlain:
    """The same, decision by decision."""

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> int:
        """Return an action."""
        if observation.card == AMBER and observation.skip in legal_actions:
            return int(observation.skip)
        return max([a for a in legal_actions if a < observation.skip], default=observation.skip)


class RandomVectorised:
    """Any legal action, for all lanes at once."""

    def act(self, view: Any, rng: Any) -> Any:
        """Return an action for each lane."""
        return rng.choice(view.legal)


class RandomPlain:
    """Any legal action, decision by decision."""

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
        """Return an action."""
        return rng.choice(legal_actions)


@compiled_agent
def odd_unseen(observation: Any, deck: Any) -> Any:
    """Claims for its smallest legal bag, or the largest if an odd number of ambers is unseen."""
    low = high = observation.skip
    for number in range(MAX_BAGS):
        bag, mirrored = uint32(number), uint32(MAX_BAGS - 1 - number)
        high = bag if is_legal(observation, bag) and bag < observation.skip else high
        claims = is_legal(observation, mirrored) and mirrored < observation.skip
        low = mirrored if claims else low
    return high if unseen(observation, deck, AMBER) & uint32(1) else low


class OddUnseenVectorised:
    """The same, for all lanes at once."""

    def act(self, view: Any, rng: Any) -> Any:
        """Return an action for each lane."""
        bags = view.legal[:, : view.skip]
        high, low = view.skip - 1 - bags[:, ::-1].argmax(axis=1), bags.argmax(axis=1)
        chosen = np.where(view.unseen(AMBER) % 2 == 1, high, low)
        return np.where(bags.any(axis=1), chosen, view.skip)


class OddUnseenPlain:
    """The same, decision by decision."""

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> int:
        """Return an action."""
        bags = [a for a in legal_actions if a < observation.skip] or [observation.skip]
        return bags[-1] if observation.unseen().get(AMBER, 0) % 2 else bags[0]


def same(one: SimulationResult, other: SimulationResult) -> bool:
    """Return whether two results, kept whole, are the same to the byte (but for agents' names)."""
    return (
        (one.start, one.playthroughs, one.batch_size)
        == (other.start, other.playthroughs, other.batch_size)
        and one.totals.tobytes() == other.totals.tobytes()
        and one.returns.tobytes() == other.returns.tobytes()
        and one.scores.tobytes() == other.scores.tobytes()
    )


def turn_by_turn(
    game: Any,
    agents: Any,
    playthroughs: int,
    seed: int,
    start: int = 0,
    lanes: int = COMPILED_LANES,
    batch_size: int | None = None,
) -> SimulationResult:
    """Return what `simulate` does with keep="all", by the path that plays turn by turn.

    A block never spans batches, so that blocks of many lanes need batches as large.
    """
    line_up, grid = make_agents(agents, game), batch_size or batch_size_for(playthroughs)
    players, end = game.num_players, start + playthroughs
    ledger = Ledger(
        start,
        grid,
        np.zeros(((end - 1) // grid - start // grid + 1, players, len(game.counters)), np.int64),
        np.zeros((players, playthroughs), np.uint8),
        np.zeros((players, playthroughs), np.int32),
    )
    totals = stepped_runner(game, line_up, seed, lanes)(start, end, ledger)
    names = tuple(agent.name for agent in line_up)
    return SimulationResult(
        game, names, seed, start, playthroughs, grid, totals, ledger.win_units, ledger.scores
    )
