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
from typing import Any, overload

from numpy import uint32, uint64

from empires import sensible
from empires.compact import KINDS, OPTIONS_OF, PrivateRandom, private_key
from empires.deciding import deciding_loop
from empires.layout import MAX_OPTIONS
from simulator.agents import CompiledAgent
from simulator.lifting import counting_picker, inlined, lift, local_array, picker
from simulator.program import AGENT_SIGNATURE

ARGUMENTS = ("observation", "values", "weights", "parameters", "random")
_RANDOM = "PrivateRandom(*private_key(seed, index, observation.player, uint64(slot)))"
_pickers = {count: picker(count) for count in OPTIONS_OF if count != MAX_OPTIONS}
_counting_picker = counting_picker()

#: How the loop calls an agent's function: one that writes weights, one that returns its option.
_DRAWING = """
def choose(observation, values, parameters, word, count, seed, index, slot):
    weights = new_weights()
    function({taken})
    return uint32(pick(weights, word{counted}))
"""
_CHOOSING = """
def choose(observation, values, parameters, word, count, seed, index, slot):
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

    def _lift(self) -> Any:
        bound = {f"choose_{kind}": self._called(kind) for kind in KINDS}
        functions = list(self.functions.values())
        return lift(deciding_loop, self.function.__name__, functions, bound, AGENT_SIGNATURE)

    def _called(self, kind: str) -> Any:
        """Return the function for a kind of decision as the loop calls it."""
        function = self.functions[kind]
        names = _taken(function)
        taken = ", ".join(_RANDOM if name == "random" else name for name in names)
        most = OPTIONS_OF[KINDS.index(kind)]
        scope = {
            "function": inlined(function),
            "new_weights": local_array(most),
            "pick": _pickers.get(most, _counting_picker),
            "PrivateRandom": PrivateRandom,
            "private_key": private_key,
            "uint32": uint32,
            "uint64": uint64,
        }
        source = (_DRAWING if "weights" in names else _CHOOSING).format(
            taken=taken, counted="" if most in _pickers else ", count"
        )
        exec(compile(source, f"<{kind} of {self.name}>", "exec"), scope)
        return inlined(scope["choose"])


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
