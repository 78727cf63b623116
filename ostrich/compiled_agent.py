"""Compiled agents of Ostrich: a scalar function of the observation, lifted over lanes.

The function takes `observation` and, as it names them, any of

- `weights`: float32[5] of zeros, to be filled with the weight of each legal action, in any scale;
  the action is drawn by them. Without this argument the function returns its action.
- `parameters`: float64[:], numbers of the agent's own (`with_parameters` sets others, without
  compiling anew);
- `deck`: uint32[:], the sorted cards, for `unseen`;
- `random`: a key for `next_word`, for an agent that wants random numbers of its own.

It may call the functions of `ostrich.compact`, the scalar functions of `ostrich.rules`, and helpers
of its own under the decorator `inlined`.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import float32, uint32, uint64

from ostrich import rules
from ostrich.block import (
    ACTIONS,
    CARD,
    KEYS,
    POSITIONS,
    SEEN,
    WORDS,
)
from ostrich.compact import CompactObservation, PrivateRandom, private_key
from ostrich.observation import Observation
from ostrich.view import legal_table
from simulator.agents import CompiledAgent
from simulator.lifting import adapted, inlined, lift, local_array, picker, unbound
from simulator.program import AGENT_SIGNATURE, BLOCK, FACTS, PARAMETERS
from simulator.words import Word, Words

ARGUMENTS = ("observation", "weights", "parameters", "deck", "random")
_OFFERED = ["observation", "weights", "parameters", "deck", "seed", "index"]
_RANDOM = "PrivateRandom(*private_key(seed, index, observation.player, observation.round))"


agent = unbound


def _clockwise(block: Words, facts: Words, seat: Word) -> Any:
    """Return the rows of positions of the three seats clockwise from `seat`, absent ones last."""
    players = np.int64(facts[rules.PLAYERS])
    left, across, right = seat + 1, seat + 2, seat + 3
    return (
        block[POSITIONS + (left if left < players else left - players)],
        block[POSITIONS + (2 if players < 3 else across if across < players else across - players)],
        block[POSITIONS + (3 if players < 4 else right if right < players else right - players)],
    )


def _constants(facts: Words, turn: Word, seat: Word) -> Any:
    """Return what is the same in all lanes; read before the loop, or it would not vectorise."""
    return (
        uint32(turn),
        uint32(seat),
        facts[rules.PLAYERS],
        facts[rules.SKIP],
        facts[rules.CAPACITIES],
        facts[rules.ROUNDS],
        facts[rules.AMBER_VALUE],
    )


def _observe(
    position: Any, left: Any, across: Any, right: Any, card: Any, seen: Any, same: Any
) -> Any:
    """Return one lane's observation, of its columns and what is the same in all lanes."""
    legal = rules.legal_actions(position, same[3])
    return CompactObservation(position, left, across, right, legal, card, seen, *same)


clockwise, constants, observe = inlined(_clockwise), inlined(_constants), inlined(_observe)
new_weights, pick = local_array(rules.MAX_ACTIONS), picker(rules.MAX_ACTIONS)


def acting_loop(
    block: Words, facts: Words, parameters: Any, seed: Word, first: Word,
    turn: Word, seat: Word, count: Word,
) -> Word:  # fmt: skip
    """Fill a seat's row of actions with what `agent` returns; see `program.AGENT_SIGNATURE`."""
    mine, actions, deck = block[POSITIONS + seat], block[ACTIONS + seat], facts[rules.DECK :]
    left, across, right = clockwise(block, facts, seat)
    card, seen, same = block[CARD], block[SEEN], constants(facts, turn, seat)
    allowed = uint32(0)
    for lane in range(actions.size):
        observation = observe(
            mine[lane], left[lane], across[lane], right[lane], card[lane], seen[lane], same
        )
        chosen = agent(observation, 0, parameters, deck, seed, first + uint64(lane))
        action = uint32(chosen | uint32(0))  # does not compile for a fraction
        action = action if observation.legal != uint32(0) else uint32(rules.NO_ACTION)
        ok = uint32(rules.is_allowed(mine[lane], action, observation.skip))
        allowed = uint32(allowed + ok)
        actions[lane] = action
    return np.int64(actions.size) - np.int64(allowed)


def weighing_loop(
    block: Words, facts: Words, parameters: Any, seed: Word, first: Word,
    turn: Word, seat: Word, count: Word,
) -> Word:  # fmt: skip
    """Fill a seat's row of actions, drawn by the weights that `agent` writes."""
    mine, actions, deck = block[POSITIONS + seat], block[ACTIONS + seat], facts[rules.DECK :]
    left, across, right = clockwise(block, facts, seat)
    card, seen, same = block[CARD], block[SEEN], constants(facts, turn, seat)
    words = block[WORDS + 4 * seat + turn % 4]
    allowed = uint32(0)
    for lane in range(actions.size):
        observation = observe(
            mine[lane], left[lane], across[lane], right[lane], card[lane], seen[lane], same
        )
        weights = new_weights()
        agent(observation, weights, parameters, deck, seed, first + uint64(lane))
        drawn = uint32(pick(weights, words[lane]))
        action = drawn if observation.legal != uint32(0) else uint32(rules.NO_ACTION)
        ok = uint32(rules.is_allowed(mine[lane], action, observation.skip))
        allowed = uint32(allowed + ok)
        actions[lane] = action
    return np.int64(actions.size) - np.int64(allowed)


def reporting_loop(
    block: Words, facts: Words, parameters: Any, turn: Word, seat: Word, weights: Any
) -> None:
    """Write the weights of `agent` in every lane of a block, float32[lanes, 5], in place."""
    mine, card, seen = block[POSITIONS + seat], block[CARD], block[SEEN]
    left, across, right = clockwise(block, facts, seat)
    same = constants(facts, turn, seat)
    for lane in range(mine.size):
        observation = observe(
            mine[lane], left[lane], across[lane], right[lane], card[lane], seen[lane], same
        )
        deck, nothing = facts[rules.DECK :], uint64(0)
        agent(observation, weights[lane], parameters, deck, nothing, nothing)


_REPORTING_SIGNATURE = types.void(
    BLOCK, FACTS, PARAMETERS, types.int64, types.int64, types.float32[:, ::1]
)


class OstrichCompiledAgent(CompiledAgent):
    """A compiled agent of Ostrich; made by `compiled_agent`."""

    game_name = "ostrich"

    def _lift(self, _kind: int) -> Any:
        return self._lifted(weighing_loop if self.draws else acting_loop, AGENT_SIGNATURE)

    def _lift_reporting(self, _kind: int) -> Any:
        return self._lifted(reporting_loop, _REPORTING_SIGNATURE)

    def _lifted(self, loop: Any, signature: Any) -> Any:
        """Return a loop that calls the agent's function, compiled."""
        called = {"agent": self._called()}
        return lift(loop, self.function.__name__, [self.function], called, signature)

    def _called(self) -> Any:
        """Return the function as the loops call it."""
        names = list(inspect.signature(self.function).parameters)
        taken = [_RANDOM if name == "random" else name for name in names]
        scope = {"PrivateRandom": PrivateRandom, "private_key": private_key}
        return adapted(self.function, taken, _OFFERED, scope)

    def policy(self, observation: Observation) -> npt.NDArray[np.float64]:
        """Return the probability of each action, float64[num_actions], summing to 1.

        Raises
        ------
        ValueError
            If nothing is to be decided, or the agent's weights or action are unusable.
        NotImplementedError
            If the agent draws random numbers of its own.
        """
        positions, card, seen = observation.columns()
        if not observation.legal_actions:
            raise ValueError(f"player {observation.player} is out and has nothing to decide")
        only: npt.NDArray[np.float64] = self.policies(
            observation.rules,
            observation.player,
            observation.round,
            np.array(positions, np.uint32)[:, None],
            np.array([card], np.uint32),
            np.array([seen], np.uint32),
        )[0]
        return only

    def policies(
        self, variant: rules.Rules, seat: int, turn: int, positions: Words, card: Words, seen: Words
    ) -> npt.NDArray[np.float64]:
        """Return the policy of a seat at many decisions of one round.

        Parameters
        ----------
        variant : Rules
        seat, turn : int
        positions : uint32[players, decisions]
            All players' positions.
        card, seen : uint32[decisions]
            The card that lies open, and the bits of the cards seen, this one included.

        Returns
        -------
        float64[decisions, num_actions]
            Zeros where the player is out.

        Raises
        ------
        ValueError
            If the agent's weights or action are unusable.
        NotImplementedError
            If the agent draws random numbers of its own.
        """
        if "random" in inspect.signature(self.function).parameters:
            raise NotImplementedError(
                f"{self.name} draws random numbers of its own, so its policy is not known"
            )
        decisions = len(card)
        block = np.zeros((KEYS, decisions), np.uint32)
        block[CARD], block[SEEN] = card, seen
        block[POSITIONS : POSITIONS + len(positions)] = positions
        legal = np.empty((decisions, rules.MAX_ACTIONS), np.int64)
        legal_table(block[POSITIONS + seat], variant.skip, legal)
        weights = np.zeros((decisions, rules.MAX_ACTIONS), float32)
        if self.draws:
            self.reporting(0)(block, variant.facts(), self.parameters, turn, seat, weights)
        else:
            self.over_lanes(0)(block, variant.facts(), self.parameters, 0, 0, turn, seat, 1)
            self._mark(block[ACTIONS + seat], legal, weights)
        return self.normalised_rows(weights.astype(np.float64), legal != 0, variant.num_actions)

    def _mark(self, actions: Words, legal: Any, weights: Any) -> None:
        """Set the weight of every chosen action to 1, in place, or raise ValueError."""
        for row in (actions >= rules.MAX_ACTIONS).nonzero()[0].tolist():
            if legal[row].any():
                options = legal[row].nonzero()[0].tolist()
                raise ValueError(f"{self.name} chose action {actions[row]}; legal are {options}")
        chosen = actions < rules.MAX_ACTIONS
        weights[chosen, actions[chosen]] = 1.0


@overload
def compiled_agent(function: Callable[..., Any]) -> OstrichCompiledAgent: ...


@overload
def compiled_agent(
    *, fast: bool = ..., parameters: Sequence[float] = ...
) -> Callable[[Callable[..., Any]], OstrichCompiledAgent]: ...


def compiled_agent(
    function: Callable[..., Any] | None = None,
    *,
    fast: bool = False,
    parameters: Sequence[float] = (),
) -> Any:
    """Make an agent of a scalar function of the observation; see the head of this module.

    Parameters
    ----------
    function : callable
        Named and described (docstring) as the agent is.
    fast : bool
        True promises some ten million decisions a second; `make tournament` plays all such agents.
    parameters : sequence of float
        Handed to the function where it names `parameters`.

    Raises
    ------
    TypeError
        For an argument that no agent is offered.
    """

    def decorate(chosen: Callable[..., Any]) -> OstrichCompiledAgent:
        names = list(inspect.signature(chosen).parameters)
        for name in names:
            if name not in ARGUMENTS:
                raise TypeError(
                    f"{chosen.__name__} takes {name!r}; an agent may take {', '.join(ARGUMENTS)}"
                )
        if names[:1] != ["observation"]:
            raise TypeError(f"{chosen.__name__} must take 'observation' first")
        return OstrichCompiledAgent(chosen, "weights" in names, fast, parameters)

    return decorate if function is None else decorate(function)
