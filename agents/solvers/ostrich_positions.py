"""All positions that one player of Ostrich can come into, numbered, with what each action does.

A public state is a position for every player and the cards seen. Few positions make many states:
so what the rules say of one player's position is worked out once here, and the solvers look it up.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import uint32

from ostrich import Rules, rules
from simulator.compiling import compiled
from simulator.inputs import UsageError
from simulator.program import FACTS
from simulator.words import Words

#: What a player can get out of a variant (`Positions.payoff`).
PAYOFFS = WIN_SHARE, SCORE_DIFFERENCE = "win_share", "score_difference"

_WORDS = types.uint32[::1]

MOST_POSITIONS = 50_000

#: Columns of `Positions.owned`.
LEGAL, SCORE, STANDING = range(3)


@compiled(types.void(_WORDS, _WORDS, FACTS, types.uint32[:, :, ::1]), late=True)
def _successors(words: Words, shares: Words, facts: Words, after: Any) -> None:
    """Fill uint32[words, actions, outcomes], in place, with positions; 0 after illegal actions.

    An outcome is a share that claimants get, or, the last one, an amber for the one who skips.
    """
    skip, capacities = facts[rules.SKIP], facts[rules.CAPACITIES]
    for number in range(words.size):
        legal = rules.legal_actions(words[number], skip)
        for action in range(after.shape[1]):
            for outcome in range(after.shape[2]):
                amber = uint32(outcome == shares.size)
                share = uint32(0) if amber else shares[outcome]
                then = rules.after_action(words[number], action, share, amber, capacities, skip)
                is_legal = (uint32(legal) >> uint32(action)) & uint32(1)
                after[number, action, outcome] = then if is_legal else uint32(0)


@compiled(types.void(_WORDS, FACTS, types.int64[:, ::1]), late=True)
def _read(words: Words, facts: Words, owned: Any) -> None:
    """Fill int64[words, 3], in place, with each position's legal actions, score and standing."""
    for number in range(words.size):
        word = words[number]
        score = rules.score_of(word, facts[rules.CAPACITIES], facts[rules.AMBER_VALUE])
        owned[number, LEGAL] = rules.legal_actions(word, facts[rules.SKIP])
        owned[number, SCORE] = score
        can_win = facts[rules.OUT_PLAYERS_CAN_WIN]
        owned[number, STANDING] = rules.standing_of(word, score, can_win)


@dataclass(frozen=True)
class Positions:
    """The positions of one player under given rules; position i is `words[i]`.

    Parameters
    ----------
    variant : Rules
    words : uint32[positions]
        Ascending. Some of them no playthrough may reach; those that one can, from where the
        positions were begun, are all there.
    shares : uint32[shares]
        What claimants may get of a card, ascending, 0 among them.
    """

    variant: Rules
    words: Words
    shares: Words

    @cached_property
    def after(self) -> npt.NDArray[np.int32]:
        """Number of the position after an action: int32[positions, actions, outcomes].

        Outcome k < len(shares) is that claimants get `shares[k]`, the last one that the one who
        skips gets an amber. Minus one for an illegal action, and after the last round.
        """
        then = self._words_after(self.words)
        number = np.searchsorted(self.words, then)
        number[number == len(self.words)] = 0
        return np.where(self.words[number] == then, number, -1).astype(np.int32)

    @cached_property
    def owned(self) -> npt.NDArray[np.int64]:
        """Legal actions (bits), score and standing of each position: int64[positions, 3]."""
        owned = np.empty((len(self.words), 3), np.int64)
        _read(self.words, self.variant.facts(), owned)
        return owned

    @cached_property
    def outcomes(self) -> npt.NDArray[np.int64]:
        """Outcome by card, claimants and skippers: int64[highest card + 1, players + 1, ...]."""
        seats = self.variant.players + 1
        table = np.zeros((max(self.variant.deck) + 1, seats, seats), np.int64)
        for card in set(self.variant.deck):
            for claimants in range(seats):
                share = int(rules.share_of(card, claimants))
                # a card that cannot come up any more may have a share that is not there
                table[card, claimants] = int(np.searchsorted(self.shares, share))
            for skippers in range(seats):
                if rules.amber_won(card, skippers):
                    table[card, :, skippers] = len(self.shares)
        return table

    def _words_after(self, words: Words) -> Words:
        """Return the positions after every action and outcome, 0 for illegal ones."""
        shape = (len(words), self.variant.num_actions, len(self.shares) + 1)
        after = np.zeros(shape, np.uint32)
        _successors(words, self.shares, self.variant.facts(), after)
        return after


def positions_of(variant: Rules) -> Positions:
    """Return the positions that a player can come into before the last round is over.

    Raises
    ------
    UsageError
        If they are too many.
    """
    start = np.array([variant.facts()[rules.START]], np.uint32)
    return positions_from(variant, start, 0, variant.deck)


def positions_from(
    variant: Rules, start: Words, turn: int, cards: Iterable[int], most: int = MOST_POSITIONS
) -> Positions:
    """Return the positions that a player can come into from some before the last round is over.

    Parameters
    ----------
    variant : Rules
    start : uint32[positions]
        Where the player may be; ascending.
    turn : int
        Rounds that have been played then.
    cards : iterable of int
        Values that may yet be turned up.
    most : int
        More are refused.

    Raises
    ------
    UsageError
        If they are too many.
    """
    claimants = range(1, variant.players + 1)
    shares = {int(rules.share_of(card, n)) for card in cards for n in claimants} | {0}
    found = Positions(variant, start, np.array(sorted(shares), np.uint32))
    fresh = start
    for played in range(turn, variant.rounds):
        if len(found.words) > most:
            raise UsageError(
                f"a player can come into {len(found.words):,} positions in {played} of "
                f"{variant.rounds} rounds, too many; take fewer rounds, cards or bags"
            )
        then = np.unique(found._words_after(fresh))
        fresh = np.setdiff1d(then[then != 0], found.words)
        words = np.union1d(found.words, fresh).astype(np.uint32)
        found = Positions(variant, words, found.shares)
    return found


def check_payoff(payoff: str, players: int) -> None:
    """Raise UsageError for a payoff that there is none of, or not for so many players."""
    if payoff not in PAYOFFS:
        raise UsageError(f"there is no payoff {payoff!r}; there are {' and '.join(PAYOFFS)}")
    if payoff == SCORE_DIFFERENCE and players != 2:
        raise UsageError(f"payoff {payoff} is for two players, not {players}")
