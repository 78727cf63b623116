"""`python -m tests.mutation empires [FIRST [LAST]]`: mutants of a game's rules against its tests.

Cosmic Ray's operators make the mutants; each is tried in a forked process that runs the tests
without compiling, so that only the changed module is imported anew. Prints a line for each mutant
that survives, and the count in the end. Nothing in the tree is changed.
"""

import importlib.abc
import importlib.util
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TIMEOUT = 150
TESTS = {
    "ostrich": ["test_ostrich_word", "test_ostrich_variants", "test_ostrich_rules",
                "test_ostrich_rules_scoring", "test_ostrich_rulings", "test_golden",
                "test_ostrich_perft", "test_ostrich_properties", "test_ostrich_twin"],
    "empires": ["test_empires_variants", "test_empires_rules", "test_empires_rules_adventurers",
                "test_empires_rules_two_players", "test_empires_rulings",
                "test_empires_rulings_rounds", "test_empires_hidden", "test_empires_decks",
                "test_golden", "test_empires_twin", "test_empires_lanes"],
}  # fmt: skip


class _Mutant(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from a changed source."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        self.name, self.path, self.source = name, path, source

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        """Return this loader for its module."""
        if name != self.name:
            return None
        return importlib.util.spec_from_loader(name, self, origin=str(self.path))

    def exec_module(self, module: Any) -> None:
        """Run the changed source."""
        module.__file__ = str(self.path)
        exec(compile(self.source, str(self.path), "exec"), module.__dict__)


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Yield each mutant's name and source."""
    import parso
    from cosmic_ray.ast import ast_nodes
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    tree = parso.parse(source)
    for name in sorted(operator_names()):
        if "variable_" in name:  # these need variables to be named
            continue
        operator = get_operator(name)()
        found = sum(len(list(operator.mutation_positions(node))) for node in ast_nodes(tree))
        for occurrence in range(found):
            changed = mutate_code(source.encode(), operator, occurrence)
            if changed:
                yield f"{name} {occurrence}", changed


def survives(module: str, path: Path, source: str, tests: list[str]) -> bool:
    """Return whether the tests pass with a mutant, in a process of its own."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    signal.alarm(TIMEOUT)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    code = 1
    try:
        import pytest

        sys.meta_path.insert(0, _Mutant(module, path, source))
        files = [f"tests/{name}.py" for name in tests]
        code = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files]))
    finally:
        os._exit(1 if code else 0)


def main() -> None:
    """Try all mutants, or those from FIRST up to LAST."""
    game = sys.argv[1]
    bounds = [int(text) for text in sys.argv[2:4]]
    first, last = [*bounds, *[0, 10**6][len(bounds) :]]
    for heavy in ("numpy", "numba", "hypothesis", "pytest", "scipy.stats", "pandas"):
        importlib.import_module(heavy)
    path = ROOT / game / "rules.py"
    os.chdir(ROOT)
    tried = survived = 0
    for number, (name, source) in enumerate(mutants(path.read_text())):
        if not first <= number < last:
            continue
        tried += 1
        if survives(f"{game}.rules", path, source, TESTS[game]):
            survived += 1
            print(f"{number} survives: {name}", flush=True)
    print(f"{tried} tried, {survived} survive")


if __name__ == "__main__":
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    main()
