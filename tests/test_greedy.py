"""`greedy` by its definition, written out slowly; and what the other characters do otherwise."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ostrich
from agents import agent_names, make_agent
from ostrich import Rules, rules
from simulator import simulate
from tests.sizes import size
from tests.variants import VARIANTS, any_rules


def can_claim(observation: Any, player: int) -> bool:
    """Return whether a player has a bag whose claim card does not lie out."""
    bags, out = observation.bags(player), observation.lying_out(player)
    return any(bags[bag] is not None and bag != out for bag in range(len(bags)))


def points_after(observation: Any, claim: int, share: int) -> tuple[bool, int]:
    """Return whether a claim breaks no bag, and what bags and ambers then score."""
    rules, bags = observation.rules, list(observation.bags())
    safe = True
    if claim < observation.skip:
        bags[claim] += share
        if bags[claim] > rules.bags[claim]:
            bags[claim], safe = None, False
    points = observation.ambers() * rules.amber_value
    for eggs, capacity in zip(bags, rules.bags, strict=True):
        if eggs is not None:
            points += capacity if eggs == capacity else eggs // 2
    return safe, points


def slow_greedy(observation: Any) -> int:
    """Return what the definition of `greedy` says."""
    legal = observation.legal_actions
    bags = [action for action in legal if action < observation.skip]
    if observation.card == 0:
        return int(observation.skip if observation.skip in legal else min(bags))
    claimants = sum(can_claim(observation, p) for p in range(observation.rules.players))
    share = observation.card // claimants if claimants else 0
    larger_bag_first = [*sorted(bags, reverse=True), *(a for a in legal if a not in bags)]
    return int(max(larger_bag_first, key=lambda claim: points_after(observation, claim, share)))


class Checks:
    """Plays at random and compares at each decision what `greedy` would do."""

    def __init__(self, game: Any) -> None:
        self.greedy = make_agent("greedy", game)
        self.compared = 0

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
        """Return any legal action."""
        policy = self.greedy.policy(observation).tolist()
        assert policy.index(1.0) == slow_greedy(observation), observation
        self.compared += 1
        return rng.choice(legal_actions)


@pytest.mark.parametrize("name", VARIANTS)
def test_greedy_is_its_definition_wherever_random_play_leads(name: str) -> None:
    game = ostrich.Game(VARIANTS[name])
    checks, count = Checks(game), size(1500 if name == "published" else 150, 8)
    simulate(game, [checks] * game.num_players, count, 17)
    assert checks.compared > 3 * count


@given(any_rules(), st.integers(0, 2**64 - 1))
@settings(max_examples=size(60, 5))
def test_greedy_is_its_definition_under_any_rules(rules: Rules, seed: int) -> None:
    game = ostrich.Game(rules)
    checks = Checks(game)
    simulate(game, [checks] * game.num_players, 8, seed)
    assert checks.compared > 0


def choices(
    rules: Rules, deck: tuple[int, ...], *joint_actions: list[int | None]
) -> dict[str, int]:
    """Return what each agent plays in seat 0 after some rounds."""
    game = ostrich.Game(rules)
    state = game.new_initial_state(deck=deck)
    for actions in joint_actions:
        state.apply_actions(actions)
    names = ("greedy", "hunter", "breaker", "filler")
    observation = state.observation(0)
    return {name: int(make_agent(name, game).policy(observation).argmax()) for name in names}


SMALL = Rules(players=2, bags=(2, 3), deck=(0, 9, 9, 9), removed=0, rounds=3)
SKIP = 2


def test_hunter_breaks_a_bag_rather_than_lay_its_skip_card_out() -> None:
    """Shares of 4 break any bag: greedy skips, hunter saves its skip card for the amber."""
    chosen = choices(SMALL, (9, 9, 9))
    assert (chosen["greedy"], chosen["hunter"]) == (SKIP, 1)


def test_hunter_plays_as_greedy_once_the_ambers_are_seen() -> None:
    chosen = choices(SMALL, (0, 9, 9), [0, 1])
    assert (chosen["greedy"], chosen["hunter"]) == (SKIP, SKIP)


def test_breaker_steps_aside_when_the_whole_card_breaks_the_others_bag() -> None:
    """Two shares of 2 are welcome to both; all 4 eggs break either bag of the other player."""
    chosen = choices(Rules(players=2, bags=(2, 3), deck=(0, 4, 9), removed=0, rounds=1), (4,))
    assert (chosen["greedy"], chosen["breaker"]) == (0, SKIP)


def test_breaker_plays_as_greedy_where_the_others_have_room() -> None:
    chosen = choices(Rules(players=2, bags=(2, 5), deck=(0, 4, 9), removed=0, rounds=1), (4,))
    assert chosen["breaker"] == chosen["greedy"] == 0


def test_filler_takes_the_tightest_bag_and_greedy_the_largest() -> None:
    """A share of 1 scores nothing yet: it goes into the 7 of greedy, and into the 2 of filler."""
    chosen = choices(Rules(), (4, 0, 0, 0, 5, 5, 6, 7, 8, 9))
    assert (chosen["greedy"], chosen["filler"]) == (3, 0)


def test_filler_skips_where_nothing_fits() -> None:
    chosen = choices(SMALL, (9, 9, 9))
    assert chosen["filler"] == SKIP


def test_on_an_amber_all_skip_if_they_can_and_else_give_their_smallest_bag() -> None:
    skips = choices(SMALL, (0, 9, 9))
    assert set(skips.values()) == {SKIP}
    barred = choices(
        Rules(players=2, bags=(2, 3), deck=(0, 0, 9), removed=0, rounds=2), (9, 0), [2, 0]
    )
    assert set(barred.values()) == {0}


@pytest.mark.parametrize("name", agent_names("ostrich"))
def test_who_is_out_has_no_policy(name: str) -> None:
    if name in ("cfr", "equilibrium"):  # what they have learned is for the published rules
        game, start = ostrich.Game(), int(Rules().facts()[rules.START])
        out = rules.NO_ACTION << rules.LYING_OUT
        observation = ostrich.Observation(game.rules, 0, (out, start, start), 4, 1, 0b1001)
    else:
        game = ostrich.Game(Rules(players=2, bags=(2,), deck=(9, 9), removed=0, rounds=2))
        state = game.new_initial_state(deck=(9, 9))
        state.apply_actions([0, 1])
        observation = state.observation(0)
    with pytest.raises(ValueError, match="player 0 is out"):
        make_agent(name, game).policy(observation)
