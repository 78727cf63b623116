"""Solvers: counterfactual regret, exact solving, best responses; each checked by something else."""
