"""The naive twin and the game agree event by event; `tests/full/empires_twin.py` plays more."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empires import Game, Rules
from tests.empires_twin import comparable, follow, told, twin_playthrough
from tests.sizes import size

VARIANTS: dict[str, dict[str, Any]] = {
    "two players": {"players": 2},
    "three players": {"players": 3},
    "four players": {"players": 4},
    "five players": {"players": 5},
    "six players": {"players": 6},
    "con pub": {"con_pub": True},
    "con pub, two players": {"players": 2, "con_pub": True},
    "con pub, six players": {"players": 6, "con_pub": True},
    "blacksmith waits": {"shepherd": "blacksmith_waits"},
    "blacksmith waits, two players": {"players": 2, "shepherd": "blacksmith_waits"},
    "mulligan in the first round": {"mulligan": "first_round"},
    "no mulligan": {"mulligan": "off"},
    "harsher deck": {"deck": "harsher", "players": 6},
    "one deck each, two players": {"players": 2, "decks": 1},
    "short deck": {"deck": (3, -2, 5, 0, -7, 1), "turns": 4, "rounds": 2},
    "few cards": {
        "adventurers": (2, 4, 6, 7, 8), "hand": 2, "turns": 4, "rounds": 2,
        "deck": tuple(range(-5, 7)),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", VARIANTS)
def test_twin_and_state_agree_event_by_event(name: str) -> None:
    variant = Rules(**VARIANTS[name])
    game = Game(variant)
    for seed in range(size(25, 2)):
        orders, records, events, outcome = twin_playthrough(variant, seed)
        state = follow(game, orders, records)
        assert comparable(state.history())[:-1] == told(events, variant.turns)[:-1], seed
        assert state.scores() == outcome["totals"], seed
        assert state.returns() == [float(share) for share in outcome["shares"]], seed


def _rules(draw: Any) -> Rules:
    """Draw rules of any kind."""
    players = draw(st.integers(2, 6))
    decks = draw(st.sampled_from((1, 2))) if players == 2 else 1
    adventurers = tuple(draw(st.sets(st.integers(1, 10), min_size=3, max_size=10)))
    cards = len(adventurers) * decks
    hand = draw(st.integers(1 if decks == 1 else 3, cards))
    turns = draw(st.integers(1, (cards - (1 if decks == 1 else 3)) // decks + 1))
    mulligans = ("every_round", "first_round", "off") if cards >= 2 * hand else ("off",)
    return Rules(
        players=players,
        deck=tuple(draw(st.lists(st.integers(-99, 99), min_size=1, max_size=64))),
        adventurers=adventurers,
        turns=turns,
        rounds=draw(st.integers(1, 3)),
        decks=decks,
        hand=hand,
        revealed=draw(st.integers(1, 4)),
        mulligan=draw(st.sampled_from(mulligans)),
        shepherd=draw(st.sampled_from(("shepherd_first", "blacksmith_waits"))),
        con_pub=draw(st.booleans()),
    )


@given(st.data(), st.integers(0, 2**32))
def test_twin_and_state_agree_under_any_rules(data: Any, seed: int) -> None:
    variant = _rules(data.draw)
    orders, records, events, outcome = twin_playthrough(variant, seed)
    state = follow(Game(variant), orders, records)
    assert comparable(state.history())[:-1] == told(events, variant.turns)[:-1]
    assert state.scores() == outcome["totals"]
    assert state.returns() == [float(share) for share in outcome["shares"]]
