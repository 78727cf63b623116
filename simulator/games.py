"""What the games have in common: a game is its rules, and a program that plays them."""

from typing import Any, ClassVar

import numpy as np

from simulator.inputs import MAX_PLAYTHROUGHS, seed_from, whole_number
from simulator.program import COUNTS_LENGTH, Program


class BaseGame:
    """A game under given rules; each game's `Game` adds its states and what it tells.

    Attributes
    ----------
    rules : Any
        Of the game's `rules_class`.
    num_players, num_actions : int
    max_game_length : int
        Joint actions at most.
    min_players, max_players : int
    min_utility, max_utility, utility_sum : float
        Returns are shares of one win.
    program : Program
    facts : uint32[:]
        The rules' values, as kernels take them.
    max_counter : int
        The most that one playthrough can add to any counter.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_class: ClassVar[Any]
    rules_version: ClassVar[int]
    share_units: ClassVar[int]
    counters: ClassVar[tuple[str, ...]]
    #: Counters that tables and charts show, with their titles.
    shown_counters: ClassVar[dict[str, str]]
    min_players: ClassVar[int]
    max_players: ClassVar[int]
    min_utility, max_utility, utility_sum = 0.0, 1.0, 1.0

    num_actions: int
    max_game_length: int
    max_counter: int

    def __init__(self, rules: Any, program: Program) -> None:
        self.rules, self.program, self.facts = rules, program, program.facts
        self.num_players: int = rules.players
        #: What every table made with these rules says beside its figures.
        self.labels: dict[str, str] = {}

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self.name, self.rules))

    def __repr__(self) -> str:
        return f"{self.name}.Game({self.rules})"

    def step_arguments(self, seed: Any, index: Any) -> tuple[Any, ...]:
        """Return what steps take to play one playthrough in one lane, but for moment and place.

        Raises
        ------
        UsageError
            For a seed or an index that there is none of.
        """
        seed = seed_from(seed)
        index = whole_number("index", index, 0, 2 * MAX_PLAYTHROUGHS)
        lane = np.zeros((self.program.rows, 1), np.uint32)
        counts = np.zeros(COUNTS_LENGTH, np.int64)
        totals = np.zeros((self.num_players, len(self.counters)), np.int64)
        return lane, self.facts, self.program.networks, counts, totals, seed, index
