"""Unroll a game into a `GameTree`, from any state in OpenSpiel's vocabulary.

Our own games and those of OpenSpiel differ a little: how a node tells who decides, and what a seat
that waits is given. `Node` is where both become alike.
"""

import random
from array import array
from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from agents.solvers.tree import CHANCE, DECISION, END, GameTree
from simulator.inputs import UsageError

BYTES_A_NODE = 300  # while the tree is built
PROBES = 200
RECALLS = "perfect", "string"

Visit = Callable[[int, int, Any], None]
Returns = Callable[[Any], Sequence[float]]


class Node:
    """A state, and what can happen there."""

    def __init__(self, state: Any, players: int) -> None:
        self.state, self.players = state, players
        self.is_end = bool(state.is_terminal())
        self.is_chance = not self.is_end and bool(state.is_chance_node())
        #: Each player's legal actions, [] for one with nothing to decide.
        self.options: list[list[int]] = [] if self.is_end or self.is_chance else self._options()

    def _options(self) -> list[list[int]]:
        state = self.state
        if not hasattr(state, "current_player") or state.is_simultaneous_node():
            return [list(state.legal_actions(player)) for player in range(self.players)]
        mover = state.current_player()
        if mover not in range(self.players):
            raise UsageError(f"a node at which player {mover} decides cannot be unrolled")
        return [list(state.legal_actions()) if p == mover else [] for p in range(self.players)]

    def children(self) -> list[tuple[float, Any, tuple[int | None, ...]]]:
        """Return each child's chance, how to get there, and the players' actions, in order."""
        if self.is_chance:
            return [(chance, outcome, ()) for outcome, chance in self.state.chance_outcomes()]
        joint = product(*[list[int | None](options) or [None] for options in self.options])
        return [(1.0, None, actions) for actions in joint]

    def num_children(self) -> int:
        """Return how many children there are."""
        if self.is_chance:
            return len(self.state.chance_outcomes())
        return prod(len(options) or 1 for options in self.options)

    def child(self, outcome: Any, actions: tuple[int | None, ...]) -> "Node":
        """Return the node after an outcome of chance, or after a joint action."""
        state = self.state.clone()
        if self.is_chance:
            state.apply_action(outcome)
        elif not hasattr(state, "current_player"):
            state.apply_actions(list(actions))
        elif state.is_simultaneous_node():
            state.apply_actions([0 if action is None else action for action in actions])
        else:
            state.apply_action(next(action for action in actions if action is not None))
        return Node(state, self.players)


def players_of(game: Any) -> int:
    """Return a game's number of players."""
    players = game.num_players
    return int(players() if callable(players) else players)


def estimated_nodes(game: Any, probes: int = PROBES) -> float:
    """Return an estimate of a tree's nodes, without building it.

    From random playthroughs: the products of the numbers of children along each add up, on average,
    to the nodes (Knuth 1975, Estimating the efficiency of backtrack programs).
    """
    luck, total = random.Random(1), 0.0
    for _ in range(probes):
        node, weight = Node(game.new_initial_state(), players_of(game)), 1.0
        total += weight
        while not node.is_end:
            children = node.children()
            weight *= len(children)
            total += weight
            node = node.child(*luck.choice(children)[1:])
    return total / probes


def most_nodes() -> int:
    """Return how many nodes half of the memory that is free now would hold."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) << 10 for line in lines if "MemAvailable" in line)
    except (OSError, StopIteration, ValueError):
        free = 4 << 30
    return free // 2 // BYTES_A_NODE


def check_size(game: Any, name: str, limit: int) -> None:
    """Raise UsageError if a game's tree is estimated to have more nodes than `limit`."""
    nodes = estimated_nodes(game)
    if nodes > limit:
        raise UsageError(
            f"{name} has some {nodes:.1e} nodes when unrolled (estimated from {PROBES} random "
            f"playthroughs), about {nodes * BYTES_A_NODE / 2**30:,.1f} GB; at most {limit:,} are "
            "allowed here: take a smaller variant"
        )


class _Builder:
    """What a tree is made of, while it grows."""

    def __init__(
        self, players: int, recall: str, visit: Visit | None, returns: Returns | None
    ) -> None:
        self.players, self.recall, self.visit = players, recall, visit
        self.returns: Returns = returns or (lambda state: state.returns())
        self.kind, self.chance = array("b"), array("d")
        self.first_child, self.num_children = array("i"), array("i")
        self.information_set, self.parent = array("i"), array("i")
        self.sets: dict[tuple[Any, ...], int] = {}
        self.set_player, self.first_sequence = array("i"), array("i")
        self.num_actions, self.leads_here = array("i"), array("i")
        self.first_node = array("i")
        self.actions = array("i", [-1] * players)
        self.end_chance, self.end_sequence, self.payoffs = array("d"), array("i"), array("d")
        self.merged: tuple[int, int] | None = None

    def add_nodes(self, parent: int, chances: list[float]) -> int:
        """Add the children of a node; return the number of the first."""
        first = len(self.kind)
        count = len(chances)
        self.kind.extend([END] * count)
        self.chance.extend(chances)
        self.first_child.extend([0] * count)
        self.num_children.extend([0] * count)
        self.information_set.extend([-1] * (count * self.players))
        self.parent.extend([parent] * count)
        return first

    def set_of(self, node: Node, number: int, player: int, sequence: int) -> int:
        """Return the information set in which a player decides at a node."""
        string = node.state.information_state_string(player)
        key = (player, string, sequence if self.recall == "perfect" else None)
        known = self.sets.get(key)
        options = node.options[player]
        if known is None:
            known = len(self.sets)
            self.sets[key] = known
            self.set_player.append(player)
            self.first_sequence.append(len(self.actions))
            self.num_actions.append(len(options))
            self.leads_here.append(sequence)
            self.first_node.append(number)
            self.actions.extend(options)
            if self.visit is not None:
                self.visit(known, player, node.state)
            return known
        first = self.first_sequence[known]
        if self.actions[first : first + self.num_actions[known]].tolist() != options:
            raise UsageError(
                f"player {player} has other legal actions in two histories that look the same: "
                f"{string!r}"
            )
        if self.leads_here[known] != sequence and self.merged is None:
            self.merged = (self.first_node[known], number)
        return known


def build_tree(
    game: Any,
    name: str | None = None,
    recall: str = "perfect",
    limit: int | None = None,
    visit: Visit | None = None,
    returns: Returns | None = None,
) -> GameTree:
    """Unroll a game.

    Parameters
    ----------
    game : Game
        One of ours, or one of OpenSpiel's.
    name : str, optional
        What errors and files call it.
    recall : str
        "perfect": players tell histories apart by the information-state string and by what they
        did themselves. "string": by the string alone, which in games with simultaneous moves may
        merge histories that a player can tell apart; `GameTree.merged` then names two.
    limit : int, optional
        Nodes at most; by default as many as half of the free memory holds.
    visit : callable, optional
        Called with each new information set's number, its player, and a state in it.
    returns : callable, optional
        The players' payoffs in a state at the end, instead of its returns.

    Raises
    ------
    UsageError
        If the tree has too many nodes, or the game cannot be unrolled.
    """
    if recall not in RECALLS:
        raise UsageError(f"recall is {' or '.join(RECALLS)}, not {recall!r}")
    name, limit = name or str(game), most_nodes() if limit is None else limit
    check_size(game, name, limit)
    players = players_of(game)
    builder = _Builder(players, recall, visit, returns)
    builder.add_nodes(-1, [1.0])
    root = Node(game.new_initial_state(), players)
    stack: list[tuple[int, Node, float, tuple[int, ...]]] = [(0, root, 1.0, tuple(range(players)))]
    while stack:
        stack.extend(reversed(_unrolled(builder, *stack.pop())))
        if len(builder.kind) > limit:
            raise UsageError(
                f"{name} has more than the {limit:,} nodes allowed here: take a smaller variant"
            )
    return _finished(builder, name, game)


def _unrolled(
    builder: _Builder, number: int, node: Node, reach: float, sequences: tuple[int, ...]
) -> list[Any]:
    """Fill in a node; return its children with what leads to them."""
    if node.is_end:
        builder.first_child[number] = len(builder.end_chance)
        builder.end_chance.append(reach)
        builder.end_sequence.extend(sequences)
        builder.payoffs.extend(builder.returns(node.state))
        return []
    sets = [-1] * builder.players
    for player, options in enumerate(node.options):
        if options:
            sets[player] = builder.set_of(node, number, player, sequences[player])
            builder.information_set[number * builder.players + player] = sets[player]
    children = node.children()
    builder.kind[number] = CHANCE if node.is_chance else DECISION
    first = builder.add_nodes(number, [chance for chance, _, _ in children])
    builder.first_child[number], builder.num_children[number] = first, len(children)
    firsts = [0 if one < 0 else builder.first_sequence[one] for one in sets]
    found = []
    for place, (chance, outcome, actions) in enumerate(children):
        after = list(sequences)
        for player, action in enumerate(actions):
            if action is not None:
                after[player] = firsts[player] + node.options[player].index(action)
        found.append((first + place, node.child(outcome, actions), reach * chance, tuple(after)))
    return found


def _finished(builder: _Builder, name: str, game: Any) -> GameTree:
    """Return what was built as arrays."""
    players = builder.players
    merged = None
    if builder.merged is not None:
        one, two = (_history(builder, game, node) for node in builder.merged)
        merged = f"{one} and {two} look the same to a player who acted otherwise in them"

    def ints(values: Any, *shape: int) -> Any:
        return np.array(values, np.int32).reshape(shape or (-1,))

    return GameTree(
        name=name,
        num_players=players,
        kind=np.array(builder.kind, np.int8),
        first_child=ints(builder.first_child),
        num_children=ints(builder.num_children),
        information_set=ints(builder.information_set, -1, players),
        chance=np.array(builder.chance),
        set_player=ints(builder.set_player),
        first_sequence=ints(builder.first_sequence),
        num_actions=ints(builder.num_actions),
        leads_here=ints(builder.leads_here),
        actions=ints(builder.actions),
        end_chance=np.array(builder.end_chance),
        end_sequence=np.ascontiguousarray(ints(builder.end_sequence, -1, players).T),
        payoffs=np.ascontiguousarray(np.array(builder.payoffs).reshape(-1, players).T),
        strings=tuple(key[1] for key in builder.sets),
        merged=merged,
    )


def _history(builder: _Builder, game: Any, number: int) -> str:
    """Return how play gets to a node, in words."""
    path = []
    while builder.parent[number] >= 0:
        path.append(number - builder.first_child[builder.parent[number]])
        number = builder.parent[number]
    node, told = Node(game.new_initial_state(), builder.players), []
    for place in reversed(path):
        _, outcome, actions = node.children()[place]
        acts = ", ".join("-" if action is None else str(action) for action in actions)
        told.append(f"chance {outcome}" if node.is_chance else f"({acts})")
        node = node.child(outcome, actions)
    return " ".join(told) or "the start"
