"""The command `check-certificate`: verify an exact solution of Ostrich, trusting nothing in it.

Shares no code with the solvers; only the rules are taken as they are. What the file holds is told
in `agents/solvers/certificates.py`. From the root on, every state that play can lead to must be
there, and for every stage game the checker works out what its policies bring, with the stored
values of the states that follow, and what each player could gain by deviating in this one turn.

With g_r the largest such gain and e_r the largest error of a value in round r, no deviation gains
more in the whole game than the sum of g_r + 2 e_r over the rounds: a deviation adds at most g_r in
each round to what the stored values promise, and these are off by at most the e_r still to come,
once for the deviator's promise and once for the policy's own.
"""

from dataclasses import asdict, dataclass
from itertools import product
from math import inf, prod
from pathlib import Path
from typing import Any

import numpy as np
from numba import types
from numpy import uint32

from experiments.certificate_file import Array, CertificateFile
from experiments.output import print_json
from ostrich import rules
from simulator.compiling import compiled

TOLERANCE = 1e-12  # two sums of the same numbers may differ by so much
_FACTS, _TABLE = types.uint32[::1], types.uint32[:, ::1]


@dataclass(frozen=True)
class Report:
    """What was found; the lists are by round."""

    rules: dict[str, Any]
    payoff: str
    root_values: list[float]
    states: int
    stage_games: int
    mixed: int
    gains: list[float]
    errors: list[float]
    gain_bound: float


@compiled(types.void(_TABLE, types.int64[::1], types.uint32, _FACTS, _TABLE), late=True)
def _act(words: Array, joint: Array, card: Any, facts: Array, then: Array) -> None:
    """Fill uint32[rows, players], in place, with the positions after a joint action."""
    for row in range(words.shape[0]):
        claimants = skippers = uint32(0)
        for player in range(words.shape[1]):
            plays = uint32(rules.is_out(words[row, player]) == uint32(0))
            claims = rules.claims(joint[player], facts[rules.SKIP])
            claimants += plays & uint32(claims)
            skippers += plays & uint32(uint32(claims) == uint32(0))
        share, amber = rules.share_of(card, claimants), rules.amber_won(card, skippers)
        for player in range(words.shape[1]):
            out = rules.is_out(words[row, player])
            action = uint32(rules.NO_ACTION) if out else uint32(joint[player])
            then[row, player] = rules.after_action(
                words[row, player], action, share, amber, facts[rules.CAPACITIES], facts[rules.SKIP]
            )


@compiled(types.void(_TABLE, _FACTS, _TABLE, _TABLE, _TABLE), late=True)
def _read(words: Array, facts: Array, legal: Array, scores: Array, standings: Array) -> None:
    """Fill in, in place, each position's legal actions, score and standing."""
    for row in range(words.shape[0]):
        for player in range(words.shape[1]):
            word = words[row, player]
            score = rules.score_of(word, facts[rules.CAPACITIES], facts[rules.AMBER_VALUE])
            legal[row, player] = rules.legal_actions(word, facts[rules.SKIP])
            scores[row, player] = score
            standings[row, player] = rules.standing_of(
                word, score, facts[rules.OUT_PLAYERS_CAN_WIN]
            )


def _payoffs(file: CertificateFile, then: Array, masks: Array, turn: int) -> Array:
    """Return what the players get once they are in positions, float64[rows, players]."""
    legal, scores, standings = (np.empty_like(then) for _ in range(3))
    _read(then, file.facts, legal, scores, standings)
    best = standings == standings.max(axis=1, keepdims=True)
    gets = best / best.sum(axis=1, keepdims=True)
    if file.header["payoff"] == "score_difference":
        gets = scores - scores[:, ::-1].astype(np.float64)
    go_on = (
        np.flatnonzero((legal != 0).any(axis=1))
        if turn + 1 < file.rules.rounds
        else np.array([], np.int64)
    )
    if len(go_on):
        order = then[go_on].argsort(axis=1, kind="stable")
        ascending = np.take_along_axis(then[go_on], order, axis=1)
        found = file.values[file.find(masks[go_on], ascending)]
        follows = np.empty_like(found)
        np.put_along_axis(follows, order, found, axis=1)
        gets[go_on] = follows
    return np.asarray(gets)


def _policies(file: CertificateFile, stages: Array, options: Array, plays: Array) -> Array:
    """Return the policies of stage games, float64[games, players, actions], as checked."""
    players, actions = options.shape[1:]
    joint = file.joint[stages].astype(np.int64)
    pure = np.empty(options.shape[:2], np.int64)
    left = np.maximum(joint, 0)
    for player in reversed(range(players)):
        pure[:, player] = left % actions
        left //= actions
    mixed = -1 - joint
    if left.any() or (mixed >= len(file.mixed)).any():
        raise file.wrong("a stage game names a joint action that there is none of")
    policies = np.zeros(options.shape)
    np.put_along_axis(policies, pure[:, :, None], 1.0, axis=2)
    policies[joint < 0] = file.mixed[mixed[joint < 0]]
    idle = ~plays
    if ((joint >= 0)[:, None] & idle & (pure != 0)).any() or policies[
        (joint < 0)[:, None] & idle
    ].any():
        raise file.wrong("a player who is out has a policy")
    policies[idle] = np.eye(actions)[0]
    off = (policies < 0).any() or (policies[~options] != 0).any()
    if off or (abs(policies.sum(axis=2) - 1) > TOLERANCE).any():
        raise file.wrong("a policy is no distribution over legal actions")
    return policies


def _check_round(file: CertificateFile, turn: int, numbers: Array) -> tuple[float, float]:
    """Return the largest one-turn gain and error of a value in a round."""
    rows = np.flatnonzero(file.rounds == turn)
    words, seen, deck = file.positions[rows], file.seen[rows], np.array(file.rules.deck)
    if not len(rows):
        return 0.0, 0.0
    legal, scores, standings = (np.empty_like(words) for _ in range(3))
    _read(words, file.facts, legal, scores, standings)
    plays = legal != 0
    options = (legal[:, :, None] >> np.arange(file.rules.num_actions, dtype=np.uint32) & 1) == 1
    options[~plays, 0] = True  # who is out has one thing to do
    alike = words[:, 1:] == words[:, :-1]
    expected, gain = np.zeros(words.shape), 0.0
    for place, card in enumerate(sorted(set(file.rules.deck))):
        copies = sum((seen >> uint32(c) & 1) == 0 for c in np.flatnonzero(deck == card))
        some = np.flatnonzero(copies)
        if not len(some):
            continue
        lowest = np.zeros(len(some), np.uint32)
        for number in reversed(np.flatnonzero(deck == card)):
            lowest[(seen[some] >> uint32(number) & 1) == 0] = uint32(1) << uint32(number)
        masks, options_here = seen[some] | lowest, options[some]
        policies = _policies(file, numbers[rows[some], place], options_here, plays[some])
        if (policies[:, 1:][alike[some]] != policies[:, :-1][alike[some]]).any():
            raise file.wrong("players in equal positions have different policies")
        by_action = np.zeros(policies.shape)
        for joint in product(range(file.rules.num_actions), repeat=file.rules.players):
            able = np.flatnonzero(prod(options_here[:, p, a] for p, a in enumerate(joint)))
            if not len(able):
                continue
            then = np.empty((len(able), len(joint)), np.uint32)
            _act(words[some][able], np.array(joint), uint32(card), file.facts, then)
            gets = _payoffs(file, then, masks[able], turn)
            for player, action in enumerate(joint):
                others = (policies[able, q, b] for q, b in enumerate(joint) if q != player)
                by_action[able, player, action] += prod(others) * gets[:, player]
        value = (policies * by_action).sum(axis=2)
        best = np.where(options_here, by_action, -np.inf).max(axis=2)
        gain = max(gain, float((best - value).max()))
        expected[some] += value * (copies[some] / (len(deck) - turn))[:, None]
    values = file.values[rows]
    if (values[:, 1:][alike] != values[:, :-1][alike]).any():
        raise file.wrong("players in equal positions have different values")
    return gain, float(abs(values - expected).max())


def check_certificate(path: Path | str) -> Report:
    """Verify a certificate.

    Raises
    ------
    UsageError
        With the first thing that is wrong: a file that is damaged, states that are missing,
        policies that are none, or claims that are better than what is so.
    """
    file = CertificateFile(Path(path))
    numbers = file.stage_numbers()
    found = [_check_round(file, turn, numbers) for turn in range(file.rules.rounds)]
    gains, errors = map(list, zip(*found, strict=True))
    bound = sum(gains) + 2 * sum(errors)
    for name, least in (("largest_gain", max(gains)), ("gain_bound", bound)):
        claimed = file.header.get(name)
        if not isinstance(claimed, float) or not inf > claimed >= least - TOLERANCE:
            raise file.wrong(f"it claims a {name} of {claimed}, but it is {least:.3g}")
    roots = file.header.get("root_values")
    if roots != file.values[0].tolist():
        raise file.wrong(f"it claims root values {roots}, but they are {file.values[0].tolist()}")
    return Report(
        file.header["rules"], file.header["payoff"], roots, len(file.seen), len(file.joint),
        len(file.mixed), gains, errors, bound,
    )  # fmt: skip


def print_check(path: str, as_json: bool) -> None:
    """Verify a certificate and say what was found."""
    report = check_certificate(path)
    if as_json:
        print_json({"file": path, "holds": True, **asdict(report)})
        return
    print(f"{path} holds: {report.states:,} states, {report.stage_games:,} stage games "
          f"({report.mixed:,} mixed), all that play can lead to.")  # fmt: skip
    print(f"root values: {', '.join(f'{value:.6f}' for value in report.root_values)} "
          f"({report.payoff.replace('_', ' ')})")  # fmt: skip
    print(f"largest one-turn gain {max(report.gains):.3g}, largest error of a value "
          f"{max(report.errors):.3g}; nobody gains more than {report.gain_bound:.3g} "
          "by any deviation in the whole game")  # fmt: skip
