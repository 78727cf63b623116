"""A folder of results appears whole or not at all, whatever stops its writer."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from simulator import files
from simulator.files import only_writer, recover_folder, write_folder

#: Loads files.py alone, without the rest of the simulator, so that a process starts at once.
LOAD = f"""
import importlib.util, os, signal, sys
from pathlib import Path
spec = importlib.util.spec_from_file_location("files", {files.__file__!r})
files = importlib.util.module_from_spec(spec)
spec.loader.exec_module(files)
target = Path(sys.argv[1])
def fill(version, count=12):
    def write(folder):
        for number in range(count):
            (folder / f"{{number}}.txt").write_text(f"{{version}}\\n" * 500)
    return write
"""


def child(script: str, target: Path) -> subprocess.CompletedProcess[str]:
    """Run a script after `LOAD` in a process of its own."""
    command = [sys.executable, "-c", LOAD + script, str(target)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def fill_with(text: str) -> Any:
    """Return what fills a folder with two files."""

    def fill(folder: Path) -> None:
        (folder / "a.txt").write_text(text)
        (folder / "b.txt").write_text(text)

    return fill


def content(folder: Path) -> dict[str, str]:
    """Return what is in a folder's files."""
    return {path.name: path.read_text() for path in folder.iterdir()}


def whole_version(target: Path) -> str:
    """Return the version that a folder written by `LOAD` holds; fails if it is not one whole."""
    found = content(target)
    assert sorted(found) == sorted(f"{number}.txt" for number in range(12))
    texts = set(found.values())
    assert len(texts) == 1
    lines = texts.pop().splitlines()
    assert lines == lines[:1] * 500
    return lines[0]


def test_a_folder_is_replaced_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "run"
    write_folder(target, fill_with("old"))
    (target / "left over.txt").write_text("old")
    write_folder(target, fill_with("new"))
    assert content(target) == {"a.txt": "new", "b.txt": "new"}
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "full"), ValueError(), KeyboardInterrupt()]
)
@pytest.mark.parametrize("exists", [True, False])
def test_a_fill_that_fails_changes_nothing(
    tmp_path: Path, error: BaseException, exists: bool
) -> None:
    target = tmp_path / "run"
    if exists:
        write_folder(target, fill_with("old"))

    def fill(folder: Path) -> None:
        (folder / "a.txt").write_text("new")
        raise error

    with pytest.raises(type(error)):
        write_folder(target, fill)
    assert list(tmp_path.iterdir()) == ([target] if exists else [])
    assert not exists or content(target) == {"a.txt": "old", "b.txt": "old"}


def test_a_write_for_which_there_is_no_room_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "run"
    write_folder(target, fill_with("old"))

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)  # where a disk may say so only at last
    with pytest.raises(OSError, match="No space"):
        write_folder(target, fill_with("new"))
    assert content(target) == {"a.txt": "old", "b.txt": "old"}
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("failing", [1, 2])
def test_a_rename_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    target = tmp_path / "run"
    write_folder(target, fill_with("old"))
    renames: list[Path] = []
    rename = Path.rename

    def flaky(path: Path, to: Path) -> Path:
        renames.append(path)
        if len(renames) == failing:
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", flaky)
    with pytest.raises(OSError, match="Input/output"):
        write_folder(target, fill_with("new"))
    assert content(target) == {"a.txt": "old", "b.txt": "old"}
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.compiled_only
def test_a_file_that_grows_too_large_leaves_no_stump(tmp_path: Path) -> None:
    target = tmp_path / "run"
    assert child("files.write_folder(target, fill('old'))", target).returncode == 0
    script = """
import resource
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
try:
    files.write_folder(target, fill("longer than 3000 bytes"))
except OSError as error:
    print(error.errno)
"""
    done = child(script, target)
    assert (done.stdout, done.stderr) == (f"{errno.EFBIG}\n", "")
    assert whole_version(target) == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.compiled_only
def test_a_kill_between_the_two_renames_loses_nothing(tmp_path: Path) -> None:
    target = tmp_path / "run"
    script = """
files.write_folder(target, fill("old"))
rename = Path.rename
def killed(path, to):
    if to == target:
        os.kill(os.getpid(), signal.SIGKILL)
    rename(path, to)
Path.rename = killed
files.write_folder(target, fill("new"))
"""
    assert child(script, target).returncode == -signal.SIGKILL
    assert not target.exists()  # the worst moment
    recover_folder(target)
    assert whole_version(target) == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_recovering_keeps_a_finished_folder(tmp_path: Path) -> None:
    target = tmp_path / "run"
    write_folder(target, fill_with("finished"))
    write_folder(tmp_path / ".run.old-77", fill_with("old"))
    write_folder(tmp_path / ".run.new-78", fill_with("half"))
    write_folder(tmp_path / ".other.old-77", fill_with("of another run"))
    recover_folder(target)
    assert content(target) == {"a.txt": "finished", "b.txt": "finished"}
    assert sorted(path.name for path in tmp_path.iterdir()) == [".other.old-77", "run"]


@pytest.mark.compiled_only
def test_only_one_process_may_write(tmp_path: Path) -> None:
    target = tmp_path / "run"
    script = """
try:
    with files.only_writer(target):
        print("got it")
except OSError as error:
    print(error)
"""
    with only_writer(target):
        assert child(script, target).stdout == f"another process is writing {target}\n"
    assert child(script, target).stdout == "got it\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.compiled_only
def test_a_killed_writer_gives_up_its_right(tmp_path: Path) -> None:
    target = tmp_path / "run"
    script = "with files.only_writer(target): os.kill(os.getpid(), signal.SIGKILL)"
    assert child(script, target).returncode == -signal.SIGKILL
    with only_writer(target):
        write_folder(target, fill_with("new"))
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.compiled_only
def test_kills_at_any_moment_leave_one_whole_version(tmp_path: Path) -> None:
    target = tmp_path / "run"
    script = """
with files.only_writer(target):
    version = 0
    while True:
        files.write_folder(target, fill(f"{os.getpid()} {version}"))
        version += 1
        if version == 1:
            print("ready", flush=True)
"""
    moments = random.Random(8)
    versions = set()
    for _ in range(20):
        command = [sys.executable, "-c", LOAD + script, str(target)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(moments.uniform(0, 0.04))
            process.kill()
            assert process.wait(60) == -signal.SIGKILL
        with only_writer(target):
            versions.add(whole_version(target))
        assert list(tmp_path.iterdir()) == [target]
    assert len(versions) == 20  # each process had written at least once
