"""Find a strategy for an index card: plain rules that lose least against the strongest player.

    python -m experiments.fit_index_card

Decisions are taken from games of the strongest player, with what each claim is worth in them; then
from games in which the rules found so far sit in one seat, since they lead to positions of their
own. A rule is a condition or two and a claim; the first rule that applies decides. Rules are put in
one by one, each where it saves most, out of all conditions and claims that a person can tell at the
table. What is found is written down by hand in `agents/indexcard.py`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import ostrich
from agents import make_agent
from agents.lookahead.states import played_states
from ostrich import AMBER, rules

GAMES, PASSES, EXPLORE, SEED = 3000, 4, 0.1, 5
MOST_RULES = 10
Flags: TypeAlias = npt.NDArray[np.bool_]
Claims: TypeAlias = npt.NDArray[np.int64]
Rule: TypeAlias = tuple[tuple[str, ...], str]  # conditions, all of which must hold, and a claim


@dataclass(frozen=True)
class Decisions:
    """Decisions of one seat, as a person sees them.

    Parameters
    ----------
    eggs : int64[decisions, bags]
        -1 in a broken bag.
    legal : bool[decisions, actions]
    card : int64[decisions]
    left : int64[decisions]
        Rounds left, this one included.
    others_can_skip : int64[decisions]
    others_hold : int64[players + 1, decisions]
        How many others have a bag free that holds a share among so many claimants.
    lead : int64[decisions]
        Points ahead of the best of the others.
    values : float64[decisions, actions]
        What each claim is worth; -9 for one that there is not.
    """

    eggs: Claims
    legal: Flags
    card: Claims
    left: Claims
    others_can_skip: Claims
    others_hold: Claims
    lead: Claims
    values: npt.NDArray[np.float64]


def collected(
    game: Any, search: Any, games: int, rng: np.random.Generator, card_rules: Sequence[Rule] = ()
) -> Decisions:
    """Play games of the strongest player, and keep all decisions of the first seat.

    Now and then it acts at random; with `card_rules` it plays by them.
    """
    found: list[Decisions] = []

    def play(turn: int, positions: Any, card: Any, seen: Any) -> Any:
        turns = search.solve(turn, positions, card, seen, 2)
        policies = turns.policies
        in_game = policies[0].any(axis=1)
        decisions = seen_by_first(game.rules, turn, positions, card, turns.values[0])
        found.append(decisions)
        if card_rules:
            actions = chosen_by(card_rules, decisions, game.rules.bags)
            policies[0] = 0.0
            policies[0, in_game.nonzero()[0], actions] = 1.0
        return policies

    explore = [EXPLORE, 0.0, 0.0]
    played_states(search.features, games, play, explore, rng)
    return joined(found)


def joined(parts: Sequence[Decisions]) -> Decisions:
    """Return all decisions of several."""
    return Decisions(
        *(
            np.concatenate(
                [getattr(part, name) for part in parts], axis=-1 if "hold" in name else 0
            )
            for name in Decisions.__dataclass_fields__
        )
    )


def seen_by_first(variant: Any, turn: int, positions: Any, card: Any, values: Any) -> Decisions:
    """Return decisions of the first seat in one round; none where it is out."""
    bags, sizes = len(variant.bags), np.array(variant.bags)
    words = positions.astype(np.int64)
    whole = words[..., None] >> (rules.WHOLE + np.arange(bags)) & 1
    eggs = np.where(whole == 1, words[..., None] >> (4 * np.arange(bags)) & 15, -1)
    lying = words >> rules.LYING_OUT & 7
    free = (whole == 1) & (lying[..., None] != np.arange(bags))
    can_skip = (lying != variant.skip) & whole.any(axis=2)
    room = np.where(free, sizes - eggs, -1).max(axis=2)
    ambers = words >> rules.AMBERS & 63
    full = np.where(eggs == sizes, eggs, np.maximum(eggs, 0) // 2)
    score = np.where(whole.any(axis=2), full.sum(axis=2) + variant.amber_value * ambers, -99)
    shares = [np.zeros_like(card), card, card // 2, card // 3]
    hold = np.array([(room[1:] >= share.astype(np.int64)).sum(axis=0) for share in shares])
    legal = ~np.isnan(values)
    in_game = legal.any(axis=1)
    decisions = Decisions(
        eggs[0], legal, card.astype(np.int64), np.full(len(card), variant.rounds - turn),
        can_skip[1:].sum(axis=0), hold, score[0] - score[1:].max(axis=0),
        np.where(legal, values, -9.0).astype(np.float64),
    )  # fmt: skip
    return Decisions(
        *(
            getattr(decisions, name)[..., in_game]
            if "hold" in name
            else getattr(decisions, name)[in_game]
            for name in Decisions.__dataclass_fields__
        )
    )


def claims_of(some: Decisions, sizes: tuple[int, ...]) -> Iterator[tuple[str, Claims]]:
    """Yield what a rule may say to play: its words, and the action; -1 where there is none."""
    skip = len(sizes)
    yield "skip", np.where(some.legal[:, skip], skip, -1)
    room = np.array(sizes) - some.eggs
    free = some.legal[:, :skip]
    for count, among in ((1, "alone"), (2, "among two"), (3, "among three")):
        share = (some.card // count)[:, None]
        fits = free & (share <= room)
        exact = free & (share == room) & (share > 0)
        yield f"the bag that a share {among} fills exactly", _largest(exact)
        yield f"the smallest bag that holds a share {among}", _smallest(fits)
        yield f"the largest bag that holds a share {among}", _largest(fits)
        yield f"the bag with least room that holds a share {among}", _by(fits, -room)
        yield f"the fullest bag that holds a share {among}", _by(fits, some.eggs)
    yield "the smallest bag", _smallest(free)
    yield "the largest bag", _largest(free)
    yield "the bag with most room", _by(free, room)
    yield "the bag that costs least if it breaks", _by(free, -some.eggs)
    yield "the smallest full bag", _smallest(free & (room == 0))
    yield "the bag that is emptiest for its size", _by(free, -some.eggs * 8 + np.array(sizes))


def _largest(flags: Flags) -> Claims:
    """Return the largest bag of those flagged, -1 for none."""
    largest: Claims = np.where(flags, np.arange(flags.shape[1]), -1).max(axis=1)
    return largest


def _smallest(flags: Flags) -> Claims:
    """Return the smallest bag of those flagged, -1 for none."""
    order = np.arange(flags.shape[1])
    found = np.where(flags, order, 99).min(axis=1)
    return np.where(found == 99, -1, found)


def _by(flags: Flags, marks: Any) -> Claims:
    """Return the flagged bag with the highest mark, the larger one of equals, -1 for none."""
    order = np.arange(flags.shape[1])
    best = np.where(flags, marks * 16 + order, -999)
    return np.where(flags.any(axis=1), best.argmax(axis=1), -1)


def conditions_of(some: Decisions, sizes: tuple[int, ...]) -> dict[str, Flags]:
    """Return what a rule may ask: its words, and where it holds."""
    skip, amber = len(sizes), some.card == AMBER
    room = np.where(some.legal[:, :skip], np.array(sizes) - some.eggs, -1).max(axis=1)
    yes: dict[str, Flags] = {"always": np.ones(len(amber), bool)}
    yes["on an amber"] = amber
    yes["on eggs"] = ~amber
    for count in (0, 1, 2):
        yes[f"if {count} of the others can skip"] = some.others_can_skip == count
    for claimants in (2, 3):
        share = some.card // claimants
        yes[f"if you can hold a share among {claimants}"] = ~amber & (room >= share)
        yes[f"if you cannot hold a share among {claimants}"] = ~amber & (room < share)
        for count in (0, 1, 2):
            held = some.others_hold[claimants] == count
            yes[f"if {count} of the others hold a share among {claimants}"] = ~amber & held
    for rounds in (1, 2, 3, 5, 7):
        yes[f"in the last {rounds} rounds"] = some.left <= rounds
        yes[f"before the last {rounds} rounds"] = some.left > rounds
    for size in (4, 5, 6, 7, 8, 9):
        yes[f"on a card of {size} or more"] = some.card >= size
        yes[f"on a card of {size} or less"] = ~amber & (some.card <= size)
    for points in (0, 4):
        yes[f"if you lead by {points} or more"] = some.lead >= points
        yes[f"if you are {points} or more behind"] = some.lead <= -points
    return yes


def conditions_pairs(
    single: dict[str, Flags],
) -> dict[tuple[str, ...], Flags]:
    """Return conditions alone and by twos, where the two say more than one of them."""
    asked: dict[tuple[str, ...], Flags] = {(name,): flags for name, flags in single.items()}
    for (one, here), (two, there) in combinations(single.items(), 2):
        both = here & there
        if 0.005 < both.mean() < min(here.mean(), there.mean()) - 0.005:
            asked[one, two] = both
    return asked


def chosen_by(card_rules: Sequence[Rule], some: Decisions, sizes: tuple[int, ...]) -> Claims:
    """Return what rules play; the first legal action where none applies."""
    claims, single = dict(claims_of(some, sizes)), conditions_of(some, sizes)
    actions = some.legal.argmax(axis=1)
    for conditions, words in reversed(card_rules):
        applies = np.logical_and.reduce([single[name] for name in conditions])
        actions = np.where(applies & (claims[words] >= 0), claims[words], actions)
    played: Claims = actions
    return played


def fitted(some: Decisions, sizes: tuple[int, ...]) -> list[Rule]:
    """Return rules, first the one that is asked first."""
    asked = conditions_pairs(conditions_of(some, sizes))
    names, flags = list(asked), np.array(list(asked.values()), np.float32)
    best, rows = some.values.max(axis=1), np.arange(len(some.card))
    losses = {
        words: np.where(action >= 0, best - some.values[rows, action], np.nan)
        for words, action in claims_of(some, sizes)
    }
    chosen: list[Rule] = [(("always",), "the bag with most room"), (("always",), "skip")]

    def put_in_best() -> None:
        """Put in the rule that saves most."""
        found, place, new = np.inf, 0, chosen[0]
        table = [asked[conditions] & ~np.isnan(losses[words]) for conditions, words in chosen]
        for before in range(len(chosen)):
            reached = ~np.logical_or.reduce([np.zeros(len(best), bool), *table[:before]])
            now = np.ones(len(best))  # what it costs if no rule is put in here
            for applies, (_, words) in reversed(list(zip(table, chosen, strict=True))[before:]):
                now = np.where(applies, np.nan_to_num(losses[words]), now)
            saved = [np.nan_to_num(loss - now) * reached for loss in losses.values()]
            total = np.array(saved, np.float32) @ flags.T
            claim, condition = np.unravel_index(total.argmin(), total.shape)
            if total[claim, condition] < found:
                found, place = float(total[claim, condition]), before
                new = (names[condition], list(losses)[claim])
        chosen.insert(place, new)

    while len(chosen) < MOST_RULES:
        put_in_best()
    for number in range(2 * len(chosen)):  # each rule once more, now that the others are there
        del chosen[number % (MOST_RULES - 2)]
        put_in_best()
    return chosen


def main() -> None:
    """Fit on the published game, and print the rules."""
    game = ostrich.Game()
    player: Any = make_agent("equilibrium", game)
    rng = np.random.default_rng(SEED)
    parts = [collected(game, player.player.search, GAMES, rng)]
    for _ in range(PASSES):
        found = fitted(joined(parts), game.rules.bags)
        parts.append(collected(game, player.player.search, GAMES, rng, found))
    for number, (conditions, words) in enumerate(found, 1):
        print(f"{number}. {' and '.join(conditions)}: {words}")


if __name__ == "__main__":
    main()
