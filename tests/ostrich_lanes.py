"""Random playthroughs in the compiled block, round by round, and their replay in the naive twin."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

import ostrich
from ostrich import Rules
from ostrich.view import BlockView
from tests.naive.ostrich import SKIP, Ostrich
from tests.ostrich_rounds import Rounds


@dataclass
class Round:
    """One round of many playthroughs; everything is a list over lanes, then over seats."""

    cards: list[int]
    legal: list[list[list[bool]]]  # before the round: is action a legal
    actions: list[list[int]]  # -1 for a player who is out
    bags: list[list[list[int]]]  # after the round, as is all that follows; -1 for a broken one
    ambers: list[list[int]]
    scores: list[list[int]]
    twelfths: list[list[int]]  # shares of the win, as things stand


def random_actions(view: BlockView, rng: np.random.Generator) -> Any:
    """Return a legal action for each lane, each as likely; -1 where there is none."""
    luck = np.where(view.legal, rng.random(view.legal.shape), -1.0)
    return np.where(view.legal.any(axis=1), luck.argmax(axis=1), -1)


def rounds_of_block(
    game: ostrich.Game, seed: int, first: int, lanes: int, rng: np.random.Generator
) -> Iterator[Round]:
    """Play random legal actions, and tell what the block says after every round."""
    block, seats = Rounds(game, seed, first, lanes), range(game.num_players)
    for turn in range(game.rules.rounds):
        block.open(turn)
        views = [block.view(turn, seat) for seat in seats]
        actions = [random_actions(view, rng) for view in views]
        for seat in seats:
            block.put(seat, actions[seat])
        assert block.close(turn) is None
        after = [block.view(turn, 0).player_at(seat) for seat in seats]
        scores, twelfths = block.settled()
        yield Round(
            views[0].card.tolist(),
            np.stack([view.legal for view in views], axis=1).tolist(),
            np.stack(actions, axis=1).tolist(),
            np.stack([player.bags.T for player in after], axis=1).tolist(),
            np.stack([player.ambers for player in after], axis=1).tolist(),
            scores.tolist(),
            twelfths.tolist(),
        )


def twin_of(rules: Rules) -> Ostrich:
    """Return the naive twin's game under the same rules."""
    return Ostrich(
        rules.players,
        rules.bags,
        rules.deck,
        rules.removed,
        rules.rounds,
        rules.amber_value,
        rules.out_players_can_win,
    )


def assert_twin_agrees(rules: Rules, played: list[Round], lane: int) -> int:
    """Replay one lane in the twin, comparing all after every round; return the rounds compared."""
    twin, seats = twin_of(rules), range(rules.players)
    called = [*rules.bags, SKIP]
    for turn, done in enumerate(played):
        if twin.is_over():  # the lanes of a block go on together, but nothing moves any more
            assert done.actions[lane] == [-1] * rules.players
        else:
            twin.reveal(done.cards[lane])
            legal = [[name in hand for name in called] for hand in map(twin.legal, seats)]
            assert done.legal[lane] == legal, (lane, turn)
            twin.claim([None if a < 0 else called[a] for a in done.actions[lane]])
        told = [[-1 if held is None else held for held in b.values()] for b in twin.bags]
        assert done.bags[lane] == told, (lane, turn)
        assert done.ambers[lane] == twin.ambers, (lane, turn)
        assert done.scores[lane] == [twin.score(seat) for seat in seats], (lane, turn)
        shares = [Fraction(part, ostrich.Game.share_units) for part in done.twelfths[lane]]
        assert shares == twin.shares(), (lane, turn)
    assert twin.is_over()
    return twin.rounds_played


def compare_playthroughs(rules: Rules, playthroughs: int, seed: int, lanes: int = 5_000) -> int:
    """Compare many random playthroughs with the twin; return how many rounds were compared."""
    game, rng, compared = ostrich.Game(rules), np.random.default_rng(seed), 0
    for first in range(0, playthroughs, lanes):
        used = min(lanes, playthroughs - first)
        played = list(rounds_of_block(game, seed, first, used, rng))
        compared += sum(assert_twin_agrees(rules, played, lane) for lane in range(used))
    return compared
