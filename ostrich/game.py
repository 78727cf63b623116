"""The game as the rest of the lab takes it: its facts, its states, and its compiled play."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

from ostrich import block, rules
from ostrich.observation import Observation
from ostrich.rules import Rules
from ostrich.state import State
from ostrich.stepped_block import SteppedBlock
from ostrich.telling import tell_position, tell_round, tell_seat
from simulator.games import BaseGame
from simulator.inputs import whole_number
from simulator.stepping import Decision


class Game(BaseGame):
    """Eggs of Ostrich under given rules (the published ones for None)."""

    name = "ostrich"
    title = "Eggs of Ostrich"
    rules_class = Rules
    rules_version = rules.RULES_VERSION
    share_units = rules.SHARE_UNITS
    counters = block.COUNTERS
    shown_counters: ClassVar[dict[str, str]] = {
        "ambers": "ambers taken",
        "bags_broken": "bags broken",
    }
    min_players, max_players = rules.MIN_PLAYERS, rules.MAX_PLAYERS

    def __init__(self, rules: Rules | None = None) -> None:
        rules = Rules() if rules is None else rules
        super().__init__(rules, block.program(rules))
        self.num_actions = self.rules.num_actions
        self.max_game_length = self.rules.rounds
        best = sum(self.rules.bags) + self.rules.amber_value * self.rules.deck.count(0)
        self.max_score = best
        self.max_counter = max(best**2, self.share_units**2)

    def action_to_string(self, action: int) -> str:
        """Return "skip" or the size of the bag that an action claims for.

        Raises
        ------
        ValueError
            If there is no such action.
        """
        if action not in range(self.num_actions):
            raise ValueError(
                f"there is no action {action!r}; actions are 0 to {self.num_actions - 1}"
            )
        return "skip" if action == self.rules.skip else str(self.rules.bags[action])

    def card_to_string(self, card: int) -> str:
        """Return a card as one says it."""
        return "an amber" if card == rules.AMBER else f"{card} eggs" if card > 1 else "1 egg"

    def new_initial_state(
        self, seed: int | None = None, index: int = 0, deck: Sequence[int] | None = None
    ) -> State:
        """Return the start of a playthrough.

        Parameters
        ----------
        seed, index : int
            Its cards are those of playthrough `index` of `seed`.
        deck : sequence of int
            Or the values of the cards in the order drawn, 0 for an amber, at least one a round.
            Without seed and deck the draws are left open, as chance nodes.

        Raises
        ------
        ValueError
            For both seed and deck, or a deck that cannot be drawn from the cards of the rules.
        """
        if deck is None:
            return State(self, None if seed is None else self._dealt(seed, index))
        if seed is not None:
            raise ValueError("give a seed or a deck, not both")
        cards = [whole_number("a card", card, 0, rules.MAX_CARD) for card in deck]
        if not self.rules.rounds <= len(cards) <= len(self.rules.deck):
            raise ValueError(
                f"deck has {len(cards)} cards; it needs {self.rules.rounds}, one a round, "
                f"and at most {len(self.rules.deck)}"
            )
        surplus = Counter(cards) - Counter(self.rules.deck)
        if surplus:
            raise ValueError(f"deck has more cards of value {min(surplus)} than the rules' deck")
        return State(self, cards)

    def _dealt(self, seed: int, index: int) -> list[int]:
        """Return the cards of a playthrough in the order drawn."""
        given = self.step_arguments(seed, index)
        block.deal(*given, 0, 0)
        cards = []
        for turn in range(self.rules.rounds):
            block.reveal(*given, turn, 0)
            cards.append(int(given[0][block.CARD, 0]))
        return cards

    def shown_to_all(self, state: State) -> dict[str, Any]:
        """Return what all see at a decision beside the position: the card."""
        return {"card": state.card}

    def stands_to_be_told(self, before: State, after: State) -> bool:
        """Return whether a tale should now say how all players stand: after each round."""
        return True

    def tell_round(
        self, before: State, actions: Sequence[int | None], after: State, names: Sequence[str]
    ) -> list[str]:
        """Return lines that tell a round; see `telling.tell_round`."""
        return tell_round(before, actions, after, names)

    def tell_round_to(
        self, before: State, actions: Sequence[int | None], after: State, names: Sequence[str],
        player: int | None,
    ) -> list[str]:  # fmt: skip
        """Return what `tell_round` does: everything is public."""
        return tell_round(before, actions, after, names)

    def tell_seat(self, observation: Observation) -> list[str]:
        """Return lines that tell a player what the seat sees."""
        return tell_seat(observation)

    def tell_action(self, observation: Observation, action: int) -> str:
        """Return an action in words."""
        text = self.action_to_string(action)
        return text if text == "skip" else f"claim for the bag of {text}"

    def tell_position(self, state: State, names: Sequence[str]) -> list[str]:
        """Return lines that tell how all players stand; see `telling.tell_position`."""
        return tell_position(state, names)

    # --- for the simulator ----------------------------------------------------------------------

    def stepped_block(self, lanes: Any, counts: Any, decision: Decision) -> SteppedBlock:
        """Return a block at a decision, to be played by any agents (`simulator.stepping`)."""
        return SteppedBlock(self, lanes, decision)

    def fault_text(self, turn: int, action: int, position: int) -> str:
        """Return what is wrong with an action of a player in a position."""
        mask = int(rules.legal_actions(position, self.rules.skip))
        legal = [a for a in range(self.num_actions) if mask >> a & 1]
        named = ", ".join(f"{a} ({self.action_to_string(a)})" for a in legal)
        chose = f"chose action {action}"
        if action == rules.MAX_ACTIONS and self.num_actions == rules.MAX_ACTIONS:
            chose = "gave no usable weights (they must be >= 0 with a sum > 0), or chose action 5,"
        return f"{chose} in round {turn + 1}, where legal are {named}"
