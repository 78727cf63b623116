"""Run commands as one types them, in this process."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from experiments.main import main


class Outcome(NamedTuple):
    """How a command ended."""

    code: Any
    out: str
    err: str


Clutch = Callable[..., Outcome]


@pytest.fixture
def clutch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Clutch:
    """Run a command in an empty folder, in this process."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["clutch", *arguments])
        code: Any = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        return Outcome(code, *capsys.readouterr())

    return run
