"""Play the naive twin of Eggs and Empires and the game itself by the same choices, side by side."""

import random
from typing import Any

from empires import Game, Rules, State
from empires.actions import (
    DISCARD_NOTHING,
    FIRST_DISCARD,
    FIRST_EGG,
    FIRST_GIFT,
    KEEP_EGG,
    TAKE_NOTHING,
    send_action,
)
from tests.naive.empires import Options, play, random_game

Record = tuple[int, str, list[Any], Any]


def options_of(variant: Rules) -> Options:
    """Return rules as the twin takes them."""
    return Options(
        variant.players,
        list(variant.eggs),
        variant.adventurers,
        variant.cards_a_turn,
        variant.hand_size,
        variant.turns,
        variant.rounds,
        variant.eggs_a_turn,
        variant.mulligan,
        variant.shepherd,
        variant.con_pub,
    )


def action_of(kind: str, choice: Any) -> int:
    """Return the action that one of the twin's choices is."""
    if kind == "mulligan":
        return int(choice)
    if kind == "card":
        return send_action(choice if isinstance(choice, tuple) else (choice,))
    if kind == "pick":
        return TAKE_NOTHING if choice is None else FIRST_EGG + choice
    if kind == "gift":
        return KEEP_EGG if choice is None else FIRST_GIFT + choice
    return DISCARD_NOTHING if choice is None else FIRST_DISCARD + choice


def twin_playthrough(
    variant: Rules, seed: int
) -> tuple[tuple[Any, ...], list[Record], list[Any], dict[str, Any]]:
    """Play the twin once by random choices; return orders, choices, events and outcome."""
    rng = random.Random(seed)
    orders = random_game(options_of(variant), rng)
    records: list[Record] = []

    def choose(seat: int, kind: str, options: list[Any]) -> Any:
        choice = rng.choice(options)
        records.append((seat, kind, list(options), choice))
        return choice

    events, outcome = play(options_of(variant), *orders, choose)
    return orders, records, events, outcome


def follow(game: Game, orders: tuple[Any, ...], records: list[Record]) -> State:
    """Play the twin's choices; at each decision phase, seats and legal actions must be its own."""
    egg_decks, empire_decks, reshuffle, holder = orders
    state = game.new_initial_state(
        egg_decks=egg_decks, empire_decks=empire_decks, reshuffle=reshuffle, holder=holder
    )
    left = iter(records)
    while not state.is_terminal():
        joint: list[int | None] = [None] * game.num_players
        for player in state.deciders():
            seat, kind, options, choice = next(left)
            assert (seat, kind) == (player, state.phase)
            assert state.legal_actions(seat) == [action_of(kind, option) for option in options]
            joint[seat] = action_of(kind, choice)
        for player in range(game.num_players):
            if joint[player] is None:
                assert state.legal_actions(player) == []
        state.apply_actions(joint)
    assert next(left, None) is None
    return state


def comparable(history: list[Any]) -> list[Any]:
    """Return a state's history without hands that were given back, which the twin does not tell."""
    return [event for event in history if event[0] != "old_hand"]


def told(events: list[Any], turns: int) -> list[Any]:
    """Return events without the twin's draws after a round's last turn, which change nothing."""
    kept, turn = [], 0
    for event in events:
        turn = event[2] if event[0] == "cards" else turn
        if event[0] == "draw" and turn + 1 == turns:
            event = ("draw", event[1], ())
        kept.append(event)
    return kept
