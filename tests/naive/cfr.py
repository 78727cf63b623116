"""Counterfactual regret minimisation by plain recursion on states: a test oracle.

Vanilla CFR with alternating updates on games of OpenSpiel, simultaneous nodes included, with
information sets told by player, string, and the player's own actions.
"""

from collections import defaultdict
from itertools import product


class NaiveCfr:
    def __init__(self, game):
        self.game = game
        self.players = game.num_players()
        self.regrets = defaultdict(lambda: defaultdict(float))
        self.sums = defaultdict(lambda: defaultdict(float))

    def policy(self, key, actions):
        positive = {a: max(self.regrets[key][a], 0.0) for a in actions}
        total = sum(positive.values())
        if total > 0:
            return {a: share / total for a, share in positive.items()}
        return {a: 1 / len(actions) for a in actions}

    def iterate(self):
        for player in range(self.players):
            start = tuple(() for _ in range(self.players))
            gained = defaultdict(lambda: defaultdict(float))
            own_reach = {}
            self.walk(self.game.new_initial_state(), start, player, 1.0, 1.0, gained, own_reach)
            for key, (reach, policy) in own_reach.items():
                for action, share in policy.items():
                    self.sums[key][action] += reach * share
            for key, by_action in gained.items():
                for action, regret in by_action.items():
                    self.regrets[key][action] += regret

    def walk(self, state, done, player, own, others, gained, own_reach):
        """Return what the state is worth to the player."""
        if state.is_terminal():
            return state.returns()[player]
        if state.is_chance_node():
            total = 0.0
            for outcome, chance in state.chance_outcomes():
                child = state.child(outcome)
                total += chance * self.walk(
                    child, done, player, own, others * chance, gained, own_reach
                )
            return total
        if state.is_simultaneous_node():
            deciders = [p for p in range(self.players) if state.legal_actions(p)]
        else:
            deciders = [state.current_player()]
        keys = {p: (p, state.information_state_string(p), done[p]) for p in deciders}
        policies = {p: self.policy(keys[p], state.legal_actions(p)) for p in deciders}
        worth = defaultdict(float)
        value = 0.0
        for joint in product(*[policies[p].items() for p in deciders]):
            actions = {p: action for p, (action, _) in zip(deciders, joint, strict=True)}
            shares = {p: share for p, (_, share) in zip(deciders, joint, strict=True)}
            rest = 1.0
            for p, share in shares.items():
                rest *= share if p != player else 1.0
            child = state.clone()
            if state.is_simultaneous_node():
                child.apply_actions([actions.get(p, 0) for p in range(self.players)])
            else:
                child.apply_action(actions[deciders[0]])
            then = tuple(
                (*done[p], (keys[p], actions[p])) if p in actions else done[p]
                for p in range(self.players)
            )
            mine = shares.get(player, 1.0)
            below = self.walk(child, then, player, own * mine, others * rest, gained, own_reach)
            value += mine * rest * below
            if player in actions:
                worth[actions[player]] += rest * below
        if player in keys:
            own_reach[keys[player]] = (own, policies[player])
            for action in policies[player]:
                gained[keys[player]][action] += others * (worth[action] - value)
        return value
