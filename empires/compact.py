"""What one seat sees, for compiled agents: plain numbers, and small functions that read them.

All of it may be known to the seat. A compiled agent's functions may use these functions and the
scalar functions of `empires.rules`.
"""

from typing import Any, NamedTuple

from numpy import uint32, uint64

from empires.layout import MAX_OPTIONS
from empires.rules import MAX_NUMBER, MAX_OFFERED, MAX_PLAYERS
from simulator.compiling import compiled
from simulator.lifting import inlined
from simulator.philox import extra_word, philox4x32
from simulator.words import Word, shift_left

#: The kinds of decision, in the order in which a round first knows them.
KINDS = ("mulligan", "card", "pick", "gift", "discard")
MULLIGAN_KIND, CARD_KIND, PICK_KIND, GIFT_KIND, DISCARD_KIND = range(5)
#: Options that a decision of each kind has at most; option 0 is to do nothing, or no option.
OPTIONS_OF = (2, MAX_NUMBER + 1, MAX_OFFERED + 1, MAX_PLAYERS, MAX_OPTIONS)

#: Stands in `values` for an egg that the seat cannot know.
UNKNOWN = 127


class CompactObservation(NamedTuple):
    """One seat's observation as numbers.

    Fields of six int32 go clockwise: item 0 is the seat that observes, absent players hold 0.
    """

    options: Word  # bit i: option i is legal
    hand: Word  # bit n - 1: Adventurer n; bit 15 + n: a second one
    first: Word  # with two cards a turn: the number already chosen, 0 before that
    acting: Word  # the Adventurer whose power or pick this is, 0 for other decisions
    offered: Word  # eggs on offer
    face_up: Word  # how many of them lie face up; the face-down ones come last
    left: Word  # bit w: the w-th egg on offer is still there
    holder: Word  # how many seats clockwise the marker's holder sits, 0 for oneself
    played: Any  # sets of cards, as `hand`: played this round, those on the table included
    table: Any  # cards on the table: the lower number, and << 4 the higher
    totals: Any  # points of the rounds before this one
    points: Any  # points of this round, as far as the seat knows
    tokens: Any  # egg tokens
    eggs: Any  # eggs that lie before each player
    player: Word  # the seat that observes
    players: Word
    decks: Word  # Empire decks of each player, and cards played a turn
    round: Word  # from 0
    turn: Word  # from 0
    rounds: Word
    turns: Word


class PrivateRandom(NamedTuple):
    """A key for random words of one decision, from which nothing else can be told."""

    key0: Word
    key1: Word


def _is_legal(observation: CompactObservation, option: Word) -> Any:
    """Return 1 if an option is legal, else 0."""
    return uint32(uint32(observation.options >> uint32(uint32(option) & uint32(31))) & uint32(1))


is_legal = inlined(_is_legal)


@compiled("UniTuple(uint32,2)(uint64,uint64,uint64,uint64)", inline=True)
def private_key(seed: Word, index: Word, seat: Word, slot: Word) -> tuple[Word, Word]:
    """Return the two words of a decision's `PrivateRandom`."""
    stream = uint64(seat) + uint64(1)
    return extra_word(seed, index, stream, slot, 0), extra_word(seed, index, stream, slot, 1)


def _next_word(random: PrivateRandom, number: Word) -> Any:
    """Return the `number`-th (from 0) random uint32 of a decision."""
    w0, _, _, _ = philox4x32(
        uint64(number), uint64(0), uint64(0), uint64(0), random.key0, random.key1
    )
    return w0


next_word = inlined(_next_word)


@compiled("uint32(uint32,uint32)", inline=True)
def hand_options(hand: Word, first: Word) -> Word:
    """Return the options of a card decision: bit n for Adventurer n, without the one chosen."""
    numbers = uint32(uint32(uint32(hand) & uint32(0x3FF)) << uint32(1))
    return uint32(numbers & ~shift_left(uint32(1), first))
