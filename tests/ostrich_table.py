"""Sit down to Ostrich in a test: name the cards that come up, and play claims as one says them."""

from collections import Counter
from typing import Any

import ostrich
from ostrich import State


def table(*cards: int, **changes: Any) -> State:
    """Return a playthrough whose first cards are these; `changes` are those to the rules."""
    rules = ostrich.Rules(**changes)
    rest = (Counter(rules.deck) - Counter(cards)).elements()
    deck = [*cards, *rest][: max(rules.rounds, len(cards))]
    return ostrich.Game(rules).new_initial_state(deck=deck)


def names(state: State) -> list[Any]:
    """Return what actions are called: the bags' sizes, then "skip"."""
    return [*state.observation(0).rules.bags, "skip"]


def claim(state: State, *claims: Any) -> State:
    """Play one round: for each seat a bag's size, "skip", or None for a player who is out."""
    called = names(state)
    state.apply_actions([None if c is None else called.index(c) for c in claims])
    return state


def rounds(state: State, *joint_claims: Any) -> State:
    """Play some rounds; a claim that is no tuple is made by all players."""
    for claims in joint_claims:
        players = state.observation(0).rules.players
        claim(state, *(claims if isinstance(claims, tuple) else [claims] * players))
    return state


def hand(state: State, player: int) -> list[Any]:
    """Return the claims that a player may make."""
    return [names(state)[action] for action in state.legal_actions(player)]


def bags(state: State, player: int) -> dict[int, Any]:
    """Return the eggs in each bag by its size, None in a broken one."""
    observation = state.observation(player)
    return dict(zip(observation.rules.bags, observation.bags(), strict=True))


def ambers(state: State, player: int) -> int:
    """Return a player's ambers."""
    return state.observation(player).ambers()


def play_on(state: State) -> State:
    """Play to the end, every player always the first legal action."""
    while not state.is_terminal():
        seats = range(state.observation(0).rules.players)
        state.apply_actions([(state.legal_actions(p) or [None])[0] for p in seats])
    return state


def cautious(state: State) -> State:
    """Play one round, every player the last legal action: skip, else the largest bag."""
    return claim(state, *((hand(state, p) or [None])[-1] for p in range(len(state.scores()))))
