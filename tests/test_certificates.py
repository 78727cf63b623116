"""The checker of certificates: what it accepts holds, and whatever is changed is noticed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ostrich
from agents.solved import Solved
from agents.solvers.certificates import read_certificate, write_certificate
from agents.solvers.ostrich_exact import solve_exactly
from agents.solvers.ostrich_gain import deviation_gains
from experiments.check_certificate import check_certificate
from ostrich import Rules
from simulator.agents import as_agent
from simulator.inputs import UsageError
from simulator.stored import read_stored, write_stored
from tests.naive.ostrich_solving import game_of, two_player_value
from tests.solved_variants import SMALL, TINY

RULES = SMALL["two bags"]
GAME = ostrich.Game(RULES)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("certificates") / "good.npz"
    write_certificate(path, GAME, solve_exactly(GAME))
    return path


def forged(good: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> Path:
    """Write a certificate with something changed and all checksums as they should be."""
    header, arrays = read_stored(good, "certificate")
    arrays = {name: array.copy() for name, array in arrays.items()}
    for name in ("format", "kind", "format_version", "sha256"):
        header.pop(name)
    change(header, arrays)
    path = good.with_name("forged.npz")
    write_stored(path, "certificate", header, arrays)
    return path


def test_a_good_one_holds(good: Path) -> None:
    report = check_certificate(good)
    assert report.gain_bound <= 1e-12
    assert report.mixed > 0
    assert len(report.gains) == RULES.rounds
    assert check_certificate(forged(good, lambda header, arrays: None)) == report


@pytest.mark.parametrize("name", ["values", "mixed", "positions", "seen"])
def test_one_number_changed_anywhere_is_noticed(good: Path, name: str) -> None:
    """With the checksums of the changed file, so that the mathematics alone can notice."""
    rng, size = np.random.default_rng(1), read_stored(good, "certificate")[1][name].size
    for place in rng.integers(size, size=12).tolist():

        def change(_header: Any, arrays: Any, place: int = place) -> None:
            flat = arrays[name].reshape(-1)
            flat[place] += 0.01 if flat.dtype.kind == "f" else 1

        with pytest.raises(UsageError, match=r"forged\.npz proves nothing: "):
            check_certificate(forged(good, change))


def test_values_a_little_off_are_noticed(good: Path) -> None:
    def change(_header: Any, arrays: Any) -> None:
        arrays["values"][-1] += 1e-10

    with pytest.raises(UsageError, match="claims a "):
        check_certificate(forged(good, change))


def test_other_pure_joint_actions_are_noticed_unless_they_are_equilibria_too(good: Path) -> None:
    """Late in the game much is all the same: then another joint action proves as much."""
    noticed = 0
    _, arrays = read_stored(good, "certificate")
    pure = np.flatnonzero(arrays["joint"] >= 0)
    for stage in np.random.default_rng(2).choice(pure, 30).tolist():

        def change(_header: Any, arrays: Any, stage: int = stage) -> None:
            joint = int(arrays["joint"][stage])
            arrays["joint"][stage] = joint - 1 if joint % RULES.num_actions else joint + 1

        path = forged(good, change)
        try:
            check_certificate(path)
        except UsageError as error:
            assert "proves nothing: " in str(error)
            noticed += 1
            continue
        agent = as_agent(Solved(RULES, read_stored(path, "certificate")[1]), GAME)
        assert deviation_gains(GAME, [agent] * 3).gains.max() <= 1e-12
    assert noticed >= 10


def drop_state(_header: Any, arrays: Any) -> None:
    for name in ("positions", "seen", "values"):
        arrays[name] = arrays[name][:-1]


def drop_state_with_games(header: Any, arrays: Any) -> None:
    drop_state(header, arrays)
    arrays["joint"] = arrays["joint"][:-1]  # two equal cards are unseen


def swap_states(_header: Any, arrays: Any) -> None:
    arrays["positions"][[-1, -2]] = arrays["positions"][[-2, -1]]


def no_start(_header: Any, arrays: Any) -> None:
    for name in ("positions", "seen", "values"):
        arrays[name] = arrays[name][1:]
    arrays["joint"] = arrays["joint"][4:]


def unequal_equals(_header: Any, arrays: Any) -> None:
    """All three begin alike: the first card's policies of one of them are turned."""
    row = -1 - int(arrays["joint"][arrays["joint"] < 0][0])
    arrays["mixed"][row, 0] = arrays["mixed"][row, 0][::-1]


def unequal_values(_header: Any, arrays: Any) -> None:
    arrays["values"][0] = [0.4, 0.3, 0.3]


def negative_weight(_header: Any, arrays: Any) -> None:
    arrays["mixed"][0, :] += [1.5, -1.5, 0.0]


def nan_value(_header: Any, arrays: Any) -> None:
    arrays["values"][3, 0] = np.nan


def other_type(_header: Any, arrays: Any) -> None:
    arrays["joint"] = arrays["joint"].astype(np.int64)


def without_mixed(_header: Any, arrays: Any) -> None:
    arrays["mixed"] = arrays["mixed"][:-1]


def header(name: str, value: Any) -> Any:
    return lambda told, arrays: told.__setitem__(name, value)


def rules(name: str, value: Any) -> Any:
    return lambda told, arrays: told["rules"].__setitem__(name, value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (drop_state, "stage games for"),
        (drop_state_with_games, "is missing"),
        (swap_states, "out of order"),
        (no_start, "start of the game is not there"),
        (unequal_equals, "equal positions have different policies|no distribution"),
        (unequal_values, "equal positions have different values"),
        (negative_weight, "no distribution over legal actions"),
        (nan_value, "not finite"),
        (other_type, "no array 'joint' of int32"),
        (without_mixed, "not used in order"),
        (header("largest_gain", -1.0), "claims a largest_gain of -1.0"),
        (header("gain_bound", float("nan")), "claims a gain_bound"),
        (header("gain_bound", None), "claims a gain_bound"),
        (header("largest_gain", float("inf")), "claims a largest_gain"),
        (rules("deck", [6, 5, 4, 0, 0]), "not written as rules are"),
        (header("root_values", [0.5, 0.25, 0.25]), "claims root values"),
        (header("payoff", "score_difference"), "payoff is 'score_difference'"),
        (header("game", "empires"), "game is 'empires'"),
        (header("rules_version", 0), "rules_version is 0"),
        (header("rules", {"players": 9}), "its rules are none"),
        (rules("amber_value", 5), "claims a"),
        (rules("bags", [2, 4]), "missing|start"),
        (rules("rounds", 3), "."),
        (rules("out_players_can_win", True), "."),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_whatever_is_forged_is_noticed(good: Path, change: Any, told: str) -> None:
    with pytest.raises(UsageError, match=told) as error:
        check_certificate(forged(good, change))
    assert "forged.npz" in str(error.value)


def test_damaged_and_foreign_files_are_refused(good: Path, tmp_path: Path) -> None:
    whole, path = good.read_bytes(), tmp_path / "bad.npz"
    for length in range(0, len(whole), len(whole) // 23):
        path.write_bytes(whole[:length])
        with pytest.raises(UsageError, match=r"bad\.npz"):
            check_certificate(path)
    for place in range(0, len(whole), len(whole) // 97):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(UsageError, match=r"bad\.npz"):
            check_certificate(path)
    write_stored(path, "policy", {}, {})
    with pytest.raises(UsageError, match="is no certificate: its kind is 'policy'"):
        check_certificate(path)
    with pytest.raises(UsageError, match="there is no file"):
        check_certificate(tmp_path / "nothing.npz")


def test_a_solution_of_other_rules_is_refused_by_who_uses_it(good: Path) -> None:
    with pytest.raises(UsageError, match="made for another game: its rules is"):
        read_certificate(good, ostrich.Game())


@pytest.mark.parametrize("name", ["two players", "two players, equal cards"])
def test_what_the_checker_finds_is_what_brute_force_finds(name: str, tmp_path: Path) -> None:
    game, path = ostrich.Game(TINY[name]), tmp_path / "c.npz"
    write_certificate(path, game, solve_exactly(game, "score_difference"))
    report = check_certificate(path)
    value = two_player_value(game_of(TINY[name]), "score_difference")
    assert report.root_values[0] == pytest.approx(value, abs=1e-9)


def test_the_checker_measures_what_deviating_gains(tmp_path: Path) -> None:
    """One round, one card of 4 eggs, one bag of 3: who claims alone breaks it, and is out.

    If both claim, each has two eggs, a point, and half of the win; who skips instead has it all.
    """
    game = ostrich.Game(Rules(players=2, bags=(3,), deck=(4,), removed=0, rounds=1))
    good = tmp_path / "good.npz"
    write_certificate(good, game, solve_exactly(game))
    assert read_stored(good, "certificate")[1]["joint"].tolist() == [3]  # both skip

    def both_claim(told: Any, arrays: Any) -> None:
        arrays["joint"][0] = 0
        told.update(largest_gain=1.0, gain_bound=1.0)

    report = check_certificate(forged(good, both_claim))
    assert report.gains == [0.5]
    assert report.gain_bound == 0.5
