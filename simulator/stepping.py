"""Run a game's program step by step: the way for line-ups with vectorised or plain-Python agents.

The same steps in the same order as in `playing.play`, with the same random words, so the same
results. What a seat sees and how it puts its actions is each game's own: its `stepped_block` makes
an object of the block, for the decision that is due (kind, moment, place), that

- `lanes(seat)` gives int64[decisions], the lanes in which a seat decides;
- `slots(seat, lanes)` gives uint64[decisions], the slots of its random words;
- `view(seat, lanes)` and `observations(seat, lanes)` show what the seat sees, as arrays or one by
  one (None where it has nothing to decide);
- `put(seat, lanes, actions)` takes its actions; returns (entry, what) of the first illegal one;
- `fault(seat, lanes)` returns the same of what a compiled agent has chosen;
- `chosen(seat, lanes)` tells what it has chosen, as a list with None for nothing.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from simulator.agents import Agent, AgentError, CompiledAgent, IllegalActionError
from simulator.program import COUNTS_LENGTH, DECISION, DRAW, draw_words, keep
from simulator.randomness import DecisionRandom, LaneRandom, words_at


class SpanAbortedError(Exception):
    """Raised within a span that plain-Python agents play when the run is to stop at once."""


class Decision(NamedTuple):
    """A decision of a program: its kind, and its line's moment and place."""

    kind: int
    moment: int
    place: int


def stepped_runner(game: Any, line_up: Sequence[Agent], seed: int, lanes: int) -> Any:
    """Return the `engine.Runner` of a line-up with agents that are not all compiled."""
    program = game.program

    def run(first: int, end: int, ledger: Any) -> npt.NDArray[np.int64]:
        size = ledger.batch_size
        batches = (end - 1) // size - first // size + 1
        totals = np.zeros((batches, *ledger.totals.shape[1:]), np.int64)
        index = first
        while index < end:
            used = min(lanes, end - index, size - index % size)
            batch = totals[index // size - first // size]
            played = play_block(game, line_up, seed, index, used, batch, ledger.stop.is_set)
            if ledger.scores.shape[1]:
                place = index - ledger.start
                keep(played, program.shares, program.scores, place, ledger.win_units, ledger.scores)
            index += used
        return totals

    return run


def play_block(
    game: Any,
    line_up: Sequence[Agent],
    seed: int,
    first: int,
    lanes: int,
    totals: npt.NDArray[np.int64] | None = None,
    to_stop: Callable[[], bool] = bool,
    watch: Callable[[Decision, list[tuple[int, npt.NDArray[np.int64], list[int | None]]]], None]
    | None = None,
) -> npt.NDArray[np.uint32]:
    """Play `lanes` playthroughs from index `first` on to their end, and return the block.

    `watch` is shown each decision with what was chosen, (seat, lanes, actions) for each seat,
    before it is carried out.

    Raises
    ------
    AgentError
        If an agent raises, returns what is no action, or plays against the rules.
    SpanAbortedError
        If `to_stop`, asked before each decision of a plain-Python agent, says so.
    """
    program = game.program
    block = np.zeros((program.rows, lanes), np.uint32)
    counts = np.zeros(COUNTS_LENGTH, np.int64)
    if totals is None:
        totals = np.zeros((game.num_players, len(game.counters)), np.int64)
    table = _Table(game, line_up, seed, first, block, counts, to_stop)
    for op, moment, place in program.lines.tolist():
        if op >= 0:
            program.steps[op](
                block, program.facts, program.networks, counts, totals, seed, first, moment, place
            )
        elif op == DRAW:
            for seat, agent in enumerate(line_up):
                if isinstance(agent, CompiledAgent) and agent.draws:
                    row = program.words + program.words_a_seat * seat + moment
                    draw_words(block, seed, first, seat, place, row)
        else:
            table.decide(Decision(DECISION - op, moment, place), watch)
    return block


class _Table:
    """A block, and the agents that play it."""

    def __init__(
        self, game: Any, line_up: Sequence[Agent], seed: int, first: int, block: Any, counts: Any,
        to_stop: Callable[[], bool],
    ) -> None:  # fmt: skip
        self.game, self.line_up, self.seed, self.first = game, line_up, seed, first
        self.block, self.counts, self.to_stop = block, counts, to_stop

    def decide(self, decision: Decision, watch: Any) -> None:
        """Let every seat that is to decide do so."""
        due = self.game.stepped_block(self.block, self.counts, decision)
        shown = []
        for seat, agent in enumerate(self.line_up):
            if self.counts[seat] == 0:
                continue
            lanes = due.lanes(seat)
            fault = self._let_decide(agent, seat, due, lanes, decision)
            if fault is not None:
                entry, what = fault
                index = self.first + int(lanes[entry])
                raise IllegalActionError(what, agent.name, seat, self.seed, index)
            if watch is not None:
                shown.append((seat, lanes, due.chosen(seat, lanes)))
        if watch is not None and shown:
            watch(decision, shown)

    def _let_decide(
        self, agent: Any, seat: int, due: Any, lanes: npt.NDArray[np.int64], decision: Decision
    ) -> tuple[int, str] | None:
        """Let one seat decide; return (entry, what) of an illegal action."""
        if isinstance(agent, CompiledAgent):
            try:
                illegal = agent.over_lanes(decision.kind)(
                    self.block, self.game.program.facts, agent.parameters, self.seed, self.first,
                    decision.moment, seat, int(self.counts[seat]),
                )  # fmt: skip
            except (Exception, SystemExit) as error:
                raise self._failed(error, agent, seat, self.first) from error
            return due.fault(seat, lanes) if illegal else None
        actions = np.zeros(0, np.int64)
        if len(lanes):
            decides = self._in_lanes if agent.vectorised else self._one_by_one
            actions = decides(agent, seat, due, lanes)
        return due.put(seat, lanes, actions)  # type: ignore[no-any-return]

    def _in_lanes(
        self, agent: Any, seat: int, due: Any, lanes: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """Return int64[decisions] from a vectorised agent."""
        indices = (lanes + self.first).astype(np.uint64)
        rng = LaneRandom(self.seed, indices, 1 + seat, due.slots(seat, lanes))
        try:
            actions = np.asarray(agent.player.act(due.view(seat, lanes), rng))
        except (Exception, SystemExit) as error:
            raise self._failed(error, agent, seat, int(indices[0])) from error
        if actions.shape != (len(lanes),) or actions.dtype.kind not in "iu":
            what = (
                f"returned an array of {actions.dtype} with shape {actions.shape}; "
                f"it must be whole numbers with shape ({len(lanes)},)"
            )
            raise AgentError(what, agent.name, seat, self.seed, int(indices[0]))
        return actions.astype(np.int64)

    def _one_by_one(
        self, agent: Any, seat: int, due: Any, lanes: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """Return int64[decisions] from a plain-Python agent; -1 where nothing is to be decided."""
        stream, slots = 1 + seat, due.slots(seat, lanes)
        indices = (lanes + self.first).astype(np.uint64)
        words = words_at(self.seed, indices, stream, slots, 0).tolist()
        actions = np.full(len(lanes), -1, np.int64)
        act = agent.player.act
        decisions = zip(
            due.observations(seat, lanes), indices.tolist(), slots.tolist(), strict=True
        )
        for entry, (observation, index, slot) in enumerate(decisions):
            if observation is None:
                continue
            if self.to_stop():
                raise SpanAbortedError
            rng = DecisionRandom(self.seed, index, stream, slot, words[entry])
            legal = observation.legal_actions
            try:
                action = act(observation, legal, rng)
            except (Exception, SystemExit) as error:
                raise self._failed(error, agent, seat, index) from error
            if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
                legal = observation.legal_actions
                what = f"returned {action!r}, which is no action; legal are {legal}"
                raise AgentError(what, agent.name, seat, self.seed, index)
            actions[entry] = min(max(action, -(2**62)), 2**62)  # beyond is as illegal
        return actions

    def _failed(self, error: BaseException, agent: Any, seat: int, index: int) -> AgentError:
        """Return the error for an agent that raised."""
        what = f"failed with {type(error).__name__}: {error}"
        return AgentError(what, agent.name, seat, self.seed, index)


def joint_actions(
    game: Any,
    line_up: Sequence[Agent],
    seed: int,
    index: int,
    tell: Callable[[list[int | None]], None] = lambda joint: None,
) -> tuple[list[list[int | None]], AgentError | None]:
    """Return the joint actions of one playthrough, in order, until it is over.

    If an agent fails or breaks the rules, the actions before that come with its error. `tell` is
    shown each joint action before it is carried out.
    """
    chosen: list[list[int | None]] = []

    def watch(decision: Decision, shown: Any) -> None:
        joint: list[int | None] = [None] * game.num_players
        for seat, lanes, actions in shown:
            if len(lanes):
                joint[seat] = actions[0]
        if any(action is not None for action in joint):
            chosen.append(joint)
            tell(joint)

    try:
        play_block(game, line_up, seed, index, 1, watch=watch)
    except AgentError as error:
        return chosen, error
    return chosen, None
