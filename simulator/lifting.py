"""Turn a scalar function into a compiled loop over lanes, cached on disk by what it does.

A loop is written once a game and kind of decision, as a plain function that calls a global which
is `unbound`. Lifting binds that name to a user's function and compiles the pair. Numba would find
the same file and line for every agent's loop and take one agent's cached code for another's; so the
loop's name, by which Numba keeps it, carries a fingerprint of all that the user's function does.
"""

import hashlib
import types as python_types
from collections.abc import Callable, Sequence
from enum import Enum
from functools import update_wrapper
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, typeof_impl
from numpy import float32, uint32

from simulator.compiling import JIT_DISABLED, PROJECT_PACKAGES, compiled

_STOP = object()


def fingerprint(function: Callable[..., Any]) -> str:
    """Return a hash of a function's code and of all it refers to that may change.

    Followed: inner functions, default values, closed-over and global functions, numbers, strings,
    tuples and arrays, and the same as attributes of imported modules. Not followed: the project's
    own modules (their hash names the cache folder) and installed libraries' types and functions.
    """
    digest = hashlib.sha256()
    _digest_value(digest, function, set())
    return digest.hexdigest()[:16]


def _digest_value(digest: Any, value: object, visited: set[int]) -> None:
    """Add one value to a digest; `visited` keeps functions that call each other from looping."""
    value = getattr(value, "py_func", value)
    if isinstance(value, python_types.FunctionType):
        if id(value) in visited:
            return
        visited.add(id(value))
        if value.__module__.split(".")[0] in (*PROJECT_PACKAGES, "numba", "numpy"):
            digest.update(f"{value.__module__}.{value.__qualname__}".encode())
            for cell in value.__closure__ or ():
                _digest_value(digest, cell.cell_contents, visited)
        else:
            _digest_function(digest, value, visited)
    elif isinstance(value, np.ndarray):
        digest.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
    elif isinstance(value, (tuple, list)):
        for item in value:
            _digest_value(digest, item, visited)
    elif isinstance(value, (set, frozenset)):
        digest.update(repr(sorted(value, key=repr)).encode())
    elif isinstance(value, Enum):
        digest.update(f"{value!r}".encode())
    elif isinstance(value, type) and issubclass(value, Enum):
        digest.update(repr(list(value)).encode())
    elif isinstance(value, (int, float, complex, str, bytes, bool, np.generic, type(None))):
        digest.update(f"{type(value).__name__}:{value!r}".encode())
    else:
        digest.update(f"{type(value).__module__}.{getattr(value, '__name__', '')}".encode())


def _digest_module(digest: Any, module: Any, names: set[str], visited: set[int]) -> None:
    """Add what a module, or one in it, holds by any of the names that a function uses."""
    if id(module) in visited or module.__name__.split(".")[0] in ("numpy", "numba", "math"):
        return
    visited.add(id(module))
    for name in sorted(names):
        value = getattr(module, name, None)
        if isinstance(value, python_types.ModuleType):
            _digest_module(digest, value, names, visited)
        else:
            _digest_value(digest, value, visited)


def _digest_function(digest: Any, function: python_types.FunctionType, visited: set[int]) -> None:
    """Add a function's code, defaults, closure and globals to a digest."""
    codes = [function.__code__]
    names: set[str] = set()
    for code in codes:  # grows while inner functions are found
        digest.update(code.co_code + repr(code.co_varnames).encode())
        for constant in code.co_consts:
            if isinstance(constant, python_types.CodeType):
                codes.append(constant)
            else:
                _digest_value(digest, constant, visited)
        digest.update(repr(code.co_names).encode())
        names.update(code.co_names)
    _digest_value(digest, function.__defaults__, visited)
    for cell in function.__closure__ or ():
        _digest_value(digest, cell.cell_contents, visited)
    for name in sorted(names):
        value = function.__globals__.get(name, _STOP)
        if isinstance(value, python_types.ModuleType):
            _digest_module(digest, value, names, visited)
        elif value is not _STOP:
            _digest_value(digest, value, visited)


class Inlined:
    """A scalar function that is compiled as a part of whatever compiled code calls it.

    Called from Python it runs as written. So it needs no entry point from Python, which would
    double the time to compile, and no call from Python ever compiles.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.dispatcher = numba.njit(
            function,
            nogil=True,
            error_model="numpy",
            forceinline=True,
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
        )

    def __call__(self, *arguments: Any) -> Any:
        """Run the function as written."""
        return self.py_func(*arguments)


@typeof_impl.register(Inlined)  # type: ignore[untyped-decorator]
def _type_of_inlined(value: Inlined, _context: Any) -> Any:
    """Let compiled code that names an `Inlined` call what it compiles to."""
    return types.Dispatcher(value.dispatcher)


def inlined(function: Callable[..., Any]) -> Any:
    """Make a scalar function, such as a helper of an agent, usable in compiled agents."""
    if JIT_DISABLED or not isinstance(function, python_types.FunctionType):
        return function
    return Inlined(function)


def spliced(function: Callable[..., Any]) -> Any:
    """Make a function a part of whatever compiled code calls it, spliced in before types are known.

    For functions that take arrays: a call would count references to them, which keeps a loop over
    lanes from being vectorised.
    """
    return function if JIT_DISABLED else numba.njit(inline="always")(function)


def adapted(
    function: Callable[..., Any], taken: list[str], offered: list[str], names: dict[str, Any]
) -> Any:
    """Return `function` as one that is called with the arguments `offered`.

    `taken` are the expressions, over `offered` and `names`, that it gets as its own arguments.
    """
    source = f"def adapter({', '.join(offered)}):\n    return function({', '.join(taken)})\n"
    scope: dict[str, Any] = {**names, "function": inlined(function)}
    exec(compile(source, f"<{function.__name__}>", "exec"), scope)
    return inlined(scope["adapter"])


def unbound(*_: Any) -> Any:
    """Stand for an agent's function in a loop; `lift` binds the name anew for each agent."""
    raise RuntimeError("a loop over lanes runs only once it is lifted")


def lift(
    loop: Any, name: str, functions: Sequence[Any], bound: dict[str, Any], signature: Any
) -> Any:
    """Compile a loop over lanes with some of its globals bound to an agent's functions.

    Parameters
    ----------
    loop : function
        Module-level function that calls the globals that are bound.
    name : str
        The agent's name.
    functions : sequence of function
        The user's functions, for the fingerprint.
    bound : dict
        What the loop calls, from `adapted`, by the names of its globals.
    signature : numba signature
        Of the loop.
    """
    prints = "_".join(dict.fromkeys(map(fingerprint, functions)))
    kept_as = f"{loop.__name__}_{name}_{hashlib.sha256(prints.encode()).hexdigest()[:16]}"
    code = loop.__code__.replace(co_name=kept_as, co_qualname=kept_as)
    bound_loop = python_types.FunctionType(code, {**loop.__globals__, **bound}, kept_as)
    bound_loop.__module__ = loop.__module__
    return compiled(signature, as_argument=True, allocates=False)(bound_loop)


def local_array(length: int, kind: Any = float32) -> Any:
    """Return a function without arguments that returns `length` zeros, for lifted loops.

    Compiled, the array lies on the stack, and in registers once all is inlined, so that a loop
    that fills one for every lane still vectorises. `kind` is float32 or int32.
    """
    if JIT_DISABLED:
        return lambda: np.zeros(length, kind)
    item, word = (
        (types.float32, ir.FloatType()) if kind is float32 else (types.int32, ir.IntType(32))
    )
    array_type = types.Array(item, 1, "C")
    content, zero = ir.ArrayType(word, length), 0.0 if kind is float32 else 0

    def generate(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        buffer = cgutils.alloca_once(builder, content)
        builder.store(ir.Constant(content, [zero] * length), buffer)
        array = context.make_array(array_type)(context, builder)
        item_size = context.get_constant(types.intp, 4)
        context.populate_array(
            array,
            data=builder.bitcast(buffer, word.as_pointer()),
            shape=cgutils.pack_array(builder, [context.get_constant(types.intp, length)]),
            strides=cgutils.pack_array(builder, [item_size]),
            itemsize=item_size,
            meminfo=None,
        )
        return array._getvalue()

    return intrinsic(lambda _context: (array_type(), generate))


def picker(length: int) -> Any:
    """Return the function that draws an action by its weight, for float32[length] weights.

    A length known when it is compiled lets its loops be unrolled, and so the loop over lanes that
    calls it be vectorised.
    """

    def pick(weights: Any, word: Any) -> Any:
        """Draw an action by its weight.

        Parameters
        ----------
        weights : float32[length]
            Not negative, with a positive sum; need not sum to 1.
        word : uint32
            A random word; its upper 24 bits, as many as a float32 holds, decide.

        Returns
        -------
        uint32
            The action; `length`, which is no action, if the weights are unusable.
        """
        total = lowest = float32(0.0)
        for action in range(length):
            total = float32(total + weights[action])
            lowest = min(lowest, weights[action])
        place = float32(np.int32(uint32(word) >> uint32(8)))
        threshold = float32(place * float32(total * float32(2.0**-24)))
        reached = float32(0.0)
        picked = uint32(0)
        for action in range(length):
            reached = float32(reached + weights[action])
            # "not above" instead of "at most": weights that are no numbers pick no action
            picked = uint32(picked + uint32(not reached > threshold))
        return picked if lowest >= float32(0.0) else uint32(length)

    return inlined(pick)
