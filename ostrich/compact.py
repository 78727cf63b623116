"""What one seat sees, for compiled agents: plain numbers, and small functions that read them.

Everything public is there, the order of the deck never. A compiled agent's function may use these
functions and the scalar functions of `ostrich.rules`; all of them vectorise.
"""

from typing import Any, NamedTuple

from numpy import uint32, uint64

from simulator.compiling import compiled
from simulator.lifting import inlined
from simulator.philox import extra_word, philox4x32
from simulator.words import Word, Words, field, shift_left


class CompactObservation(NamedTuple):
    """One seat's observation as uint32 numbers; read positions by the functions of `rules`."""

    position: Word  # one's own (eggs_in, is_whole, lying_out, ambers_of)
    left: Word  # the position of the next player clockwise
    across: Word  # of the one after that; 0, which is out of the game, if there is none
    right: Word  # of the third
    legal: Word  # bit a: action a is legal
    card: Word  # eggs on the card that lies open, 0 for an amber
    seen: Word  # bit c: card c of the sorted deck has been turned up (unseen)
    round: Word  # from 0
    player: Word  # the seat that observes
    players: Word
    skip: Word  # the action that skips; actions below it are bags
    capacities: Word  # packed sizes of the bags (capacity)
    rounds: Word
    amber_value: Word


class PrivateRandom(NamedTuple):
    """A key for random words of one decision, from which nothing else can be told."""

    key0: Word
    key1: Word


def _is_legal(observation: CompactObservation, action: Word) -> Any:
    """Return a number other than 0 if an action is legal for the player who observes, else 0.

    A number, since a truth value makes LLVM pack lanes into bytes, which takes twice the time.
    """
    return uint32(observation.legal & uint32(shift_left(uint32(1), action)))


def _unseen(observation: CompactObservation, deck: Words, card: Word) -> Any:
    """Return how many cards of a value have not been turned up; the removed ones count.

    `deck` is the argument of that name that an agent's function may take: the sorted cards.
    """
    found = uint32(0)
    for number in range(deck.size):
        hidden = uint32(field(observation.seen, number, 1)) == uint32(0)
        found = uint32(found + uint32(hidden & (deck[number] == uint32(card))))
    return found


is_legal = inlined(_is_legal)
unseen = inlined(_unseen)


@compiled("UniTuple(uint32,2)(uint64,uint64,uint64,uint64)", inline=True)
def private_key(seed: Word, index: Word, seat: Word, turn: Word) -> tuple[Word, Word]:
    """Return the two words of a decision's `PrivateRandom`."""
    stream, slot = uint64(seat) + uint64(1), uint64(turn)
    return extra_word(seed, index, stream, slot, 0), extra_word(seed, index, stream, slot, 1)


def _next_word(random: PrivateRandom, number: Word) -> Any:
    """Return the `number`-th (from 0) random uint32 of a decision."""
    w0, _, _, _ = philox4x32(
        uint64(number), uint64(0), uint64(0), uint64(0), random.key0, random.key1
    )
    return w0


next_word = inlined(_next_word)
