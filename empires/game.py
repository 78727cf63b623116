"""The game as the rest of the lab takes it: its facts, its states, and its compiled play."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from empires import actions, layout, rules
from empires.block import STEPS, program
from empires.dealing import place_marker, shuffle_deck, shuffle_eggs, start_round
from empires.decks import load_deck
from empires.orders import Orders, checked_orders
from empires.resampling import resampled
from empires.rules import Rules
from empires.state import State
from empires.stepped_block import SteppedBlock
from empires.telling import tell_action, tell_decision, tell_position, tell_seat
from simulator.games import BaseGame
from simulator.inputs import UsageError
from simulator.stepping import Decision
from simulator.words import Words

MOST_POINTS = 4096  # more than any playthrough's total


class Game(BaseGame):
    """Eggs and Empires under given rules (the published ones for None)."""

    name = "empires"
    title = "Eggs and Empires"
    rules_class = Rules
    rules_version = rules.RULES_VERSION
    share_units = rules.SHARE_UNITS
    counters = layout.COUNTERS
    shown_counters: ClassVar = {
        "eggs": "eggs taken",
        "merchants": "Merchant bonuses",
        "blacksmiths": "Blacksmith penalties",
    }
    #: Cards whose points are counted (plays_n, points_n), with their names.
    card_names: ClassVar = dict(enumerate(rules.ADVENTURERS, 1))
    load_deck = staticmethod(load_deck)
    min_players, max_players = rules.MIN_PLAYERS, rules.MAX_PLAYERS

    def __init__(self, rules: Rules | None = None) -> None:
        rules = Rules() if rules is None else rules
        super().__init__(rules, program(rules))
        self.num_actions = actions.NUM_ACTIONS
        cards = self.num_players * self.rules.cards_a_turn
        self.max_game_length = self.rules.max_rounds * (1 + self.rules.turns * (1 + 2 * cards))
        self.max_counter = MOST_POINTS**2
        deck = self.rules.deck
        self.labels = {"egg_deck": f"{deck.name} (values assumed)" if deck.assumed else deck.name}

    def action_to_string(self, action: int) -> str:
        """Return an action in words, or raise ValueError if there is none of that number."""
        return actions.to_string(action)

    def new_initial_state(
        self,
        seed: int | None = None,
        index: int = 0,
        egg_decks: Sequence[Sequence[int]] | None = None,
        empire_decks: Sequence[Sequence[Sequence[int]]] | None = None,
        reshuffle: Sequence[Any] | None = None,
        holder: int | None = None,
    ) -> State:
        """Return the start of a playthrough.

        Parameters
        ----------
        seed, index : int
            All that is shuffled is as in playthrough `index` of `seed`.
        egg_decks : list for each round
            Or the values of the eggs, top first. An egg's place is its index in this list.
        empire_decks : list for each round, and in it for each seat
            The numbers of the Empire cards, top first: first the hand, then, if the seat takes a
            mulligan, the new hand; without one the pile.
        reshuffle : list for each round, and in it for each seat, optional
            The pile after a mulligan, top first: an order of the old hand and the rest. None, for
            all, a round or a seat, puts the old hand on top of the rest as it was.
        holder : int, optional
            The seat that first holds the tie breaker marker, 0 by default.

        Without a seed and without decks the draws are left open, as chance nodes. With Con/Pub
        lists are needed for the most rounds that there may be (`Rules.max_rounds`).

        Raises
        ------
        UsageError
            For both a seed and orders, or orders that these rules do not have.
        """
        given = [egg_decks, empire_decks, reshuffle, holder]
        if seed is not None:
            if any(order is not None for order in given):
                raise UsageError("give a seed or orders (egg_decks, ...), not both")
            return State(self, self._dealt(seed, index))
        if all(order is None for order in given):
            return State(self, None)
        if egg_decks is None or empire_decks is None:
            raise UsageError("orders need both egg_decks and empire_decks")
        return State(self, checked_orders(self.rules, *given))

    def resample(self, observation: Any, rng: Any) -> State:
        """Return a state drawn uniformly from those that agree with what a seat knows.

        See `resampling.resampled`.
        """
        return resampled(self, observation, rng)

    def _dealt(self, seed: int, index: int) -> Orders:
        """Return all that is shuffled in a playthrough."""
        given = self.step_arguments(seed, index)
        lane = given[0]
        eggs, holder = [], 0
        decks: list[list[Any]] = []
        piles: list[list[Any]] = []
        for op, moment, place in self.program.lines.tolist():
            if op < 0 or STEPS[op] not in (start_round, shuffle_eggs, shuffle_deck, place_marker):
                continue
            STEPS[op](*given, moment, place)
            if STEPS[op] is shuffle_eggs:
                eggs.append(tuple(int(np.int32(v)) for v in self._eggs(lane)))
                decks.append([])
                piles.append([])
            elif STEPS[op] is shuffle_deck:
                decks[-1].append(self._deck(lane))
                piles[-1].append(self._pile(lane, moment, place, decks[-1][-1]))
            elif STEPS[op] is place_marker and moment == 0:
                holder = int(lane[layout.HOLDER, 0])
        return Orders(tuple(eggs), tuple(map(tuple, decks)), tuple(map(tuple, piles)), holder)

    def _eggs(self, lane: Words) -> Words:
        """Return the values of the eggs in the order of the deck."""
        return lane[layout.EGGS : layout.EGGS + len(self.rules.eggs), 0]

    def _deck(self, lane: Words) -> tuple[int, ...]:
        """Return the Empire deck that was shuffled last."""
        keys = lane[layout.SORTED : layout.SORTED + self.rules.cards_each, 0]
        return tuple(int(key) & 15 for key in keys)

    def _pile(self, lane: Words, turn: int, seat: int, deck: tuple[int, ...]) -> tuple[int, ...]:
        """Return a seat's pile after a mulligan."""
        hand, cards = self.rules.hand_size, self.rules.cards_each
        if not self.rules.has_mulligan(turn):
            return deck[:hand] + deck[2 * hand :]
        first = layout.REPILES + layout.PILE_WORDS * seat
        words = [int(word) for word in lane[first : first + layout.PILE_WORDS, 0]]
        return tuple(words[i // 8] >> 4 * (i % 8) & 15 for i in range(cards - hand))

    def shown_to_all(self, state: State) -> dict[str, Any]:
        """Return what all see at a decision beside the position: round, turn and the marker."""
        return {"round": state.round, "turn": state.turn, "holder": state.holder}

    def stands_to_be_told(self, before: State, after: State) -> bool:
        """Return whether a tale should now say how all players stand: after each turn."""
        return (before.round, before.turn) != (after.round, after.turn) or after.is_terminal()

    def tell_round(
        self, before: State, joint: Sequence[int | None], after: State, names: Sequence[str]
    ) -> list[str]:
        """Return lines that tell a decision and what came of it; see `telling.tell_decision`."""
        return tell_decision(before, joint, after, names)

    def tell_round_to(
        self, before: State, joint: Sequence[int | None], after: State, names: Sequence[str],
        player: int | None,
    ) -> list[str]:  # fmt: skip
        """Return what `tell_round` does as far as a player knows it (None knows all)."""
        return tell_decision(before, joint, after, names, player)

    def tell_seat(self, observation: Any) -> list[str]:
        """Return lines that tell a player what the seat sees."""
        return tell_seat(observation)

    def tell_action(self, observation: Any, action: int) -> str:
        """Return an action in words, the eggs' values with it as far as the seat knows them."""
        return tell_action(observation, action)

    def tell_position(self, state: State, names: Sequence[str]) -> list[str]:
        """Return lines that tell how all players stand; see `telling.tell_position`."""
        return tell_position(state, names)

    # --- for the simulator ----------------------------------------------------------------------

    def stepped_block(self, block: Words, counts: Any, decision: Decision) -> SteppedBlock:
        """Return a block at a decision, to be played by any agents (`simulator.stepping`)."""
        return SteppedBlock(self, block, counts, decision)
