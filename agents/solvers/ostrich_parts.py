"""Parts of an exact solution that are done, kept on disk until the whole is."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.inputs import UsageError
from simulator.stored import read_stored, write_stored

KIND = "part of a solution"


@dataclass(frozen=True)
class Part:
    """The solved stage games of some states of a round; see `ostrich_exact.SolvedRound`."""

    values: npt.NDArray[np.float64]
    joint: npt.NDArray[np.int32]
    mixed: npt.NDArray[np.float64]
    tally: npt.NDArray[np.int64]
    largest: npt.NDArray[np.float64]


@dataclass(frozen=True)
class PartStore:
    """A folder of parts of one solution.

    Parameters
    ----------
    folder : Path or None
        It must exist. None keeps nothing.
    header : mapping
        What decides the solution; parts of another one are refused.
    """

    folder: Path | None
    header: Mapping[str, Any]

    def _path(self, turn: int, first: int) -> Path:
        assert self.folder is not None
        return self.folder / f"part-{turn}-{first}.npz"

    def write(self, turn: int, first: int, part: Part) -> None:
        """Keep the part of a round that begins with state number `first`."""
        if self.folder is not None:
            header = {**self.header, "round": turn, "first": first}
            write_stored(self._path(turn, first), KIND, header, vars(part))

    def read(self, turn: int, first: int) -> Part | None:
        """Return a part that was kept, or None.

        Raises
        ------
        UsageError
            If the file is damaged, or belongs to another solution.
        """
        if self.folder is None or not self._path(turn, first).exists():
            return None
        path = self._path(turn, first)
        header, arrays = read_stored(path, KIND)
        for name, value in {**self.header, "round": turn, "first": first}.items():
            if header.get(name) != value:
                raise UsageError(
                    f"{path} belongs to another solution: its {name} is {header.get(name)!r}, "
                    f"not {value!r}; delete {self.folder} to begin anew"
                )
        return Part(**arrays)
