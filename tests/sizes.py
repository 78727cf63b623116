"""How many playthroughs a test plays: without JIT they take a thousand times as long."""

import numba


def size(compiled: int, plain: int) -> int:
    """Return `plain` when NUMBA_DISABLE_JIT is set, else `compiled`."""
    return plain if numba.config.DISABLE_JIT else compiled
