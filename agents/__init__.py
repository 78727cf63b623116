"""The catalogue of agents; `pyproject.toml` lists them, one file a family holds them."""

from simulator.agents import Agent
from simulator.registry import agent_names, make_agent

__all__ = ["Agent", "agent_names", "make_agent"]
