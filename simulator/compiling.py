"""Compile with Numba, and keep what was compiled on disk safely.

Numba's disk cache does not notice a change in a function that a cached one calls, so the cache
folder's name holds a hash of all the project's sources: an edit anywhere starts a fresh folder.
A cache that cannot be read or written never stops a run: one warning, then compiled in memory.

Set the base folder with ``NUMBA_CACHE_DIR``; without it the user's cache folder is taken.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import cached_property, update_wrapper
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core.caching import FunctionCache
from numba.core.errors import NumbaError, NumbaExperimentalFeatureWarning

F = TypeVar("F", bound=Callable[..., Any])

#: Packages whose sources decide whether a cached function is still good (named, never imported).
PROJECT_PACKAGES = ("simulator", "ostrich", "empires", "chickens", "agents")
UNUSED_FOLDER_DAYS = 30

JIT_DISABLED = bool(numba.config.DISABLE_JIT)


def sources_hash() -> str:
    """Return a short hash of every source file of the project's compiled packages."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for package in PROJECT_PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _base_folder() -> Path:
    """Return the folder under which the cache folders of all source versions lie."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clutch"


def _drop_unused(base: Path, current: Path) -> None:
    """Delete cache folders of older sources that nobody has opened for a month."""
    limit = time.time() - UNUSED_FOLDER_DAYS * 86_400
    for folder in base.glob("clutch-*"):
        if folder != current and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


def _prepare_cache() -> bool:
    """Point Numba at a folder for just these sources; return whether it can be written."""
    if JIT_DISABLED:
        return False
    try:
        base = _base_folder()
        checked = "-boundscheck" if numba.config.BOUNDSCHECK else ""
        folder = base / f"clutch-{sources_hash()}{checked}"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        _drop_unused(base, folder)
    except (OSError, RuntimeError) as error:
        warnings.warn(
            f"compiled code is not kept on disk, so each start compiles anew: {error}",
            RuntimeWarning,
            stacklevel=2,
        )
        return False
    numba.config.CACHE_DIR = str(folder)
    return True


def _spare_scipy() -> None:
    """Let Numba start without scipy.linalg, which takes a fifth of a warm start to import.

    Numba's `arraymath` imports it only to see whether it is there, as it is with this project; what
    needs it, such as `np.dot` in a compiled agent, asks again and gets it.
    """
    if JIT_DISABLED or "numba.np.arraymath" in sys.modules:
        return
    linalg: Any = import_module("numba.np.linalg")
    ensure_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        arraymath: Any = import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ensure_blas
    arraymath.ensure_blas = ensure_blas


_spare_scipy()
_cache_usable = _prepare_cache()
# Agents travel as typed function arguments; that they do so on purpose need not be said each time.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


def _compile(function: F, options: dict[str, Any], signature: Any) -> F:
    """Take `function` from the cache, or compile and keep it, in memory if that fails twice."""
    global _cache_usable
    reason = ""
    for attempt in ("as found", "wiped") if _cache_usable else ():
        try:
            if attempt == "wiped":
                FunctionCache(function).flush()
            kept: F = numba.njit(signature, cache=True, **options)(function)
            return kept
        except NumbaError:  # a fault of the function itself
            raise
        except Exception as error:  # a damaged cache raises whatever its bytes lead to
            reason = f"{type(error).__name__}: {error}"
    in_memory: F = numba.njit(signature, **options)(
        function
    )  # raises what is not the cache's fault
    if _cache_usable:
        warnings.warn(
            f"the cache of compiled code in {numba.config.CACHE_DIR} cannot be used "
            f"({reason}); compiling in memory",
            RuntimeWarning,
            stacklevel=3,
        )
        _cache_usable = False
    return in_memory


class Late:
    """A function that is compiled when `dispatcher` or a call from Python first needs it."""

    def __init__(self, function: Callable[..., Any], compile_now: Callable[[Any], Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self._compile_now = function, compile_now

    @cached_property
    def dispatcher(self) -> Any:
        """What the function compiles to."""
        return self._compile_now(self.py_func)

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function."""
        return self.dispatcher(*arguments)


def compiled(
    signature: Any,
    *,
    inline: bool = False,
    as_argument: bool = False,
    allocates: bool = True,
    late: bool = False,
) -> Callable[[F], F]:
    """Compile a function for one signature, without the interpreter lock, cached on disk.

    Parameters
    ----------
    signature : str or numba signature
        The only types that the function takes. Other number types are cast to it, so a call never
        triggers a compilation.
    inline : bool
        True for scalar functions of a rule: LLVM must inline them, or the loop over lanes that
        calls them does not vectorise.
    as_argument : bool
        True for what is handed to compiled code as an argument.
    allocates : bool
        False for what makes no arrays; references to them are then not counted.
    late : bool
        True for what only Python calls, and not always: it is compiled when it is first called, so
        that nobody waits for what another game or another kind of agent needs.

    Returns
    -------
    Callable
        The decorator. With ``NUMBA_DISABLE_JIT=1`` it returns the function as it is.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if not as_argument:
        options["no_cfunc_wrapper"] = True
    if inline:
        options["forceinline"] = True
    if not allocates:
        options["_nrt"] = False

    def decorate(function: F) -> F:
        if JIT_DISABLED:
            return function
        if late:
            return Late(function, lambda it: _compile(it, options, signature))  # type: ignore[return-value]
        return _compile(function, options, signature)

    return decorate
