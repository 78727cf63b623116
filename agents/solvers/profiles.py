"""Profiles of a tree: from agents, from tables by information state, and on disk."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.solvers.building import build_tree
from agents.solvers.tree import Floats, GameTree
from simulator.agents import Agent
from simulator.inputs import UsageError
from simulator.stored import read_stored, write_stored

KIND = "policy"

#: For each player and information-state string, the probability of each action.
Table = Mapping[tuple[int, str], Mapping[int, float]]


def tree_and_profile(
    game: Any,
    agents: Sequence[Agent],
    limit: int | None = None,
    returns: Callable[[Any], Sequence[float]] | None = None,
) -> tuple[GameTree, Floats]:
    """Unroll one of our games, and return with it what a line-up of agents does there.

    Parameters
    ----------
    game : Game
    agents : sequence of Agent
        Seat by seat.
    limit : int, optional
        Of the tree's nodes.
    returns : callable, optional
        The players' payoffs in a state at the end, instead of its returns.

    Raises
    ------
    UsageError
        If the tree is too large, or an agent's policy is not known or declares memory.
    """
    if len(agents) != game.num_players:
        raise UsageError(f"the line-up has {len(agents)} agents for {game.num_players} players")
    for agent in agents:
        if agent.has_memory:
            raise UsageError(f"{agent.name} declares memory: its policy is not known")
    found: list[Floats] = []

    def ask(_number: int, player: int, state: Any) -> None:
        try:
            policy = agents[player].policy(state.observation(player))
        except (NotImplementedError, ValueError) as error:
            raise UsageError(f"deviation gains need a known policy: {error}") from error
        found.append(policy[state.legal_actions(player)])

    tree = build_tree(game, limit=limit, visit=ask, returns=returns)
    return tree, np.concatenate([np.ones(tree.num_players), *found])


def table_of(tree: GameTree, profile: Floats) -> dict[tuple[int, str], dict[int, float]]:
    """Return a profile by player and information-state string.

    Raises
    ------
    UsageError
        If one string stands for several information sets of a player with different policies.
    """
    table: dict[tuple[int, str], dict[int, float]] = {}
    for number, string in enumerate(tree.strings):
        some = tree.sequences_of(number)
        actions = tree.actions[some].tolist()
        policy = dict(zip(actions, profile[some].tolist(), strict=True))
        if table.setdefault((int(tree.set_player[number]), string), policy) != policy:
            raise UsageError(
                f"the policy of player {tree.set_player[number]} in {string!r} depends on its own "
                "earlier actions, which this string does not tell"
            )
    return table


def profile_from(tree: GameTree, table: Table) -> Floats:
    """Return the profile that a table by player and information-state string holds.

    Raises
    ------
    UsageError
        If a player or an information state of the tree is not in it, or what it holds there is no
        distribution over legal actions.
    """
    players = {player for player, _ in table}
    lacking = sorted(set(tree.set_player.tolist()) - players)
    if lacking:
        raise UsageError(f"the profile lacks player {lacking[0]} of {tree.name}")
    profile = np.ones(tree.num_sequences)
    for number, string in enumerate(tree.strings):
        player, some = int(tree.set_player[number]), tree.sequences_of(number)
        if (player, string) not in table:
            raise UsageError(f"the profile lacks player {player}'s information state {string!r}")
        policy, actions = table[player, string], tree.actions[some].tolist()
        illegal = [action for action, share in policy.items() if share and action not in actions]
        if illegal:
            raise UsageError(
                f"the profile has player {player} take action {illegal[0]} in {string!r}; legal "
                f"are {actions}"
            )
        profile[some] = [policy.get(action, 0.0) for action in actions]
    return tree.check_profile(profile)


def write_profile(path: Path, tree: GameTree, profile: Floats) -> None:
    """Write a profile; the file appears whole or not at all."""
    header = {"game": tree.name, "tree": tree.fingerprint}
    write_stored(path, KIND, header, {"policy": tree.check_profile(profile)})


def read_profile(path: Path, tree: GameTree) -> Floats:
    """Return a profile that was written for this tree.

    Raises
    ------
    UsageError
        If the file is damaged, of another game, or holds no probabilities.
    """
    header, arrays = read_stored(path, KIND)
    if header.get("tree") != tree.fingerprint:
        raise UsageError(f"{path} is a policy of another game: {header.get('game')!r}")
    try:
        return tree.check_profile(arrays.get("policy", np.zeros(0)))
    except UsageError as error:
        raise UsageError(f"{path} holds no policy: {error}") from error
