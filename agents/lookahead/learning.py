"""Learn what positions are worth, from the last round back.

A pass plays games with what it knows, takes the states between their rounds, and works backwards:
a state's worth is the mean, over the card to come, of what its turn is worth when solved with the
network of the next round; a network is fitted to that; and so on to the first round. So targets are
solved turns, not results of single games, and their only error is that of the network above. The
next pass does the same on the states that better play leads to. The last two rounds need no
network: they are solved exactly.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from agents import make_agent
from agents.equilibrium import NAME, VERSION
from agents.lookahead.features import Features
from agents.lookahead.fitting import Fitting, Lessons, values_of
from agents.lookahead.nets import SEATS, Net, arrays_of, nets_from, new_net
from agents.lookahead.search import Search
from agents.lookahead.states import States, branches_of, played_states
from agents.policies import policy_header
from simulator.inputs import UsageError
from simulator.stored import Arrays
from simulator.words import Words

EXPLORE = 0.12  # of the actions in games that states are taken from
PROBED = 1024  # positions that an estimate of time is made by
BASE_BYTES = 350_000_000  # of a process that has compiled all
HELD_OUT = 0.02  # of the lessons: to tell the error by
#: How many of a pass's games give a state, by the rounds that are left: few where all that may
#: follow is solved for each, fewer early in the game, where play has led to fewer positions.
SHARES = {2: 0.8, 3: 1.0, 4: 1.0, 5: 0.5}
EARLY_SHARE = 0.5
#: Who plays the games of the first pass, each seat of each game one of them.
FIRST_PLAYERS = ("greedy", "random", "hunter", "breaker", "filler")


@dataclass(frozen=True)
class Plan:
    """How much to learn from.

    Parameters
    ----------
    passes : int
    games : int
        Played for each pass.
    epochs : int
        How often a network is shown its lessons.
    seed : int
    """

    passes: int = 3
    games: int = 300_000
    epochs: int = 8
    seed: int = 1

    def states(self, left: int) -> int:
        """Return how many states with so many rounds left a pass learns from."""
        return max(int(SHARES.get(left, EARLY_SHARE) * self.games), 2)


@dataclass(frozen=True)
class Learned:
    """A step of learning that is done.

    Parameters
    ----------
    number, turn : int
        The pass, from 0, and the round.
    error : float
        Root of the mean squared error of shares on states held out.
    spread : float
        Their standard deviation.
    gain : float
        What a seat could gain, on average, by deviating in a turn as it was solved.
    """

    number: int
    turn: int
    error: float
    spread: float
    gain: float


def timed(work: Callable[[], Any]) -> float:
    """Return the seconds that something takes, the second time: the first one may compile."""
    work()
    began = time.monotonic()
    work()
    return time.monotonic() - began


def worth_of(search: Search, turn: int, states: States, threads: int) -> tuple[Any, float]:
    """Return what states before a round are worth, float64[SEATS, states], and the mean gain."""
    branches = branches_of(search.features, states)
    positions = states.positions[:, branches.state]
    turns = search.solve(turn, positions, branches.card, branches.seen, threads)
    worth = [
        np.bincount(branches.state, branches.chance * row, len(states.seen)) for row in turns.worth
    ]
    gain = float((turns.gains.mean(axis=0) * branches.chance).sum() / len(states.seen))
    return np.array(worth), gain


class Learner:
    """Learning that can be stopped between any two steps, and gone on with to the same bytes.

    Parameters
    ----------
    game : ostrich.Game
    plan : Plan

    Raises
    ------
    UsageError
        For a variant with other than three players, or less than three rounds.
    """

    def __init__(self, game: Any, plan: Plan) -> None:
        variant = game.rules
        if variant.players != SEATS or variant.rounds < 3:
            raise UsageError(
                f"this is learned for {SEATS} players and 3 rounds or more, not for "
                f"{variant.players} and {variant.rounds}; `clutch solve` solves small variants"
            )
        self.game, self.features, self.plan = game, Features(variant), plan
        rng = np.random.default_rng([plan.seed, 0])
        self.before = [new_net(self.features, rng) for _ in range(variant.rounds)]
        self.nets = list(self.before)
        self.done: list[Learned] = []

    @property
    def steps(self) -> list[tuple[int, int]]:
        """All steps: which pass, which round."""
        backwards = range(self.features.variant.rounds - 2, 0, -1)
        return [(number, turn) for number in range(self.plan.passes) for turn in backwards]

    def run(self, threads: int) -> Iterator[Learned]:
        """Take the steps that are left; yields each one when it is done."""
        states: list[States] = []
        for number, turn in self.steps[len(self.done) :]:
            if turn == self.features.variant.rounds - 2:
                self.before, states = list(self.nets), []
            states = states or self._states(number, threads)
            net, learned = self._learn(number, turn, states[turn], threads)
            self.nets[turn] = net
            self.done.append(learned)
            yield learned

    def _states(self, number: int, threads: int) -> list[States]:
        """Play the games of a pass, with the networks that it began with."""
        rng = np.random.default_rng([self.plan.seed, 1, number])
        search = Search(self.features, self.before, is_deep=False)

        def play(turn: int, positions: Words, card: Words, seen: Words) -> npt.NDArray[np.float32]:
            return search.solve(turn, positions, card, seen, threads).policies

        chosen = play if number else self._first_play()
        return played_states(self.features, self.plan.games, chosen, EXPLORE, rng)

    def _first_play(self) -> Any:
        """Return the play of FIRST_PLAYERS, who change their seats from game to game."""
        agents: list[Any] = [make_agent(name, self.game) for name in FIRST_PLAYERS]
        variant, kinds = self.game.rules, len(FIRST_PLAYERS)

        def play(turn: int, positions: Words, card: Words, seen: Words) -> npt.NDArray[np.float32]:
            policies = np.zeros((SEATS, len(card), variant.num_actions), np.float32)
            for seat in range(SEATS):
                who = np.arange(len(card)) // kinds**seat % kinds
                for kind, agent in enumerate(agents):
                    some = (who == kind).nonzero()[0]
                    words = np.ascontiguousarray(positions[:, some])
                    given = (variant, seat, turn, words, card[some], seen[some])
                    policies[seat, some] = agent.policies(*given)
            return policies

        return play

    def _learn(self, number: int, turn: int, states: States, threads: int) -> tuple[Net, Learned]:
        """Fit the network of a round to what its states are worth by the next round's."""
        count = self.plan.states(self.features.variant.rounds - turn)
        some = States(states.positions[:, :count], states.seen[:count])
        worth, gain = worth_of(Search(self.features, self.nets), turn, some, threads)
        shares = (worth / worth.sum(axis=0)).astype(np.float32)
        held = max(int(HELD_OUT * len(some.seen)), 1)
        rng = np.random.default_rng([self.plan.seed, 2, number, turn])
        fitting = Fitting(self.features, self.nets[turn])
        lessons = Lessons(some.positions[:, held:], some.seen[held:], shares[:, held:])
        fitting.fit(lessons, self.plan.epochs, rng, threads)
        net = fitting.net()
        told = values_of(self.features, net, some.positions[:, :held], some.seen[:held])
        error = float(np.sqrt(((told - shares[:, :held]) ** 2).mean()))
        return net, Learned(number, turn, error, float(shares.std()), gain)

    def estimate(self, threads: int) -> tuple[float, int]:
        """Return about how many seconds and bytes the steps that are left will take.

        By working on some positions, which also compiles what is needed; other load shows.
        """
        variant, plan = self.features.variant, self.plan
        search = Search(self.features, self.nets)
        rng = np.random.default_rng(0)
        states = played_states(self.features, PROBED, self._first_play(), EXPLORE, rng)
        last, seconds = variant.rounds - 2, 0.0
        lessons = Lessons(*states[1], np.full((SEATS, PROBED), 1 / SEATS, np.float32))
        fitting = Fitting(self.features, self.nets[1])
        a_fit = timed(lambda: fitting.fit(lessons, 1, rng, threads)) / PROBED
        a_state = {
            turn: timed(partial(worth_of, search, turn, states[turn], threads)) / PROBED
            for turn in {last, max(last - 1, 1)}
        }
        for _, turn in self.steps[len(self.done) :]:
            cost = a_state.get(turn, a_state[max(last - 1, 1)])
            seconds += plan.states(variant.rounds - turn) * (cost + plan.epochs * a_fit)
            seconds += plan.games * cost / len(self.features.cards) if turn < last else 0.0
        cards, rounds = len(self.features.cards), variant.rounds
        size = plan.games * (16 * rounds + cards * (40 + 12 * variant.num_actions))
        return seconds, BASE_BYTES + size

    def policy(self) -> tuple[dict[str, Any], Arrays]:
        """Return the header and the arrays of what was learned."""
        return policy_header(NAME, VERSION, self.game), arrays_of(self.nets)

    def checkpoint(self) -> tuple[dict[str, Any], Arrays]:
        """Return all that is needed to go on."""
        header = {"plan": asdict(self.plan), "done": [asdict(one) for one in self.done]}
        now, before = arrays_of(self.nets), arrays_of(self.before)
        return header, now | {f"before_{name}": array for name, array in before.items()}

    def restore(self, header: dict[str, Any], arrays: Arrays) -> None:
        """Go on from a checkpoint of the same game and plan.

        Raises
        ------
        UsageError
            If it is of another plan.
        """
        if header.get("plan") != asdict(self.plan):
            raise UsageError(
                f"the checkpoint is of another plan: {header.get('plan')}, not {self.plan}"
            )
        self.done = [Learned(**one) for one in header["done"]]
        self.nets = nets_from({n: a for n, a in arrays.items() if not n.startswith("before_")})
        before = {n.removeprefix("before_"): a for n, a in arrays.items() if "before_" in n}
        self.before = nets_from(before)
