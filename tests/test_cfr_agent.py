"""Regret minimisation on an abstraction: buckets, convergence where it can be told, resuming."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ostrich
from agents import make_agent
from agents.abstraction.buckets import PARTS, bucketing_of, list_buckets, radix_of
from agents.abstraction.sampling import find_slot
from agents.abstraction.training import CfrPlan, CfrTrainer
from agents.cfr import from_policy
from agents.solvers.ostrich_gain import deviation_gains
from simulator.inputs import UsageError
from simulator.stored import read_stored, write_stored
from tests.lookahead_states import decisions_at

pytestmark = pytest.mark.compiled_only
VARIANT = ostrich.Rules()
SMALL = ostrich.Rules(bags=(2, 3), deck=(0, 4, 5, 6), removed=0, rounds=3)


def buckets_at(turn: int, parts: tuple[str, ...], count: int = 400) -> tuple[Any, Any]:
    """Return the buckets of some decisions, and what is legal in them."""
    positions, card, seen = decisions_at(turn, count)
    buckets, legal = np.empty(len(card), np.int64), np.zeros((len(card), VARIANT.num_actions))
    list_buckets(bucketing_of(VARIANT, parts), positions, card, seen, turn, buckets, legal)
    return buckets, legal


@pytest.mark.parametrize("turn", [1, 5, 9])
def test_a_bucket_tells_which_claims_are_legal(turn: int) -> None:
    buckets, legal = buckets_at(turn, ())
    for bucket in np.unique(buckets):
        assert len(np.unique(legal[buckets == bucket], axis=0)) == 1


def test_each_part_makes_buckets_finer_and_coarse_ones_are_a_division_away() -> None:
    coarse, _ = buckets_at(4, ())
    for parts in (PARTS, *[(part,) for part in PARTS]):
        fine, _ = buckets_at(4, parts)
        assert (fine // radix_of(parts) == coarse).all()
        if parts != ("round",):  # all of these are of one round
            assert len(np.unique(fine)) > len(np.unique(coarse))


def test_the_others_change_places_without_a_difference() -> None:
    positions, card, seen = decisions_at(6, 300)
    buckets, legal = np.empty((2, len(card)), np.int64), np.zeros((len(card), 5))
    for row, seats in enumerate(([0, 1, 2], [0, 2, 1])):
        words = np.ascontiguousarray(positions[seats])
        list_buckets(bucketing_of(VARIANT, PARTS), words, card, seen, 6, buckets[row], legal)
    assert (buckets[0] == buckets[1]).all()


def test_slots_are_found_again() -> None:
    table = np.full(64, -1, np.int64)
    numbers = np.random.default_rng(1).integers(0, 2**40, 50)
    for number in numbers:
        table[find_slot(table, number)] = number
    for number in numbers:
        assert table[find_slot(table, number)] == number


def trained(iterations: int, seed: int = 1) -> Any:
    """Return the agent after some games on the small variant."""
    game = ostrich.Game(SMALL)
    trainer = CfrTrainer(game, CfrPlan(iterations, seed))
    for _ in trainer.run(1):
        pass
    return make_agent(from_policy(game, *trainer.policy()), game)


def test_more_games_make_it_less_exploitable() -> None:
    """Exactly measured; the abstraction bounds how far it comes."""
    game = ostrich.Game(SMALL)
    gains = [deviation_gains(game, [trained(n)] * 3).gains.mean() for n in (30, 100_000)]
    assert gains[1] < 0.6 * gains[0]
    assert gains[1] < 0.15
    uniform = deviation_gains(game, [make_agent("random", game)] * 3).gains.mean()
    assert gains[1] < 0.6 * uniform


def test_a_run_that_is_cut_ends_in_the_same_bytes(tmp_path: Path) -> None:
    game, ends = ostrich.Game(SMALL), []
    for cuts in ((), (3,), (0, 17)):
        trainer = CfrTrainer(game, CfrPlan(500, 4))
        for cut in (*cuts, 10**9):
            for number, _ in enumerate(trainer.run(1)):
                if number == cut:
                    break
            write_stored(tmp_path / "c.npz", "test", *trainer.checkpoint())
            trainer = CfrTrainer(game, CfrPlan(500, 4))
            trainer.restore(*read_stored(tmp_path / "c.npz", "test"))
        header, arrays = trainer.policy()
        write_stored(tmp_path / "p.npz", "test", header, arrays)
        ends.append((tmp_path / "p.npz").read_bytes())
    assert ends[0] == ends[1] == ends[2]
    assert len(ends[0]) > 1000


def test_seeds_matter() -> None:
    one, other = trained(200, 1), trained(200, 2)
    state = ostrich.Game(SMALL).new_initial_state(seed=1, index=0)
    observation = state.observation(0)
    assert (one.policy(observation) != other.policy(observation)).any()


def test_decisions_that_it_never_met_are_played_by_one_s_own_position_or_evenly() -> None:
    game = ostrich.Game(SMALL)
    trainer = CfrTrainer(game, CfrPlan(1, 1))
    for _ in trainer.run(1):
        pass
    agent = make_agent(from_policy(game, *trainer.policy()), game)
    for index in range(20):
        observation = game.new_initial_state(seed=2, index=index).observation(1)
        policy = agent.policy(observation)
        assert policy.sum() == pytest.approx(1)
        assert set(np.flatnonzero(policy)) <= set(observation.legal_actions)


@pytest.mark.parametrize("players", [2, 4])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(UsageError, match=f"trained for 3 players, not {players}"):
        CfrTrainer(ostrich.Game(ostrich.Rules(players=players)), CfrPlan(10))
