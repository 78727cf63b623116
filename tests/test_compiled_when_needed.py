"""Nothing is compiled that nobody asked for, and nothing twice."""

import pytest

import empires
from agents import make_agent
from empires.compact import CARD_KIND, GIFT_KIND, KINDS, PICK_KIND
from tests.processes import run_python


def lowest(observation: empires.CompactObservation, values: object) -> int:
    """Plays its lowest card."""
    for number in range(1, 11):
        if empires.is_legal(observation, number):
            return number
    return 0


@pytest.mark.compiled_only
def test_who_decides_only_cards_shares_the_other_loops() -> None:
    game = empires.Game()
    greedy, own = make_agent("greedy", game), empires.compiled_agent(lowest)
    for kind in range(len(KINDS)):
        shared = greedy.over_lanes(kind) is own.over_lanes(kind)  # type: ignore[attr-defined]
        assert shared == (kind != CARD_KIND)


def test_other_parameters_and_names_share_what_is_compiled() -> None:
    own = empires.compiled_agent(lowest)
    for other in (own.with_parameters([1.0]), own.named("other")):
        assert other.over_lanes(GIFT_KIND) is own.over_lanes(GIFT_KIND)  # type: ignore[attr-defined]
    assert own.over_lanes(PICK_KIND) is not own.over_lanes(GIFT_KIND)


@pytest.mark.compiled_only
@pytest.mark.parametrize(("game", "other"), [("empires", "ostrich"), ("ostrich", "empires")])
def test_one_game_does_not_compile_the_steps_of_the_other(game: str, other: str) -> None:
    done = run_python(
        "-c",
        f"import {game}, {other}; from simulator import simulate; "
        f"simulate({game}.Game(), ['random'] * 3, 10, seed=1); "
        f"print(*['dispatcher' in vars(step) for one in ({game}, {other}) "
        "for step in one.Game().program.steps])",
    )
    told = done.stdout.split()
    steps = {"empires": 17, "ostrich": 4}
    assert told == ["True"] * steps[game] + ["False"] * steps[other]
