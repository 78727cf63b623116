"""Players of Eggs and Empires whom one meets at a table, each made of one idea."""

from typing import Any

from numpy import float32, uint32

from empires import BLACKSMITH, MERCHANT, compiled_agent, inlined, is_legal
from empires.rules import MAX_NUMBER, MAX_PLAYERS, TWICE
from empires.sensible import add_rival, best_eggs, expected, six_floats
from simulator.words import ones_in

_ALL_CARDS = uint32(0x3FF)


@inlined
def unplayed_above(played: Any, number: Any, decks: Any) -> Any:
    """Return the part of a player's unplayed cards that have a higher number, or 0 if none is left.

    `played` is a set of cards as in an observation; with two decks each number is there twice.
    """
    second = _ALL_CARDS if decks == uint32(2) else uint32(0)
    once = uint32(_ALL_CARDS & ~uint32(played))
    twice = uint32(second & ~uint32(played >> uint32(TWICE)))
    # a number played once of two is still there: its first bit is set, its second is not
    left = uint32(ones_in(once) + ones_in(twice))
    above = uint32(
        ones_in(uint32(once >> uint32(number))) + ones_in(uint32(twice >> uint32(number)))
    )
    return float32(float32(above) / float32(max(left, uint32(1))))


@inlined
def chances_of(observation: Any, number: Any, chances: Any) -> None:
    """Fill float32[6] with the chances that 0, 1, ... cards collect before a card of one's own.

    From the cards that the others have not played yet, each as likely.
    """
    chances[0] = float32(1.0)
    for player in range(1, MAX_PLAYERS):
        above = unplayed_above(observation.played[player], number, observation.decks)
        plays = uint32(player) < observation.players
        add_rival(chances, above if plays else float32(0.0))
        add_rival(chances, above if plays and observation.decks == uint32(2) else float32(0.0))


@compiled_agent(fast=True)
def counter(observation: Any, values: Any) -> Any:
    """Counts cards: plays what is expected to bring most against what the others still have.

    Tests what memory is worth: it decides as greedy does, but knows which high cards are gone.
    """
    best = six_floats()
    best_eggs(observation, values, best)
    chosen, most = uint32(0), float32(-10000.0)
    for number in range(1, MAX_NUMBER + 1):
        if is_legal(observation, number) == uint32(0):
            continue
        chances = six_floats()
        chances_of(observation, uint32(number), chances)
        points = expected(number, best, chances)
        better = points > most
        chosen = uint32(number) if better else chosen
        most = points if better else most
    return chosen


@compiled_agent(fast=True)
def dodger(observation: Any, values: Any) -> Any:
    """Tries not to collect: plays whatever goes without an egg most likely, Merchants above all.

    Tests what staying away is worth: its points are Merchants, and bad eggs that others get.
    """
    eggs = observation.offered
    chosen, most = uint32(0), float32(-10000.0)
    for number in range(1, MAX_NUMBER + 1):
        if is_legal(observation, number) == uint32(0):
            continue
        chances = six_floats()
        chances_of(observation, uint32(number), chances)
        without = float32(0.0)
        for place in range(MAX_PLAYERS):
            empty = chances[place] if uint32(place) >= eggs else float32(0.0)
            without = float32(without + empty)
        joy = float32(6.0) if number == MERCHANT else float32(1.0)
        joy = float32(-4.0) if number == BLACKSMITH else joy
        points = float32(without * joy)
        better = points > most
        chosen = uint32(number) if better else chosen
        most = points if better else most
    return chosen
