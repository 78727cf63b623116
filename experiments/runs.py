"""A run of an experiment on disk: `results/<experiment>/<run>/`, whole or marked partial."""

import hashlib
import json
import os
import platform
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from simulator.inputs import UsageError

PARTIAL = ".partial"
LIBRARIES = ("clutch-lab", "numpy", "numba", "pandas", "pyarrow", "matplotlib")


def run_name(slug: str, settings: dict[str, Any]) -> str:
    """Return a readable name and a short hash of the settings that decide the results."""
    text = json.dumps(settings, sort_keys=True)
    return f"{slug}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def run_folder(out: Path, experiment: str, name: str) -> Path:
    """Return where a run's results go; its name with ".partial" holds what is not finished."""
    return out / experiment / name


def check_writable(folder: Path) -> None:
    """Raise OSError before anything is played if results could not be written into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / f".probe-{os.getpid()}"
    probe.write_bytes(b"x")
    probe.unlink()


def labels_text(game: Any) -> list[str]:
    """Return what every table and chart made with a game's rules must say, such as its deck."""
    return [f"{name.replace('_', ' ')}: {value}" for name, value in game.labels.items()]


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a dictionary as readable JSON."""
    path.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """Read a run's JSON file.

    Raises
    ------
    UsageError
        If there is none, or it is damaged.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"{path} does not exist: {path.parent} is no run") from error
    except ValueError as error:
        raise UsageError(f"{path} is damaged: {error}") from error
    if not isinstance(content, dict):
        raise UsageError(f"{path} is damaged: it holds no settings")
    return content


@cache
def environment() -> dict[str, Any]:
    """Return on what a run was made: commit, versions, machine."""
    return {
        "commit": _commit(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in LIBRARIES},
        "system": f"{platform.system()} {platform.release()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "command": ["clutch", *sys.argv[1:]],
    }


def processor() -> str:
    """Return the processor's name."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _commit() -> str | None:
    """Return the commit that the sources are at, marked if any were edited since.

    Results do not count: running a command again replaces them.
    """
    try:
        commit = _git("rev-parse", "HEAD").strip()
        edited = _git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!results")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{commit}-dirty" if edited else commit


def _git(*arguments: str) -> str:
    """Return what git tells of the project's own folder."""
    home = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        ["git", *arguments], cwd=home, capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout
