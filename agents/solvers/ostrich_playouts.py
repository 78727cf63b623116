"""One playthrough of Ostrich from a public state on, a round at a time, for tree searches.

Random words have addresses, as everywhere in this project, but cost less than Philox's: word n of a
seed is SplitMix64's n-th (Steele, Lea, Flood: OOPSLA 2014). One word serves a whole round.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import float64, int64, uint32, uint64

from ostrich import rules
from simulator.compiling import compiled
from simulator.program import FACTS
from simulator.words import Word, Words, ones_in

#: A random word's address is WORDS_A_PLAYOUT * playout + 2 * round, plus one within a tree.
WORDS_A_PLAYOUT = 2 * rules.MAX_CARDS
_GOLDEN = uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio
_MASKS = 1 << rules.MAX_ACTIONS

#: How many actions are in a set of legal ones; and which is the n-th of set s, at 8 * s + n.
HOW_MANY = np.array([int(ones_in(mask)) for mask in range(_MASKS)], np.uint32)
WHICH = np.zeros(8 * _MASKS, np.uint32)
for _mask in range(_MASKS):
    for _nth, _action in enumerate(a for a in range(rules.MAX_ACTIONS) if _mask >> a & 1):
        WHICH[8 * _mask + _nth] = _action


class Playout(NamedTuple):
    """How things stand in a playthrough; all of it is changed in place."""

    positions: Words  # uint32[4]
    actions: Words  # uint32[4], the last that were played
    unseen: npt.NDArray[np.int64]  # numbers of cards, those drawn since the start first
    shares: npt.NDArray[np.float64]  # [4], of the win, once it is over


PLAYOUT = types.NamedTuple(
    (types.uint32[::1], types.uint32[::1], types.int64[::1], types.float64[::1]), Playout
)


def new_playout(unseen: int) -> Playout:
    """Return room for a playthrough from a state with so many cards unseen."""
    return Playout(
        np.zeros(rules.MAX_PLAYERS, np.uint32),
        np.zeros(rules.MAX_PLAYERS, np.uint32),
        np.zeros(unseen, np.int64),
        np.zeros(rules.MAX_PLAYERS),
    )


@compiled("uint64(uint64)", inline=True)
def scrambled(word: Any) -> Any:
    """Return SplitMix64's hash of a word; no two words have the same."""
    word = uint64(word)
    word = uint64(uint64(word ^ uint64(word >> uint64(30))) * uint64(0xBF58476D1CE4E5B9))
    word = uint64(uint64(word ^ uint64(word >> uint64(27))) * uint64(0x94D049BB133111EB))
    return uint64(word ^ uint64(word >> uint64(31)))


@compiled("uint64(uint64,int64)", inline=True)
def word_at(seed: Any, address: Any) -> Any:
    """Return the random word at an address."""
    return scrambled(uint64(uint64(seed) + uint64(uint64(address) * _GOLDEN)))


@compiled("uint32(uint32,uint64,uint32)", inline=True)
def one_of(actions: Word, some: Any, bits: Word) -> Word:
    """Return an action of a set that is not empty, by the lowest `bits` random bits of a word.

    Of twelve bits, none is likelier than another by more than one in 819.
    """
    mask = uint64(uint64(uint64(1) << uint64(bits)) - uint64(1))
    scaled = uint64(uint64(uint64(some) & mask) * uint64(HOW_MANY[actions]))
    return WHICH[uint32(8) * uint32(actions) + uint32(scaled >> uint64(bits))]  # type: ignore[no-any-return]


@compiled(types.int64(PLAYOUT, types.int64, types.uint64), inline=True, allocates=False)
def draw(playout: Any, drawn: Any, word: Any) -> Any:
    """Return the next card's number, by the highest 16 bits of a word (Fisher and Yates' step)."""
    unseen = playout.unseen
    left = uint64(unseen.size - drawn)
    place = drawn + int64(uint64(uint64(uint64(word) >> uint64(48)) * left) >> uint64(16))
    number = unseen[place]
    unseen[place] = unseen[drawn]
    unseen[drawn] = number
    return number


@compiled(types.void(PLAYOUT, types.uint32, FACTS), inline=True, allocates=False)
def play_round(playout: Any, card: Word, facts: Words) -> None:
    """Carry out the players' actions."""
    positions, actions = playout.positions, playout.actions
    players, skip = int64(facts[rules.PLAYERS]), facts[rules.SKIP]
    claimants = skippers = uint32(0)
    for player in range(players):
        claimants = uint32(claimants + uint32(rules.claims(actions[player], skip)))
        skippers = uint32(skippers + uint32(actions[player] == skip))
    share, amber = rules.share_of(card, claimants), rules.amber_won(card, skippers)
    for player in range(players):
        positions[player] = rules.after_action(
            positions[player], actions[player], share, amber, facts[rules.CAPACITIES], skip
        )


@compiled(types.int64(PLAYOUT, types.int64, FACTS), inline=True, allocates=False)
def is_over(playout: Any, played: Any, facts: Words) -> Any:
    """Return 1 if the game is over when so many rounds have been played, else 0 (rule 7)."""
    out = uint32(1)
    for player in range(int64(facts[rules.PLAYERS])):
        out = uint32(out & uint32(rules.is_out(playout.positions[player])))
    return int64(out) | int64(played >= int64(facts[rules.ROUNDS]))


@compiled(types.void(PLAYOUT, FACTS), inline=True, allocates=False)
def settle(playout: Any, facts: Words) -> None:
    """Fill in the players' shares of the win."""
    positions, shares, players = playout.positions, playout.shares, int64(facts[rules.PLAYERS])
    best = winners = uint32(0)
    for player in range(players):
        score = rules.score_of(positions[player], facts[rules.CAPACITIES], facts[rules.AMBER_VALUE])
        can_win = facts[rules.OUT_PLAYERS_CAN_WIN]
        standing = uint32(rules.standing_of(positions[player], score, can_win))
        winners = uint32(0) if standing > best else winners
        best = max(best, standing)
        winners = uint32(winners + uint32(standing == best))
        shares[player] = float64(standing)
    for player in range(players):
        twelfths = rules.win_twelfths(uint32(shares[player]), best, winners)
        shares[player] = float64(twelfths) / float64(rules.SHARE_UNITS)


@compiled(
    types.void(PLAYOUT, types.int64, types.int64, types.uint64, types.int64, FACTS),
    inline=True,
    allocates=False,
)
def roll_out(playout: Any, played: Any, drawn: Any, seed: Any, address: Any, facts: Words) -> None:
    """Play to the end by random legal actions, each as likely.

    Parameters
    ----------
    playout : Playout
        Between two rounds; changed in place.
    played, drawn : int64
        Rounds played, and cards drawn since the start of the search.
    seed : uint64
    address : int64
        Of the playout's first random word. A round takes one: 12 bits a player, 16 for the card.
    facts : uint32[7 + cards]
    """
    positions, actions = playout.positions, playout.actions
    players, skip = int64(facts[rules.PLAYERS]), facts[rules.SKIP]
    while not is_over(playout, played, facts):
        word = word_at(seed, address + 2 * played)
        card = facts[rules.DECK + draw(playout, drawn, word)]
        for player in range(players):
            legal = uint32(rules.legal_actions(positions[player], skip))
            some = uint64(uint64(word) >> uint64(12 * player))
            actions[player] = (
                one_of(legal, some, 12) if legal != uint32(0) else uint32(rules.NO_ACTION)
            )
        play_round(playout, card, facts)
        played += 1
        drawn += 1
