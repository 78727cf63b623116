"""Brute force over histories of Ostrich, as slow and plain as possible: a test oracle for solvers.

Nothing is merged: every history is walked by itself, on copies of the naive game. Nobody should
make this faster.
"""

from itertools import product

import numpy as np
from scipy.optimize import linprog

from tests.naive.ostrich import Ostrich


def payoffs_of(game, payoff):
    """What the players get at the end."""
    if payoff == "score_difference":
        one, two = (game.score(player) for player in range(2))
        return np.array([float(one - two), float(two - one)])
    return np.array([float(share) for share in game.shares()])


def after_card(game, card):
    then = game.copy()
    then.reveal(card)
    return then


def after_claims(game, claims):
    then = game.copy()
    then.claim(list(claims))
    return then


def claims_of(game):
    """Each player's claims; [None] for one who is out."""
    return [game.legal(player) or [None] for player in range(game.players)]


def matrix_value(matrix):
    """The value of a zero-sum game for the row player, by linear programming."""
    rows, columns = matrix.shape
    # maximise v, with a mix x of rows that gets at least v against every column
    objective = [0.0] * rows + [-1.0]
    at_least = np.hstack([-matrix.T, np.ones((columns, 1))])
    found = linprog(
        objective,
        A_ub=at_least,
        b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(None, None)],
    )
    assert found.status == 0
    return -found.fun


def two_player_value(game, payoff):
    """What the first of two players gets when both play as well as they can."""
    if game.is_over():
        return payoffs_of(game, payoff)[0]
    unseen = game.unseen()
    total = 0.0
    for card in unseen:  # each as likely, equal ones one by one
        shown = after_card(game, card)
        rows, columns = claims_of(shown)
        matrix = np.array(
            [
                [two_player_value(after_claims(shown, (row, column)), payoff) for column in columns]
                for row in rows
            ]
        )
        total += matrix_value(matrix) / len(unseen)
    return total


def profile_values(game, policy, payoff):
    """What each player gets, and what each would get by best responding to the others.

    `policy(game, player)` gives the chance of each of the player's claims, from what is public.
    """
    if game.is_over():
        ends = payoffs_of(game, payoff)
        return ends, ends.copy()
    values, best = np.zeros(game.players), np.zeros(game.players)
    unseen = game.unseen()
    for card in unseen:
        shown = after_card(game, card)
        claims = claims_of(shown)
        mixes = [
            policy(shown, player) if shown.legal(player) else {None: 1.0}
            for player in range(game.players)
        ]
        by_claim = [dict.fromkeys(options, 0.0) for options in claims]
        for joint in product(*claims):
            below, best_below = profile_values(after_claims(shown, joint), policy, payoff)
            chances = [mixes[player][claim] for player, claim in enumerate(joint)]
            values += np.prod(chances) * below / len(unseen)
            for player, claim in enumerate(joint):
                others = np.prod(chances[:player] + chances[player + 1 :])
                by_claim[player][claim] += others * best_below[player]
        for player in range(game.players):
            best[player] += max(by_claim[player].values()) / len(unseen)
    return values, best


def game_of(rules):
    """The naive game with the values of some rules."""
    return Ostrich(
        rules.players, rules.bags, rules.deck, rules.removed, rules.rounds, rules.amber_value,
        rules.out_players_can_win,
    )  # fmt: skip
