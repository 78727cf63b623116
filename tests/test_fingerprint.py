"""The fingerprint of a function changes with all that its compiled code depends on."""

import enum
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from agents.random import _any_of
from ostrich import inlined
from simulator.lifting import fingerprint


def function(body: str, **names: Any) -> Callable[..., Any]:
    """Return `f(x)` with a body and some global names, as from a user's file."""
    scope = {"__name__": "users_file", **names}
    exec(f"def f(x, y=1):\n    {body}\n", scope)
    found: Callable[..., Any] = scope["f"]
    return found


def module(name: str, **content: Any) -> types.ModuleType:
    """Return a module with some content."""
    made = types.ModuleType(name)
    vars(made).update(content)
    return made


def bags(small: int) -> Any:
    """Return an enumeration, which compiled code reads as numbers."""
    return enum.IntEnum("Bags", {"SMALL": small})


CHANGES = {
    "a constant": (function("return x + 1"), function("return x + 2")),
    "an operator": (function("return x + 1"), function("return x - 1")),
    "the type of a constant": (function("return x + 1"), function("return x + 1.0")),
    "a name": (function("return a(x)", a=1, b=1), function("return b(x)", a=1, b=1)),
    "a global": (function("return x + A", A=1), function("return x + A", A=2)),
    "the type of a global": (function("return x + A", A=1), function("return x + A", A=1.0)),
    "an array": (
        function("return A[x]", A=np.array([1, 2])),
        function("return A[x]", A=np.array([1, 3])),
    ),
    "the type of an array": (
        function("return A[x]", A=np.array([1, 2])),
        function("return A[x]", A=np.array([1, 2], np.uint64)),
    ),
    "a tuple": (function("return A[x]", A=(1, (2, 3))), function("return A[x]", A=(1, (2, 4)))),
    "a helper": (
        function("return h(x)", h=function("return x")),
        function("return h(x)", h=function("return -x")),
    ),
    "a compiled helper": (
        function("return h(x)", h=inlined(function("return x"))),
        function("return h(x)", h=inlined(function("return -x"))),
    ),
    "a helper's helper": (
        function("return h(x)", h=function("return g(x)", g=function("return 1"))),
        function("return h(x)", h=function("return g(x)", g=function("return 2"))),
    ),
    "a helper's global": (
        function("return h(x)", h=function("return A", A=1)),
        function("return h(x)", h=function("return A", A=2)),
    ),
    "an inner function": (
        function("return (lambda z: z + 1)(x)"),
        function("return (lambda z: z + 2)(x)"),
    ),
    "an attribute of a module": (
        function("return m.A", m=module("m", A=1)),
        function("return m.A", m=module("m", A=2)),
    ),
    "a function of a module": (
        function("return m.h(x)", m=module("m", h=function("return 1"))),
        function("return m.h(x)", m=module("m", h=function("return 2"))),
    ),
    "a module in a module": (
        function("return p.m.A", p=module("p", m=module("m", A=1))),
        function("return p.m.A", p=module("p", m=module("m", A=2))),
    ),
    "a member of an enumeration": (
        function("return Bags.SMALL", Bags=bags(1)),
        function("return Bags.SMALL", Bags=bags(2)),
    ),
    "a set": (function("return x in {1, 2}"), function("return x in {1, 3}")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_tells_apart(change: str) -> None:
    one, other = CHANGES[change]
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize("change", CHANGES)
def test_is_the_same_for_the_same(change: str) -> None:
    for made in CHANGES[change]:
        assert fingerprint(made) == fingerprint(made)
        twin = types.FunctionType(made.__code__, made.__globals__, "twin", made.__defaults__)
        assert fingerprint(made) == fingerprint(twin)


def test_defaults_and_closures_count() -> None:
    def closing(over: int) -> Callable[..., Any]:
        return lambda x: x + over

    assert fingerprint(closing(1)) == fingerprint(closing(1))
    assert fingerprint(closing(1)) != fingerprint(closing(2))
    one, other = function("return y"), function("return y")
    other.__defaults__ = (2,)
    assert fingerprint(one) != fingerprint(other)


def test_functions_that_call_each_other_end() -> None:
    scope: dict[str, Any] = {"__name__": "users_file"}
    exec("def f(x):\n    return g(x)\ndef g(x):\n    return f(x) if x else 0\n", scope)
    assert len(fingerprint(scope["f"])) == 16


def test_closures_of_the_project_count_too() -> None:
    """Its functions go by their names, as their sources name the cache's folder."""
    assert fingerprint(_any_of(2)) == fingerprint(_any_of(2))
    assert fingerprint(_any_of(2)) != fingerprint(_any_of(3))
