"""A block at a decision, for the simulator's `stepping`, which says what each method is for."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numpy import uint32

from empires import actions, rules
from empires.choices import ILLEGAL, action_of, choice_of
from empires.columns import which_is
from empires.compact import CARD_KIND, DISCARD_KIND, GIFT_KIND, KINDS, MULLIGAN_KIND, PICK_KIND
from empires.layout import (
    ACTIONS,
    CARD_WORD,
    CHOICES,
    DECIDERS,
    DISCARD_WORD,
    ENTRY,
    GIFT_WORD,
    HANDS,
    HIGH_PICK_WORD,
    OFFER,
    PICK_WORD,
    TABLE,
    TWO_DISCARD_WORD,
    TWO_GIFT_WORD,
)
from empires.observation import Observation
from empires.seeing import see
from empires.view import BlockView
from simulator.stepping import Decision
from simulator.words import Words

Numbers = npt.NDArray[np.int64]


class SteppedBlock:
    """Some playthroughs at a decision."""

    def __init__(self, game: Any, block: Words, counts: Numbers, decision: Decision) -> None:
        self._game, self._block, self._counts = game, block, counts
        self._kind, self._moment = decision.kind, decision.moment
        turns = game.rules.turns
        self._round, self._turn = divmod(decision.moment, turns + 1)
        self._turn = max(self._turn - 1, 0)
        self._dense = decision.kind in (MULLIGAN_KIND, CARD_KIND)

    def lanes(self, seat: int) -> Numbers:
        """Return the lanes in which a seat decides; not those that are over."""
        if self._dense:
            return np.flatnonzero(self._block[HANDS + seat])
        return self._block[DECIDERS + seat, : self._counts[seat]].astype(np.int64)

    def slots(self, seat: int, lanes: Numbers) -> npt.NDArray[np.uint64]:
        """Return the slots of the random words."""
        two = self._game.rules.cards_a_turn == 2
        words = {
            MULLIGAN_KIND: CARD_WORD,
            CARD_KIND: CARD_WORD,
            PICK_KIND: PICK_WORD,
            GIFT_KIND: TWO_GIFT_WORD if two else GIFT_WORD,
            DISCARD_KIND: TWO_DISCARD_WORD if two else DISCARD_WORD,
        }
        place = np.full(len(lanes), words[self._kind], np.uint64)
        if two and self._kind == PICK_KIND:
            acting = self._block[ENTRY, lanes] >> uint32(16)
            table = self._block[TABLE + seat, lanes]
            high = [bool(which_is(t, a)) for t, a in zip(table, acting, strict=True)]
            place[high] = HIGH_PICK_WORD
        return np.uint64(self._moment * (8 if two else 4)) + place

    def view(self, seat: int, lanes: Numbers) -> BlockView:
        """Return what a seat sees in some lanes."""
        seen = see(self._block, self._game.facts, self._kind, seat, lanes)
        phase = KINDS[self._kind]
        return BlockView(self._game.rules, seat, phase, self._round, self._turn, seen)

    def observations(self, seat: int, lanes: Numbers) -> list[Observation]:
        """Return what a seat sees in each of some lanes."""
        seen = see(self._block, self._game.facts, self._kind, seat, lanes)
        variant, phase = self._game.rules, KINDS[self._kind]
        return [
            Observation(variant, seat, phase, self._round, self._turn, tuple(column))
            for column in seen.T.tolist()
        ]

    def put(self, seat: int, lanes: Numbers, chosen: Numbers) -> tuple[int, str] | None:
        """Take a seat's actions; return (entry, what) of the first illegal one."""
        choices = choice_of(chosen, self._kind, self._block[OFFER, lanes])
        for entry in np.flatnonzero(~self._legal(seat, lanes, choices)).tolist():
            return entry, self._fault_text(seat, lanes, entry, f"action {chosen[entry]}")
        if self._dense:
            self._block[ACTIONS + seat] = 0
            self._block[ACTIONS + seat, lanes] = choices
        else:
            self._block[CHOICES + seat, : len(lanes)] = choices
        return None

    def _legal(self, seat: int, lanes: Numbers, choices: Numbers) -> npt.NDArray[np.bool_]:
        """Return which choices are legal, bool[decisions]."""
        if self._kind == MULLIGAN_KIND:
            return choices <= rules.REDRAW
        if self._kind == CARD_KIND:
            hands, decks = self._block[HANDS + seat, lanes].tolist(), self._game.rules.cards_a_turn
            return np.array(
                [
                    choice < ILLEGAL and bool(rules.may_send(hand, choice & 15, choice >> 4, decks))
                    for hand, choice in zip(hands, choices.tolist(), strict=True)
                ],
                np.bool_,
            )
        if self._kind == PICK_KIND:
            options = self._block[ENTRY, lanes].astype(np.int64) & 0xFFFF
            return (options >> np.minimum(choices, 40) & 1).astype(np.bool_)  # type: ignore[no-any-return]
        if self._kind == GIFT_KIND:
            return (choices <= self._game.rules.players) & (choices != seat + 1)  # type: ignore[no-any-return]
        owned = self.view(seat, lanes).owned(seat)
        place = np.clip(choices - 1, 0, owned.shape[1] - 1)
        held = owned[np.arange(len(lanes)), place] & (choices <= owned.shape[1])
        return (choices == 0) | held  # type: ignore[no-any-return]

    def fault(self, seat: int, lanes: Numbers) -> tuple[int, str] | None:
        """Return (entry, what) of the first illegal choice of a compiled agent."""
        row = self._block[ACTIONS + seat, lanes] if self._dense else self._block[CHOICES + seat]
        for entry, choice in enumerate(row[: len(lanes)].tolist()):
            if not self._legal(seat, lanes[[entry]], np.array([min(choice, ILLEGAL)]))[0]:
                what = "an option that is none, or gave no usable weights (>= 0 with a sum > 0),"
                return entry, self._fault_text(seat, lanes, entry, what)
        return None

    def _fault_text(self, seat: int, lanes: Numbers, entry: int, chose: str) -> str:
        """Return what is wrong with a choice."""
        observation = self.observations(seat, lanes[[entry]])[0]
        legal = observation.legal_actions
        named = ", ".join(f"{action} ({actions.to_string(action)})" for action in legal)
        where = f"round {self._round + 1}, turn {self._turn + 1} ({KINDS[self._kind]})"
        return f"chose {chose} in {where}, where legal are {named}"

    def chosen(self, seat: int, lanes: Numbers) -> list[int | None]:
        """Return what a seat has chosen in each of some lanes."""
        row = self._block[ACTIONS + seat, lanes] if self._dense else self._block[CHOICES + seat]
        offers = self._block[OFFER, lanes].tolist()
        return [
            action_of(choice, self._kind, offer)
            for choice, offer in zip(row[: len(lanes)].tolist(), offers, strict=True)
        ]
