"""Learning: gradients, fits, passes cut and resumed, a responder against what is known exactly."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ostrich
from agents import make_agent
from agents.equilibrium import Equilibrium
from agents.lookahead.exploiting import Exploiter
from agents.lookahead.features import Features
from agents.lookahead.fitting import Fitting, Lessons, add_gradients, rows_of, values_of
from agents.lookahead.learning import Learner, Plan
from agents.lookahead.nets import DEPTH, WIDTH, Net, arrays_of, new_net
from agents.lookahead.responding import NONE, Responder
from agents.lookahead.search import Search
from agents.lookahead.states import branches_of
from agents.solvers.ostrich_gain import deviation_gains
from simulator import simulate
from simulator.inputs import UsageError
from simulator.stored import read_stored, write_stored
from tests.lookahead_states import PUBLISHED, decisions_at, random_states

pytestmark = pytest.mark.compiled_only
#: Three players, small enough for exact gains, large enough to have turns of all kinds.
SMALL = ostrich.Rules(bags=(2, 3, 5), deck=(0, 4, 5, 6, 7), removed=0, rounds=4)
TINY_PLAN = Plan(passes=2, games=400, epochs=2, seed=3)


def lessons(count: int = 200, seed: int = 2) -> Lessons:
    states = random_states()[5]
    shares = np.random.default_rng(seed).dirichlet([1, 1, 1], count).T.astype(np.float32)
    return Lessons(states.positions[:, :count], states.seen[:count], np.ascontiguousarray(shares))


def loss_of(net: Net, some: Lessons, heads: int) -> float:
    """Return the summed cross entropy, in float64 but for the network itself."""
    told = values_of(PUBLISHED, net, some.positions, some.seen, heads).astype(float)
    if heads == 1:
        wanted = some.shares[0]
        return float(-(wanted * np.log(told[0]) + (1 - wanted) * np.log(1 - told[0])).sum())
    return float(-(some.shares * np.log(told)).sum())


@pytest.mark.parametrize("heads", [3, 1])
def test_gradients_are_those_of_the_loss(heads: int) -> None:
    """Along random directions, by differences: to 2 % (the network is float32)."""
    net, some, rng = (
        new_net(PUBLISHED, np.random.default_rng(1)),
        lessons(60),
        np.random.default_rng(4),
    )
    if heads == 1:
        some.shares[1:] = 0
    rows, card_rows = rows_of(PUBLISHED, some.positions, some.seen)
    gradients = tuple(np.zeros_like(array) for array in net.arrays)
    rooms = [np.zeros((3, size), np.float32) for size in (WIDTH, DEPTH + 1, WIDTH)]
    turned, shares = np.ascontiguousarray(net.deep[:WIDTH].T), np.ascontiguousarray(some.shares.T)
    numbers = np.arange(60)
    add_gradients(net.arrays, turned, rows, card_rows, shares, heads, numbers, gradients, *rooms)
    for layer in range(5):
        direction = rng.standard_normal(net.arrays[layer].shape).astype(np.float32)
        direction *= (np.abs(gradients[layer]) > 0) + 0.0
        direction = gradients[layer] / np.sqrt((gradients[layer] ** 2).sum()) + 0.0 * direction
        step = 2e-3
        ahead = [
            *net.arrays[:layer],
            net.arrays[layer] + step * direction,
            *net.arrays[layer + 1 :],
        ]
        behind = [
            *net.arrays[:layer],
            net.arrays[layer] - step * direction,
            *net.arrays[layer + 1 :],
        ]
        slope = (loss_of(Net(*ahead), some, heads) - loss_of(Net(*behind), some, heads)) / (
            2 * step
        )
        wanted = float((gradients[layer] * direction).sum())
        assert slope == pytest.approx(wanted, rel=0.02, abs=0.02)


def test_a_fit_comes_closer_and_does_not_depend_on_threads() -> None:
    net, some = new_net(PUBLISHED, np.random.default_rng(1)), lessons()
    before, found = loss_of(net, some, 3), []
    for threads in (1, 2):
        fitting = Fitting(PUBLISHED, net)
        fitting.fit(some, 60, np.random.default_rng(5), threads)
        found.append(fitting.net())
    assert loss_of(found[0], some, 3) < before - 20
    for one, other in zip(found[0].arrays, found[1].arrays, strict=True):
        assert one.tobytes() == other.tobytes()


def test_cards_to_come_are_as_likely_as_they_are_unseen() -> None:
    states = random_states()[4]
    branches = branches_of(PUBLISHED, states)
    total = np.bincount(branches.state, branches.chance)
    np.testing.assert_allclose(total, 1.0)
    deck = PUBLISHED.variant.deck
    for number in range(0, len(branches.state), 97):
        seen = int(states.seen[branches.state[number]])
        unseen = [card for n, card in enumerate(deck) if not seen >> n & 1]
        chance = unseen.count(branches.card[number]) / len(unseen)
        assert branches.chance[number] == pytest.approx(chance)
        new = int(branches.seen[number]) ^ seen
        assert new.bit_count() == 1
        assert deck[new.bit_length() - 1] == branches.card[number]


def learned(tmp_path: Path, cuts: tuple[int, ...], threads: int) -> bytes:
    """Return the checkpoint at the end of learning that is cut after some steps."""
    game, path = ostrich.Game(SMALL), tmp_path / "checkpoint.npz"
    learner = Learner(game, TINY_PLAN)
    for number, _ in enumerate(learner.run(threads)):
        if number in cuts:
            write_stored(path, "test", *learner.checkpoint())
            break
    for cut in (*cuts[1:], None):
        if not cuts:
            break
        learner = Learner(game, TINY_PLAN)
        learner.restore(*read_stored(path, "test"))
        for _ in learner.run(threads):
            write_stored(path, "test", *learner.checkpoint())
            if cut is not None and len(learner.done) > cut:
                break
    write_stored(path, "test", *learner.checkpoint())
    assert len(learner.done) == len(learner.steps)
    return path.read_bytes()


def test_learning_that_is_cut_ends_in_the_same_bytes(tmp_path: Path) -> None:
    whole = learned(tmp_path, (), 1)
    assert learned(tmp_path, (0, 2), 1) == whole
    assert learned(tmp_path, (1,), 2) == whole


def test_checkpoints_of_another_plan_are_refused() -> None:
    game = ostrich.Game(SMALL)
    header, arrays = Learner(game, TINY_PLAN).checkpoint()
    with pytest.raises(UsageError, match="another plan"):
        Learner(game, Plan(passes=3)).restore(header, arrays)


@pytest.mark.parametrize("change", [{"players": 2}, {"players": 4}, {"rounds": 2}])
def test_rules_that_are_not_learned_are_refused(change: dict[str, int]) -> None:
    rules = ostrich.Rules(
        **{"bags": (2, 3), "deck": (0, 4, 5, 6), "removed": 0, "rounds": 4} | change
    )
    with pytest.raises(UsageError, match="learned for 3 players"):
        Learner(ostrich.Game(rules), TINY_PLAN)


def test_little_learning_makes_a_variant_nearly_unexploitable() -> None:
    """Exact gains, by best responses; three random players could gain 0.2 and more each."""
    game = ostrich.Game(ostrich.Rules(bags=(2, 3, 5), deck=(0, 4, 5, 6), removed=0, rounds=3))
    learner = Learner(game, Plan(passes=2, games=5000, epochs=10, seed=1))
    for _ in learner.run(2):
        pass
    agent = make_agent(Equilibrium(Search(learner.features, learner.nets)), game)
    value = deviation_gains(game, [agent] * 3)
    assert value.gains.max() < 0.02
    assert value.values == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert deviation_gains(game, [make_agent("random", game)] * 3).gains.min() > 0.2


def plain_claim_values(
    agent: Any, turn: int, positions: Any, card: Any, seen: Any, net: Net
) -> Any:
    """Return what claims of the first seat are worth, one joint action after the other."""
    variant = PUBLISHED.variant
    values = np.full(variant.num_actions, NONE)
    states = [
        ostrich.Observation(variant, seat, tuple(positions.tolist()), int(card), turn, int(seen))
        for seat in range(3)
    ]
    hands = [state.legal_actions or [7] for state in states]
    mixes = [agent.policy(state) if state.legal_actions else np.zeros(5) for state in states]
    from agents.lookahead.states import advance

    for own in hands[0]:
        total = 0.0
        for one in hands[1]:
            for other in hands[2]:
                chance = 1.0 if one == 7 else mixes[1][one]
                chance *= 1.0 if other == 7 else mixes[2][other]
                after = positions[:, None].copy()
                joint = np.array([[own], [one], [other]], np.uint32)
                advance(after, np.array([card], np.uint32), joint, variant.facts())
                told = values_of(PUBLISHED, net, after, np.array([seen], np.uint32), heads=1)
                total += chance * float(told[0, 0])
        values[own if own != 7 else 0] = total
    return values


def test_a_responder_values_its_claims_by_all_that_the_others_may_do() -> None:
    agent, rng = make_agent("random", ostrich.Game()), np.random.default_rng(2)
    nets = [new_net(PUBLISHED, rng) for _ in range(10)]
    responder = Responder(PUBLISHED, agent, nets)
    positions, card, seen = decisions_at(4, 12)
    found = responder.claim_values(0, 4, positions, card, seen)
    for number in range(12):
        wanted = plain_claim_values(
            agent, 4, positions[:, number], card[number], seen[number], nets[5]
        )
        np.testing.assert_allclose(found[number], wanted, atol=3e-6)


def test_looking_two_turns_ahead_is_looking_one_turn_ahead_twice() -> None:
    agent, rng = make_agent("random", ostrich.Game()), np.random.default_rng(2)
    nets = [new_net(PUBLISHED, rng) for _ in range(10)]
    responder = Responder(PUBLISHED, agent, nets, depth=2)
    positions, card, seen = decisions_at(7, 3)
    found = responder.claim_values(0, 7, positions, card, seen)
    # against networks that say what one turn ahead says, one turn is two
    told = found[found > NONE]
    assert ((told >= 0) & (told <= 1)).all()
    one = responder.claim_values(0, 7, positions, card, seen, depth=1)
    assert ((one == NONE) == (found == NONE)).all()


@pytest.mark.parametrize("name", ["greedy", "random"])
def test_a_fitted_responder_gets_nearly_what_a_best_response_gets_exactly(name: str) -> None:
    """On a variant whose best responses are known; never more, but for noise of 4.5 errors."""
    game = ostrich.Game(SMALL)
    agent, count = make_agent(name, game), 20_000
    best = float(deviation_gains(game, [agent] * 3).best_responses[0])
    exploiter = Exploiter(Features(SMALL), agent, 10_000, 1)
    for _ in range(3):
        exploiter.refit()
    responder = exploiter.responder()
    share = simulate(game, [responder, agent, agent], count, 9).win_share(0).mean
    error = np.sqrt(0.25 / count)
    assert best - 0.015 < share < best + 4.5 * error


def test_refits_go_on_alike_from_a_checkpoint() -> None:
    game = ostrich.Game(SMALL)
    agent = make_agent("greedy", game)
    whole = Exploiter(Features(SMALL), agent, 300, 1)
    whole.refit()
    whole.keep(0.4)
    resumed = Exploiter(Features(SMALL), agent, 300, 1)
    resumed.restore(*whole.checkpoint())
    for exploiter in (whole, resumed):
        exploiter.refit()
        exploiter.keep(0.3)
    for name, array in arrays_of(whole.nets).items():
        assert array.tobytes() == arrays_of(resumed.nets)[name].tobytes()
    resumed.use_best()
    whole.use_best()
    assert arrays_of(whole.nets)["out_01"].tobytes() == arrays_of(resumed.nets)["out_01"].tobytes()
