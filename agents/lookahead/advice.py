"""What to claim in a position: the mixed claim, and what each claim is worth and brings about."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.solvers.ostrich_endgame import MOST_ROUNDS, solve_endgame
from ostrich import AMBER, Observation, rules


@dataclass(frozen=True)
class Claim:
    """One claim of a player, against what the others are to play.

    Parameters
    ----------
    action : int
    chance : float
        How often it is played in the mixed claim.
    win_share : float
    cost : float
        What it gives away against the best one.
    breaks_own : float
        How often the bag that it claims for breaks.
    breaks_other : float
        How often another player's bag breaks.
    gets_amber : float
        How often it brings the amber.
    """

    action: int
    chance: float
    win_share: float
    cost: float
    breaks_own: float
    breaks_other: float
    gets_amber: float


@dataclass(frozen=True)
class Advice:
    """What to do in a position.

    Parameters
    ----------
    claims : list of Claim
        Of the legal actions, best first.
    win_share : float
        What the mixed claim gets.
    is_exact : bool
        Whether nothing was estimated.
    """

    claims: list[Claim]
    win_share: float
    is_exact: bool


def advise(search: Callable[[], Any], observation: Observation) -> Advice:
    """Return what a player should do, who sees a position with its card open.

    Parameters
    ----------
    search : callable
        Returns the `agents.lookahead.search.Search`; called unless the end is near.
    observation : Observation

    Raises
    ------
    ValueError
        If the player has nothing to decide.
    """
    positions, card, seen = observation.columns()
    if not observation.legal_actions:
        raise ValueError(f"player {observation.player} is out and has nothing to decide")
    player, left = observation.player, observation.rules.rounds - observation.round
    if left <= MOST_ROUNDS:
        words = np.array(positions, np.uint32)
        exact = solve_endgame(observation.rules, observation.round, words, card, seen)
        policies, values = exact.policies, exact.claim_values[player]
        worth = float(exact.values[player])
    else:
        column = np.array(positions, np.uint32)[:, None]
        cards, masks = np.array([card], np.uint32), np.array([seen], np.uint32)
        turns = search().solve(observation.round, column, cards, masks)
        policies = turns.policies[:, 0].astype(float)
        values, worth = turns.values[player, 0].astype(float), float(turns.worth[player, 0])
    best = max(values[action] for action in observation.legal_actions)
    claims = [
        Claim(
            action,
            float(policies[player, action]),
            float(values[action]),
            float(best - values[action]),
            *_consequences(observation, policies, action),
        )
        for action in observation.legal_actions
    ]
    claims.sort(key=lambda claim: (-claim.win_share, claim.action))
    return Advice(claims, worth, left <= MOST_ROUNDS)


def _consequences(
    observation: Observation, policies: Any, action: int
) -> tuple[float, float, float]:
    """Return how often a claim breaks its own bag, another's, and brings an amber."""
    variant, player, card = observation.rules, observation.player, observation.card or 0
    others = [seat for seat in range(variant.players) if seat != player]
    own = other = amber = 0.0
    for joint in np.ndindex(*[variant.num_actions + 1] * len(others)):
        chance = 1.0
        for seat, taken in zip(others, joint, strict=True):
            is_out = not policies[seat].any()
            if taken == variant.num_actions:  # stands for having no action
                chance *= float(is_out)
            else:
                chance *= policies[seat, taken]
        if chance == 0.0:
            continue
        claimants = sum(taken < variant.skip for taken in (*joint, action))
        share = int(rules.share_of(card, claimants))
        skippers = sum(taken == variant.skip for taken in (*joint, action))
        own += chance * _breaks(observation, player, action, share)
        broken = [
            _breaks(observation, seat, taken, share)
            for seat, taken in zip(others, joint, strict=True)
        ]
        other += chance * max(broken)
        won = action == variant.skip and rules.amber_won(card, skippers)
        amber += chance * bool(won)
    return own, other, amber


def _breaks(observation: Observation, player: int, action: int, share: int) -> bool:
    """Return whether a player's claim breaks a bag, at a share."""
    if action >= observation.rules.skip or observation.card == AMBER:
        return False
    eggs = observation.bags(player)[action]
    return eggs is not None and eggs + share > observation.rules.bags[action]


def told_why(observation: Observation, advice: Advice) -> str:
    """Return in a sentence what speaks for the claim that is played most often."""
    main = max(advice.claims, key=lambda claim: (claim.chance, claim.win_share))
    variant, card = observation.rules, observation.card or 0
    if card == AMBER:
        return _why_amber(observation, main)
    shares = {count: int(rules.share_of(card, count)) for count in range(variant.players, 0, -1)}
    parts = []
    if main.action < variant.skip:
        eggs, size = observation.bags()[main.action] or 0, variant.bags[main.action]
        safe = [count for count, share in shares.items() if eggs + share <= size]
        held = f"your {size} bag ({eggs} in it)"
        if not safe:
            parts.append(f"{held} breaks at any share, and that is meant to be")
        elif len(safe) == len(shares):
            parts.append(f"{held} holds every share, even all {card}")
        else:
            fewest = min(safe)
            parts.append(
                f"{held} holds a share of {shares[fewest]} ({_players(fewest)} claiming), "
                f"and breaks at {shares[fewest - 1]}"
            )
    else:
        parts.append("skipping leaves larger shares to the others")
    risky = _fragile(observation, shares)
    if risky:
        parts.append(risky)
    return "; ".join(parts)[0].upper() + "; ".join(parts)[1:] + "."


def _players(count: int) -> str:
    """Return a number of players in words."""
    return "one player" if count == 1 else f"{count} players"


def _why_amber(observation: Observation, main: Claim) -> str:
    """Return what speaks for a claim on an amber."""
    value = observation.rules.amber_value
    if main.action == observation.rules.skip:
        return (
            f"Skipping brings the amber ({value} points) {main.gets_amber:.0%} of the time: "
            "when nobody else skips."
        )
    size = observation.rules.bags[main.action]
    return (
        f"Playing {size} costs nothing now, and leaves your other cards free for the next round; "
        "an amber goes to a lone skipper only."
    )


def _fragile(observation: Observation, shares: dict[int, int]) -> str:
    """Return who must break a bag at which share, if anybody."""
    variant, told = observation.rules, []
    for player in range(variant.players):
        if player == observation.player:
            continue
        lying = observation.lying_out(player)
        rooms = [
            size - eggs
            for bag, (size, eggs) in enumerate(
                zip(variant.bags, observation.bags(player), strict=True)
            )
            if eggs is not None and bag != lying
        ]
        if not rooms:
            continue
        breaking = [count for count, share in shares.items() if share > max(rooms)]
        if breaking:
            steps = (player - observation.player) % variant.players
            who = "left" if steps == 1 else "right" if steps == variant.players - 1 else "other"
            told.append(
                f"the player on your {who} has no bag for a share of {shares[max(breaking)]} "
                f"({_players(max(breaking))} claiming)"
            )
    return ", and ".join(told)
