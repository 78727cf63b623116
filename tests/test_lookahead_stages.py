"""What joint actions are worth: networks by plain matrices, ends by playing on, batches alike."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import ostrich
from agents.lookahead.deep import deep_filler_for, new_deep_rooms
from agents.lookahead.endings import fill_endings, new_ending_rooms
from agents.lookahead.features import position_rows
from agents.lookahead.fitting import values_of
from agents.lookahead.nets import LAYERS, arrays_of, nets_from
from agents.lookahead.search import faces_of
from agents.lookahead.stages import LANES, NO_PAYOFF, fill_stage, new_rooms
from agents.lookahead.states import States, advance, branches_of, shares_at_the_end
from ostrich import rules
from tests.lookahead_states import PUBLISHED, decisions_at, random_search, random_states
from tests.naive.ostrich import SKIP, Ostrich

pytestmark = pytest.mark.compiled_only
VARIANT, ROOM = PUBLISHED.variant, 4


def plain_value(net: Any, words: Any, seen: int) -> Any:
    """Return a network's shares of the win, by plain NumPy."""
    cards = np.zeros(len(net.cards))
    for begin, mask in zip(PUBLISHED.card_begins, PUBLISHED.masks, strict=True):
        cards[begin + bin(int(mask) & ~seen).count("1")] = 1
    rows = [list(position_rows(PUBLISHED.layout, int(word))) for word in words]
    said = []
    for seat in range(3):
        hidden = cards @ net.cards.astype(float) + net.own[rows[seat]].sum(axis=0)
        for other in {0, 1, 2} - {seat}:
            hidden = hidden + net.others[rows[other]].sum(axis=0)
        deep = np.maximum(hidden, 0) @ net.deep[:-1].astype(float) + net.deep[-1]
        said.append(np.maximum(deep, 0) @ net.out[:-1].astype(float) + net.out[-1])
    powers = np.exp(np.array(said) - max(said))
    return powers / powers.sum()


def filled(turn: int, positions: Any, card: Any, seen: Any) -> tuple[Any, Any]:
    """Return the actions and payoffs of up to LANES decisions."""
    actions = np.zeros((3, ROOM, LANES), np.int64)
    payoffs = np.zeros((3, ROOM**3, LANES), np.float32)
    net = random_search().nets[min(turn + 1, VARIANT.rounds - 1)].arrays
    is_last, rooms = int(turn + 1 == VARIANT.rounds), new_rooms()
    for lane in range(len(card)):
        fill_stage(
            faces_of(PUBLISHED), net, positions, lane, card[lane], seen[lane], is_last, lane, rooms,
            actions, payoffs,
        )  # fmt: skip
    return actions, payoffs


def joint_actions(actions: Any, lane: int) -> Any:
    """Yield (number, joint action) for the joint actions of a lane that there are."""
    for number, places in enumerate(product(range(ROOM), repeat=3)):
        joint = [int(actions[seat, place, lane]) for seat, place in enumerate(places)]
        if min(joint) >= 0:
            yield number, joint


@pytest.mark.parametrize("turn", [1, 5, 7, 9])
def test_payoffs_are_what_comes_after_each_joint_action(turn: int) -> None:
    positions, card, seen = decisions_at(turn, LANES)
    actions, payoffs = filled(turn, positions, card, seen)
    net, checked = random_search().nets[min(turn + 1, 9)], 0
    for lane in range(LANES):
        for number, joint in joint_actions(actions, lane):
            after = positions[:, lane : lane + 1].copy()
            facts = VARIANT.facts()
            advance(after, card[lane : lane + 1], np.array(joint, np.uint32)[:, None], facts)
            is_over = turn == 9 or all(ostrich.is_out(word) for word in after[:, 0].tolist())
            if is_over:
                wanted = shares_at_the_end(VARIANT, after)[:, 0]
            else:
                wanted = plain_value(net, after[:, 0], int(seen[lane]))
            np.testing.assert_allclose(payoffs[:, number, lane], wanted, atol=2e-6)
            checked += 1
    assert checked > 20 * LANES


def test_joint_actions_that_there_are_not_cost_who_has_no_such_action() -> None:
    positions, card, seen = decisions_at(5, LANES)
    actions, payoffs = filled(5, positions, card, seen)
    missing = 0
    for lane in range(LANES):
        there = {number for number, _ in joint_actions(actions, lane)}
        for number, places in enumerate(product(range(ROOM), repeat=3)):
            if number in there:
                continue
            for seat, place in enumerate(places):
                wanted = NO_PAYOFF if actions[seat, place, lane] < 0 else 0.0
                assert payoffs[seat, number, lane] == wanted
                missing += 1
    assert missing > 0


def test_last_rounds_in_lanes_are_the_same_to_the_bit() -> None:
    for seed in range(5):
        positions, card, seen = decisions_at(9, LANES, seed)
        actions, payoffs = filled(9, positions, card, seen)
        others, other_payoffs = np.zeros_like(actions), np.zeros_like(payoffs)
        fill_endings(positions, card, VARIANT.facts(), new_ending_rooms(), others, other_payoffs)
        assert (actions == others).all()
        assert payoffs.tobytes() == other_payoffs.tobytes()


def test_ends_are_shared_out_as_in_the_naive_game() -> None:
    """Whole games, played at random by somebody else's rules."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        naive, facts = Ostrich(), VARIANT.facts()
        positions = np.full((3, 1), facts[rules.START], np.uint32)
        deck = [VARIANT.deck[n] for n in rng.permutation(len(VARIANT.deck))]
        for card in deck[: VARIANT.rounds]:
            if naive.is_over():
                break
            naive.reveal(card)
            hands = [naive.legal(player) for player in range(3)]
            claims = [hand[rng.integers(len(hand))] if hand else None for hand in hands]
            naive.claim(claims)
            actions = [
                7 if claim is None else 4 if claim == SKIP else VARIANT.bags.index(claim)
                for claim in claims
            ]
            column = np.array(actions, np.uint32)[:, None]
            advance(positions, np.array([card], np.uint32), column, facts)
        wanted = [float(share) for share in naive.shares()]
        np.testing.assert_allclose(shares_at_the_end(VARIANT, positions)[:, 0], wanted, atol=1e-6)


@pytest.mark.parametrize("turn", [0, 3, 8])
def test_what_is_found_does_not_depend_on_the_batch_or_on_who_sits_where(turn: int) -> None:
    search = random_search()
    positions, card, seen = decisions_at(turn, 100)
    found = search.solve(turn, positions, card, seen)
    order = np.random.default_rng(4).permutation(len(card))
    moved = search.solve(turn, positions[:, order].copy(), card[order], seen[order], 2)
    for here, there in zip(found, moved, strict=True):
        assert here[:, order].tobytes() == there.tobytes()
    seats = [2, 0, 1]
    turned = search.solve(turn, positions[seats].copy(), card, seen)
    for here, there in zip(found, turned, strict=True):
        assert here[seats].tobytes() == there.tobytes()


def test_seats_in_the_same_position_get_the_same_policy() -> None:
    positions, card, seen = decisions_at(4, 60)
    positions[1] = positions[0]
    found = random_search().solve(4, positions, card, seen)
    assert found.policies[0].tobytes() == found.policies[1].tobytes()
    assert (found.gains.max(axis=0) < 0.05).mean() > 0.9


@pytest.mark.parametrize("turn", [2, 8, 9])
def test_gains_and_values_are_those_of_the_policies(turn: int) -> None:
    """By plain sums over joint actions; the last round but one by playing on."""
    search = random_search()
    positions, card, seen = decisions_at(turn, LANES)
    if turn == 8:
        actions, payoffs = (
            np.zeros((3, ROOM, LANES), np.int64),
            np.zeros((3, 64, LANES), np.float32),
        )
        positions.sort(axis=0)  # as the search does itself
        numbers, rooms = np.arange(LANES), new_deep_rooms(ROOM, len(PUBLISHED.cards))
        deep_filler_for(ROOM)(
            faces_of(PUBLISHED), positions, card, seen, numbers, rooms, actions, payoffs
        )
    else:
        actions, payoffs = filled(turn, positions, card, seen)
    found = search.solve(turn, positions, card, seen)
    for lane in range(LANES):
        values = np.zeros((3, VARIANT.num_actions))
        for number, joint in joint_actions(actions, lane):
            chances = [
                1.0 if action == 7 else found.policies[seat, lane, action]
                for seat, action in enumerate(joint)
            ]
            for seat, action in enumerate(joint):
                rest = np.prod([chances[other] for other in {0, 1, 2} - {seat}])
                if action < VARIANT.num_actions:
                    values[seat, action] += rest * payoffs[seat, number, lane]
        for seat in range(3):
            legal = ~np.isnan(found.values[seat, lane])
            if legal.any():
                np.testing.assert_allclose(
                    found.values[seat, lane][legal], values[seat][legal], atol=5e-6
                )
                worth = found.policies[seat, lane] @ values[seat]
                assert found.worth[seat, lane] == pytest.approx(worth, abs=5e-6)
                gain = values[seat][legal].max() - worth
                assert found.gains[seat, lane] == pytest.approx(gain, abs=1e-5)


def test_two_rounds_before_the_end_all_last_rounds_are_played_on() -> None:
    positions, card, seen = decisions_at(8, LANES)
    positions.sort(axis=0)
    actions, payoffs = np.zeros((3, ROOM, LANES), np.int64), np.zeros((3, 64, LANES), np.float32)
    numbers, rooms = np.arange(LANES), new_deep_rooms(ROOM, len(PUBLISHED.cards))
    fill = deep_filler_for(ROOM)
    fill(faces_of(PUBLISHED), positions, card, seen, numbers, rooms, actions, payoffs)
    for lane in range(4):
        for number, joint in joint_actions(actions, lane):
            after = positions[:, lane : lane + 1].copy()
            column = np.array(joint, np.uint32)[:, None]
            advance(after, card[lane : lane + 1], column, VARIANT.facts())
            branches = branches_of(PUBLISHED, States(after, seen[lane : lane + 1]))
            words = np.ascontiguousarray(after[:, branches.state])
            last = random_search().solve(9, words, branches.card, branches.seen)
            wanted = (last.worth * branches.chance).sum(axis=1)
            np.testing.assert_allclose(payoffs[:, number, lane], wanted, atol=1e-6)


def test_networks_are_told_by_plain_matrices() -> None:
    states = random_states()[6]
    net = random_search().nets[6]
    told = values_of(PUBLISHED, net, states.positions[:, :20], states.seen[:20])
    for number in range(20):
        wanted = plain_value(net, states.positions[:, number], int(states.seen[number]))
        np.testing.assert_allclose(told[:, number], wanted, atol=2e-6)


def test_networks_come_back_from_their_arrays() -> None:
    nets = random_search().nets
    arrays = arrays_of(nets)
    assert len(arrays) == len(nets) * len(LAYERS)
    for net, again in zip(nets, nets_from(arrays), strict=True):
        assert all(a is b for a, b in zip(net.arrays, again.arrays, strict=True))
