"""Write files so that they appear whole or not at all, and nothing finished is lost."""

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make sure that a folder's list of names is on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_folder(target: Path, fill: Callable[[Path], None]) -> None:
    """Replace a folder, as a whole, by one that `fill` writes.

    The new folder is written beside the target under a temporary name, synced, and renamed. If
    anything fails, the target is as it was and nothing is left beside it.

    Parameters
    ----------
    target : Path
    fill : callable
        Writes all files into the folder that it is given.

    Raises
    ------
    OSError
        If the disk is full or the folder cannot be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_name(f".{target.name}.new-{os.getpid()}")
    old = target.with_name(f".{target.name}.old-{os.getpid()}")
    shutil.rmtree(new, ignore_errors=True)
    try:
        new.mkdir()
        fill(new)
        for path in sorted(new.rglob("*")):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
        sync_folder(new)
        if target.exists():
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise
        sync_folder(target.parent)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def recover_folder(target: Path) -> None:
    """Clear up after a process that was killed while it replaced `target`.

    If the kill came between its two renames, the old folder gets its name back.
    """
    for left in sorted(target.parent.glob(f".{target.name}.old-*")):
        if not target.exists():
            left.rename(target)
        shutil.rmtree(left, ignore_errors=True)
    for left in target.parent.glob(f".{target.name}.new-*"):
        shutil.rmtree(left, ignore_errors=True)


@contextmanager
def only_writer(target: Path) -> Iterator[None]:
    """Hold the right to write a folder; the system gives it back when this process ends.

    Raises
    ------
    OSError
        If the parent folder cannot be written, or another process holds the right.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    lock = target.with_name(f".{target.name}.lock")
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OSError(f"another process is writing {target}") from error
        if not lock.exists() or lock.stat().st_ino != os.fstat(file.fileno()).st_ino:
            raise OSError(f"another process has just written {target}; try again")
        try:
            recover_folder(target)
            yield
        finally:
            lock.unlink(missing_ok=True)
