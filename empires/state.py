"""One playthrough, step by step, in OpenSpiel's vocabulary; the rules are those of `rules.py`.

What lies on the table is a `Position`; `stages`, `rounds` and `turns` change it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from empires import legal, rules, stages, turns
from empires.observation import Observation
from empires.orders import Orders
from empires.plain import set_of
from empires.position import Position
from empires.position_seen import column_of
from empires.resuming import resumed_position


class State:
    """A position in a playthrough; made by `Game.new_initial_state`.

    Eggs are named by their place in the round's egg deck. All lists of seats are seat by seat.
    """

    def __init__(self, game: Any, orders: Orders | None) -> None:
        self._position = Position(game.rules, orders)
        stages.begin(self._position)

    @classmethod
    def resumed(
        cls, game: Any, orders: Orders, seen: Observation, hands: Any, piles: Any
    ) -> "State":
        """Return a state in the middle of a round, as a seat that decides sees it.

        `orders`, `hands` and `piles` say all that is hidden. The history begins here.
        """
        return cls._at(resumed_position(game.rules, orders, seen, hands, piles))

    @classmethod
    def _at(cls, position: Position) -> "State":
        """Return the state of a position."""
        state = cls.__new__(cls)
        state._position = position
        return state

    @property
    def rules(self) -> rules.Rules:
        """The rules that are played by."""
        return self._position.rules

    @property
    def orders(self) -> Orders | None:
        """The order of all that is shuffled, None if it is left open."""
        return self._position.orders

    @property
    def round(self) -> int:
        """The round, from 0."""
        return self._position.round

    @property
    def turn(self) -> int:
        """The turn of the round, from 0."""
        return self._position.turn

    @property
    def phase(self) -> str:
        """What comes next: a kind of decision, "draw" or "over"."""
        return "draw" if self._position.draws else self._position.stage

    @property
    def holder(self) -> int | None:
        """The seat that holds the tie breaker marker; None before it is out."""
        holder: int | None = self._position.holder
        return holder

    def is_terminal(self) -> bool:
        """Return whether the playthrough is over (rules 9 and 11)."""
        return self._position.stage == "over"

    # --- Chance -----------------------------------------------------------------------------------

    def is_chance_node(self) -> bool:
        """Return whether a card, an egg, or the marker's first holder is to be drawn."""
        return bool(self._position.draws)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each outcome of the next draw, ascending, with its probability.

        A card is its number, an egg its value, the marker's first holder a seat.

        Raises
        ------
        ValueError
            If nothing is to be drawn.
        """
        possible = self._possible()
        total = len(possible)
        return [(outcome, count / total) for outcome, count in sorted(Counter(possible).items())]

    def _possible(self) -> Sequence[int]:
        """Return what the next draw may be, as often as it may; raise ValueError if none is due."""
        position = self._position
        if not position.draws:
            raise ValueError(f"nothing is to be drawn: the phase is {self.phase!r}")
        what, seat = position.draws[0]
        if what == "holder":
            return range(position.facts.players)
        return position.egg_pile if what == "egg" else position.piles[seat]

    def apply_action(self, outcome: int) -> None:
        """Carry out a draw.

        Raises
        ------
        ValueError
            If nothing is to be drawn, or this cannot be.
        """
        possible = self._possible()
        if not _is_one_of(outcome, possible):
            raise ValueError(f"{outcome!r} cannot be drawn; possible are {sorted(set(possible))}")
        self._position.draw(int(outcome))
        stages.go_on(self._position)

    # --- Decisions --------------------------------------------------------------------------------

    def deciders(self) -> list[int]:
        """Return the seats that are to decide now."""
        return list(self._position.deciders())

    def legal_actions(self, player: int) -> list[int]:
        """Return a player's legal actions, ascending; [] for one who has nothing to decide."""
        self._check_player(player)
        return list(self._legal(player))

    def _legal(self, player: int) -> tuple[int, ...]:
        """Return what `legal_actions` does."""
        position = self._position
        if player not in position.deciders():
            return ()
        if position.stage == "card":
            return legal.sends(set_of(position.hands[player]), position.facts.decks)
        if position.stage == "mulligan":
            return legal.MULLIGANS
        if position.stage == "pick":
            return turns.picks(position)
        if position.stage == "gift":
            return legal.gifts(player, position.facts.players)
        return legal.discards(position.owned[player])

    def apply_actions(self, joint: Sequence[int | None]) -> None:
        """Carry out a joint action, seat by seat; None for a seat with nothing to decide.

        Raises
        ------
        ValueError
            If no decision is due, or an action is not legal; the state is then as it was.
        """
        self._verify(joint)
        stages.carry_out(self._position, joint)

    def _verify(self, joint: Sequence[int | None]) -> None:
        """Raise ValueError unless `joint` is a legal joint action."""
        players = self._position.facts.players
        if not self._position.deciders():
            raise ValueError(f"no decision is due: the phase is {self.phase!r}")
        if len(joint) != players:
            raise ValueError(f"{len(joint)} actions given for {players} players")
        for player, action in enumerate(joint):
            allowed = self._legal(player)
            if allowed and not _is_one_of(action, allowed):
                raise ValueError(
                    f"player {player} may not take action {action!r} now ({self.phase}); "
                    f"legal are {list(allowed)}"
                )
            if not allowed and action is not None:
                raise ValueError(f"player {player} has nothing to decide, not {action!r}")

    # --- How it stands ----------------------------------------------------------------------------

    def scores(self) -> list[int]:
        """Return each player's points as they stand, all eggs and bonuses counted."""
        position = self._position
        return [total + position.won(seat) for seat, total in enumerate(position.totals)]

    def returns(self) -> list[float]:
        """Return each player's share of the win; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * self._position.facts.players
        return self._position.returns()

    def history(self, player: int | None = None) -> list[tuple[Any, ...]]:
        """Return all that has happened, as a player knows it, or in full for None.

        Each event is a tuple that begins with what happened: "mulligan", "old_hand",
        "hand", "holder", "reveal", "cards", "take", "refuse", "unclaimed", "gift", "priest",
        "scout", "draw", "marker", "round" or "end". None stands for what the player cannot know.
        """
        return [
            whole if player is None or knowers is None or player in knowers else public
            for whole, public, knowers in self._position.events
        ]

    def eggs(self, player: int | None = None) -> dict[int, int]:
        """Return the values of this round's eggs by place, as a player knows them, or all drawn."""
        if player is None:
            return dict(enumerate(self._position.eggs))
        return self.observation(player).known()

    def observation(self, player: int) -> Observation:
        """Return what a player sees."""
        self._check_player(player)
        position = self._position
        column = column_of(position, player)
        return Observation(
            position.rules, player, self.phase, position.round, position.turn, column
        )

    def information_state_string(self, player: int) -> str:
        """Return what a player knows: the observation and the history of the playthrough.

        The history tells every player's actions, one's own and those that were seen.
        """
        self._check_player(player)
        seen = self.observation(player)
        return f"player {player}: {seen.phase} {seen.column()} {self.history(player)}"

    def clone(self) -> "State":
        """Return a copy that goes its own way."""
        return State._at(self._position.copy())

    def _check_player(self, player: int) -> None:
        players = self._position.facts.players
        if player not in range(players):
            raise ValueError(f"there is no player {player!r}; seats are 0 to {players - 1}")

    def __str__(self) -> str:
        position, values = self._position, self._position.eggs
        rounds = position.facts.max_rounds
        where = f"round {position.round + 1} of {rounds}, turn {position.turn + 1}"
        first_down = position.base + position.face_up
        eggs = " ".join(
            f"{place}:{values[place]}{' face down' if place >= first_down else ''}"
            for place in position.places_left()
        )
        seats = [
            f"seat {seat} hand {_listed(position.hands[seat])} "
            f"played {_listed(position.played[seat])} "
            f"eggs {' '.join(f'{p}:{values[p]}' for p in position.owned[seat]) or 'none'} "
            f"total {position.totals[seat]} tokens {position.tokens[seat]}"
            for seat in range(position.facts.players)
        ]
        return "; ".join(
            [f"{where}, {self.phase}; marker {position.holder}; eggs {eggs or 'none'}", *seats]
        )


def _is_one_of(number: Any, possible: Sequence[int]) -> bool:
    """Return whether something is one of some whole numbers; 1.0 and True are not 1."""
    whole = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
    return whole and number in possible


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers)) or "none"
