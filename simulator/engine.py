"""Play a line-up: divide the playthroughs into spans, run them on threads, add up the results.

A span of a line-up of compiled agents is one call that holds no interpreter lock; with other agents
a span is played turn by turn (`stepping`). Spans grow until one takes about a tenth of a second, so
that Ctrl-C is answered soon; how they are cut changes no result.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.agents import Agent, AgentError, CompiledAgent
from simulator.inputs import (
    UsageError,
    playthroughs_from,
    seed_from,
    start_from,
    threads_from,
    whole_number,
)
from simulator.playing import compiled_player
from simulator.registry import make_agents
from simulator.result import SimulationResult, batch_size_for
from simulator.stepping import SpanAbortedError, play_block, stepped_runner

SPAN_SECONDS = 0.1
FIRST_SPAN = 16
COMPILED_LANES = 784  # long enough loops, and blocks that fit the second-level cache
VECTORISED_LANES = 32_768  # NumPy's calls must be long for two threads to run side by side
PYTHON_LANES = 256
LARGEST_SPAN = 1 << 24


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run; `result` holds what was finished, or is None if nothing was."""

    def __init__(self, result: SimulationResult | None) -> None:
        super().__init__()
        self.result = result


class IllegalBlock(Exception):
    """An illegal action of a compiled agent, in the block that begins at `index`."""

    def __init__(self, index: int) -> None:
        super().__init__(f"an illegal action in the block from playthrough {index} on")
        self.index = index


class SpanFailure(Exception):
    """A span of playthroughs, from `first` up to `end`, in which an error came up."""

    def __init__(self, first: int, end: int, error: BaseException) -> None:
        super().__init__(str(error))
        self.first, self.end, self.error = first, end, error


@dataclass
class Ledger:
    """Where the results of a run are added up; see `SimulationResult`."""

    start: int
    batch_size: int
    totals: npt.NDArray[np.int64]
    win_units: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.int32]
    stop: threading.Event = field(default_factory=threading.Event)


#: Plays playthroughs from one index up to another and returns their totals [batches, ...].
Runner = Callable[[int, int, Ledger], npt.NDArray[np.int64]]


def simulate(
    game: Any,
    agents: Sequence[Any],
    playthroughs: Any,
    seed: Any,
    start: Any = 0,
    threads: Any = None,
    keep: str = "totals",
    lanes: Any = None,
) -> SimulationResult:
    """Play many playthroughs of one line-up.

    Parameters
    ----------
    game : Game
    agents : sequence
        For each seat a name, ``file.py:Name``, or an agent of one's own.
    playthroughs : int
        1 to 1e12. Playthrough i of a seed is the same whatever else is played.
    seed : int
        0 to 2**64 - 1.
    start : int
        Index of the first playthrough.
    threads : int, optional
        All cores by default. The result is the same for any number.
    keep : {"totals", "all"}
        "all" keeps every playthrough's returns and scores, 5 bytes a player each.
    lanes : int, optional
        Playthroughs in a block. The result is the same for any number.

    Returns
    -------
    SimulationResult

    Raises
    ------
    UsageError
        For a value out of range, an unknown agent, or a wrong number of agents.
    AgentError
        If an agent plays against the rules, fails, or returns what is no action.
    Interrupted
        At Ctrl-C, with what was done.
    """
    playthroughs, seed, start = playthroughs_from(playthroughs), seed_from(seed), start_from(start)
    threads = threads_from(threads)
    if keep not in ("totals", "all"):
        raise UsageError(f'keep must be "totals" or "all", not {keep!r}')
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise UsageError(
            f"{game.name} here needs {game.num_players} agents in a list, not {agents!r}"
        )
    if len(agents) != game.num_players:
        given = len(agents)
        raise UsageError(
            f"{game.name} here needs {game.num_players} agents, a name for each seat; {given} given"
        )
    if playthroughs * game.max_counter >= 2**63:
        raise UsageError(
            f"with these rules the totals of {playthroughs} playthroughs may exceed 64 bits; "
            f"play at most {(2**63 - 1) // game.max_counter} at a time"
        )
    line_up = make_agents(agents, game)
    lanes = _lanes_for(line_up) if lanes is None else whole_number("lanes", lanes, 1, 1 << 20)
    if any(
        not isinstance(a, CompiledAgent) and not getattr(a, "vectorised", False) for a in line_up
    ):
        threads = 1  # plain Python holds the interpreter lock
    ledger = _ledger(game, start, playthroughs, keep)
    runner = _runner(game, line_up, seed, lanes)
    try:
        done = run_spans(runner, ledger, playthroughs, threads)
    except SpanFailure as failure:
        raise _first_fault(game, line_up, seed, failure) from failure.error
    result = (
        _result(game, line_up, seed, ledger, done, keep, partial=done < playthroughs)
        if done
        else None
    )
    if result is None or result.partial:
        raise Interrupted(result)
    return result


def _lanes_for(line_up: Sequence[Agent]) -> int:
    """Return the size of a block that suits how a line-up is played."""
    if all(isinstance(agent, CompiledAgent) for agent in line_up):
        return COMPILED_LANES
    if all(isinstance(a, CompiledAgent) or getattr(a, "vectorised", False) for a in line_up):
        return VECTORISED_LANES
    return PYTHON_LANES


def _ledger(game: Any, start: int, playthroughs: int, keep: str) -> Ledger:
    """Return an empty ledger; each playthrough's results have no place in it unless kept."""
    size = batch_size_for(playthroughs)
    batches = (start + playthroughs - 1) // size - start // size + 1
    players, kept = game.num_players, playthroughs if keep == "all" else 0
    return Ledger(
        start,
        size,
        np.zeros((batches, players, len(game.counters)), np.int64),
        np.zeros((players, kept), np.uint8),
        np.zeros((players, kept), np.int32),
    )


def _runner(game: Any, line_up: Sequence[Agent], seed: int, lanes: int) -> Runner:
    """Return what plays a span of this line-up."""
    if not all(isinstance(agent, CompiledAgent) for agent in line_up):
        runner: Runner = stepped_runner(game, line_up, seed, lanes)
        return runner
    play = compiled_player(game.program, line_up, seed, lanes)  # type: ignore[arg-type]

    def run(first: int, end: int, ledger: Ledger) -> npt.NDArray[np.int64]:
        size = ledger.batch_size
        batches = (end - 1) // size - first // size + 1
        totals = np.zeros((batches, *ledger.totals.shape[1:]), np.int64)
        fault = play(first, end, ledger.start, size, totals, ledger.win_units, ledger.scores)
        if fault >= 0:
            raise IllegalBlock(fault)
        return totals

    return run


@contextmanager
def _interrupts_to(stop: threading.Event) -> Iterator[None]:
    """Let Ctrl-C set an event instead of raising anywhere, where this thread may decide that."""
    default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not default or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def run_spans(runner: Runner, ledger: Ledger, playthroughs: int, threads: int) -> int:
    """Play all spans on some threads, and return the number of playthroughs done.

    Spans are begun in order and each that was begun is finished, so that what is done after an
    interrupt, told by ``ledger.stop``, is the run's beginning, without gaps.

    Raises
    ------
    SpanFailure
        The first span that failed.
    """
    end, begun, size = ledger.start + playthroughs, ledger.start, FIRST_SPAN
    running: dict[Future[tuple[float, npt.NDArray[np.int64]]], tuple[int, int]] = {}
    failures: list[SpanFailure] = []

    def timed(first: int, last: int) -> tuple[float, npt.NDArray[np.int64]]:
        began = time.perf_counter()
        totals = runner(first, last, ledger)
        return time.perf_counter() - began, totals

    with _interrupts_to(ledger.stop), ThreadPoolExecutor(threads, "clutch") as pool:
        while True:
            while not (ledger.stop.is_set() or failures) and begun < end and len(running) < threads:
                last = min(end, begun + size)
                running[pool.submit(timed, begun, last)] = (begun, last)
                begun = last
            if not running:
                break
            finished, _ = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
            for future in finished:
                first, last = running.pop(future)
                error = future.exception()
                if isinstance(error, SpanAbortedError):
                    begun = first
                elif error is not None:
                    failures.append(SpanFailure(first, last, error))
                else:
                    seconds, totals = future.result()
                    _add(ledger, first, totals)
                    size = _next_size(size, last - first, seconds)
    if failures:
        raise min(failures, key=lambda failure: failure.first)
    return begun - ledger.start


def _add(ledger: Ledger, first: int, totals: npt.NDArray[np.int64]) -> None:
    """Add a span's totals, which begin with the batch that holds playthrough `first`."""
    place = first // ledger.batch_size - ledger.start // ledger.batch_size
    ledger.totals[place : place + len(totals)] += totals


def _next_size(size: int, played: int, seconds: float) -> int:
    """Return how long the next span should be, from how long one of `played` took."""
    if seconds > 2 * SPAN_SECONDS:
        return max(size // 2, 1)
    if seconds < SPAN_SECONDS / 2 and played >= size:
        return min(size * 4, LARGEST_SPAN)
    return size


def _first_fault(
    game: Any, line_up: Sequence[Agent], seed: int, failure: SpanFailure
) -> BaseException:
    """Return the error at the lowest index of a span, whatever the block in which it came up.

    Played again turn by turn: by blocks up to the one that fails, then one by one.
    """
    index = failure.first
    if isinstance(failure.error, AgentError):
        index = max(index, failure.error.index - VECTORISED_LANES + 1)
    elif isinstance(failure.error, IllegalBlock):
        index = failure.error.index
    for lanes in (COMPILED_LANES, 1):
        while index < failure.end:
            used = min(lanes, failure.end - index)
            try:
                play_block(game, line_up, seed, index, used)
            except AgentError as error:
                if lanes == 1:
                    return error.among(line_up).with_traceback(error.__traceback__)
                break
            index += used
    return failure.error


def _result(
    game: Any,
    line_up: Sequence[Agent],
    seed: int,
    ledger: Ledger,
    played: int,
    keep: str,
    partial: bool,
) -> SimulationResult:
    """Return a ledger's content as a result, cut to what was played."""
    size = ledger.batch_size
    batches = (ledger.start + played - 1) // size - ledger.start // size + 1
    return SimulationResult(
        game,
        tuple(agent.name for agent in line_up),
        seed,
        ledger.start,
        played,
        size,
        ledger.totals[:batches],
        ledger.win_units[:, :played] if keep == "all" else None,
        ledger.scores[:, :played] if keep == "all" else None,
        partial,
    )
