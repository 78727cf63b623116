"""Play a span turn by turn: the way for line-ups with vectorised or plain-Python agents.

The same steps in the same order as a game's compiled loop, with the same random words, so the same
results. A game's `new_block` gives an object that

- has `slots`, the number of decisions in order, and `lanes`;
- `open(slot)` brings every lane up to that decision;
- `decide(slot, seat, agent)` lets a compiled agent fill in its actions;
- `view(slot, seat)` and `observations(slot, seat)` show what a seat sees, in all lanes as arrays or
  lane by lane (None where it has nothing to decide), and `put(seat, actions)` takes its actions;
- `joint_action(lane)` tells what the seats have chosen, None for one with nothing to decide;
- `close(slot)` carries all actions out, or returns the (seat, lane, what) of an illegal one;
- `record(ledger, totals)` adds the results up at the end.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.agents import Agent, AgentError, CompiledAgent, IllegalActionError
from simulator.randomness import DecisionRandom, LaneRandom, words_of_slot


class SpanAbortedError(Exception):
    """Raised within a span that plain-Python agents play when the run is to stop at once."""


def stepped_runner(game: Any, line_up: Sequence[Agent], seed: int, lanes: int) -> Any:
    """Return the `engine.Runner` of a line-up with agents that are not all compiled."""

    def run(first: int, end: int, ledger: Any) -> npt.NDArray[np.int64]:
        size = ledger.batch_size
        batches = (end - 1) // size - first // size + 1
        totals = np.zeros((batches, *ledger.totals.shape[1:]), np.int64)
        index = first
        while index < end:
            used = min(lanes, end - index, size - index % size)
            block = play_block(game, line_up, seed, index, used, ledger.stop.is_set)
            block.record(ledger, totals[index // size - first // size])
            index += used
        return totals

    return run


def play_block(
    game: Any,
    line_up: Sequence[Agent],
    seed: int,
    first: int,
    lanes: int,
    to_stop: Callable[[], bool] = bool,
    watch: Callable[[Any], None] = lambda block: None,
) -> Any:
    """Play `lanes` playthroughs from index `first` on to their end, and return the block.

    `watch` is shown the block each time that all have chosen, before their actions are carried out.

    Raises
    ------
    AgentError
        If an agent raises, returns what is no action, or plays against the rules.
    SpanAbortedError
        If `to_stop`, asked before each decision of a plain-Python agent, says so.
    """
    block = game.new_block(seed, first, lanes)
    for slot in range(block.slots):
        block.open(slot)
        for seat, agent in enumerate(line_up):
            if isinstance(agent, CompiledAgent):
                _decide(agent, block, slot, seat, seed, first)
            elif agent.vectorised:  # type: ignore[attr-defined]
                block.put(seat, _actions_of_lanes(agent, block, slot, seat, seed, first))
            else:
                block.put(seat, _actions_one_by_one(agent, block, slot, seat, seed, first, to_stop))
        watch(block)
        fault = block.close(slot)
        if fault is not None:
            seat, lane, what = fault
            raise IllegalActionError(what, line_up[seat].name, seat, seed, first + lane)
    return block


def _decide(agent: Any, block: Any, slot: int, seat: int, seed: int, first: int) -> None:
    """Let a compiled agent choose in all lanes."""
    try:
        block.decide(slot, seat, agent)
    except (Exception, SystemExit) as error:
        raise _failed(error, agent, seat, seed, first) from error


def _actions_of_lanes(
    agent: Any, block: Any, slot: int, seat: int, seed: int, first: int
) -> npt.NDArray[np.int64]:
    """Return int64[lanes] from a vectorised agent."""
    rng = LaneRandom(seed, first, block.lanes, 1 + seat, slot)
    try:
        actions = np.asarray(agent.player.act(block.view(slot, seat), rng))
    except (Exception, SystemExit) as error:
        raise _failed(error, agent, seat, seed, first) from error
    if actions.shape != (block.lanes,) or actions.dtype.kind not in "iu":
        what = (
            f"returned an array of {actions.dtype} with shape {actions.shape}; "
            f"it must be whole numbers with shape ({block.lanes},)"
        )
        raise AgentError(what, agent.name, seat, seed, first)
    return actions.astype(np.int64)


def _actions_one_by_one(
    agent: Any, block: Any, slot: int, seat: int, seed: int, first: int, to_stop: Callable[[], bool]
) -> npt.NDArray[np.int64]:
    """Return int64[lanes] from a plain-Python agent; lanes without a decision get -1."""
    stream = 1 + seat
    words = words_of_slot(seed, first, block.lanes, stream, slot, 0).tolist()
    actions = np.full(block.lanes, -1, np.int64)
    act = agent.player.act
    for lane, observation in enumerate(block.observations(slot, seat)):
        if observation is None:
            continue
        if to_stop():
            raise SpanAbortedError
        rng = DecisionRandom(seed, first + lane, stream, slot, words[lane])
        legal = observation.legal_actions
        try:
            action = act(observation, legal, rng)
        except (Exception, SystemExit) as error:
            raise _failed(error, agent, seat, seed, first + lane) from error
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            what = f"returned {action!r}, which is no action; legal are {observation.legal_actions}"
            raise AgentError(what, agent.name, seat, seed, first + lane)
        actions[lane] = min(max(action, -(2**62)), 2**62)  # beyond is as illegal
    return actions


def _failed(error: BaseException, agent: Any, seat: int, seed: int, index: int) -> AgentError:
    """Return the error for an agent that raised."""
    return AgentError(f"failed with {type(error).__name__}: {error}", agent.name, seat, seed, index)


def joint_actions(
    game: Any, line_up: Sequence[Agent], seed: int, index: int
) -> tuple[list[list[int | None]], AgentError | None]:
    """Return the joint actions of one playthrough, in order, until it is over.

    If an agent fails or breaks the rules, the actions before that come with its error.
    """
    chosen: list[list[int | None]] = []
    error: AgentError | None = None
    try:
        play_block(
            game, line_up, seed, index, 1, watch=lambda block: chosen.append(block.joint_action(0))
        )
    except IllegalActionError as fault:
        chosen.pop()
        error = fault
    except AgentError as fault:
        error = fault
    return [joint for joint in chosen if any(action is not None for action in joint)], error
