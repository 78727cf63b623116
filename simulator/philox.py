"""Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: SC 2011, section 3.3).

Every draw has a fixed address, so no draw depends on what was drawn before it:

- the key is the seed (64 bits);
- counter words 2 and 3 hold the playthrough's index;
- counter word 1 holds the stream: 0 for chance, 1 + seat for a player;
- counter word 0 holds the slot, the place of a decision or a chance event in the game.

A stream is one row of 32-bit words, a word for each slot: slot s is word s % 4 of block s // 4. An
agent that wants more words in one slot draws them beside the row (`extra_word`), so that taking
them moves nobody else's draws.
"""

from numpy import uint32, uint64

from simulator.compiling import compiled
from simulator.words import Word, Words

CHANCE_STREAM = 0
_LOW_HALF = uint64(0xFFFFFFFF)


@compiled("UniTuple(uint32,4)(uint64,uint64,uint64,uint64,uint32,uint32)", inline=True)
def philox4x32(
    c0: Word, c1: Word, c2: Word, c3: Word, key0: Word, key1: Word
) -> tuple[Word, Word, Word, Word]:
    """Return the four words of Philox4x32-10 for a counter and a key (each part below 2**32).

    The counter stays in 64-bit lanes whose upper halves may hold anything: a vector multiplication
    reads the lower halves only, which saves packing after each of the ten rounds.
    """
    c0, c1, c2, c3 = uint64(c0), uint64(c1), uint64(c2), uint64(c3)
    key0, key1 = uint32(key0), uint32(key1)
    for _ in range(10):
        product0 = uint64(0xD2511F53) * (c0 & _LOW_HALF)
        product1 = uint64(0xCD9E8D57) * (c2 & _LOW_HALF)
        c0 = (product1 >> uint64(32)) ^ c1 ^ uint64(key0)
        c1 = product1
        c2 = (product0 >> uint64(32)) ^ c3 ^ uint64(key1)
        c3 = product0
        key0 = uint32(key0 + uint32(0x9E3779B9))
        key1 = uint32(key1 + uint32(0xBB67AE85))
    return (
        uint32(c0 & _LOW_HALF),
        uint32(c1 & _LOW_HALF),
        uint32(c2 & _LOW_HALF),
        uint32(c3 & _LOW_HALF),
    )


@compiled("void(uint64,uint64,uint64,uint64,uint32[:,::1])")
def draw_block(seed: Word, first: Word, stream: Word, block: Word, words: Words) -> None:
    """Draw four slots of a stream for many playthroughs at once.

    Parameters
    ----------
    seed : uint64
    first : uint64
        Index of the playthrough in lane 0; lane i holds index `first` + i.
    stream, block : uint64
        The words of slots 4 * `block` to 4 * `block` + 3.
    words : uint32[4, lanes]
        Modified in place.
    """
    key0, key1 = uint32(seed & _LOW_HALF), uint32(seed >> uint64(32))
    row0, row1, row2, row3 = words[0], words[1], words[2], words[3]
    for lane in range(words.shape[1]):
        index = uint64(first + uint64(lane))
        w0, w1, w2, w3 = philox4x32(
            block, stream, index & _LOW_HALF, index >> uint64(32), key0, key1
        )
        row0[lane] = w0
        row1[lane] = w1
        row2[lane] = w2
        row3[lane] = w3


@compiled("uint32(uint64,uint64,uint64,uint64)", inline=True)
def slot_word(seed: Word, index: Word, stream: Word, slot: Word) -> Word:
    """Return the word of one slot of one playthrough, as `draw_block` gives it."""
    w0, w1, w2, w3 = philox4x32(
        uint64(slot) >> uint64(2),
        uint64(stream),
        uint64(index) & _LOW_HALF,
        uint64(index) >> uint64(32),
        uint32(uint64(seed) & _LOW_HALF),
        uint32(uint64(seed) >> uint64(32)),
    )
    place = uint64(slot) & uint64(3)
    low = w0 if place == uint64(0) else w1
    high = w2 if place == uint64(2) else w3
    return low if place < uint64(2) else high


@compiled("uint32(uint64,uint64,uint64,uint64,uint64)", inline=True)
def extra_word(seed: Word, index: Word, stream: Word, slot: Word, number: Word) -> Word:
    """Return the `number`-th further word (from 0) of one slot of one playthrough."""
    number = uint64(number)
    beside = uint64(stream) | ((uint64(1) + (number >> uint64(2))) << uint64(8))
    w0, w1, w2, w3 = philox4x32(
        uint64(slot),
        beside,
        uint64(index) & _LOW_HALF,
        uint64(index) >> uint64(32),
        uint32(uint64(seed) & _LOW_HALF),
        uint32(uint64(seed) >> uint64(32)),
    )
    place = number & uint64(3)
    low = w0 if place == uint64(0) else w1
    high = w2 if place == uint64(2) else w3
    return low if place < uint64(2) else high
