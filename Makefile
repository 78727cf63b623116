# All that CI runs, and nothing else. `make tournament` and `make test` set everything up first.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt

.PHONY: setup setup-dev tournament test check boundscheck plain bench golden clean

setup: $(VENV)/ready
setup-dev: $(VENV)/ready-dev

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --editable .
	touch $@

$(VENV)/ready-dev: $(VENV)/ready
	$(INSTALL) --editable '.[dev]'
	touch $@

tournament: setup
	$(BIN)/clutch tournament ostrich --agents fast --playthroughs 1_000_000 --seed 1
	$(BIN)/clutch tournament empires --agents fast --playthroughs 100_000 --seed 1
	$(BIN)/clutch cards empires --playthroughs 100_000 --seed 1

test: setup-dev check
	$(BIN)/python -m pytest -n 2
	$(MAKE) boundscheck plain

# Lint, format, types, import direction.
check: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# What the special legs play again: everything that runs kernels.
KERNEL_TESTS = tests/test_philox.py tests/test_shuffling.py tests/test_golden.py \
	tests/test_three_ways_in.py tests/test_greedy.py tests/test_ostrich_*.py \
	tests/test_empires_lanes.py tests/test_statistics.py tests/test_solvers_small.py tests/test_endgame.py

# Of these, what reads and writes most.
BOUNDS_TESTS = tests/test_golden.py tests/test_three_ways_in.py tests/test_ostrich_twin.py \
	tests/test_ostrich_variants.py tests/test_empires_lanes.py \
	tests/test_solvers_small.py tests/test_endgame.py

# The tests of kernels once more, with every array index checked.
boundscheck: setup-dev
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n 2 -m "not compiled_only" $(BOUNDS_TESTS)

# And without compiling, at small sizes; this leg measures coverage of the kernels.
plain: setup-dev
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 -m "not compiled_only" --cov --cov-report=term:skip-covered $(KERNEL_TESTS)

# Rates by `clutch bench`, ratios to loops in C (needs gcc), and to OpenSpiel.
bench: setup-dev
	$(BIN)/clutch bench
	$(BIN)/python -m tests.yardstick
	$(BIN)/python -m tests.yardstick.empires
	$(BIN)/python -m tests.yardstick.solvers

# Play the golden playthroughs anew, after a deliberate change of behaviour.
golden: setup-dev
	$(BIN)/python -m tests.golden

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
