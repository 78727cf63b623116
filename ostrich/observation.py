"""What one seat sees, in plain Python: everything public, never the order of the deck."""

from typing import Any

from ostrich import rules
from ostrich.rules import Rules


class Observation:
    """What `player` sees, in plain Python; it cannot be changed.

    Attributes
    ----------
    player : int
        The seat that observes.
    card : int or None
        Eggs on the card that lies open, 0 for an amber; None before it is turned up.
    round : int
        Rounds played before this one.
    rules : Rules
    """

    __slots__ = ("_positions", "_seen", "card", "player", "round", "rules")

    player: int
    card: int | None
    round: int
    rules: Rules
    _positions: tuple[int, ...]
    _seen: int

    def __init__(
        self,
        rules: Rules,
        player: int,
        positions: tuple[int, ...],
        card: int | None,
        turn: int,
        seen: int,
    ) -> None:
        put = object.__setattr__
        put(self, "rules", rules)
        put(self, "player", player)
        put(self, "_positions", positions)
        put(self, "card", card)
        put(self, "round", turn)
        put(self, "_seen", seen)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an observation cannot be changed (its {name!r} was to be)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an observation cannot be changed (its {name!r} was to go)")

    def _key(self) -> tuple[object, ...]:
        return (self.rules, self.player, self._positions, self.card, self.round, self._seen)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Observation) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return (
            Observation,
            (self.rules, self.player, self._positions, self.card, self.round, self._seen),
        )

    def __repr__(self) -> str:
        return (
            f"Observation(player={self.player}, card={self.card}, round={self.round}, "
            f"bags={[self.bags(p) for p in range(self.rules.players)]}, "
            f"ambers={[self.ambers(p) for p in range(self.rules.players)]})"
        )

    @property
    def legal_actions(self) -> list[int]:
        """Own legal actions, ascending; [] while no card lies open, or when out."""
        if self.card is None:
            return []
        legal = int(rules.legal_actions(self._positions[self.player], self.rules.skip))
        return [action for action in range(self.rules.num_actions) if legal >> action & 1]

    @property
    def skip(self) -> int:
        """The action that skips."""
        return self.rules.skip

    def bags(self, player: int | None = None) -> tuple[int | None, ...]:
        """Return the eggs in each bag of a player (of one's own by default), None if broken."""
        position = self._positions[self.player if player is None else player]
        return tuple(
            int(rules.eggs_in(position, bag)) if rules.is_whole(position, bag) else None
            for bag in range(len(self.rules.bags))
        )

    def ambers(self, player: int | None = None) -> int:
        """Return the ambers of a player (one's own by default)."""
        return int(rules.ambers_of(self._positions[self.player if player is None else player]))

    def lying_out(self, player: int | None = None) -> int | None:
        """Return the action of a player that lies out (one's own by default), None if none does."""
        out = int(rules.lying_out(self._positions[self.player if player is None else player]))
        return None if out == rules.NO_ACTION else out

    def unseen(self) -> dict[int, int]:
        """Return how many cards of each value have not been turned up; removed ones count."""
        hidden: dict[int, int] = {}
        for number, card in enumerate(self.rules.deck):
            if not self._seen >> number & 1:
                hidden[card] = hidden.get(card, 0) + 1
        return hidden

    def columns(self) -> tuple[tuple[int, ...], int, int]:
        """Return the packed positions, the card and the bits of the cards seen, as in a block."""
        if self.card is None:
            raise ValueError("no card lies open, so there is nothing to decide")
        return self._positions, self.card, self._seen
