"""The searching agent: its playouts, what its policies are functions of, and how well it plays."""

import pickle
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import ostrich
from agents.smmcts import SmMcts, smmcts, smmcts_duct
from agents.solvers.ostrich_gain import deviation_gains
from agents.solvers.ostrich_playouts import Playout, new_playout, roll_out, settle
from agents.solvers.ostrich_smmcts import REGRET_MATCHING, new_tree, search
from ostrich import Rules
from ostrich.rules import START
from simulator import simulate
from simulator.agents import as_agent
from tests.sizes import size
from tests.variants import VARIANTS

SELECTIONS = ("rm", "duct")
SIMULATIONS = size(400, 20)


def decisions(game: ostrich.Game, turn: int, count: int) -> tuple[Any, Any, Any]:
    """Return positions, cards and cards seen of some playthroughs in which all play at random.

    Those over before the round are left out.
    """
    columns, rng = [], np.random.default_rng(turn)
    for index in range(count):
        state = game.new_initial_state(seed=5, index=index)
        for _ in range(turn):
            if not state.is_terminal():
                legal = map(state.legal_actions, range(game.num_players))
                state.apply_actions([int(rng.choice(some)) if some else None for some in legal])
        if not state.is_terminal():
            columns.append(state.observation(0).columns())
    positions = np.array([column[0] for column in columns], np.uint32)
    cards = np.array([column[1:] for column in columns], np.uint32).reshape(-1, 2)
    return positions.reshape(-1, game.num_players).T.copy(), *cards.T.copy()


def ended(game: ostrich.Game, seed: int) -> Any:
    """Return the state after a playthrough in which all play at random."""
    state, rng = game.new_initial_state(seed=seed), np.random.default_rng(seed)
    while not state.is_terminal():
        legal = map(state.legal_actions, range(game.num_players))
        state.apply_actions([int(rng.choice(some)) if some else None for some in legal])
    return state


def rolled_out(rules: Rules, seed: int) -> Playout:
    """Return a playthrough by random actions from the beginning."""
    playout, facts = new_playout(len(rules.deck)), rules.facts()
    playout.positions[: rules.players] = facts[START]
    playout.unseen[:] = range(len(rules.deck))
    roll_out(playout, 0, 0, seed, 0, facts)
    settle(playout, facts)
    return playout


@pytest.mark.parametrize("name", VARIANTS)
def test_playouts_are_played_as_random_agents_play(name: str) -> None:
    """Scores and shares of the win, within 4.5 standard errors."""
    rules, count = VARIANTS[name], size(2000, 30)
    game = ostrich.Game(rules)
    expected = simulate(game, ["random"] * rules.players, size(50_000, 100), 1, keep="all")
    scores, shares = np.empty(count), np.empty(count)
    for seed in range(count):
        playout = rolled_out(rules, seed * 7919)
        given = (int(rules.facts()[2]), rules.amber_value)
        scores[seed] = ostrich.score_of(int(playout.positions[0]), *given)
        shares[seed] = playout.shares[0]
        assert playout.shares[: rules.players].sum() == pytest.approx(1)
        assert sorted(playout.unseen) == list(range(len(rules.deck)))
    for found, told in ((scores, expected.scores[:, 0]), (shares, expected.returns[:, 0])):
        error = np.hypot(told.std() / len(told) ** 0.5, told.std() / count**0.5)
        assert abs(found.mean() - told.mean()) <= 4.5 * error


@pytest.mark.parametrize("name", VARIANTS)
def test_wins_are_shared_as_the_game_says(name: str) -> None:
    game = ostrich.Game(VARIANTS[name])
    for seed in range(size(50, 5)):
        state, playout = ended(game, seed), new_playout(1)
        words = [state.observation(player)._positions[player] for player in range(game.num_players)]
        playout.positions[: len(words)] = words
        settle(playout, game.rules.facts())
        assert playout.shares[: len(words)].tolist() == pytest.approx(list(state.returns()))


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("name", VARIANTS)
def test_policies_are_distributions_over_legal_actions(name: str, selection: str) -> None:
    rules = VARIANTS[name]
    agent = SmMcts(ostrich.Game(rules), SIMULATIONS, selection)
    for turn in {0, rules.rounds // 2, rules.rounds - 1}:
        given = decisions(ostrich.Game(rules), turn, 5)
        found = agent.search(turn, *given)
        for seat in range(rules.players):
            policies = agent.policies(rules, seat, turn, *given)
            for row, word in enumerate(given[0][seat].tolist()):
                mask = int(ostrich.legal_actions(word, rules.skip))
                legal = [bool(mask >> action & 1) for action in range(rules.num_actions)]
                assert policies[row].sum() == pytest.approx(1.0 if any(legal) else 0.0)
                assert (policies[row] >= 0).all()
                assert not policies[row][~np.array(legal)].any()
                values = found.values[row, seat]
                assert np.isnan(values[~np.array(legal)]).all()
                assert ((values >= 0) & (values <= 1))[~np.isnan(values)].all()
                assert not any(legal) or not np.isnan(values).all()


@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_policy_is_a_function_of_the_observation(selection: str) -> None:
    """The same again, of a new object, one by one, in another order, and pickled in between."""
    game = ostrich.Game()
    positions, card, seen = decisions(game, 3, 6)
    agent = SmMcts(game, SIMULATIONS, selection)
    found = agent.policies(game.rules, 1, 3, positions, card, seen)
    again = agent.policies(game.rules, 1, 3, positions, card, seen)
    np.testing.assert_array_equal(found, again)
    again[:] = 0.0  # belongs to who asked
    backwards = (positions[:, ::-1].copy(), card[::-1].copy(), seen[::-1].copy())
    other = pickle.loads(pickle.dumps(agent))  # noqa: S301
    for fresh in (agent, other, SmMcts(game.rules, SIMULATIONS, selection)):
        np.testing.assert_array_equal(
            fresh.policies(game.rules, 1, 3, *backwards), found[::-1], strict=True
        )
    for row in range(len(card)):
        one = positions[:, [row]], card[[row]], seen[[row]]
        np.testing.assert_array_equal(agent.policies(game.rules, 1, 3, *one)[0], found[row])


@pytest.mark.parametrize("selection", SELECTIONS)
def test_policies_move_with_the_players_and_equal_players_have_equal_ones(selection: str) -> None:
    game = ostrich.Game()
    positions, card, seen = decisions(game, 4, 3)
    agent = SmMcts(game, SIMULATIONS, selection)
    found = agent.search(4, positions, card, seen)
    for order in permutations(range(3)):
        moved = agent.search(4, positions[list(order)], card, seen)
        np.testing.assert_array_equal(moved.policies, found.policies[:, list(order)])
        np.testing.assert_array_equal(moved.values, found.values[:, list(order)])
    opening = agent.search(0, *decisions(game, 0, 1)).policies[0]
    np.testing.assert_array_equal(opening, opening[[1, 2, 0]])


def test_equal_cards_are_one() -> None:
    """The deck holds two fives, cards 4 and 5: it does not matter which has been seen."""
    game = ostrich.Game()
    assert game.rules.deck[4:6] == (5, 5)
    positions = np.full((3, 2), game.rules.facts()[START], np.uint32)
    cards, seen = np.array([5, 5], np.uint32), np.array([1 << 4, 1 << 5], np.uint32)
    first, second = SmMcts(game, SIMULATIONS).search(0, positions, cards, seen).policies
    np.testing.assert_array_equal(first, second)


def test_all_seats_of_a_table_are_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    game, calls = ostrich.Game(), []
    given, others = decisions(game, 2, 3), decisions(game, 2, 4)
    agent, searched = SmMcts(game, 20), SmMcts._search
    monkeypatch.setattr(
        SmMcts, "_search", lambda *arguments: calls.append(1) or searched(*arguments)
    )
    for expected, asked in ((1, given), (2, others), (3, given)):
        for seat in range(3):
            agent.policies(game.rules, seat, 2, *asked)
        assert len(calls) == expected
    given[1][0] ^= 1  # who asked may write to what was handed over
    agent.policies(game.rules, 0, 2, *given)
    assert len(calls) == 4


def test_every_simulation_adds_a_node_and_is_counted() -> None:
    rules, count = Rules(), size(3000, 50)
    playout, tree = new_playout(11), new_tree(3, count, REGRET_MATCHING)
    root = np.array([*[rules.facts()[START]] * 3, 0, 0, 1], np.uint32)
    playout.unseen[:] = range(1, 12)
    firsts = np.array([rules.deck.index(card) for card in rules.deck])
    search(tree, playout, root, 0, rules.facts(), firsts, count, REGRET_MATCHING, 0.15)
    visits, rewards = tree.statistics[0, :, 0], tree.statistics[0, :, 1]
    assert visits.sum(axis=1).tolist() == [count] * 3
    assert rewards.sum() == pytest.approx(count)
    nodes = tree.used[0]
    assert 0.9 * count < nodes <= count
    assert len(np.unique(tree.keys[:nodes], axis=0)) == nodes
    held = tree.cells >= 0
    at_root = held & (tree.cells < 8**3)  # node 0
    assert tree.means[at_root, 0].sum() == count
    assert tree.means[held, 1:4].sum() == pytest.approx(tree.means[held, 0].sum())


@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_last_round_that_is_won_by_skipping(selection: str) -> None:
    """Player 0 holds four eggs in the five, two points, and may not skip; an amber lies open.

    Player 1 has nothing, and wins by the amber if it skips, else loses, whatever player 0 does.
    """
    game = ostrich.Game(Rules(players=2, bags=(2, 5), deck=(0, 4, 5), removed=0, rounds=3))
    state = game.new_initial_state(deck=(4, 5, 0))
    state.apply_actions([1, 2])
    state.apply_actions([2, 0])
    positions, card, seen = state.observation(1).columns()
    words = np.array(positions, np.uint32)[:, None]
    given = words, np.array([card], np.uint32), np.array([seen], np.uint32)
    found = SmMcts(game, size(1000, 60), selection).search(2, *given)
    assert found.policies[0, 1].tolist() == [0.0, 0.0, 1.0]
    assert found.values[0, 1, 1:].tolist() == [0.0, 1.0]
    assert np.nanmax(found.values[0, 0]) < 0.5


def test_impossible_wishes_are_refused() -> None:
    game = ostrich.Game()
    for wish in ({"simulations": 0}, {"simulations": 1_000_001}, {"selection": "ucb"}):
        with pytest.raises(ValueError, match=next(iter(wish))):
            SmMcts(game, **wish)
    with pytest.raises(ValueError, match="not Rules"):
        SmMcts(game).policies(
            Rules(players=2), 0, 0, *decisions(ostrich.Game(Rules(players=2)), 0, 1)
        )


def test_the_factories_differ_by_their_selection() -> None:
    game = ostrich.Game()
    made = [smmcts(game), smmcts_duct(game)]
    assert [(agent.selection, agent.simulations) for agent in made] == [
        ("rm", 10_000),
        ("duct", 10_000),
    ]


TWO = Rules(players=2, bags=(2, 3, 5), deck=(0, 4, 5, 6), removed=1, rounds=3)
THREE = Rules(bags=(2, 3), deck=(0, 4, 5, 6), removed=0, rounds=3)


def nash_conv(rules: Rules, simulations: int) -> float:
    """Return the sum of the players' gains by deviating."""
    game = ostrich.Game(rules)
    agent = as_agent(SmMcts(game, simulations), game)
    value = deviation_gains(game, [agent] * rules.players)
    return float((value.best_responses - value.values).sum())


@pytest.mark.compiled_only
def test_longer_searches_come_close_to_an_equilibrium() -> None:
    """Of two players; of three, regret matching promises no equilibrium, but comes nearer."""
    two = [nash_conv(TWO, simulations) for simulations in (30, 300, 10_000)]
    assert two[0] > 2 * two[1] > 10 * two[2]
    assert two[2] < 0.01
    assert nash_conv(THREE, 30_000) < 0.1 < nash_conv(THREE, 100)


@pytest.mark.compiled_only
@pytest.mark.parametrize("selection", SELECTIONS)
def test_beats_two_greedy(selection: str) -> None:
    game = ostrich.Game()
    line_up = [SmMcts(game, 2_000, selection), "greedy", "greedy"]
    won = simulate(game, line_up, 120, 1, threads=1).win_share(0)
    assert won.low > 0.38
