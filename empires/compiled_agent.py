"""Compiled agents of Eggs and Empires: scalar functions of the observation, one for each decision.

`compiled_agent` takes one function, which chooses the card, or a class that holds functions named
by the kinds of decision: `mulligan`, `card`, `pick`, `gift`, `discard`. Those that are missing are
inherited from `empires.sensible`. Each takes `observation` and, as it names them, any of

- `weights`: float32 array of zeros, to be filled with the weight of each option, in any scale; the
  option is drawn by them. Without this argument the function returns its option;
- `values`: int32 array, the value of the egg that an option is about (UNKNOWN for a face-down one);
- `parameters`: float64[:], numbers of the agent's own (`with_parameters` sets others, without
  compiling anew);
- `random`: a key for `next_word`, for an agent that wants random numbers of its own.

========  =======================  ==============================================================
kind      options                  `values[option]`
========  =======================  ==============================================================
mulligan  0 keep, 1 redraw         0
card      the Adventurer's number  values[w + 1]: the w-th egg on offer this turn
pick      0 nothing, w + 1         the egg
gift      0 keep, k: the k-th      the egg to be given
          player clockwise
discard   0 nothing, i             the i-th of one's own eggs
========  =======================  ==============================================================

With two cards a turn `card` is asked twice, the second time with `observation.first` set.
`is_legal(observation, option)` tells which options are legal.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, overload

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import uint32, uint64

from empires import sensible
from empires.actions import FIRST_GIFT, KEEP_EGG, NUM_ACTIONS, meaning, send_action
from empires.choices import action_of
from empires.compact import (
    CARD_KIND,
    KINDS,
    MULLIGAN_KIND,
    OPTIONS_OF,
    PrivateRandom,
    private_key,
)
from empires.deciding import (
    card_loop,
    discard_loop,
    gift_loop,
    mulligan_loop,
    pick_loop,
    reporting_loop,
)
from empires.layout import ACTIONS, CHOICES, OFFER
from empires.observation import Observation
from empires.observing import fill_nothing
from empires.seeing import block_of
from empires.view import BlockView
from simulator.agents import CompiledAgent
from simulator.lifting import adapted, inlined, lift, local_array, picker
from simulator.program import AGENT_SIGNATURE, BLOCK, FACTS, PARAMETERS

ARGUMENTS = ("observation", "values", "weights", "parameters", "random")
_RANDOM = "PrivateRandom(*private_key(seed, index, observation.player, uint64(slot)))"
_pickers = {length: picker(length) for length in OPTIONS_OF}

#: How the loop calls an agent's function: one that writes weights, one that returns its option.
_DRAWING = """
def choose(observation, values, parameters, word, seed, index, slot):
    weights = new_weights()
    function({taken})
    return uint32(pick(weights, word))
"""
_CHOOSING = """
def choose(observation, values, parameters, word, seed, index, slot):
    return uint32(function({taken}) | uint32(0))  # does not compile for a fraction
"""


class EmpiresCompiledAgent(CompiledAgent):
    """A compiled agent of Eggs and Empires; made by `compiled_agent`."""

    game_name = "empires"

    def __init__(self, made_of: Any, fast: bool, parameters: Sequence[float]) -> None:
        own = {kind: getattr(made_of, kind, None) for kind in KINDS}
        if not isinstance(made_of, type):
            own["card"] = made_of
        self.functions = {kind: own[kind] or getattr(sensible, kind) for kind in KINDS}
        for kind, function in self.functions.items():
            _check(kind, function)
        draws = any("weights" in _taken(function) for function in self.functions.values())
        super().__init__(made_of, draws, fast, parameters)

    def _lift(self, kind: int) -> Any:
        return deciding(kind, self.functions[KINDS[kind]])

    def _lift_reporting(self, kind: int) -> Any:
        function = self.functions[KINDS[kind]]
        taken = [_RANDOM if name == "random" else name for name in _taken(function)]
        scope = {"PrivateRandom": PrivateRandom, "private_key": private_key, "uint64": uint64}
        offered = ["observation", "values", "weights", "parameters", "seed", "index", "slot"]
        bound = {"weigh": adapted(function, taken, offered, scope)}
        name = f"{KINDS[kind]}_{function.__name__}"
        return lift(reporting_loop, name, [function], bound, _REPORTING_SIGNATURE)

    def policy(self, observation: Observation) -> npt.NDArray[np.float64]:
        """Return the probability of each action, float64[num_actions], summing to 1.

        Raises
        ------
        ValueError
            If nothing is to be decided, or the agent's weights or option are unusable.
        """
        if not observation.legal_actions:
            raise ValueError(f"player {observation.player} has nothing to decide")
        weights = np.zeros(NUM_ACTIONS)
        if "weights" in _taken(self.functions[observation.phase]):
            self._weigh(observation, weights)
        else:
            weights[self.decide(as_view(observation))[0]] = 1.0
        return self.normalised(weights, observation.legal_actions, NUM_ACTIONS)

    def _weigh(self, observation: Observation, weights: npt.NDArray[np.float64]) -> None:
        """Add the weights of all actions, float64[num_actions], in place."""
        if observation.phase == "card" and observation.rules.cards_a_turn == 2:
            first = self._options(observation, 0)
            for low in set(observation.hand):
                second = self._options(observation, low)
                for high in set(observation.hand) - {low}:
                    pair = send_action((min(low, high), max(low, high)))
                    weights[pair] += first[low] * second[high]
            return
        options = self._options(observation, 0)
        for option, action in options_of(observation).items():
            weights[action] = options[option]

    def _options(self, observation: Observation, before: int) -> npt.NDArray[np.float64]:
        """Return the weights of the options, summing to 1 (if any), float64[options]."""
        kind, variant = KINDS.index(observation.phase), observation.rules
        facts, moment = variant.facts(), moment_of(observation)
        weights = np.zeros(OPTIONS_OF[kind], np.float32)
        block = block_of(as_view(observation).view(), facts, kind, observation.player)
        seat = observation.player
        self.reporting(kind)(block, facts, self.parameters, moment, kind, seat, before, weights)
        whole: npt.NDArray[np.float64] = weights.astype(np.float64)
        total = whole.sum()
        return whole / total if total > 0 else whole

    def decide(self, view: BlockView) -> npt.NDArray[np.int64]:
        """Return what the agent chooses where it draws nothing, int64[lanes]: actions."""
        kind, seat, facts = KINDS.index(view.phase), view.player, view.rules.facts()
        block = block_of(view.view(), facts, kind, seat)
        lanes = view.lanes
        loop = self.over_lanes(kind)
        loop(block, facts, self.parameters, 0, 0, moment_of(view), seat, lanes)
        row = block[(ACTIONS if kind in (MULLIGAN_KIND, CARD_KIND) else CHOICES) + seat]
        offers = block[OFFER].tolist()
        return np.array(
            [
                action_of(choice, kind, offer)
                for choice, offer in zip(row.tolist(), offers, strict=True)
            ],
            np.int64,
        )


_LOOPS = (mulligan_loop, card_loop, pick_loop, gift_loop, discard_loop)  # in the order of KINDS


@cache
def deciding(kind: int, function: Callable[..., Any]) -> Any:
    """Return the loop for a kind of decision with a function that decides, compiled.

    Agents that inherit a decision share its loop.
    """
    names = _taken(function)
    taken = ", ".join(_RANDOM if name == "random" else name for name in names)
    most = OPTIONS_OF[kind]
    scope = {
        "function": inlined(function),
        "new_weights": local_array(most),
        "pick": _pickers[most],
        "PrivateRandom": PrivateRandom,
        "private_key": private_key,
        "uint32": uint32,
        "uint64": uint64,
    }
    source = (_DRAWING if "weights" in names else _CHOOSING).format(taken=taken)
    exec(compile(source, f"<{function.__name__}>", "exec"), scope)
    bound = {"choose": inlined(scope["choose"])}
    if "values" not in names:  # or a loop would not vectorise for what nobody reads
        bound |= dict.fromkeys(
            ("copy_offers", "fill_offer", "fill_gift", "fill_owned"), fill_nothing
        )
    return lift(_LOOPS[kind], function.__name__, [function], bound, AGENT_SIGNATURE)


def moment_of(seen: Any) -> int:
    """Return the moment of a decision, from an observation or a view."""
    begun: int = seen.round * (seen.rules.turns + 1)
    return begun if seen.phase == "mulligan" else begun + 1 + seen.turn


def as_view(observation: Observation) -> BlockView:
    """Return an observation as a view of one lane."""
    column = np.array(observation.column(), np.uint32).reshape(-1, 1)
    return BlockView(
        observation.rules, observation.player, observation.phase, observation.round,
        observation.turn, column,
    )  # fmt: skip


def options_of(observation: Observation) -> dict[int, int]:
    """Return the action that each legal option of an observation stands for."""
    legal, seat, players = observation.legal_actions, observation.player, observation.rules.players
    if observation.phase == "mulligan":
        return dict(enumerate(legal))
    if observation.phase == "card":
        return {meaning(action).chosen[0]: action for action in legal}
    if observation.phase == "pick":
        base = int(as_view(observation).base[0])
        places = {action: meaning(action).chosen for action in legal}
        return {chosen[0] - base + 1 if chosen else 0: a for a, chosen in places.items()}
    if observation.phase == "gift":
        givers = {0: KEEP_EGG}
        for steps in range(1, players):
            givers[steps] = FIRST_GIFT + (seat + steps) % players
        return givers
    return dict(enumerate(legal))


_REPORTING_SIGNATURE = types.void(
    BLOCK, FACTS, PARAMETERS, types.int64, types.int64, types.int64, types.uint32,
    types.float32[::1],
)  # fmt: skip


def _taken(function: Any) -> list[str]:
    """Return the names of a function's arguments."""
    return list(inspect.signature(function).parameters)


def _check(kind: str, function: Any) -> None:
    """Refuse a function with arguments that no agent is offered."""
    names = _taken(function)
    for name in names:
        if name not in ARGUMENTS:
            raise TypeError(
                f"{function.__name__} ({kind}) takes {name!r}; "
                f"an agent may take {', '.join(ARGUMENTS)}"
            )
    if names[:1] != ["observation"]:
        raise TypeError(f"{function.__name__} ({kind}) must take 'observation' first")


@overload
def compiled_agent(function: Callable[..., Any] | type) -> EmpiresCompiledAgent: ...


@overload
def compiled_agent(
    *, fast: bool = ..., parameters: Sequence[float] = ...
) -> Callable[[Callable[..., Any] | type], EmpiresCompiledAgent]: ...


def compiled_agent(
    function: Callable[..., Any] | type | None = None,
    *,
    fast: bool = False,
    parameters: Sequence[float] = (),
) -> Any:
    """Make an agent of a function or a class of functions; see the head of this module.

    Parameters
    ----------
    function : callable or class
        Named and described (docstring) as the agent is.
    fast : bool
        True promises some million decisions a second; `make tournament` plays all such agents.
    parameters : sequence of float
        Handed to the functions that name `parameters`.

    Raises
    ------
    TypeError
        For an argument that no agent is offered.
    """

    def decorate(chosen: Any) -> EmpiresCompiledAgent:
        return EmpiresCompiledAgent(chosen, fast, parameters)

    return decorate if function is None else decorate(function)
