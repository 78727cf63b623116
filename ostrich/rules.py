"""The rules of Eggs of Ostrich, here and nowhere else.

In words
--------
1. The deck is shuffled, some cards (two) are removed unseen, the rest are turned up one a round.
2. Every player has the same bags (2, 3, 5, 7), a claim card for each, and a "skip" card.
3. Each round all players choose a claim card at the same time. A card played last round lies out
   and may not be played; the card of a broken bag is gone for good and does not lie out [R-O2].
4. An egg card's eggs are shared equally, rounded down, among the players who did not skip; each
   share goes into the bag claimed. If all skip, nobody gets any [R-O5]; the rest stays in the bank.
5. A bag with more eggs than its size breaks: its eggs are lost, bag and claim card are gone. A full
   bag may be claimed, and breaks [R-O4].
6. An amber card gives its amber to the only player who skipped; if none or several did, to nobody.
7. A player whose bags are all broken is out: plays no more and cannot win [R-O3]. When all are out
   the game ends at once and all share the win.
8. After the last round a full bag scores its size, any other half its eggs, rounded down; an amber
   scores 4. Most points win; tied players share the win [R-O1].

Nothing is hidden but the order of the deck and the removed cards [R-O8, R-O10]. The rulings are
listed with their reasons in `ostrich/README.md`.

Conventions
-----------
Bag b is the b-th smallest. Action b claims for bag b; action `skip` (the number of bags) skips. A
card is its number of eggs, 0 for an amber. A player's whole public position is one 32-bit word:

    bits 0-15   eggs in bags 0 to 3, four bits each (0 in a broken bag)
    bits 16-19  bag b is whole
    bits 20-22  the action that lies out, or NO_ACTION
    bits 23-28  ambers
"""

from dataclasses import dataclass

import numpy as np
from numpy import int32, uint32

from simulator.compiling import compiled
from simulator.variants import Variant, truth, whole, wholes, within
from simulator.words import Word, Words, field, shift_left

#: Raised when, and only when, the same actions on the same cards may give another result.
RULES_VERSION = 1

AMBER = 0
NO_ACTION = 7  # of a player who is out, and lying out before the first round
SHARE_UNITS = 12  # shares of the win are counted in twelfths: whole for 1, 2, 3 and 4 winners

MIN_PLAYERS, MAX_PLAYERS = 2, 4
MAX_BAGS = 4
MAX_BAG_SIZE = 15
MAX_ACTIONS = MAX_BAGS + 1
MAX_CARDS = 32
MAX_CARD = 99
MAX_AMBER_VALUE = 100

_BAG_MASK = uint32(15)
#: Where parts of a position begin.
WHOLE = 16
LYING_OUT, _LYING_OUT_MASK = 20, uint32(7)
AMBERS, _AMBERS_MASK = 23, uint32(63)

#: Places in the array of rule values that kernels take (`Rules.facts`); the deck comes last.
PLAYERS, SKIP, CAPACITIES, ROUNDS, AMBER_VALUE, OUT_PLAYERS_CAN_WIN, START, DECK = range(8)


@dataclass(frozen=True)
class Rules(Variant):
    """A variant of the game; the defaults are the published one.

    Parameters
    ----------
    players : int
        2 to 4.
    bags : tuple of int
        One to four different sizes from 1 to 15; kept in ascending order.
    deck : tuple of int
        All cards before any is removed, at most 32: eggs 1 to 99, or 0 for an amber. Kept sorted.
    removed : int
        Cards put back in the box unseen.
    rounds : int
        Cards played; at most the cards left.
    amber_value : int
        Points of an amber, 0 to 100.
    out_players_can_win : bool
        Ruling R-O3's other value: the ambers of a player who is out still compete.

    Raises
    ------
    ValueError
        For an impossible combination, naming the value.
    """

    players: int = 3
    bags: tuple[int, ...] = (2, 3, 5, 7)
    deck: tuple[int, ...] = (0, 0, 0, 4, 5, 5, 6, 7, 8, 9, 9, 10)
    removed: int = 2
    rounds: int = 10
    amber_value: int = 4
    out_players_can_win: bool = False

    def __post_init__(self) -> None:
        for name in ("bags", "deck"):
            object.__setattr__(self, name, wholes(name, getattr(self, name)))
        for name in ("players", "removed", "rounds", "amber_value"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))
        truth("out_players_can_win", self.out_players_can_win)
        within("players", self.players, MIN_PLAYERS, MAX_PLAYERS)
        within("the number of bags", len(self.bags), 1, MAX_BAGS)
        for size in self.bags:
            within("a bag's size", size, 1, MAX_BAG_SIZE)
        if len(set(self.bags)) < len(self.bags):
            raise ValueError(f"bags={self.bags} has two bags of one size; sizes must differ")
        within("the number of cards in the deck", len(self.deck), 1, MAX_CARDS)
        for card in self.deck:
            within("a card", card, AMBER, MAX_CARD)
        within("removed", self.removed, 0, len(self.deck) - 1)
        within("amber_value", self.amber_value, 0, MAX_AMBER_VALUE)
        left = len(self.deck) - self.removed
        if not 1 <= self.rounds <= left:
            raise ValueError(
                f"rounds={self.rounds} must be from 1 to {left}, the cards left "
                f"when {self.removed} of {len(self.deck)} are removed"
            )

    @property
    def skip(self) -> int:
        """The action that skips."""
        return len(self.bags)

    @property
    def num_actions(self) -> int:
        """Actions that a player has at most: one a bag, and skip."""
        return len(self.bags) + 1

    def facts(self) -> Words:
        """Return the values that kernels need, uint32[7 + cards], in the order of the names above.

        The capacity of a bag that does not exist, and of what stands in the position word beyond
        the bags, is 15: so an action that is no claim can never look like one that breaks a bag.
        """
        capacities = 0xFFFFFFFF
        for bag, size in enumerate(self.bags):
            capacities ^= (15 ^ size) << (4 * bag)
        all_whole = (1 << len(self.bags)) - 1
        start = all_whole << WHOLE | NO_ACTION << LYING_OUT
        can_win = int(self.out_players_can_win)
        values = [
            self.players,
            self.skip,
            capacities,
            self.rounds,
            self.amber_value,
            can_win,
            start,
        ]
        return np.array([*values, *self.deck], dtype=np.uint32)


# --- Reading a position -------------------------------------------------------------------------


@compiled("uint32(uint32,uint32)", inline=True)
def eggs_in(position: Word, bag: Word) -> Word:
    """Return the eggs in a bag, 0 if it is broken."""
    return field(position, uint32(uint32(4) * uint32(bag)), _BAG_MASK)


@compiled("uint32(uint32,uint32)", inline=True)
def is_whole(position: Word, bag: Word) -> Word:
    """Return 1 if the bag is not broken, else 0."""
    return field(position, uint32(uint32(WHOLE) + uint32(bag)), uint32(1))


@compiled("uint32(uint32)", inline=True)
def lying_out(position: Word) -> Word:
    """Return the action played last round, or NO_ACTION if no claim card lies out."""
    return field(position, LYING_OUT, _LYING_OUT_MASK)


@compiled("uint32(uint32)", inline=True)
def ambers_of(position: Word) -> Word:
    """Return the number of ambers."""
    return field(position, AMBERS, _AMBERS_MASK)


@compiled("uint32(uint32)", inline=True)
def is_out(position: Word) -> Word:
    """Return 1 if all of the player's bags are broken, else 0."""
    return uint32(field(position, WHOLE, _BAG_MASK) == uint32(0))


@compiled("uint32(uint32,uint32)", inline=True)
def capacity(capacities: Word, bag: Word) -> Word:
    """Return the size of a bag, from the packed sizes in `Rules.facts`."""
    return field(capacities, uint32(uint32(4) * uint32(bag)), _BAG_MASK)


# --- One round ----------------------------------------------------------------------------------


@compiled("uint32(uint32,uint32)", inline=True)
def legal_actions(position: Word, skip: Word) -> Word:
    """Return the legal actions, bit a for action a; 0 for a player who is out (rule 3, 7)."""
    unbroken = field(position, WHOLE, _BAG_MASK)
    held = uint32(uint32(unbroken) | uint32(shift_left(uint32(1), skip)))
    playable = uint32(held & ~uint32(shift_left(uint32(1), lying_out(position))))
    in_game = uint32(uint32(0) - uint32(uint32(unbroken) != uint32(0)))  # all bits, or none
    return uint32(playable & in_game)


@compiled("uint32(uint32,uint32,uint32)", inline=True)
def is_allowed(position: Word, action: Word, skip: Word) -> Word:
    """Return 1 if a player may act so: a legal action, or NO_ACTION for one who is out, else 0."""
    legal = uint32(legal_actions(position, skip))
    allowed = uint32(legal | uint32(shift_left(uint32(legal == uint32(0)), NO_ACTION)))
    return field(allowed, min(uint32(action), uint32(31)), 1)  # bit 31 is never set


@compiled("uint32(uint32,uint32)", inline=True)
def claims(action: Word, skip: Word) -> Word:
    """Return 1 if an action claims for a bag, 0 for skip and NO_ACTION."""
    return uint32(int32(action) < int32(skip))  # signed: AVX2 has no other comparison


@compiled("uint32(uint32,uint32)", inline=True)
def share_of(card: Word, claimants: Word) -> Word:
    """Return each claimant's share of an egg card, rounded down (rule 4); 0 if nobody claims.

    Selects instead of a division, which would not vectorise; 43691 / 2**17 is a third, exact for
    every card up to MAX_CARD.
    """
    card, claimants = uint32(card), uint32(claimants)
    third = uint32(uint32(card * uint32(43691)) >> uint32(17))
    several = third if claimants == uint32(3) else uint32(card >> uint32(2))
    few = card if claimants == uint32(1) else uint32(card >> uint32(1))
    share = few if claimants < uint32(3) else several
    return share if claimants != uint32(0) else uint32(0)


@compiled("uint32(uint32,uint32)", inline=True)
def amber_won(card: Word, skippers: Word) -> Word:
    """Return 1 if the card is an amber and just one player skipped, who then gets it (rule 6)."""
    return uint32(uint32(card) == uint32(AMBER)) & uint32(uint32(skippers) == uint32(1))


@compiled("uint32(uint32,uint32,uint32,uint32,uint32,uint32)", inline=True)
def after_action(
    position: Word, action: Word, share: Word, amber: Word, capacities: Word, skip: Word
) -> Word:
    """Return a player's position after a round (rules 3 to 6).

    Parameters
    ----------
    position : uint32
        Before the round.
    action : uint32
        A legal action, or NO_ACTION for a player who is out.
    share : uint32
        What each claimant gets of this card (`share_of`; 0 for an amber).
    amber : uint32
        What `amber_won` says: 1 if the only player who skipped gets an amber.
    capacities, skip : uint32
        From `Rules.facts`.
    """
    position, action, skip = uint32(position), uint32(action), uint32(skip)
    gained = uint32(share) if claims(action, skip) else uint32(0)
    eggs = uint32(uint32(eggs_in(position, action)) + gained)
    breaks = int32(eggs) > int32(capacity(capacities, action))
    place = uint32(uint32(4) * action)
    lost = uint32(shift_left(_BAG_MASK, place)) | uint32(shift_left(uint32(1 << WHOLE), action))
    kept = uint32(position + uint32(shift_left(gained, place)))
    bags = uint32(position & ~uint32(lost)) if breaks else kept
    out = uint32(NO_ACTION) if breaks else action
    cleared = uint32(bags & ~uint32(_LYING_OUT_MASK << LYING_OUT))
    claimed = uint32(cleared | uint32(shift_left(out, LYING_OUT)))
    found = uint32(amber) if action == skip else uint32(0)
    return uint32(claimed + uint32(shift_left(found, AMBERS)))


# --- The end ------------------------------------------------------------------------------------


@compiled("uint32(uint32,uint32,uint32)", inline=True)
def score_of(position: Word, capacities: Word, amber_value: Word) -> Word:
    """Return a player's points as the position stands (rule 8)."""
    points = uint32(uint32(ambers_of(position)) * uint32(amber_value))
    for bag in range(MAX_BAGS):
        eggs = uint32(eggs_in(position, bag))
        full = eggs == uint32(capacity(capacities, bag))
        points = uint32(points + (eggs if full else uint32(eggs >> uint32(1))))
    return points


@compiled("uint32(uint32,uint32,uint32)", inline=True)
def standing_of(position: Word, score: Word, out_players_can_win: Word) -> Word:
    """Return what players are compared by: 0 for one who cannot win, else the score plus one.

    So when all are out, all stand at 0, and the best standing is shared by all (rule 7).
    """
    barred = uint32(is_out(position)) > uint32(out_players_can_win)
    return uint32(0) if barred else uint32(uint32(score) + uint32(1))


@compiled("uint32(uint32,uint32,uint32)", inline=True)
def win_twelfths(standing: Word, best: Word, winners: Word) -> Word:
    """Return a player's share of the win in twelfths; `winners` players stand best."""
    winners = uint32(winners)
    several = uint32(4) if winners == uint32(3) else uint32(3)
    few = uint32(12) if winners == uint32(1) else uint32(6)
    share = few if winners < uint32(3) else several
    return share if uint32(standing) == uint32(best) else uint32(0)
