"""The shared core: plays line-ups of agents in any game, by the millions, and adds up the results.

It knows no game and no agent; games hand it compiled steps, agents come by name.
"""

from simulator.agents import Agent, AgentError, IllegalActionError
from simulator.engine import Interrupted, simulate
from simulator.inputs import UsageError
from simulator.result import SimulationResult, merge

__all__ = [
    "Agent",
    "AgentError",
    "IllegalActionError",
    "Interrupted",
    "SimulationResult",
    "UsageError",
    "merge",
    "simulate",
]
