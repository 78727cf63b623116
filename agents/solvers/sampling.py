"""Monte Carlo counterfactual regret minimisation (Lanctot, Waugh, Zinkevich, Bowling 2009).

An iteration samples a part of the tree for each player in turn. External sampling: all of the
player's own actions, one of chance's and of each other player's; nodes at which several decide are
no exception, the others are sampled and the player tries each of its own. Outcome sampling: one
playthrough, in which the player explores.

Averages need care with three or more players. What is usual, to add up the policies of others where
the walk for one player meets them, counts a policy by its own player's weight times that of the
third players, which changes from one iteration to the next: right for two players only. So policies
are averaged in walks of their own: the player whose policy it is tries all its actions, with its
exact weight, and all others choose evenly, so that every information set is met with a chance that
never changes.

Every random word has an address: seed, iteration, player and kind of walk, number of the draw. So a
run that is resumed goes on exactly as it would have.
"""

from typing import Any

import numpy as np
from numba import types
from numpy import int64, uint32, uint64

from agents.solvers.cfr import match_set
from agents.solvers.sequences import FLOATS, INTS, TABLE
from agents.solvers.tree import CHANCE, END
from simulator.compiling import compiled
from simulator.philox import philox4x32

EXTERNAL, OUTCOME = range(2)
SAMPLINGS = {"external": EXTERNAL, "outcome": OUTCOME}
EXPLORATION = 0.6  # of outcome sampling, as in the paper's experiments

_KINDS = types.int8[::1]
_ADDRESS = types.uint64[::1]
_LOW = uint64(0xFFFFFFFF)


@compiled(types.float64(_ADDRESS), inline=True)
def _draw(address: Any) -> Any:
    """Return a number from 0 to 1 from the next word at seed, iteration, walk, draw."""
    word, _, _, _ = philox4x32(
        address[3], address[2], address[1] & _LOW, address[1] >> uint64(32),
        uint32(address[0] & _LOW), uint32(address[0] >> uint64(32)),
    )  # fmt: skip
    address[3] += uint64(1)
    return (float(word) + 0.5) * 2.0**-32


@compiled(types.int64(FLOATS, types.int64, types.int64, _ADDRESS), inline=True)
def _pick(chances: Any, first: Any, count: Any, address: Any) -> Any:
    """Return which of some probabilities, side by side, a draw hits."""
    left = _draw(address)
    for place in range(count - 1):
        left -= chances[first + place]
        if left < 0.0:
            return int64(place)
    return int64(count - 1)


@compiled(
    types.int64(
        _KINDS, INTS, INTS, TABLE, FLOATS, INTS, INTS, types.int64, FLOATS, FLOATS, _ADDRESS,
        INTS, INTS, FLOATS,
    )
)  # fmt: skip
def _walk(
    kind: Any, first_child: Any, num_children: Any, information_set: Any, chance: Any,
    first_sequence: Any, num_actions: Any, walker: Any, behaviour: Any, policy: Any, address: Any,
    visited: Any, firsts: Any, reach: Any,
) -> Any:  # fmt: skip
    """Walk a part of the tree: every action of one player, one of chance and each other player.

    Parameters
    ----------
    walker : int
        The player whose actions are all tried.
    behaviour : float64[sequences]
        By which the others are sampled.
    policy : float64[sequences]
        The walker's own, for its weights.
    address : uint64[4]
        Of the next random word, changed in place.
    visited, firsts, reach : int32[nodes], int32[nodes], float64[nodes]
        Filled in place: the nodes in the order met, where in this order each node's first child
        is (the others follow), and the walker's own weight.

    Returns
    -------
    int64
        How many nodes were met.
    """
    players = information_set.shape[1]
    visited[0], reach[0] = 0, 1.0
    met, place = int64(1), int64(0)
    while place < met:
        node = visited[place]
        firsts[place] = met
        if kind[node] == END:
            place += 1
            continue
        first = int64(first_child[node])
        if kind[node] == CHANCE:
            visited[met] = first + _pick(chance, first, num_children[node], address)
            reach[met] = reach[place]
            met += 1
            place += 1
            continue
        stride, step, own = int64(1), int64(0), int64(-1)
        for back in range(players):
            player = players - 1 - back
            number = information_set[node, player]
            if number < 0:
                continue
            if player == walker:
                step, own = stride, int64(number)
            else:
                action = _pick(behaviour, first_sequence[number], num_actions[number], address)
                first += stride * action
            stride *= num_actions[number]
        for action in range(num_actions[own] if own >= 0 else 1):
            visited[met] = first + step * action
            share = policy[first_sequence[own] + action] if own >= 0 else 1.0
            reach[met] = reach[place] * share
            met += 1
        place += 1
    return met


@compiled(
    types.void(
        _KINDS, INTS, TABLE, INTS, INTS, types.float64[:, ::1], types.int64, types.int64,
        INTS, INTS, FLOATS, FLOATS, FLOATS,
    )
)  # fmt: skip
def _back_up(
    kind: Any, first_child: Any, information_set: Any, first_sequence: Any, num_actions: Any,
    payoffs: Any, walker: Any, met: Any, visited: Any, firsts: Any, worth: Any,
    regrets: Any, policy: Any,
) -> None:  # fmt: skip
    """Add to the walker's regrets what a walk says, from its ends back, and renew its policy."""
    for back in range(met):
        place = met - 1 - back
        node = visited[place]
        number = information_set[node, walker] if kind[node] != END else -1
        if kind[node] == END:
            worth[place] = payoffs[walker, first_child[node]]
        elif number < 0:
            worth[place] = worth[firsts[place]]
        else:
            value = 0.0
            for action in range(num_actions[number]):
                share = policy[first_sequence[number] + action]
                value += share * worth[firsts[place] + action]
            for action in range(num_actions[number]):
                gain = worth[firsts[place] + action] - value
                regrets[first_sequence[number] + action] += gain
            worth[place] = value
    for place in range(met):  # only now: all of a walk is valued by one policy
        node = visited[place]
        if kind[node] != END and information_set[node, walker] >= 0:
            number = information_set[node, walker]
            match_set(first_sequence, num_actions, number, regrets, policy)


@compiled(
    types.void(
        _KINDS, INTS, INTS, TABLE, FLOATS, INTS, INTS, types.float64[:, ::1], types.int64,
        _ADDRESS, INTS, FLOATS, FLOATS, FLOATS,
    )
)  # fmt: skip
def _play_out(
    kind: Any, first_child: Any, num_children: Any, information_set: Any, chance: Any,
    first_sequence: Any, num_actions: Any, payoffs: Any, walker: Any, address: Any, visited: Any,
    shares: Any, regrets: Any, policy: Any,
) -> None:  # fmt: skip
    """Play one playthrough in which the walker explores, and add to its regrets what that says.

    Others are sampled by their policies, whose probabilities cancel; so an end counts by one over
    the probability with which the walker was sampled. `visited` and `shares` are scratch.
    """
    players = information_set.shape[1]
    node, length, sampled = int64(0), int64(0), 1.0
    while kind[node] != END:
        first = int64(first_child[node])
        if kind[node] == CHANCE:
            node = first + _pick(chance, first, num_children[node], address)
            continue
        stride = int64(1)
        for back in range(players):
            player = players - 1 - back
            number = information_set[node, player]
            if number < 0:
                continue
            start, count = first_sequence[number], num_actions[number]
            action = _pick(policy, start, count, address)
            if player == walker:
                if _draw(address) < EXPLORATION:
                    action = min(int64(_draw(address) * count), int64(count - 1))
                share = policy[start + action]
                sampled *= EXPLORATION / count + (1.0 - EXPLORATION) * share
                visited[length], shares[length] = start + action, share
                visited[length + 1] = number
                length += 2
            first += stride * action
            stride *= count
        node = first
    weight = payoffs[walker, first_child[node]] / sampled
    while length > 0:
        length -= 2
        sequence, number = visited[length], visited[length + 1]
        for other in range(first_sequence[number], first_sequence[number] + num_actions[number]):
            taken = 1.0 if other == sequence else 0.0
            regrets[other] += weight * (taken - shares[length])
        weight *= shares[length]
        match_set(first_sequence, num_actions, number, regrets, policy)


@compiled(
    types.void(
        _KINDS, INTS, INTS, TABLE, FLOATS, INTS, INTS, types.float64[:, ::1], types.int64,
        types.uint64, types.int64[::1], types.int64, FLOATS, FLOATS, FLOATS, FLOATS, INTS, INTS,
        FLOATS, FLOATS,
    ),
    late=True,
)  # fmt: skip
def sample(
    kind: Any, first_child: Any, num_children: Any, information_set: Any, chance: Any,
    first_sequence: Any, num_actions: Any, payoffs: Any, sampling: Any, seed: Any, done: Any,
    more: Any, regrets: Any, averages: Any, policy: Any, even: Any, visited: Any, firsts: Any,
    reach: Any, worth: Any,
) -> None:  # fmt: skip
    """Run some iterations.

    Parameters
    ----------
    kind, ..., payoffs
        Of a `GameTree`.
    sampling : int
        EXTERNAL or OUTCOME.
    seed : uint64
    done : int64[1]
        Iterations before these; counted up in place (why: see `cfr.iterate`).
    more : int
        How many these are.
    regrets, averages : float64[sequences]
        The sums that are carried from one iteration to the next, changed in place.
    policy, even : float64[sequences]
        Scratch for the policy of the regrets; the uniform profile.
    visited, firsts, reach, worth : int32, int32, float64, float64, [nodes + 1]
        To work in.
    """
    players = information_set.shape[1]
    address = np.zeros(4, np.uint64)
    address[0] = seed
    for number in range(first_sequence.size):
        match_set(first_sequence, num_actions, number, regrets, policy)
    for iteration in range(done[0], done[0] + more):
        for walker in range(players):
            address[1], address[2], address[3] = uint64(iteration), uint64(2 * walker), uint64(0)
            met = _walk(
                kind, first_child, num_children, information_set, chance, first_sequence,
                num_actions, walker, even, policy, address, visited, firsts, reach,
            )  # fmt: skip
            for place in range(met):
                node = visited[place]
                if kind[node] == END or information_set[node, walker] < 0:
                    continue
                start = first_sequence[information_set[node, walker]]
                for action in range(num_actions[information_set[node, walker]]):
                    averages[start + action] += reach[place] * policy[start + action]
            address[2], address[3] = uint64(2 * walker + 1), uint64(0)
            if sampling == OUTCOME:
                _play_out(
                    kind, first_child, num_children, information_set, chance, first_sequence,
                    num_actions, payoffs, walker, address, visited, worth, regrets, policy,
                )  # fmt: skip
            else:
                met = _walk(
                    kind, first_child, num_children, information_set, chance, first_sequence,
                    num_actions, walker, policy, policy, address, visited, firsts, reach,
                )  # fmt: skip
                _back_up(
                    kind, first_child, information_set, first_sequence, num_actions, payoffs,
                    walker, met, visited, firsts, worth, regrets, policy,
                )  # fmt: skip
    done[0] += more
