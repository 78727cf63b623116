"""Counterfactual regret minimisation for the whole of Ostrich, on an abstraction of it.

`buckets` (which decisions are taken for one), `table` (regrets and policies by bucket), `sampling`
(games that change them), `training` (a run of it).
"""
