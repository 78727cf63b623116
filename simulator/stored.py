"""Arrays on disk with a header that tells what they are: checkpoints, policies, certificates.

A file is an ``.npz`` whose entry `header` holds JSON: the format, the kind of file, what the writer
says of it, and a SHA-256 of all of this and of the arrays. The archive's comment seals the bytes
themselves, the names and sizes that the archive keeps beside the arrays included. So a file that is
truncated, altered by a bit or foreign is refused with its name and the reason. Nothing in it is
ever executed (no pickles).
"""

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from simulator.files import sync_folder
from simulator.inputs import UsageError

FORMAT = "clutch"
FORMAT_VERSION = 1
SEAL_LENGTH = 64  # hexadecimals of a SHA-256

Arrays = dict[str, npt.NDArray[Any]]


def checksum(header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """Return the SHA-256 of a header without its own checksum, and of arrays, as hexadecimals."""
    told = {name: value for name, value in header.items() if name != "sha256"}
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(name.encode() + array.dtype.str.encode() + repr(array.shape).encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def write_stored(
    path: Path, kind: str, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> None:
    """Write arrays and what they are; the file appears whole or not at all.

    Parameters
    ----------
    path : Path
        Replaced if it exists; its folder must.
    kind : str
        What the file is, such as "certificate".
    header : mapping
        What JSON can hold: all that tells whether the arrays are the right ones.
    arrays : mapping of str to array
        Not of objects. The same header and arrays give the same bytes.

    Raises
    ------
    OSError
        If the file cannot be written; what was there before is as it was.
    """
    whole = {"format": FORMAT, "kind": kind, "format_version": FORMAT_VERSION, **header}
    whole["sha256"] = checksum(whole, arrays)
    text = json.dumps(whole, sort_keys=True).encode()
    new = path.with_name(f".{path.name}.new-{os.getpid()}")
    try:
        with new.open("wb") as file:
            np.savez(file, allow_pickle=False, header=np.frombuffer(text, np.uint8), **arrays)
        with zipfile.ZipFile(new, "a") as archive:
            archive.comment = bytes(SEAL_LENGTH)
        with new.open("r+b") as file:
            seal = _seal_of(file)
            file.seek(-SEAL_LENGTH, os.SEEK_END)
            file.write(seal)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
        sync_folder(path.parent)
    finally:
        new.unlink(missing_ok=True)


def read_stored(path: Path, kind: str) -> tuple[dict[str, Any], Arrays]:
    """Return a file's header and arrays.

    Raises
    ------
    UsageError
        If there is no such file, or it is truncated, altered, foreign or of another kind.
    """
    try:
        with path.open("rb") as raw:
            sealed = _seal_of(raw) == raw.read()
            raw.seek(0)
            with np.load(raw, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
    except FileNotFoundError as error:
        raise UsageError(f"there is no file {str(path)!r}") from error
    except IsADirectoryError as error:
        raise UsageError(f"{path} is a folder, not a {kind}") from error
    except (ValueError, EOFError, KeyError, NotImplementedError, AttributeError) as error:
        raise UsageError(f"{path} is no {kind}, or truncated or altered: {error}") from error
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError) as error:
        raise UsageError(f"{path} is truncated or altered: {error}") from error
    header = _header(path, arrays.pop("header", None))
    for name, wanted in (("format", FORMAT), ("kind", kind), ("format_version", FORMAT_VERSION)):
        if header.get(name) != wanted:
            raise UsageError(f"{path} is no {kind}: its {name} is {header.get(name)!r}")
    if not sealed or header.get("sha256") != checksum(header, arrays):
        raise UsageError(f"{path} is altered: its contents do not give its checksum")
    return header, arrays


def _seal_of(file: BinaryIO) -> bytes:
    """Return the SHA-256 of a file up to its seal, as hexadecimals; leave off where the seal is."""
    left = file.seek(0, os.SEEK_END) - SEAL_LENGTH
    file.seek(0)
    digest = hashlib.sha256()
    while left > 0:
        part = file.read(min(left, 1 << 20))
        digest.update(part)
        left -= len(part)
    return digest.hexdigest().encode()


def _header(path: Path, text: Any) -> dict[str, Any]:
    """Return the header that an entry of a file holds, or raise UsageError."""
    try:
        header = json.loads(text.tobytes().decode())
    except (AttributeError, ValueError) as error:
        raise UsageError(f"{path} is not a file of this project: it has no header") from error
    if not isinstance(header, dict):
        raise UsageError(f"{path} is not a file of this project: its header tells nothing")
    return header
