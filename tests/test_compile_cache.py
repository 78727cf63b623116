"""What was compiled is found again by later processes, and never stops or misleads a run."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.processes import run_python

pytestmark = pytest.mark.compiled_only

AGENT = """
import helper
import ostrich
from numpy import uint32

BAG = {bag}

@ostrich.inlined
def pick(observation):
    return uint32(BAG + {more} + helper.MORE)

@ostrich.compiled_agent
def mine(observation):
    "Plays what it picks, or else its lowest legal action."
    chosen = pick(observation)
    for number in range(ostrich.MAX_ACTIONS):
        action = uint32(ostrich.MAX_ACTIONS - 1 - number)
        barred = ostrich.is_legal(observation, chosen) == uint32(0)
        legal = ostrich.is_legal(observation, action) != uint32(0)
        chosen = action if barred and legal else chosen
    return chosen
"""
OUT_OF_RANGE = """
import numpy as np
import ostrich
from ostrich import block
program = ostrich.Game().program
rows = np.zeros((program.rows, 4), np.uint32)
counts, totals = np.zeros(8, np.int64), np.zeros((3, 8), np.int64)
try:
    block.reveal(rows, program.facts, program.networks, counts, totals, 1, 0, 500, 0)
except IndexError:
    print("refused")
"""


def probe(folder: Path, *agent: str, **environment: str) -> Any:
    """Return what a process reports that keeps compiled code in `folder`."""
    environment = {"NUMBA_BOUNDSCHECK": "0", "NUMBA_CACHE_DIR": str(folder), **environment}
    done = run_python("-m", "tests.cache_probe", *agent, **environment)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Return a folder with what one process has compiled, and its report."""
    folder = tmp_path_factory.mktemp("warm")
    return folder, probe(folder)


@pytest.fixture
def cache(warm: tuple[Path, Any], tmp_path: Path) -> Path:
    """Return a copy of the warm folder, to be damaged."""
    return Path(shutil.copytree(warm[0], tmp_path / "cache"))


def test_later_processes_compile_nothing(warm: tuple[Path, Any]) -> None:
    folder, first = warm
    assert first["compiled"] > 10
    assert first["files"] > 10
    for _ in range(3):
        later = probe(folder)
        assert later["compiled"] == 0
        assert later["files"] == first["files"]
        assert (later["digest"], later["warnings"]) == (first["digest"], [])


def test_a_folder_that_is_a_file_gives_one_warning(warm: tuple[Path, Any], tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("in the way")
    report = probe(path)
    assert report["digest"] == warm[1]["digest"]
    assert len(report["warnings"]) == 1
    assert "not kept on disk" in report["warnings"][0]
    assert path.read_text() == "in the way"


@pytest.mark.parametrize("suffix", [".nbc", ".nbi"])
def test_damaged_files_are_written_anew(cache: Path, warm: tuple[Path, Any], suffix: str) -> None:
    """All but the largest functions, whose compilation takes longest; they are kept alike."""
    paths = [path for path in sorted(cache.rglob(f"*{suffix}")) if path.name[:10] != "block.play"]
    assert len(paths) > 10
    for number, path in enumerate(paths):
        content = path.read_bytes()
        path.write_bytes([content[: len(content) // 2], b"", bytes(len(content))][number % 3])
    report = probe(cache)
    assert report["digest"] == warm[1]["digest"]
    assert len(report["warnings"]) <= 1
    healed = probe(cache)
    assert (healed["compiled"], healed["warnings"]) == (0, [])
    assert (healed["digest"], healed["files"]) == (warm[1]["digest"], warm[1]["files"])


def test_an_edited_agent_plays_as_edited(cache: Path, tmp_path: Path) -> None:
    path, helper = tmp_path / "mine.py", tmp_path / "helper.py"
    versions = {  # where the edit is: in a global, in a function called, in a module imported
        "as written": (0, 0, 0),
        "a global": (1, 0, 0),
        "a helper": (0, 2, 0),
        "an imported module": (0, 0, 3),
    }
    digests = {}
    for name, (bag, more, imported) in [*versions.items(), ("again", (0, 0, 0))]:
        path.write_text(AGENT.format(bag=bag, more=more))
        helper.write_text(f"MORE = {imported}\n")
        found = probe(cache, f"{path}:mine", PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1")
        digests[name] = found["digest"]
    assert found["compiled"] == 0
    assert digests.pop("again") == digests["as written"]
    assert len(set(digests.values())) == len(versions)


def test_checked_code_is_kept_apart_from_unchecked(cache: Path) -> None:
    """With what was compiled without checks at hand, NUMBA_BOUNDSCHECK=1 must still check."""
    environment = {"NUMBA_CACHE_DIR": str(cache), "NUMBA_BOUNDSCHECK": "1"}
    assert run_python("-c", OUT_OF_RANGE, **environment).stdout == "refused\n"
