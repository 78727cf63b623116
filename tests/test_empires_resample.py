"""`resample`: every draw agrees with what the seat knows, and each is as likely as any other."""

from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from empires import Game, Rules, State
from simulator.randomness import DecisionRandom
from tests.empires_variants import EMPIRES_VARIANTS
from tests.sizes import size
from tests.test_empires_redeal import positions


def whole(state: State, game: Game) -> None:
    """Check that no card or egg is there twice, and none is missing."""
    cards = Counter(game.rules.adventurers * game.rules.cards_a_turn)
    for seat in range(game.num_players):
        there = Counter(state._position.hands[seat]) + Counter(state._position.piles[seat])
        assert there + Counter(state._position.played[seat]) == cards
    assert state.orders is not None
    for deck in state.orders.egg_decks:
        assert sorted(deck) == list(game.rules.eggs)
    for decks in state.orders.empire_decks[state.round + 1 :]:
        assert all(Counter(deck) == cards for deck in decks)


@pytest.mark.parametrize("name", EMPIRES_VARIANTS)
def test_every_draw_is_consistent_and_can_be_played_to_the_end(name: str) -> None:
    game = Game(EMPIRES_VARIANTS[name])
    for state, seat, rng in positions(game, 8, size(15, 4)):
        seen = state.observation(seat)
        drawn = game.resample(seen, rng)
        whole(drawn, game)
        assert drawn.observation(seat) == seen
        assert drawn.legal_actions(seat) == state.legal_actions(seat)
        while not drawn.is_terminal():
            joint: list[int | None] = [None] * game.num_players
            for other in drawn.deciders():
                joint[other] = int(rng.choice(drawn.legal_actions(other)))
            drawn.apply_actions(joint)
        assert sum(drawn.returns()) == pytest.approx(1)


SMALL = Rules(
    players=2, decks=1, adventurers=(1, 4, 7, 9, 10), hand=2, turns=3, rounds=1, revealed=1,
    deck=(3, -2, 5, 8), mulligan="off",
)  # fmt: skip


def test_frequencies_match_enumeration() -> None:
    """Hidden from seat 0 before its second card: the other's hand, two piles, the eggs to come.

    Chi-square over all possibilities; above its 99.9 % point comes with a chance of 0.1 %.
    """
    game = Game(SMALL)
    state = game.new_initial_state(
        egg_decks=[(5, 3, -2, 8)], empire_decks=[[(1, 4, 7, 9, 10), (10, 9, 7, 4, 1)]], holder=0
    )
    state.apply_actions([state.legal_actions(0)[0], state.legal_actions(1)[-1]])
    while state.phase != "card":
        state.apply_actions([(state.legal_actions(s) or [None])[0] for s in (0, 1)])
    seen, draws = state.observation(0), size(15_000, 300)
    found: Counter[Any] = Counter()
    rng = np.random.default_rng(5)
    for _ in range(draws):
        one = game.resample(seen, rng)
        assert one.orders is not None
        hand = tuple(sorted(one._position.hands[1]))
        found[
            hand,
            tuple(one._position.piles[0]),
            tuple(one._position.piles[1]),
            one.orders.egg_decks[0],
        ] += 1
    hands = list(combinations(sorted({1, 4, 7, 9, 10} - set(seen.played(1))), 2))
    unknown_eggs = sum(seen.unseen().values())
    number = len(hands) * 2 * 2 * {2: 2, 3: 6}[unknown_eggs]
    assert len(hands) == comb(4, 2)
    if draws > 10_000:
        assert len(found) == number
        expected = draws / number
        statistic = sum((count - expected) ** 2 / expected for count in found.values())
        assert statistic < chi2.ppf(0.999, number - 1)


def test_takes_the_random_numbers_of_an_agent() -> None:
    game = Game()
    seen = game.new_initial_state(seed=1).observation(0)
    drawn = [game.resample(seen, DecisionRandom(1, 0, 1, 0, 5)) for _ in range(2)]
    assert drawn[0].orders == drawn[1].orders


def test_a_seat_with_nothing_to_decide_is_refused() -> None:
    game = Game()
    state = game.new_initial_state(seed=1)
    state.apply_actions([0] * 3)
    state.apply_actions([state.legal_actions(seat)[0] for seat in range(3)])
    waits = next(seat for seat in range(3) if seat not in state.deciders())
    with pytest.raises(ValueError, match="nothing to decide"):
        game.resample(state.observation(waits), np.random.default_rng(1))
