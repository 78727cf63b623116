"""Bad input is refused in one clear sentence, before anything runs."""

from typing import Any

import numpy as np
import pytest

import ostrich
from ostrich import Rules
from simulator import UsageError, merge, simulate
from simulator.inputs import playthroughs_from, seed_from, threads_from
from tests.three_ways import RandomPlain

GAME = ostrich.Game()
LINE_UP = ["random"] * 3

COUNTS = [
    (1, 1),
    ("1e6", 10**6),
    ("1_000_000", 10**6),
    ("1.5e3", 1500),
    ("1e12", 10**12),
    (" 12 ", 12),
    ("+5", 5),
    ("1E3", 1000),
    ("1e+3", 1000),
    ("1.50e1", 15),
    (1e6, 10**6),
    (np.int32(5), 5),
    (np.uint64(7), 7),
    (np.float64(8), 8),
    ("10e0", 10),
]
NO_COUNTS = [
    0,
    -1,
    1.5,
    10**13,
    1e13,
    "1e13",
    "1e-3",
    "1.5",
    "1.55e1",
    "",
    "ten",
    "1__0",
    "_1",
    "1_",
]
NO_COUNTS += ["0x10", "1e", "e3", "1e3.5", "1 000", "0", "-5", True, False, None, [3], 1j, "inf"]
NO_COUNTS += [float("nan"), float("inf"), np.float64(0.5), np.bool_(True), b"5", "1e99", "1" * 5000]
NO_COUNTS += [10**5000]


@pytest.mark.parametrize(("given", "number"), COUNTS, ids=repr)
def test_counts_that_are_understood(given: Any, number: int) -> None:
    read = playthroughs_from(given)
    assert read == number
    assert type(read) is int


@pytest.mark.parametrize("given", NO_COUNTS, ids=lambda given: f"{type(given).__name__}")
def test_counts_that_are_refused(given: Any) -> None:
    with pytest.raises(UsageError, match="playthroughs must be a whole number from 1 to 1e12, not"):
        simulate(GAME, LINE_UP, given, 1)


@pytest.mark.parametrize("given", [0, 2**64 - 1, "18446744073709551615", np.uint64(2**64 - 1)])
def test_seeds_to_the_limit(given: Any) -> None:
    assert seed_from(given) == int(given)


@pytest.mark.parametrize("given", [-1, 2**64, 10**40, 10**5000, 0.5, None, True, "x"], ids=type)
def test_seeds_that_are_refused(given: Any) -> None:
    with pytest.raises(
        UsageError, match="seed must be a whole number from 0 to 18446744073709551615"
    ):
        simulate(GAME, LINE_UP, 10, given)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("start", -1),
        ("start", 10**12 + 1),
        ("start", None),
        ("start", 0.5),
        ("threads", 0),
        ("threads", -2),
        ("threads", 5000),
        ("threads", 1.5),
        ("threads", True),
        ("lanes", 0),
        ("lanes", 2**20 + 1),
        ("lanes", "many"),
        ("keep", None),
        ("keep", "some"),
        ("keep", ""),
    ],
)
def test_other_values_that_are_refused(name: str, value: Any) -> None:
    with pytest.raises(UsageError, match=f"^{name} must be .*not {value!r}"):
        simulate(GAME, LINE_UP, 10, 1, **{name: value})


def test_all_cores_by_default() -> None:
    assert threads_from(None) >= 1
    assert threads_from("2") == 2


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("gredy", "did you mean greedy"),
        ("randm", "did you mean random"),
        ("zzz", "there are .*random"),
        ("Greedy", "did you mean greedy"),
        ("", "there are .*greedy"),
        ("ostrich.greedy", "did you mean"),
    ],
)
def test_unknown_agents_and_near_matches(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"there is no agent for ostrich '{name}'; {hint}"):
        simulate(GAME, ["random", name, "random"], 10, 1)


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_a_wrong_number_of_agents(count: int) -> None:
    with pytest.raises(UsageError, match=f"ostrich here needs 3 agents, .*; {count} given"):
        simulate(GAME, ["random"] * count, 10, 1)


@pytest.mark.parametrize("agents", ["random", None, 3, (name for name in LINE_UP)], ids=type)
def test_what_is_no_line_up(agents: Any) -> None:
    with pytest.raises(UsageError, match="needs 3 agents"):
        simulate(GAME, agents, 10, 1)


def test_totals_that_could_overflow_are_refused_before_anything_runs() -> None:
    class Never(RandomPlain):
        def act(self, observation: Any, legal_actions: Any, rng: Any) -> Any:
            raise AssertionError("was asked to play")

    dear = Rules(bags=(12, 13, 14, 15), deck=(0,) * 32, removed=0, rounds=32, amber_value=100)
    with pytest.raises(UsageError, match="may exceed 64 bits; play at most"):
        simulate(ostrich.Game(dear), [Never] * 3, 10**12, 1)
    most = (2**63 - 1) // ostrich.Game(dear).max_counter
    with pytest.raises(UsageError, match=str(most)):
        simulate(ostrich.Game(dear), [Never] * 3, most + 1, 1)


def run(start: int, count: int, **other: Any) -> Any:
    """Return a small result."""
    values = {"game": GAME, "agents": LINE_UP, "seed": 1, **other}
    return simulate(playthroughs=count, start=start, **values)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (run(0, 10), run(9, 10), "parts overlap: playthrough 9 is in the part from 0 to 9"),
        (run(0, 10), run(0, 10), "parts overlap: playthrough 0"),
        (run(0, 10), run(11, 5), "playthroughs 10 to 10 are missing"),
        (run(0, 10), run(10, 5, seed=2), "differ in seed"),
        (run(0, 10), run(10, 5, agents=["random", "random", "greedy"]), "differ in agents"),
        (run(0, 10), run(10, 5, game=ostrich.Game(Rules(amber_value=5))), "differ in game"),
        (run(0, 10), run(10, 5, keep="all"), "with and without each playthrough"),
    ],
)
def test_parts_that_do_not_belong_together(first: Any, second: Any, message: str) -> None:
    for parts in ([first, second], [second, first]):
        with pytest.raises(UsageError, match=message):
            merge(parts)


def test_nothing_to_merge() -> None:
    with pytest.raises(UsageError, match="nothing to merge"):
        merge([])
