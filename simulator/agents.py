"""The three ways to write an agent, brought to one form for the simulator.

1. compiled: a scalar function of the observation, lifted over lanes (each game has a decorator);
2. vectorised: a class with ``act(view, rng)`` that returns an action for every lane;
3. plain Python: a class with ``act(observation, legal_actions, rng)``, called for every decision.

All see observations only, and draw from random streams with fixed addresses, so that a line-up's
results do not depend on how it is run.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from copy import copy
from importlib import import_module
from operator import attrgetter
from pickle import PicklingError
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from simulator.inputs import UsageError

Policy = npt.NDArray[np.float64]


class AgentError(Exception):
    """An agent broke the contract; the message says which, at which seat, seed and index.

    `simulate` adds the line-up.
    """

    def __init__(
        self,
        what: str,
        agent: str,
        seat: int,
        seed: int,
        index: int,
        line_up: tuple[str, ...] = (),
    ) -> None:
        among = f"line-up {','.join(line_up)}, " if line_up else ""
        super().__init__(
            f"{agent} in seat {seat} {what} ({among}seed {seed}, playthrough {index}: "
            f"replay it with --seed {seed} --index {index})"
        )
        self.what, self.agent, self.seat, self.seed, self.index = what, agent, seat, seed, index
        self.line_up = line_up

    def among(self, line_up: Sequence["Agent"]) -> "AgentError":
        """Return the same error with the line-up in which it came up."""
        names = tuple(agent.name for agent in line_up)
        return type(self)(self.what, self.agent, self.seat, self.seed, self.index, names)

    def __reduce__(self) -> Any:
        given = (self.what, self.agent, self.seat, self.seed, self.index, self.line_up)
        return type(self), given


class IllegalActionError(AgentError):
    """An agent chose an action that the rules do not allow."""


class Agent:
    """What all agents share: a name, one line about it, and a policy.

    Attributes
    ----------
    name : str
    about : str
        The first line of its docstring.
    fast : bool
        Declared for compiled agents that play some ten million decisions a second.
    slow : bool
        Declared for agents that take milliseconds a decision: experiments that play everybody leave
        them out unless they are named.
    has_memory : bool
        Declared for agents that go by more than the observation; their policy is no function of it.
    """

    name: str
    about: str
    fast: bool = False
    slow: bool = False
    has_memory: bool = False

    def policy(self, observation: Any) -> Policy:
        """Return the probability of each action, float64[num_actions], summing to 1."""
        raise NotImplementedError(f"{self.name} does not report its policy")

    def named(self, name: str) -> "Agent":
        """Return the same agent under another name."""
        other = copy(self)
        other.name = name
        return other

    def normalised(self, weights: Any, legal: Sequence[int], num_actions: int) -> Policy:
        """Return weights as a distribution over `num_actions`, or raise ValueError."""
        whole = np.asarray(weights, dtype=np.float64)
        is_legal = np.zeros(len(whole), bool)
        is_legal[list(legal)] = True
        policy: Policy = self.normalised_rows(whole[None], is_legal[None], num_actions)[0]
        return policy

    def normalised_rows(self, weights: Policy, is_legal: Any, num_actions: int) -> Policy:
        """Return many rows of weights as distributions; rows without a legal action are zeros.

        Parameters
        ----------
        weights : float64[decisions, actions]
        is_legal : bool[decisions, actions]
        num_actions : int
            At most as many as there are columns.

        Raises
        ------
        ValueError
            For weight on an illegal action, or weights that are negative, not finite or all 0.
        """
        decides = is_legal.any(axis=1)
        wrong = (weights != 0) & ~is_legal & decides[:, None]
        if wrong.any():
            row, action = (int(found[0]) for found in wrong.nonzero())
            legal = is_legal[row].nonzero()[0].tolist()
            raise ValueError(f"{self.name} gives weight to action {action}; legal are {legal}")
        policies: Policy = np.where(decides[:, None], weights, 0.0)[:, :num_actions]
        totals = policies.sum(axis=1)
        usable = np.isfinite(totals) & (totals > 0) & (policies.min(axis=1) >= 0)
        if not (usable | ~decides).all():
            unusable = policies[int((decides & ~usable).argmax())]
            raise ValueError(
                f"{self.name} gives weights {unusable}; they must be >= 0 with a sum > 0"
            )
        shares: Policy = policies / np.where(decides, totals, 1.0)[:, None]
        return shares


class CompiledAgent(Agent):
    """A scalar function lifted over lanes; each game has its own kind and decorator.

    Parameters
    ----------
    function : callable
        The scalar function.
    draws : bool
        Whether it writes weights, from which the action is drawn, or returns an action.
    fast : bool
    parameters : sequence of float
    """

    game_name: ClassVar[str]

    def __init__(
        self, function: Callable[..., Any], draws: bool, fast: bool, parameters: Sequence[float]
    ) -> None:
        self.function = function
        self.draws = draws
        self.fast = fast
        self.parameters = np.array(parameters, dtype=np.float64)
        self.name = function.__name__
        self.about = first_line(function)
        self._lifted_loops: dict[tuple[str, int], Any] = {}  # shared by all copies

    def with_parameters(self, parameters: Sequence[float]) -> "CompiledAgent":
        """Return the same agent with other parameters; nothing is compiled anew."""
        other = copy(self)
        other.parameters = np.array(parameters, dtype=np.float64)
        return other

    def over_lanes(self, kind: int) -> Any:
        """Return the compiled loop for a kind of decision; see `program.AGENT_SIGNATURE`."""
        return self._compiled(self._lift, kind)

    def reporting(self, kind: int) -> Any:
        """Return the compiled function that writes one observation's weights."""
        return self._compiled(self._lift_reporting, kind)

    def _compiled(self, lift: Callable[[int], Any], kind: int) -> Any:
        """Return what `lift` compiles, or say in one line why the function does not compile."""
        from numba.core.errors import NumbaError

        wanted = (lift.__name__, kind)
        try:
            if wanted not in self._lifted_loops:
                self._lifted_loops[wanted] = lift(kind)
            return self._lifted_loops[wanted]
        except (NumbaError, NotImplementedError) as error:
            lines = [line.strip() for line in str(error).split("\n")]
            told = [line for line in lines if line and not line.startswith("Failed in nopython")]
            raise UsageError(f"agent {self.name!r} does not compile: {told[0]}") from error

    def _lift(self, kind: int) -> Any:
        raise NotImplementedError

    def _lift_reporting(self, kind: int) -> Any:
        raise NotImplementedError

    def __copy__(self) -> "CompiledAgent":
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __deepcopy__(self, _memo: Any) -> "CompiledAgent":
        other = copy(self)
        other.parameters = self.parameters.copy()
        return other

    def __reduce__(self) -> Any:
        """Pickle by where the agent is defined: its function there goes by the agent's name."""
        place = (self.function.__module__, self.function.__qualname__)
        if "<locals>" in place[1] or _defined_at(*place).function is not self.function:
            raise PicklingError(f"{self.name} cannot be pickled: no module holds it by its name")
        return _unpickled, (*place, self.name, self.parameters)


def _defined_at(module: str, name: str) -> Any:
    """Return the agent that a module holds by a name."""
    return attrgetter(name)(import_module(module))


def _unpickled(module: str, function: str, name: str, parameters: Any) -> "CompiledAgent":
    """Return a compiled agent from where it is defined, with its own name and parameters."""
    agent: CompiledAgent = copy(_defined_at(module, function))
    agent.name, agent.parameters = name, parameters
    return agent


class WrittenAgent(Agent):
    """An agent written as a class with `act`, vectorised or plain; `vectorised` says which."""

    def __init__(self, player: Any, name: str | None = None) -> None:
        self.player = player
        self.vectorised = _takes_view(player)
        self.has_memory = bool(getattr(player, "has_memory", False))
        self.slow = bool(getattr(player, "slow", False))
        self.name = name or getattr(player, "name", None) or type(player).__name__
        self.about = first_line(type(player))

    def policy(self, observation: Any) -> Policy:
        """Return what the agent's own `policy` says; see `Agent.policy`."""
        own = getattr(self.player, "policy", None)
        if own is None:
            raise NotImplementedError(
                f"{self.name} has no method policy(observation), so its policy is not known"
            )
        policy: Policy = np.asarray(own(observation), dtype=np.float64)
        return policy


def first_line(thing: Any) -> str:
    """Return the first line of a docstring, or ''."""
    return (inspect.getdoc(thing) or "").split("\n")[0]


def _takes_view(player: Any) -> bool:
    """Tell an agent's `act(view, rng)` from `act(observation, legal_actions, rng)`."""
    act = getattr(player, "act", None)
    if not callable(act):
        raise TypeError(
            f"{type(player).__name__} is no agent: it needs act(observation, legal_actions, rng), "
            "act(view, rng), or a game's compiled_agent decorator"
        )
    takes = len(inspect.signature(act).parameters)
    if takes not in (2, 3):
        raise TypeError(
            f"{type(player).__name__}.act takes {takes} arguments; it must take "
            "(observation, legal_actions, rng) or (view, rng)"
        )
    return takes == 2


def as_agent(thing: Any, game: Any, name: str | None = None) -> Agent:
    """Return an agent for `game` from an agent, an object with `act`, a class, or a factory.

    A class or factory is called with the game if it takes one argument, else with none.

    Raises
    ------
    TypeError
        If it is none of these, or an agent of another game.
    """
    if isinstance(thing, type) or (
        callable(thing) and not hasattr(thing, "act") and not isinstance(thing, Agent)
    ):
        wants = [
            p
            for p in inspect.signature(thing).parameters.values()
            if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        ]
        thing = thing(game) if len(wants) == 1 else thing()
    agent = thing if isinstance(thing, Agent) else WrittenAgent(thing)
    if isinstance(agent, CompiledAgent) and agent.game_name != game.name:
        raise TypeError(f"{agent.name} plays {agent.game_name}, not {game.name}")
    if name is not None and agent.name != name:
        agent = agent.named(name)
    if not re.fullmatch(r"[^\s,]+", agent.name):
        raise TypeError(
            f"an agent's name must have no spaces or commas; this one is {agent.name!r}"
        )
    return agent
