"""Simultaneous-move Monte Carlo tree search in Ostrich.

After Lanctot, Lisy and Winands (Monte Carlo tree search in simultaneous move games with
applications to Goofspiel, 2014), and Tak, Lanctot and Winands (Monte Carlo tree search variants for
simultaneous move games, 2014).

A node of the tree is a public state with its card open; whatever leads to it, it is the same node.
At a node all players choose at once, each by statistics of its own; the next card is drawn. A
playout walks from node to node until it comes to a state that is not in the tree; that one is
added, and the rest is played at random. What each player gets in the end is learnt at every node
passed. Players choose by one of two rules:

DUCT, decoupled upper confidence bounds
    Each takes the action with the highest bound (UCB1) on what its own actions brought so far.
REGRET_MATCHING
    Each mixes its actions in proportion to their regrets, and explores a little. The regret of what
    was not played is told by the mean of what the joint action with just that one exchanged has
    brought; a joint action not tried yet tells nothing. Unlike there, regrets below zero are
    forgotten and later visits count more in the average strategy, as in CFR+ (Tammelin 2014), which
    left less to gain by deviating from 10,000 simulations in the small variants it was tried on.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types
from numpy import float64, int64, uint32, uint64

from agents.solvers.ostrich_playouts import (
    HOW_MANY,
    PLAYOUT,
    WORDS_A_PLAYOUT,
    Playout,
    draw,
    is_over,
    one_of,
    play_round,
    roll_out,
    scrambled,
    settle,
    word_at,
)
from ostrich import rules
from simulator.compiling import compiled
from simulator.program import FACTS
from simulator.words import Word, Words, shift_left

#: Selection rules.
DUCT, REGRET_MATCHING = range(2)
#: What a node keeps of each action of each player.
VISITS, REWARDS, REGRETS, STRATEGY = range(4)
EMPTY = -1  # a slot that holds nothing
_NODES, _CELLS = range(2)
_NODE, _ACTIONS, _LEGAL = 0, 1, 1 + rules.MAX_PLAYERS  # columns of a path


class Tree(NamedTuple):
    """A search tree; all of it is changed in place, and a search begins by emptying it.

    Both tables have open addressing and exact keys. A cell is a joint action at a node.
    """

    slots: npt.NDArray[np.int32]  # [slots], a node, or EMPTY
    keys: npt.NDArray[np.uint64]  # [nodes, 3]
    statistics: npt.NDArray[np.float64]  # [nodes, players, 4, MAX_ACTIONS]
    cells: npt.NDArray[np.int64]  # [slots], a cell's key, or EMPTY
    means: npt.NDArray[np.float64]  # [slots, 1 + 4], how often it was played, what it brought
    used: npt.NDArray[np.int64]  # [2], nodes and cells
    path: npt.NDArray[np.int64]  # [MAX_CARDS, 1 + 4 + 4], node, actions and legal ones


TREE = types.NamedTuple(
    (
        types.int32[::1],
        types.uint64[:, ::1],
        types.float64[:, :, :, ::1],
        types.int64[::1],
        types.float64[:, ::1],
        types.int64[::1],
        types.int64[:, ::1],
    ),
    Tree,
)


def new_tree(players: int, simulations: int, selection: int) -> Tree:
    """Return a tree that so many simulations cannot fill; regret matching needs cells as well."""
    slots = 1 << (2 * simulations).bit_length()
    cells = 4 * slots if selection == REGRET_MATCHING else 1
    return Tree(
        np.empty(slots, np.int32),
        np.empty((simulations, 3), np.uint64),
        np.empty((simulations, players, 4, rules.MAX_ACTIONS)),
        np.empty(cells, np.int64),
        np.empty((cells, 1 + rules.MAX_PLAYERS)),
        np.zeros(2, np.int64),
        np.empty((rules.MAX_CARDS, _LEGAL + rules.MAX_PLAYERS), np.int64),
    )


@compiled(types.void(TREE), inline=True, allocates=False)
def _empty(tree: Any) -> None:
    """Take all nodes and cells out."""
    tree.used[_NODES] = tree.used[_CELLS] = 0
    for slot in range(tree.slots.size):
        tree.slots[slot] = EMPTY
    for slot in range(tree.cells.size):
        tree.cells[slot] = EMPTY


@compiled("uint64(uint64,uint64,uint64)", inline=True)
def _hashed(key0: Any, key1: Any, key2: Any) -> Any:
    """Return a hash of three words."""
    first = scrambled(uint64(key0))
    return scrambled(uint64(scrambled(uint64(first + uint64(key1))) + uint64(key2)))


@compiled(types.int64(TREE, types.uint32[::1], types.uint32, types.uint32), allocates=False)
def _node_at(tree: Any, positions: Words, card: Word, seen: Word) -> Any:
    """Return the node of a state, added without statistics if it was not there."""
    key0 = uint64(positions[0]) | uint64(uint64(positions[1]) << uint64(32))
    key1 = uint64(positions[2]) | uint64(uint64(positions[3]) << uint64(32))
    key2 = uint64(seen) | uint64(uint64(card) << uint64(32))
    slots, keys, mask = tree.slots, tree.keys, uint64(tree.slots.size - 1)
    slot = uint64(_hashed(key0, key1, key2) & mask)
    while slots[slot] != EMPTY:
        node = int64(slots[slot])
        if keys[node, 0] == key0 and keys[node, 1] == key1 and keys[node, 2] == key2:
            return node
        slot = uint64(uint64(slot + uint64(1)) & mask)
    node = tree.used[_NODES]
    tree.used[_NODES] += 1
    slots[slot] = node
    keys[node, 0], keys[node, 1], keys[node, 2] = key0, key1, key2
    statistics = tree.statistics
    for player in range(statistics.shape[1]):
        for kind in range(statistics.shape[2]):
            for action in range(statistics.shape[3]):
                statistics[node, player, kind, action] = 0.0
    return node


@compiled(types.int64(TREE, types.int64), inline=True, allocates=False)
def _cell_slot(tree: Any, key: Any) -> Any:
    """Return the slot of a cell, or the empty one where it would go."""
    cells, mask = tree.cells, uint64(tree.cells.size - 1)
    slot = uint64(scrambled(uint64(key)) & mask)
    while cells[slot] != EMPTY and cells[slot] != key:
        slot = uint64(uint64(slot + uint64(1)) & mask)
    return int64(slot)


# --- Choosing -----------------------------------------------------------------------------------


@compiled("int64(uint32,int64)", inline=True)
def _has(actions: Word, action: Any) -> Any:
    """Return 1 if an action is in a set, else 0."""
    return (int64(actions) >> int64(action)) & int64(1)


@compiled(
    types.uint32(TREE, types.int64, types.int64, types.uint32, types.uint64, types.float64),
    inline=True,
    allocates=False,
)
def _by_bounds(tree: Any, node: Any, player: Any, legal: Word, some: Any, width: Any) -> Word:
    """Return the action with the highest bound, or any that was not tried yet (`DUCT`)."""
    statistics, untried, total = tree.statistics, uint32(0), 0.0
    for action in range(rules.MAX_ACTIONS):
        visits = statistics[node, player, VISITS, action]
        total += visits
        untried |= uint32(shift_left(uint32(visits == 0.0), action))
    untried = uint32(untried & uint32(legal))
    if untried != uint32(0):
        return one_of(untried, some, 16)
    growth, highest, chosen = np.log(total), -1.0, uint32(0)
    for action in range(rules.MAX_ACTIONS):
        if _has(legal, action):
            visits = statistics[node, player, VISITS, action]
            mean = statistics[node, player, REWARDS, action] / visits
            bound = mean + width * np.sqrt(growth / visits)
            if bound > highest:
                highest, chosen = bound, uint32(action)
    return chosen


@compiled(
    types.uint32(TREE, types.int64, types.int64, types.uint32, types.uint64, types.float64),
    inline=True,
    allocates=False,
)
def _by_regrets(tree: Any, node: Any, player: Any, legal: Word, some: Any, exploring: Any) -> Word:
    """Draw an action by regrets, and add what was wanted to the strategy (`REGRET_MATCHING`)."""
    statistics, regrets, weight = tree.statistics, 0.0, 1.0
    for action in range(rules.MAX_ACTIONS):
        regrets += statistics[node, player, REGRETS, action]
        weight += statistics[node, player, VISITS, action]
    even = 1.0 / float64(HOW_MANY[legal])
    left, chosen = float64(uint64(some) & uint64(0xFFFF)) / 65536.0, uint32(rules.NO_ACTION)
    for action in range(rules.MAX_ACTIONS):
        if _has(legal, action):
            regret = statistics[node, player, REGRETS, action]
            wanted = regret / regrets if regrets > 0.0 else even
            statistics[node, player, STRATEGY, action] += weight * wanted
            chosen = uint32(action) if left >= 0.0 else chosen
            left -= (1.0 - exploring) * wanted + exploring * even
    return chosen


@compiled(
    types.void(
        TREE, PLAYOUT, types.int64, types.int64, types.uint64, types.int64, types.float64, FACTS
    ),
    inline=True,
    allocates=False,
)
def _choose(
    tree: Any, playout: Any, node: Any, depth: Any, word: Any, selection: Any, exploring: Any,
    facts: Words,
) -> None:  # fmt: skip
    """Fill in the players' actions at a node, and the path's row, by 16 random bits a player."""
    path = tree.path
    path[depth, _NODE] = node
    for player in range(int64(facts[rules.PLAYERS])):
        legal = uint32(rules.legal_actions(playout.positions[player], facts[rules.SKIP]))
        some = uint64(uint64(word) >> uint64(16 * player))
        action = uint32(rules.NO_ACTION)
        if legal != uint32(0):
            if selection == DUCT:
                action = uint32(_by_bounds(tree, node, player, legal, some, exploring))
            else:
                action = uint32(_by_regrets(tree, node, player, legal, some, exploring))
        playout.actions[player] = action
        path[depth, _ACTIONS + player] = int64(action)
        path[depth, _LEGAL + player] = int64(legal)


# --- Learning -----------------------------------------------------------------------------------


@compiled(types.void(TREE, PLAYOUT, types.int64, types.int64), inline=True, allocates=False)
def _count(tree: Any, playout: Any, depth: Any, players: Any) -> None:
    """Add what the players got to their actions at a node of the path."""
    node, statistics = tree.path[depth, _NODE], tree.statistics
    for player in range(players):
        action = tree.path[depth, _ACTIONS + player]
        if action < rules.MAX_ACTIONS:
            statistics[node, player, VISITS, action] += 1.0
            statistics[node, player, REWARDS, action] += playout.shares[player]


@compiled(types.int64(TREE, types.int64, types.int64), inline=True, allocates=False)
def _cell_key(tree: Any, depth: Any, players: Any) -> Any:
    """Return the key of the joint action at a node of the path: three bits for each action."""
    key = tree.path[depth, _NODE]
    for player in range(players):
        key = 8 * key + tree.path[depth, _ACTIONS + player]
    return key


@compiled(types.void(TREE, PLAYOUT, types.int64, types.int64), inline=True, allocates=False)
def _regret(tree: Any, playout: Any, depth: Any, players: Any) -> None:
    """Change the players' regrets at a node of the path by what other actions have brought."""
    path, statistics, means = tree.path, tree.statistics, tree.means
    node, key = path[depth, _NODE], _cell_key(tree, depth, players)
    for player in range(players):
        played = path[depth, _ACTIONS + player]
        for action in range(rules.MAX_ACTIONS):
            if action != played and _has(path[depth, _LEGAL + player], action):
                exchanged = (action - played) << (3 * (players - 1 - player))
                slot = _cell_slot(tree, key + exchanged)
                if tree.cells[slot] != EMPTY:
                    brought = means[slot, 1 + player] / means[slot, 0]
                    regret = statistics[node, player, REGRETS, action]
                    regret += brought - playout.shares[player]
                    statistics[node, player, REGRETS, action] = max(regret, 0.0)


@compiled(types.void(TREE, PLAYOUT, types.int64, types.int64), inline=True, allocates=False)
def _count_cell(tree: Any, playout: Any, depth: Any, players: Any) -> None:
    """Add what the players got to their joint action at a node of the path.

    Few simulations bring more than two new cells; should half the slots be taken all the same, no
    more are added, and what they would have told is not known.
    """
    key, means = _cell_key(tree, depth, players), tree.means
    slot = _cell_slot(tree, key)
    if tree.cells[slot] == EMPTY:
        if 2 * tree.used[_CELLS] >= tree.cells.size:
            return
        tree.used[_CELLS] += 1
        tree.cells[slot] = key
        for column in range(means.shape[1]):
            means[slot, column] = 0.0
    means[slot, 0] += 1.0
    for player in range(players):
        means[slot, 1 + player] += playout.shares[player]


# --- Searching ----------------------------------------------------------------------------------


@compiled(
    types.int64(
        TREE, PLAYOUT, types.uint32[::1], types.int64, FACTS, types.int64[::1],
        types.uint64, types.int64, types.int64, types.float64,
    ),
    inline=True,
    allocates=False,
)  # fmt: skip
def _simulate(
    tree: Any, playout: Any, root: Words, turn: Any, facts: Words, firsts: Any, seed: Any,
    address: Any, selection: Any, exploring: Any,
) -> Any:  # fmt: skip
    """Play once from the root to the end, adding a node; return how many nodes were passed."""
    for player in range(rules.MAX_PLAYERS):
        playout.positions[player] = root[player]
    card, seen, depth = root[rules.MAX_PLAYERS], root[rules.MAX_PLAYERS + 1], int64(0)
    while True:
        nodes = tree.used[_NODES]
        node = _node_at(tree, playout.positions, card, seen)
        word = word_at(seed, address + 2 * (turn + depth) + 1)
        _choose(tree, playout, node, depth, word, selection, exploring, facts)
        play_round(playout, card, facts)
        depth += 1
        if node == nodes:
            roll_out(playout, turn + depth, depth - 1, seed, address, facts)
            return depth
        if is_over(playout, turn + depth, facts):
            return depth
        number = draw(playout, depth - 1, word_at(seed, address + 2 * (turn + depth)))
        card = facts[rules.DECK + number]
        # of equal cards the lowest unseen one counts as seen: states are told apart by value
        hidden = uint32(~uint32(seen) & uint32(shift_left(uint32(0xFFFFFFFF), firsts[number])))
        seen = uint32(uint32(seen) | uint32(hidden & uint32(uint32(~hidden) + uint32(1))))


@compiled(
    types.void(
        TREE, PLAYOUT, types.uint32[::1], types.int64, FACTS, types.int64[::1],
        types.int64, types.int64, types.float64,
    ),
    late=True,
    allocates=False,
)  # fmt: skip
def search(
    tree: Tree, playout: Playout, root: Words, turn: int, facts: Words,
    firsts: npt.NDArray[np.int64], simulations: int, selection: int, exploring: float,
) -> None:  # fmt: skip
    """Search one decision; a function of its arguments alone. The root is node 0 of the tree.

    Parameters
    ----------
    tree : Tree
        Made for at least so many simulations; whatever it holds is thrown away.
    playout : Playout
        Its `unseen` holds the numbers of the cards that are not seen.
    root : uint32[6]
        Four positions (0 for absent players), the card that lies open, and the cards seen, it
        included; of equal cards those of the lowest numbers.
    turn : int64
        The round, from 0.
    facts : uint32[7 + cards]
        `Rules.facts`.
    firsts : int64[cards]
        The lowest number of a card of each card's value.
    simulations, selection : int64
    exploring : float64
        Of `DUCT` the factor of the bounds' widths, of `REGRET_MATCHING` the share of even play.
    """
    _empty(tree)
    players = int64(facts[rules.PLAYERS])
    low = uint64(root[4]) | uint64(uint64(root[5]) << uint64(32))
    seed = _hashed(
        uint64(root[0]) | uint64(uint64(root[1]) << uint64(32)),
        uint64(root[2]) | uint64(uint64(root[3]) << uint64(32)),
        low,
    )
    for simulation in range(simulations):
        address = WORDS_A_PLAYOUT * int64(simulation)
        depth = _simulate(
            tree, playout, root, turn, facts, firsts, seed, address, selection, exploring
        )
        settle(playout, facts)
        for passed in range(depth):
            if selection == REGRET_MATCHING:
                _regret(tree, playout, passed, players)
                _count_cell(tree, playout, passed, players)
            _count(tree, playout, passed, players)
