"""A whole game as arrays: nodes for algorithms that walk, sequences for those that sweep.

Nodes: a node is an end, a chance node, or one at which some players decide at the same time; a
sequential game is one in which only one does. The children of a node lie side by side; joint
actions are numbered as mixed radix, the last player's changing fastest.

Sequences (von Stengel 1996, Efficient computation of behavior strategies): a player's sequence is
all that it has done so far. With perfect recall every information set has just one sequence that
leads to it, and a policy, multiplied along sequences, says all that others need know of it. So
each end of the game is reduced to its chance, its payoffs and one sequence a player, and sweeps
over ends replace walks through the tree.
"""

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.inputs import UsageError

END, CHANCE, DECISION = range(3)

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class GameTree:
    """A game, unrolled; made by `building.build_tree`.

    A policy, or a profile of all players' policies, is float64[sequences]: for each sequence the
    probability of its last action. The first sequences are the empty ones, one a player, of
    probability 1; then those of each information set, by action.

    Parameters
    ----------
    name : str
        The game and its parameters.
    num_players : int
    kind : int8[nodes]
        END, CHANCE or DECISION.
    first_child : int32[nodes]
        The others follow on it. For an end its place among the ends.
    num_children : int32[nodes]
    information_set : int32[nodes, players]
        Where each player decides, or -1.
    chance : float64[nodes]
        Of coming here from a chance node that is the parent, else 1.
    set_player, first_sequence, num_actions, leads_here : int32[information sets]
        Whose it is, the sequence of its first action, its actions, and the player's sequence
        before. Whatever leads to a set has a lower number.
    actions : int32[sequences]
        The game's number for the last action, -1 for empty sequences.
    end_chance : float64[ends]
        Chance's part in coming here.
    end_sequence : int32[players, ends]
    payoffs : float64[players, ends]
    strings : tuple of str
        Each information set's string.
    merged : str or None
        Two histories that one information set holds though a player acted otherwise in them.
    """

    name: str
    num_players: int
    kind: npt.NDArray[np.int8]
    first_child: Ints
    num_children: Ints
    information_set: Ints
    chance: Floats
    set_player: Ints
    first_sequence: Ints
    num_actions: Ints
    leads_here: Ints
    actions: Ints
    end_chance: Floats
    end_sequence: Ints
    payoffs: Floats
    strings: tuple[str, ...]
    merged: str | None

    @property
    def num_sequences(self) -> int:
        """Sequences of all players, the empty ones included."""
        return len(self.actions)

    @cached_property
    def nbytes(self) -> int:
        """Bytes that the arrays take."""
        values = [getattr(self, entry.name) for entry in fields(self)]
        return sum(value.nbytes for value in values if isinstance(value, np.ndarray))

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all of it: two trees of one fingerprint are the same game."""
        digest = hashlib.sha256("\n".join((self.name, *self.strings)).encode())
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, np.ndarray):
                digest.update(entry.name.encode() + np.ascontiguousarray(value).tobytes())
        return digest.hexdigest()

    def require_perfect_recall(self) -> None:
        """Raise UsageError if an information set holds histories that its player can tell apart."""
        if self.merged is not None:
            raise UsageError(
                f"{self.name} has information sets without perfect recall, where this has no "
                f"meaning: {self.merged}"
            )

    def uniform(self) -> Floats:
        """Return the profile that plays every action of a set with the same probability."""
        policy = np.ones(self.num_sequences)
        policy[self.num_players :] = np.repeat(1.0 / self.num_actions, self.num_actions)
        return policy

    def sequences_of(self, number: int) -> slice:
        """Return where the actions of an information set are in a policy."""
        first = int(self.first_sequence[number])
        return slice(first, first + int(self.num_actions[number]))

    def check_profile(self, profile: Any) -> Floats:
        """Return a profile as an array, or raise UsageError if it is none for this game."""
        array = np.ascontiguousarray(profile, dtype=np.float64)
        if array.shape != (self.num_sequences,):
            raise UsageError(
                f"a profile of {self.name} has {self.num_sequences} entries, not {array.shape}"
            )
        sums = np.add.reduceat(array, self.first_sequence) if len(self.strings) else np.ones(1)
        wrong = ~(np.abs(sums - 1) < 1e-9)
        if not (array >= 0).all():
            wrong |= np.add.reduceat(~(array >= 0), self.first_sequence) > 0
        if wrong.any():
            number = int(wrong.argmax())
            raise UsageError(
                f"player {self.set_player[number]} has no distribution over actions in "
                f"{self.strings[number]!r}: {array[self.sequences_of(number)]}"
            )
        array = array.copy()
        array[: self.num_players] = 1.0
        return array
