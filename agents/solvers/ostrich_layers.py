"""The public states of Ostrich between rounds, layer by layer: all that play can lead to.

Nothing is hidden in Ostrich but the order of the deck, and a draw is uniform over the cards not yet
seen. So a state before a card is turned up is told by every player's position and the cards seen;
histories that lead to the same state need not be told apart. Where all players' policies treat
seats alike, states that differ in the order of the players only are one state ("sorted").

A state is packed into one key: the number of the set of cards seen, then the players' positions by
their numbers in `Positions`, the first player's highest.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import int64, uint64

from agents.solvers.key_table import (
    EMPTY,
    KEYS,
    Keys,
    KeyTable,
    empty_slots,
    grown,
    key_table,
    slot_of,
)
from agents.solvers.ostrich_positions import LEGAL, Positions
from ostrich import Rules, rules
from ostrich.rules import MAX_PLAYERS
from simulator.compiling import compiled
from simulator.inputs import UsageError

KEY_BITS = 62
MOST_SETS = 20_000
#: Columns of `Draws.table`: the card's value, and the set of cards seen after it.
CARD, SEEN_AFTER = 0, 1

#: Places in what `shape_of` returns.
PLAYERS, SKIP, BITS = range(3)

_SHAPE = types.int64[::1]
_AFTER, _OWNED = types.int32[:, :, ::1], types.int64[:, ::1]
_OUTCOMES, _DRAWS = types.int64[:, :, ::1], types.int64[:, :, ::1]
_WORK = types.int64[::1]


@dataclass(frozen=True)
class Draws:
    """What may be drawn in a round, by the number of the set of cards seen before it.

    Parameters
    ----------
    masks : uint32[sets]
        The sets, ascending; bit c is card c of the sorted deck, of equal ones the lower first.
    table : int64[sets, draws, 2]
        Value of each different unseen card, ascending, and the number of the set with it; -1 where
        there are fewer.
    chances : float64[sets, draws]
    masks_after : uint32[sets after]
        The sets of the next round.
    """

    masks: npt.NDArray[np.uint32]
    table: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float64]
    masks_after: npt.NDArray[np.uint32]


def draws_of(variant: Rules) -> list[Draws]:
    """Return the draws of every round; see `draws_from`."""
    return draws_from(variant, 0, [0])


def draws_from(variant: Rules, turn: int, masks: list[int]) -> list[Draws]:
    """Return the draws of every round from one on.

    Parameters
    ----------
    variant : Rules
    turn : int
        Rounds that have been played before.
    masks : list of int
        The different sets of cards that may have been seen in them, ascending.

    Raises
    ------
    UsageError
        If there are too many sets of cards.
    """
    deck, rounds = variant.deck, []
    for played in range(turn, variant.rounds):
        if len(masks) > MOST_SETS:
            raise UsageError(
                f"there are {len(masks):,} sets of cards that may have been seen after {played} of "
                f"{variant.rounds} rounds, too many; take fewer rounds or cards"
            )
        options = [_options(deck, mask) for mask in masks]
        after = sorted({mask | bit for mask, cards in zip(masks, options, strict=True)
                        for bit, _ in cards.values()})  # fmt: skip
        number_of = {mask: number for number, mask in enumerate(after)}
        most = max(map(len, options))
        table = np.full((len(masks), most, 2), -1, np.int64)
        chances = np.zeros((len(masks), most))
        for number, (mask, cards) in enumerate(zip(masks, options, strict=True)):
            hidden = len(deck) - mask.bit_count()
            for place, (card, (bit, copies)) in enumerate(sorted(cards.items())):
                table[number, place] = card, number_of[mask | bit]
                chances[number, place] = copies / hidden
        before, then = np.array(masks, np.uint32), np.array(after, np.uint32)
        rounds.append(Draws(before, table, chances, then))
        masks = after
    return rounds


def _options(deck: tuple[int, ...], mask: int) -> dict[int, tuple[int, int]]:
    """Return for each unseen card's value the bit of the lowest such card, and their number."""
    found: dict[int, tuple[int, int]] = {}
    for number in reversed(range(len(deck))):
        if not mask >> number & 1:
            found[deck[number]] = (1 << number, found.get(deck[number], (0, 0))[1] + 1)
    return found


@dataclass(frozen=True)
class Layer:
    """The states after as many rounds as have been played.

    Parameters
    ----------
    draws : Draws
        Of the round that comes.
    keys : uint64[states]
        Ascending.
    """

    draws: Draws
    keys: Keys

    @property
    def round(self) -> int:
        """Rounds that have been played."""
        return int(self.draws.masks[0]).bit_count()

    def numbers(self, shape: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the numbers of the players' positions, int64[players, states]."""
        players, bits = int(shape[PLAYERS]), int(shape[BITS])
        mask = np.uint64((1 << bits) - 1)
        rows = [self.keys >> np.uint64(bits * (players - 1 - seat)) for seat in range(players)]
        return (np.array(rows) & mask).astype(np.int64)

    def sets(self, shape: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the number of each state's set of cards seen, int64[states]."""
        return (self.keys >> np.uint64(shape[PLAYERS] * shape[BITS])).astype(np.int64)

    @cached_property
    def table(self) -> KeyTable:
        """Where each key is."""
        return key_table(self.keys)


def shape_of(positions: Positions) -> npt.NDArray[np.int64]:
    """Return players, the action that skips, and bits of a position's number, as kernels want."""
    variant = positions.variant
    bits = max(len(positions.words) - 1, 1).bit_length()
    return np.array([variant.players, variant.skip, bits], np.int64)


@compiled(types.void(types.uint64, _SHAPE, _WORK), inline=True)
def unpack(key: Any, shape: Any, numbers: Any) -> None:
    """Fill int64[players + 1], in place, with the players' positions and the set of cards seen."""
    players, bits = shape[PLAYERS], shape[BITS]
    mask = (int64(1) << bits) - int64(1)
    left = int64(key)
    for player in range(players - 1, -1, -1):
        numbers[player] = left & mask
        left >>= bits
    numbers[players] = left


@compiled(types.uint64(_SHAPE, _WORK, types.int64), inline=True)
def pack(shape: Any, numbers: Any, seen: Any) -> Any:
    """Return the key of int64[players] positions and a set of cards seen."""
    key = int64(seen)
    for player in range(shape[PLAYERS]):
        key = (key << shape[BITS]) | numbers[player]
    return uint64(key)


@compiled(types.int64(_SHAPE, _OWNED, _WORK, types.int64, types.int64), inline=True)
def next_action(shape: Any, owned: Any, numbers: Any, player: Any, action: Any) -> Any:
    """Return a player's lowest legal action above `action`, or -1 if there is none."""
    legal = owned[numbers[player], LEGAL]
    for higher in range(action + 1, shape[SKIP] + 1):
        if (legal >> higher) & 1:
            return int64(higher)
    return int64(-1)


@compiled(types.int64(_SHAPE, _OWNED, _WORK, _WORK), inline=True)
def next_joint_action(shape: Any, owned: Any, numbers: Any, actions: Any) -> Any:
    """Put the next joint action into int64[players], the last player's changing fastest.

    A player who is out has action -1. Returns 1, or 0 after the last joint action, when the first
    is there again.
    """
    for back in range(shape[PLAYERS]):
        player = shape[PLAYERS] - 1 - back
        action = next_action(shape, owned, numbers, player, actions[player])
        if action >= 0 and actions[player] >= 0:
            actions[player] = action
            return int64(1)
        actions[player] = next_action(shape, owned, numbers, player, -1)
    return int64(0)


@compiled(types.void(_SHAPE, _AFTER, _OUTCOMES, _WORK, _WORK, types.int64, _WORK), inline=True)
def act(
    shape: Any, after: Any, outcomes: Any, numbers: Any, actions: Any, card: Any, then: Any
) -> None:
    """Fill int64[players] with the positions after a joint action on a card, in place."""
    claimants = skippers = int64(0)
    for player in range(shape[PLAYERS]):
        claimants += int64(0 <= actions[player] < shape[SKIP])
        skippers += int64(actions[player] == shape[SKIP])
    outcome = outcomes[card, claimants, skippers]
    for player in range(shape[PLAYERS]):
        number = numbers[player]
        then[player] = after[number, actions[player], outcome] if actions[player] >= 0 else number


@compiled(types.int64(_SHAPE, _OWNED, _WORK), inline=True)
def all_out(shape: Any, owned: Any, numbers: Any) -> Any:
    """Return 1 if no player has a legal action left, else 0."""
    for player in range(shape[PLAYERS]):
        if owned[numbers[player], LEGAL] != 0:
            return int64(0)
    return int64(1)


@compiled(types.void(_SHAPE, _WORK, _WORK), inline=True)
def sort_with_ranks(shape: Any, numbers: Any, ranks: Any) -> None:
    """Sort int64[players] ascending, in place, and fill in the rank that each player got."""
    players = shape[PLAYERS]
    for player in range(players):
        rank = int64(0)
        for other in range(players):
            lower = numbers[other] < numbers[player]
            rank += int64(lower or (numbers[other] == numbers[player] and other < player))
        ranks[player] = rank
    for player in range(1, players):
        number, place = numbers[player], player
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number


@compiled(
    types.void(KEYS, _DRAWS, _SHAPE, _AFTER, _OWNED, _OUTCOMES, KEYS, _SHAPE), late=True
)  # fmt: skip
def _expand(
    keys: Keys, draws: Any, shape: Any, after: Any, owned: Any, outcomes: Any,
    slots: Keys, progress: Any,
) -> None:  # fmt: skip
    """Put the states that follow on some keys into slots, sorted, until half of these are taken.

    `progress`, int64[2], is changed in place: the keys that are done, and the slots taken.
    """
    numbers, actions = np.zeros(MAX_PLAYERS + 1, np.int64), np.zeros(MAX_PLAYERS, np.int64)
    then, ranks = np.zeros(MAX_PLAYERS + 1, np.int64), np.zeros(MAX_PLAYERS, np.int64)
    while progress[0] < keys.size and 2 * progress[1] < slots.size:
        unpack(keys[progress[0]], shape, numbers)
        for draw in range(draws.shape[1]):
            card = draws[numbers[shape[PLAYERS]], draw, CARD]
            if card < 0:
                break
            for player in range(shape[PLAYERS]):
                actions[player] = next_action(shape, owned, numbers, player, -1)
            more = int64(1)
            while more:
                act(shape, after, outcomes, numbers, actions, card, then)
                if not all_out(shape, owned, then):
                    sort_with_ranks(shape, then, ranks)
                    key = pack(shape, then, draws[numbers[shape[PLAYERS]], draw, SEEN_AFTER])
                    slot = slot_of(slots, key)
                    progress[1] += int64(slots[slot] == EMPTY)
                    slots[slot] = key
                more = next_joint_action(shape, owned, numbers, actions)
        progress[0] += 1


def check_key_bits(positions: Positions, draws: list[Draws]) -> None:
    """Raise UsageError unless a state's positions and set of cards seen fit into a key."""
    variant, shape = positions.variant, shape_of(positions)
    sets = max(len(one.masks) for one in draws)
    if variant.players * shape[BITS] + sets.bit_length() > KEY_BITS:
        raise UsageError(
            f"{len(positions.words):,} positions of each of {variant.players} players and {sets:,} "
            "sets of cards make too many states; take fewer rounds, cards or bags"
        )


def first_key(positions: Positions, draws: list[Draws]) -> Keys:
    """Return the key of the state before the first round, uint64[1].

    Raises
    ------
    UsageError
        If the states of the variant do not fit their keys.
    """
    variant, shape = positions.variant, shape_of(positions)
    check_key_bits(positions, draws)
    start = int(np.searchsorted(positions.words, variant.facts()[rules.START]))
    numbers = np.full(variant.players, start, np.int64)
    return np.array([pack(shape, numbers, 0)], np.uint64)


def keys_after(
    expand: Callable[..., None], given: tuple[Any, ...], most_states: int, turn: int, variant: Rules
) -> Keys:
    """Return the keys of the states that follow on others, ascending.

    Parameters
    ----------
    expand : callable
        A kernel such as `_expand` that puts keys into slots until half of them are taken.
    given : tuple
        What it takes before slots and progress; the keys to expand come first.
    most_states : int
        More are refused.
    turn : int
        Rounds that have been played in what follows.
    variant : Rules

    Raises
    ------
    UsageError
        If there are more than `most_states`.
    """
    slots, progress = empty_slots(1), np.zeros(2, np.int64)
    while True:
        expand(*given, slots, progress)
        if progress[1] > most_states:
            raise UsageError(
                f"there are more than {most_states:,} states after {turn} of {variant.rounds} "
                "rounds, more than fit into the memory allowed; take fewer rounds, cards or bags"
            )
        if progress[0] == len(given[0]):
            return np.asarray(np.sort(slots[slots != EMPTY]), np.uint64)
        slots = grown(slots)


def sorted_layers(positions: Positions, most_states: int) -> Iterator[Layer]:
    """Yield the layer before every round, states sorted by players.

    Raises
    ------
    UsageError
        If the states do not fit their keys, or a layer has more than `most_states`.
    """
    draws = draws_of(positions.variant)
    yield from layers_from(positions, draws, first_key(positions, draws), most_states)


def layers_from(
    positions: Positions, draws: list[Draws], keys: Keys, most_states: int
) -> Iterator[Layer]:
    """Yield the layer of some states and, for every round after, that of those which follow.

    Parameters
    ----------
    positions : Positions
    draws : list of Draws
        Of the round that comes and of all after it.
    keys : uint64[states]
        States sorted by players; ascending.
    most_states : int
        More of one round are refused.

    Raises
    ------
    UsageError
        If a layer has more than `most_states`.
    """
    variant = positions.variant
    tables = (shape_of(positions), positions.after, positions.owned, positions.outcomes)
    for turn, drawn in enumerate(draws, variant.rounds - len(draws) + 1):
        yield Layer(drawn, keys)
        if turn < variant.rounds:
            keys = keys_after(_expand, (keys, drawn.table, *tables), most_states, turn, variant)
