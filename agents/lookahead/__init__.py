"""Learned play of Ostrich: every turn a small game, its leaves valued by small networks.

In the order of the data: `features` (a position as rows of a table), `nets` (networks that value
positions), `stages` (a turn's payoffs), `regrets` (its equilibrium), `search` (both, for many
decisions), `states` (positions to learn from), `fitting` and `learning` (from the last round back).
"""
