"""Run Python in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run_python(
    *arguments: str, check: bool = True, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the interpreter in the project's folder, with some environment variables set."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=check,
        timeout=600,
    )
