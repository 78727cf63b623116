"""Exact best responses in Ostrich: brute force over histories, the tree, and what agents get."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import ostrich
from agents import make_agent
from agents.solvers.ostrich_gain import deviation_gains
from agents.solvers.profiles import tree_and_profile
from agents.solvers.sequences import evaluate
from experiments.solving import returns_for
from ostrich import Rules
from simulator import simulate
from simulator.agents import as_agent
from simulator.inputs import UsageError
from tests.naive.ostrich_solving import game_of, profile_values
from tests.sizes import size
from tests.solved_variants import SMALL, TINY

#: Without JIT `test_solvers_small.py` has to do.
pytestmark = pytest.mark.compiled_only

#: Brute force takes minutes for these.
SLOW = ("two players, three rounds", "two players, mixed")


def share(card: int, claim: int, held: Any, others: Any, salt: int) -> float:
    """Return an odd weight for a claim (0 skips), some of them 0, from what is public."""
    held_here = [0 if eggs is None else eggs + 1 for eggs in held]
    told = salt + 3 * card + 5 * claim + sum(held_here) * (claim + 1) + 7 * sum(others)
    return float((told * 31 % 11) // 3)


class Odd:
    """Mixes by the card, its own bags and the others' ambers; unlike in every seat."""

    def __init__(self, salt: int) -> None:
        self.salt, self.name = salt, f"odd-{salt}"

    def policy(self, observation: Any) -> Any:
        """Return the mix over actions."""
        sizes = [*observation.rules.bags, 0]
        others = [observation.ambers(p) for p in range(observation.rules.players)]
        weights = np.zeros(len(sizes))
        for action in observation.legal_actions:
            weights[action] = share(
                observation.card, sizes[action], observation.bags(), others, self.salt
            )
        if not weights.any():
            weights[observation.legal_actions] = 1.0
        return weights / weights.sum()

    def naive(self, game: Any, player: int) -> dict[Any, float]:
        """Return the same mix over the naive game's claims."""
        held = [game.bags[player][size] for size in game.sizes]
        weights = {
            claim: share(
                game.open_card, 0 if claim == "skip" else claim, held, game.ambers, self.salt
            )
            for claim in game.legal(player)
        }
        if not any(weights.values()):
            weights = dict.fromkeys(weights, 1.0)
        total = sum(weights.values())
        return {claim: weight / total for claim, weight in weights.items()}

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
        """Draw an action."""
        return rng.choice(range(len(self.policy(observation))), self.policy(observation))


def odd_line_up(game: Any) -> tuple[list[Odd], list[Any]]:
    """Return an agent for each seat, as written and as the simulator takes it."""
    odd = [Odd(salt) for salt in range(game.num_players)]
    return odd, [as_agent(one, game) for one in odd]


@pytest.mark.parametrize("payoff", ["win_share", "score_difference"])
@pytest.mark.parametrize("name", [name for name in TINY if name not in SLOW])
def test_gains_are_those_of_brute_force(name: str, payoff: str) -> None:
    rules = TINY[name]
    if payoff == "score_difference" and rules.players != 2:
        with pytest.raises(UsageError, match="for two players, not 3"):
            deviation_gains(ostrich.Game(rules), [], payoff)
        return
    game = ostrich.Game(rules)
    odd, line_up = odd_line_up(game)
    found = deviation_gains(game, line_up, payoff)
    values, best = profile_values(
        game_of(rules), lambda naive, player: odd[player].naive(naive, player), payoff
    )
    np.testing.assert_allclose(found.values, values, atol=1e-12)
    np.testing.assert_allclose(found.best_responses, best, atol=1e-12)
    assert found.gains.min() >= -1e-12


@pytest.mark.parametrize("agents", ["odd", "random", "greedy", "breaker,random,greedy"])
def test_gains_are_those_on_the_unrolled_tree(agents: str) -> None:
    """A best response that may remember how it came to a state gains no more."""
    game = ostrich.Game(Rules(bags=(2, 3), deck=(0, 4, 5), removed=1, rounds=2))
    names = agents.split(",") * (3 // len(agents.split(",")))
    line_up = odd_line_up(game)[1] if agents == "odd" else [make_agent(n, game) for n in names]
    found, by_tree = deviation_gains(game, line_up), evaluate(*tree_and_profile(game, line_up))
    np.testing.assert_allclose(found.values, by_tree.values, atol=1e-12)
    np.testing.assert_allclose(found.best_responses, by_tree.best_responses, atol=1e-12)


def test_score_differences_on_the_unrolled_tree() -> None:
    game = ostrich.Game(TINY["two players"])
    line_up = odd_line_up(game)[1]
    found = deviation_gains(game, line_up, "score_difference")
    tree = tree_and_profile(game, line_up, returns=returns_for("score_difference"))
    np.testing.assert_allclose(found.values, evaluate(*tree).values, atol=1e-12)
    np.testing.assert_allclose(found.best_responses, evaluate(*tree).best_responses, atol=1e-12)


LINE_UPS = ["random", "greedy", "hunter", "breaker", "filler", "solved"]


@pytest.mark.parametrize("others", LINE_UPS)
def test_no_agent_beats_the_best_response(others: str) -> None:
    """Else it would know what it must not. Five standard errors: a chance of one in a million."""
    game = ostrich.Game(SMALL["two bags"])
    copies = [make_agent(others, game)] * 2
    for name in LINE_UPS:
        line_up = [make_agent(name, game), *copies]
        bound = deviation_gains(game, line_up).best_responses[0]
        count = size(20_000, 50)
        summary = simulate(game, line_up, count, 7).summary()
        error = 5 * 0.5 / np.sqrt(count)  # shares vary by at most 1/4
        assert summary["win_share"].iloc[0] <= bound + error


def test_values_are_what_agents_get_in_play() -> None:
    game = ostrich.Game(SMALL["three bags"])
    line_up = [make_agent(name, game) for name in ("greedy", "random", "breaker")]
    found = deviation_gains(game, line_up)
    summary = simulate(game, line_up, size(200_000, 200), 3).summary()
    error = 5 * 0.5 / np.sqrt(size(200_000, 200))
    np.testing.assert_allclose(found.values, summary["win_share"], atol=error)


def test_seats_may_be_turned() -> None:
    game = ostrich.Game(SMALL["two bags"])
    names = ("greedy", "random", "breaker")
    one = deviation_gains(game, [make_agent(name, game) for name in names])
    two = deviation_gains(game, [make_agent(name, game) for name in (*names[1:], names[0])])
    np.testing.assert_allclose(np.roll(one.best_responses, -1), two.best_responses, atol=1e-12)


class Remembers(Odd):
    """Goes by more than it sees."""

    has_memory = True


class Keeps(Odd):
    """Does not say what it does."""

    policy = None  # type: ignore[assignment]


def test_agents_whose_policy_is_no_function_of_what_they_see_are_refused() -> None:
    game = ostrich.Game(TINY["three players"])
    good = make_agent("random", game)
    for bad, told in ((Remembers(1), "declares memory"), (Keeps(1), "has no method policy")):
        line_up = [good, as_agent(bad, game), good]
        with pytest.raises(UsageError, match=told):
            deviation_gains(game, line_up)
        with pytest.raises(UsageError, match=told):
            tree_and_profile(game, line_up)


def test_profiles_that_lack_a_player_or_are_none_are_refused() -> None:
    game = ostrich.Game(TINY["three players"])
    good = make_agent("random", game)
    for measure in (deviation_gains, tree_and_profile):
        with pytest.raises(UsageError, match="2 agents for 3 players"):
            measure(game, [good] * 2)  # type: ignore[operator]

    class Wrong(Odd):
        def policy(self, observation: Any) -> Any:
            return -super().policy(observation)

    with pytest.raises(UsageError, match="must be >= 0"):
        deviation_gains(game, [good, good, as_agent(Wrong(1), game)])
    with pytest.raises(UsageError, match="more than 20 states after"):
        deviation_gains(ostrich.Game(), [make_agent("random", ostrich.Game())] * 3, most_states=20)


def test_policies_in_bulk_are_those_one_by_one() -> None:
    game = ostrich.Game(Rules(players=2))
    for name in ("random", "greedy", "hunter"):
        agent = make_agent(name, game)
        for seed, turn in product(range(20), (0, 3, 9)):
            state = game.new_initial_state(seed=seed)
            for _ in range(turn):
                state.apply_actions([(state.legal_actions(p) or [None])[-1] for p in range(2)])
            observation = state.observation(1)
            positions, card, seen = observation.columns()
            bulk = agent.policies(  # type: ignore[attr-defined]
                game.rules, 1, observation.round,
                np.array([positions, positions], np.uint32).T.copy(),
                np.array([card] * 2, np.uint32), np.array([seen] * 2, np.uint32),
            )  # fmt: skip
            assert bulk[1].tobytes() == agent.policy(observation).tobytes()
