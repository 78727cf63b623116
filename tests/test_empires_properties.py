"""What holds in every playthrough of Eggs and Empires, whatever the rules and whoever plays."""

import random
from collections import Counter
from typing import Any

import pytest

from empires import Game
from tests.empires_variants import EMPIRES_VARIANTS
from tests.seats import moved_action, moved_state
from tests.sizes import size


def joint_action(state: Any, rng: random.Random) -> list[int | None]:
    """Return a random legal joint action."""
    legal = [state.legal_actions(seat) for seat in range(state.rules.players)]
    return [rng.choice(actions) if actions else None for actions in legal]


def check_cards(state: Any) -> None:
    """Every Empire card of every player is in the hand, the pile, or played this round."""
    position, variant = state._position, state.rules
    deck = Counter(variant.adventurers * variant.cards_a_turn)
    for seat in range(variant.players):
        where = (position.hands[seat], position.piles[seat], position.played[seat])
        assert Counter(card for cards in where for card in cards) == deck


def check_eggs(state: Any) -> None:
    """Every egg that was drawn this round is before one player, on offer, or discarded."""
    position, variant = state._position, state.rules
    assert not Counter(position.eggs) - Counter(variant.eggs)
    ends = [place for place, event in enumerate(state.history()) if event[0] == "round"]
    places = [place for owned in position.owned for place in owned]
    base = position.base
    places += [base + w for w in range(position.offered) if position.left >> w & 1]
    for event in state.history()[ends[-1] if ends else 0 :]:
        if event[0] == "unclaimed":
            places += event[1]
        elif event[0] == "priest" and event[2] is not None:
            places.append(event[2])
    assert sorted(places) == list(range(len(position.eggs)))


@pytest.mark.parametrize("name", EMPIRES_VARIANTS)
def test_no_card_and_no_egg_is_lost_or_there_twice(name: str) -> None:
    game = Game(EMPIRES_VARIANTS[name])
    for seed in range(size(20, 3)):
        rng, state = random.Random(seed), game.new_initial_state(seed=seed)
        while not state.is_terminal():
            check_cards(state)
            check_eggs(state)
            state.apply_actions(joint_action(state, rng))


@pytest.mark.parametrize("name", EMPIRES_VARIANTS)
def test_seats_that_move_on_by_one_take_their_scores_along(name: str) -> None:
    """Orders and actions moved with them; every decision comes up for the moved seat."""
    game = Game(EMPIRES_VARIANTS[name])
    players = game.num_players
    for seed in range(size(60, 3)):
        rng, state = random.Random(seed), game.new_initial_state(seed=seed)
        moved = moved_state(game, state)
        while not state.is_terminal():
            assert moved.phase == state.phase
            for seat in range(players):
                legal = sorted(moved_action(game, a) or 0 for a in state.legal_actions(seat))
                assert moved.legal_actions((seat + 1) % players) == legal
            joint = joint_action(state, rng)
            state.apply_actions(joint)
            moved.apply_actions([moved_action(game, joint[seat - 1]) for seat in range(players)])
        assert moved.scores() == [state.scores()[seat - 1] for seat in range(players)]
        assert moved.returns() == [state.returns()[seat - 1] for seat in range(players)]
