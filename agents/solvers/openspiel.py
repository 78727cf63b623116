"""Games of OpenSpiel, for solving; they need the extra `openspiel`."""

from typing import Any

from simulator.inputs import UsageError
from simulator.registry import unknown


def load_openspiel(name: str) -> Any:
    """Return a game of OpenSpiel by its name with parameters, such as "kuhn_poker(players=3)".

    Raises
    ------
    UsageError
        If OpenSpiel is not installed, has no such game, or refuses the parameters.
    """
    try:
        import pyspiel
    except ImportError as error:
        raise UsageError(
            f"{name!r} is no game of this lab; games of OpenSpiel need the extra: "
            "pip install 'clutch-lab[openspiel]'"
        ) from error
    known = pyspiel.registered_names()
    short = name.partition("(")[0]
    if short not in known:
        raise unknown("game", short, known)
    try:
        return pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise UsageError(f"OpenSpiel refuses {name!r}: {error}") from error
