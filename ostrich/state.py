"""One playthrough, step by step, in OpenSpiel's vocabulary; the rules are those of `rules.py`."""

from collections.abc import Sequence
from typing import Any

from ostrich import rules
from ostrich.observation import Observation


class State:
    """A position in a playthrough; made by `Game.new_initial_state`.

    A state with a deck turns up each next card by itself; one without is at a chance node instead,
    whose outcomes are the values of the cards not yet seen.
    """

    def __init__(self, game: Any, deck: Sequence[int] | None) -> None:
        self._game = game
        self._rules = game.rules
        self._deck = None if deck is None else tuple(deck)
        self._facts = game.facts
        self._positions = [int(self._facts[rules.START])] * self._rules.players
        self._card: int | None = None
        self._seen = 0
        self._round = 0
        if self._deck is not None:
            self._turn_up(self._deck[0])

    @property
    def rules(self) -> rules.Rules:
        """The rules that are played by."""
        variant: rules.Rules = self._rules
        return variant

    @property
    def round(self) -> int:
        """Rounds played so far."""
        return self._round

    @property
    def card(self) -> int | None:
        """Eggs on the card that lies open, 0 for an amber; None if none does."""
        return self._card

    @property
    def phase(self) -> str:
        """What comes next: "draw", "claim" or "over"."""
        return "over" if self.is_terminal() else "draw" if self._card is None else "claim"

    def is_terminal(self) -> bool:
        """Return whether the last round is over or all players are out (rules 7 and 8)."""
        return self._round == self._rules.rounds or all(map(rules.is_out, self._positions))

    def is_chance_node(self) -> bool:
        """Return whether a card is to be drawn."""
        return self.phase == "draw"

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each value that the next card may have, ascending, with its probability.

        Raises
        ------
        ValueError
            If no card is to be drawn.
        """
        if not self.is_chance_node():
            raise ValueError(f"no card is to be drawn: the phase is {self.phase!r}")
        unseen = self.observation(0).unseen()
        hidden = sum(unseen.values())
        return [(card, count / hidden) for card, count in sorted(unseen.items())]

    def apply_action(self, outcome: int) -> None:
        """Turn up a card of value `outcome`.

        Raises
        ------
        ValueError
            If no card is to be drawn, or none of this value is left.
        """
        values = [card for card, _ in self.chance_outcomes()]
        if outcome not in values:
            raise ValueError(
                f"no card of value {outcome!r} is left; the unseen values are {values}"
            )
        self._turn_up(outcome)

    def _turn_up(self, card: int) -> None:
        """Lay a card open; equal cards come up in the order of their numbers."""
        for number, value in enumerate(self._rules.deck):
            if value == card and not self._seen >> number & 1:
                self._seen |= 1 << number
                self._card = card
                return
        raise ValueError(f"the deck has no further card of value {card!r}")

    def legal_actions(self, player: int) -> list[int]:
        """Return a player's legal actions, ascending; [] for one who has nothing to decide."""
        self._check_player(player)
        if self.phase != "claim":
            return []
        legal = int(rules.legal_actions(self._positions[player], self._rules.skip))
        return [action for action in range(self._rules.num_actions) if legal >> action & 1]

    def apply_actions(self, actions: Sequence[int | None]) -> None:
        """Carry out a joint action, seat by seat; None for a seat with nothing to decide.

        Raises
        ------
        ValueError
            If no claims are due, or one is illegal; the state is then as it was.
        """
        self._verify(actions)
        skip, capacities = self._rules.skip, self._facts[rules.CAPACITIES]
        chosen = [rules.NO_ACTION if action is None else action for action in actions]
        claimants = sum(action < skip for action in chosen)
        skippers = sum(action == skip for action in chosen)
        share = rules.share_of(self._card or 0, claimants)
        amber = rules.amber_won(self._card or 0, skippers)
        self._positions = [
            int(rules.after_action(position, action, share, amber, capacities, skip))
            for position, action in zip(self._positions, chosen, strict=True)
        ]
        self._card = None
        self._round += 1
        if self._deck is not None and not self.is_terminal():
            self._turn_up(self._deck[self._round])

    def _verify(self, actions: Sequence[int | None]) -> None:
        """Raise ValueError unless `actions` is a legal joint action."""
        if self.phase != "claim":
            raise ValueError(f"no claims are due: the phase is {self.phase!r}")
        if len(actions) != self._rules.players:
            raise ValueError(f"{len(actions)} actions given for {self._rules.players} players")
        for player, action in enumerate(actions):
            legal = self.legal_actions(player)
            if not (action in legal if legal else action is None):
                if not legal:
                    raise ValueError(f"player {player} is out and takes no action, not {action!r}")
                raise ValueError(
                    f"player {player} may not take action {action!r}; legal are {legal}"
                )

    def scores(self) -> list[int]:
        """Return each player's points as they stand."""
        capacities, value = self._facts[rules.CAPACITIES], self._rules.amber_value
        return [int(rules.score_of(position, capacities, value)) for position in self._positions]

    def returns(self) -> list[float]:
        """Return each player's share of the win; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * self._rules.players
        can_win = self._rules.out_players_can_win
        standings = [
            int(rules.standing_of(position, score, can_win))
            for position, score in zip(self._positions, self.scores(), strict=True)
        ]
        best = max(standings)
        winners = standings.count(best)
        return [
            int(rules.win_twelfths(standing, best, winners)) / rules.SHARE_UNITS
            for standing in standings
        ]

    def observation(self, player: int) -> Observation:
        """Return what a player sees."""
        self._check_player(player)
        return Observation(
            self._rules, player, tuple(self._positions), self._card, self._round, self._seen
        )

    def information_state_string(self, player: int) -> str:
        """Return all that is public and matters to come, from a player's view (R-O8).

        The same for all histories that reach this position, so one's own earlier actions are not
        in it: algorithms that need perfect recall add them.
        """
        return f"player {player}: {self}"

    def clone(self) -> "State":
        """Return a copy that goes its own way."""
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        other._positions = list(self._positions)
        return other

    def _check_player(self, player: int) -> None:
        if player not in range(self._rules.players):
            raise ValueError(
                f"there is no player {player!r}; seats are 0 to {self._rules.players - 1}"
            )

    def __str__(self) -> str:
        observation = self.observation(0)
        seats = []
        for player in range(self._rules.players):
            bags = " ".join(
                f"{size}:{'broken' if eggs is None else eggs}"
                for size, eggs in zip(self._rules.bags, observation.bags(player), strict=True)
            )
            out = observation.lying_out(player)
            lies = "" if out is None else f", {self._game.action_to_string(out)} lies out"
            seats.append(f"seat {player} [{bags}] ambers {observation.ambers(player)}{lies}")
        card = "no card" if self._card is None else self._game.card_to_string(self._card)
        hidden = " ".join(f"{v}x{n}" for v, n in sorted(observation.unseen().items()))
        return (
            f"round {min(self._round + 1, self._rules.rounds)} of {self._rules.rounds}, "
            f"{self.phase}, "
            f"{card} open, unseen {hidden or 'none'}; " + "; ".join(seats)
        )
