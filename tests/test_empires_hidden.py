"""Eggs and Empires, ruling R-E19: who knows what, and that an observation tells nothing else.

Most tests play two games that differ in one hidden thing alone, and ask who sees a difference.
"""

from typing import Any

import pytest

from empires import State
from tests.empires_table import (
    FACE_DOWN,
    choose,
    events,
    finish,
    hands,
    keep_hands,
    offer,
    owned,
    redraw,
    send,
    table,
    turn,
    turns,
)


def who_sees(one: State, other: State) -> set[int]:
    """Return the seats that can tell two states apart."""
    assert (one.phase, one.round, one.turn) == (other.phase, other.round, other.turn)
    seats = set()
    for seat in range(one.rules.players):
        if one.information_state_string(seat) != other.information_state_string(seat):
            seats.add(seat)
        else:
            assert one.observation(seat) == other.observation(seat)
    return seats


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_r_e19_a_hand_is_known_to_its_owner_alone(seat: int, keep: bool) -> None:
    decks = [[(1, 2, 3)] * 3, [(1, 2, 3)] * 3]
    decks[1][seat] = (1, 2, 4)
    one, other = (table(*series, keep=keep) for series in decks)
    assert who_sees(one, other) == {seat}
    assert who_sees(turn(one, 1, 2, 1), turn(other, 1, 2, 1)) == {seat}
    assert one.observation((seat + 1) % 3).unplayed(seat) == tuple(
        number for number in range(1, 11) if number != (2 if seat == 1 else 1)
    )


def test_r_e19_no_deck_is_known_to_anybody() -> None:
    for third in (1, 11):  # turned up in the second turn
        one, other = (table((10,), eggs=eggs) for eggs in ((13, 12), (13, 12, third)))
        assert who_sees(one, other) == set()
        assert who_sees(turn(one, 10, 1, 2), turn(other, 10, 1, 2)) == {0, 1, 2}
    one, other = (table((10, 9, 8, 7, fifth)) for fifth in (6, 5))
    assert who_sees(one, other) == set()
    assert who_sees(turn(one, 10, 1, 2), turn(other, 10, 1, 2)) == set()
    assert who_sees(turn(one, 9, 2, 1), turn(other, 9, 2, 1)) == {0}  # now it is drawn


def test_r_e19_who_took_a_mulligan_is_public_and_neither_hand_is() -> None:
    one, other = (table((), (4, 5, 6, *new), keep=False) for new in ((7, 8, 9), (7, 8, 10)))
    assert who_sees(redraw(one, 1), redraw(other, 1)) == {1}
    assert [one.observation(viewer).mulligans for viewer in range(3)] == [(1,)] * 3
    assert [event[1:] for event in events(one, "mulligan", 2)] == [(0, 0), (1, 1), (2, 0)]
    piles = [None, (1, 2, 3, 4, 5, 6, 10), None]
    one, other = (
        table((), (*old, 7, 8, 9), keep=False, reshuffle=piles) for old in ((4, 5, 6), (1, 2, 3))
    )
    assert who_sees(redraw(one, 1), redraw(other, 1)) == {1}  # who remembers the old hand
    assert [event[2] for event in events(one, "old_hand", 1)] == [(4, 5, 6)]
    assert [event[2] for event in events(one, "old_hand", 2)] == [None]
    assert hands(one) == hands(other)


def test_r_e19_cards_and_face_up_eggs_are_public() -> None:
    state = turns(table((10, 5), (9, 4), (8, 3), eggs=(13, -6, 4, 7)), (10, 9, 8))
    choose(send(state, 5, 4, 3), 7, 4, None)
    for viewer in range(3):
        seen = state.observation(viewer)
        assert [seen.played(seat) for seat in range(3)] == [(5, 10), (4, 9), (3, 8)]
        assert [[egg.value for egg in seen.owned(seat)] for seat in range(3)] == [
            [13, 7],
            [-6, 4],
            [],
        ]
        assert [seen.points(seat) for seat in range(3)] == [20, -2, -4]
        assert {place: seen.known()[place] for place in range(4)} == {0: 13, 1: -6, 2: 4, 3: 7}


def test_r_e19_choices_are_seen_when_they_are_made() -> None:
    state = send(table((4,), (3,), (1,), eggs=(13, -6)), 4, 3, 1)
    for value, left in ((-6, [13]), (13, [])):
        choose(state, value)
        if left:
            assert [offer(state, viewer) for viewer in range(3)] == [left] * 3
        assert [events(state, "take", viewer)[-1][3] for viewer in range(3)] == [value] * 3
    finish(choose(state, 2))
    for viewer in range(3):
        assert events(state, "gift", viewer) == [(0, 2, 1)]
        assert [egg.value for egg in state.observation(viewer).owned(2)] == [-6]


#: What becomes of an egg X that seat 3 laid face down: cards, choices, who owns it, who knows it.
FATES: dict[str, tuple[Any, Any, int | None, set[int]]] = {
    "taken by a Hero": ((3, 10, 4, 1), (FACE_DOWN, 5, 4, None), 1, {1, 3}),
    "taken by a Mage": ((7, 3, 4, 1), (FACE_DOWN,), 0, {0, 3}),
    "taken by its Scout's owner": ((3, 4, 3, 10), (FACE_DOWN,), 3, {3}),
    "kept by a Courier": ((3, 3, 4, 1), (FACE_DOWN, 5, 4, None), 2, {2, 3}),
    "given by a Courier": ((3, 3, 4, 1), (FACE_DOWN, 5, 4, 0), 0, {0, 2, 3}),
    "given to its Scout's owner": ((3, 3, 4, 1), (FACE_DOWN, 5, 4, 3), 3, {2, 3}),
    "kept by a Priest": ((3, 3, 6, 1), (FACE_DOWN, 5, 4, None), 2, {2, 3}),
    "discarded by a Priest": ((3, 3, 6, 1), (FACE_DOWN, 5, 4, "X"), None, {0, 1, 2, 3}),
    "given and discarded": ((6, 3, 4, 1), (5, FACE_DOWN, 4, 0, "X"), None, {0, 1, 2, 3}),
    "unclaimed": ((9, 9, 4, 3), (5, 4, None), None, {3}),
}


def _scouted(value: int, sent: Any = (), choices: Any = ()) -> State:
    """Return a game in which seat 3 laid an egg X of a value at place 4, and one turn with it."""
    firsts = (10, 8, 1, 2)
    rest = sent or (3, 3, 4, 1)
    series = [(first, number) for first, number in zip(firsts, rest, strict=True)]
    state = turn(table(*series, players=4, eggs=(13, 12, 5, 4, value, 1, 2, 3)), *firsts)
    if sent:
        turn(state, *sent, choices=[value if c == "X" else c for c in choices])
    return state


def test_r_e19_a_face_down_egg_is_known_to_its_scout_alone() -> None:
    one, other = _scouted(11), _scouted(-9)
    assert who_sees(one, other) == {3}
    assert [offer(one, viewer) for viewer in range(4)] == [[5, 4, None]] * 3 + [[5, 4, 11]]
    for viewer in range(4):
        assert [one.observation(viewer).scout_of(place) for place in (2, 3, 4)] == [None, None, 3]
    for state in (one, other):
        send(state, 3, 3, 4, 1)
    assert who_sees(one, other) == {3}  # also while eggs are chosen


@pytest.mark.parametrize("fate", FATES)
@pytest.mark.parametrize("value", [11, -9])
def test_r_e19_what_becomes_of_a_face_down_egg(fate: str, value: int) -> None:
    sent, choices, owner, knowers = FATES[fate]
    state = _scouted(value, sent, choices)
    assert who_sees(state, _scouted(2 - value, sent, choices)) == knowers
    for viewer in range(4):
        seen = state.observation(viewer)
        knows = viewer in knowers
        assert seen.known().get(4) == (value if knows else None)
        assert seen.unseen().get(value, 0) == (0 if knows else 1)
        for seat in range(4):
            assert (4 in [egg.place for egg in seen.owned(seat)]) == (seat == owner)
        if owner is not None:
            values = dict(seen.owned(owner))
            assert values.pop(4) == (value if knows else None)
            open_points = sum(v for v in values.values() if v is not None)
            assert seen.points(owner) == open_points + (value if knows else 0)


def test_r_e19_a_round_s_points_are_public_when_it_is_over() -> None:
    series = [(10, 7), (9, 6), (2, 5)]
    state = table(*series, eggs=(13, 12, -2, -3, 11, 4, 5, -4, -5), turns=3, rounds=2)
    turns(state, (10, 9, 2))
    finish(choose(send(state, 7, 6, 5), FACE_DOWN))
    assert owned(state, 0) == [13, 11]
    assert [state.observation(viewer).points(0) for viewer in range(3)] == [24, 13, 24]
    finish(send(state, *(hand[0] for hand in hands(state))))
    keep_hands(state)
    assert state.round == 1
    public = [[state.observation(v).total(seat) for seat in range(3)] for v in range(3)]
    assert public == [state.scores()] * 3


def test_r_e19_an_observation_cannot_be_changed_and_knows_its_seat() -> None:
    state = table()
    for seat in range(3):
        assert state.observation(seat).player == seat
    with pytest.raises(AttributeError, match="cannot be changed"):
        state.observation(0).player = 1
    for bad in (-1, 3):
        with pytest.raises(ValueError, match=f"there is no player {bad}"):
            state.observation(bad)
