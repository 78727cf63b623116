"""Ctrl-C ends a run and keeps what is done: the beginning of the whole run, marked partial."""

import os
import signal
from typing import Any

import pytest

import ostrich
from simulator import Interrupted, merge, simulate
from simulator.result import coarsened
from tests.processes import run_python
from tests.sizes import size
from tests.three_ways import RandomPlain, RandomVectorised, same

GAME = ostrich.Game()
SEED, START = 12, 1000

WITHIN = """
import os, signal, sys, threading, time
import ostrich
from simulator import Interrupted, simulate
from simulator.result import coarsened

def interrupt():
    while signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        time.sleep(0.01)
    time.sleep(1)
    os.kill(os.getpid(), signal.SIGINT)

game = ostrich.Game()
threading.Thread(target=interrupt, daemon=True).start()
try:
    simulate(game, ["random", "greedy", "random"], 10**10, 3, threads=2)
except Interrupted as caught:
    result = caught.result
again = simulate(game, ["random", "greedy", "random"], result.playthroughs, 3)
assert result.partial and not again.partial
assert 0 < result.playthroughs < 10**10
assert result.batch_counts().sum() == result.playthroughs
assert (coarsened(again.totals, 0, again.batch_size, result.batch_size) == result.totals).all()
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
print("kept")
"""


@pytest.mark.compiled_only
def test_a_long_compiled_run_ends_and_keeps_its_beginning() -> None:
    assert run_python("-c", WITHIN).stdout == "kept\n"


class Interrupts:
    """Presses Ctrl-C at one of its decisions."""

    def __init__(self, agent: Any, when: int) -> None:
        self.agent, self.when, self.calls = agent, when, 0

    def count(self) -> None:
        """Count a call, and interrupt at the right one."""
        self.calls += 1
        if self.calls == self.when:
            os.kill(os.getpid(), signal.SIGINT)


class InterruptsPlain(Interrupts):
    """The same among plain agents."""

    def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
        """Return an action."""
        self.count()
        return self.agent.act(observation, legal_actions, rng)


class InterruptsVectorised(Interrupts):
    """The same among vectorised agents."""

    def act(self, view: Any, rng: Any) -> Any:
        """Return an action for each lane."""
        self.count()
        return self.agent.act(view, rng)


@pytest.mark.parametrize("kind", ["plain", "vectorised"])
def test_what_is_kept_is_the_runs_beginning(kind: str) -> None:
    total = size(400_000 if kind == "vectorised" else 100_000, 2000)
    agent = (
        InterruptsPlain(RandomPlain(), size(4000, 900))
        if kind == "plain"
        else InterruptsVectorised(RandomVectorised(), 35)
    )
    with pytest.raises(Interrupted) as caught:
        simulate(GAME, [agent, "greedy", "random"], total, SEED, START, threads=1, keep="all")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    part = caught.value.result
    assert part is not None
    assert part.partial
    assert 0 < part.playthroughs < total
    again = simulate(
        GAME, ["random", "greedy", "random"], part.playthroughs, SEED, START, keep="all"
    )
    assert again.returns.tobytes() == part.returns.tobytes()
    assert again.scores.tobytes() == part.scores.tobytes()
    fine = coarsened(again.totals, START, again.batch_size, part.batch_size)
    assert fine.tobytes() == part.totals.tobytes()


def partial() -> Any:
    """Return the part that is left of a run of 20,000 playthroughs."""
    agent = InterruptsPlain(RandomPlain(), size(4000, 900))
    agent.name = "random"
    with pytest.raises(Interrupted) as caught:
        simulate(GAME, [agent, "greedy", "random"], 20_000, SEED, START, keep="all")
    return caught.value.result


@pytest.mark.parametrize("more", [1, 300, 20_000])
def test_a_part_goes_on_to_any_length(more: int) -> None:
    """Its batches are those of the longer run that was asked for; merging must not mix them up."""
    more = size(more, min(more, 50))
    part = partial()
    line_up = ["random", "greedy", "random"]
    rest = simulate(GAME, line_up, more, SEED, START + part.playthroughs, keep="all")
    joined = merge([part, rest])
    whole = simulate(GAME, line_up, part.playthroughs + more, SEED, START, keep="all")
    assert joined.scores.tobytes() == whole.scores.tobytes()
    assert joined.batch_counts().sum() == part.playthroughs + more
    assert len(joined.batch_counts()) == len(joined.totals)
    grid = max(joined.batch_size, whole.batch_size)
    ours = coarsened(joined.totals, START, joined.batch_size, grid)
    assert ours.tolist() == coarsened(whole.totals, START, whole.batch_size, grid).tolist()
    score = GAME.counters.index("score")
    means = joined.totals[:, 0, score] / joined.batch_counts()
    assert means.max() <= whole.scores[:, 0].max()


def test_one_that_comes_before_anything_is_done_keeps_nothing() -> None:
    agent = InterruptsPlain(RandomPlain(), 1)
    with pytest.raises(Interrupted) as caught:
        simulate(GAME, [agent, "greedy", "random"], 10**9, SEED)
    assert caught.value.result is None or caught.value.result.partial


def test_a_handler_of_ones_own_stays_in_charge() -> None:
    calls = []
    before = signal.signal(signal.SIGINT, lambda *_: calls.append(1))
    try:
        agent = InterruptsPlain(RandomPlain(), 50)
        result = simulate(GAME, [agent, "greedy", "random"], 100, SEED, keep="all")
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == [1]
    assert same(result, simulate(GAME, ["random", "greedy", "random"], 100, SEED, keep="all"))
