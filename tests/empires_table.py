"""Sit down to Eggs and Empires in a test: say what comes up, and play cards and eggs by name.

A series is what a seat draws, in this order; so it can also be played in this order.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from empires import Game, Rules, State
from empires.actions import (
    DISCARD_NOTHING,
    FIRST_DISCARD,
    FIRST_EGG,
    FIRST_GIFT,
    KEEP_EGG,
    KEEP_HAND,
    REDRAW,
    TAKE_NOTHING,
    send_action,
)

FACE_DOWN = "face down"  # the first egg on offer that lies face down


def table(
    *series: Sequence[int],
    eggs: Sequence[Any] = (),
    reshuffle: Sequence[Any] | None = None,
    holder: int | None = None,
    keep: bool = True,
    **changes: Any,
) -> State:
    """Return a playthrough with each seat's series on its deck, and all hands kept.

    `eggs` are on the egg deck in every round, or of each round its own, the last one's from there
    on; `reshuffle` holds for each seat its pile after a mulligan, in every round.
    """
    rules = Rules(**changes)
    by_round = list(eggs) if eggs and not isinstance(eggs[0], int) else [eggs]
    by_round += [by_round[-1]] * (rules.max_rounds - len(by_round))
    cards = rules.adventurers * rules.cards_a_turn
    decks = [_topped(one, cards) for one in [*series, *[()] * rules.players][: rules.players]]
    state = Game(rules).new_initial_state(
        egg_decks=[_topped(one, rules.eggs) for one in by_round[: rules.max_rounds]],
        empire_decks=[decks] * rules.max_rounds,
        reshuffle=None if reshuffle is None else [reshuffle] * rules.max_rounds,
        holder=holder,
    )
    return keep_hands(state) if keep else state


def _topped(first: Sequence[int], items: Sequence[int]) -> list[int]:
    """Return all items: these first, the others ascending."""
    return [*first, *sorted((Counter(items) - Counter(first)).elements())]


def open_table(**changes: Any) -> State:
    """Return a playthrough with open draws, all hands kept, before the marker's first holder."""
    state = Game(Rules(**changes)).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    return keep_hands(state)


def keep_hands(state: State) -> State:
    """Let all keep their hands, if it is time for mulligans."""
    return redraw(state) if state.phase == "mulligan" else state


def redraw(state: State, *seats: int) -> State:
    """Let these seats take a mulligan, and the others keep their hands."""
    players = range(state.rules.players)
    state.apply_actions([REDRAW if seat in seats else KEEP_HAND for seat in players])
    return state


def send(state: State, *sent: Any) -> State:
    """Reveal cards, seat by seat: a number, or two of them."""
    keep_hands(state)
    pairs = [(one,) if isinstance(one, int) else tuple(sorted(one)) for one in sent]
    state.apply_actions([send_action(pair) for pair in pairs])
    return state


def choose(state: State, *choices: Any) -> State:
    """Make choices, each by whose turn it is; None for nothing.

    A pick is an egg's value, or FACE_DOWN; a gift the seat that gets it; a discard a value.
    """
    for choice in choices:
        seat = state.deciders()[0]
        act(state, seat, _action(state, seat, choice))
    return state


def act(state: State, seat: int, action: int) -> State:
    """Carry out the action of the one seat that decides."""
    players = range(state.rules.players)
    state.apply_actions([action if player == seat else None for player in players])
    return state


def _action(state: State, seat: int, choice: Any) -> int:
    seen = state.observation(seat)
    if state.phase == "pick":
        if choice is None:
            return TAKE_NOTHING
        if choice == FACE_DOWN:
            return FIRST_EGG + next(egg.place for egg in seen.offer if seen.is_face_down(egg.place))
        return FIRST_EGG + next(egg.place for egg in seen.offer if egg.value == choice)
    if state.phase == "gift":
        return KEEP_EGG if choice is None else FIRST_GIFT + choice
    assert state.phase == "discard"
    if choice is None:
        return DISCARD_NOTHING
    return FIRST_DISCARD + next(egg.place for egg in seen.owned() if egg.value == choice)


def finish(state: State) -> State:
    """Finish the turn: eggs are taken in the order of their places, powers are not used."""
    while state.phase in ("pick", "gift", "discard"):
        seat = state.deciders()[0]
        act(state, seat, state.legal_actions(seat)[0])
    return state


def turn(state: State, *sent: Any, choices: Sequence[Any] = ()) -> State:
    """Play one turn: reveal cards, make choices, and finish it."""
    return finish(choose(send(state, *sent), *choices))


def turns(state: State, *joint: Sequence[Any]) -> State:
    """Play some turns, all decisions but the cards as in `finish`."""
    for sent in joint:
        turn(state, *sent)
    return state


def play_on(state: State, chosen: Callable[[list[int]], int] = min) -> State:
    """Play to the end; `chosen` picks from the legal actions, by default the first."""
    while not state.is_terminal():
        legal = [state.legal_actions(player) for player in range(state.rules.players)]
        state.apply_actions([chosen(actions) if actions else None for actions in legal])
    return state


def events(state: State, kind: str, player: int | None = None) -> list[tuple[Any, ...]]:
    """Return what happened of one kind, without the kind."""
    return [event[1:] for event in state.history(player) if event[0] == kind]


def takes(state: State) -> list[tuple[int, int, int]]:
    """Return who took what in the turn that was played last: seat, card, the egg's value."""
    happened = state.history()
    last = max(i for i, event in enumerate(happened) if event[0] == "cards")
    return [(e[1], e[2], e[4]) for e in happened[last:] if e[0] == "take"]


def hands(state: State) -> list[tuple[int, ...]]:
    """Return every seat's hand."""
    return [state.observation(seat).hand for seat in range(state.rules.players)]


def owned(state: State, seat: int) -> list[int | None]:
    """Return the values of a seat's eggs, as it knows them, in the order of their places."""
    return [egg.value for egg in state.observation(seat).owned()]


def offer(state: State, viewer: int = 0) -> list[int | None]:
    """Return the values of the eggs on offer, as a seat knows them."""
    return [egg.value for egg in state.observation(viewer).offer]


def totals(state: State) -> list[int]:
    """Return every seat's points of the rounds that are over."""
    return [state.observation(0).total(seat) for seat in range(state.rules.players)]


def tokens(state: State) -> list[int]:
    """Return every seat's egg tokens."""
    return [state.observation(0).tokens(seat) for seat in range(state.rules.players)]
