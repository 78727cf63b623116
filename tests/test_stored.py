"""Arrays on disk: what is written is read back, and nothing else is ever read."""

from pathlib import Path

import numpy as np
import pytest

from simulator.inputs import UsageError
from simulator.stored import checksum, read_stored, write_stored

ARRAYS = {
    "some": np.array([0.1, -2.0, 1e300]),
    "none": np.zeros((0, 3), np.int32),
    "table": np.arange(6, dtype=np.uint32).reshape(2, 3),
    "one": np.array(7),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "thing.npz"
    write_stored(path, "thing", {"game": "ostrich", "bags": [2, 3]}, ARRAYS)
    return path


def test_what_is_written_is_read_back(file: Path) -> None:
    header, arrays = read_stored(file, "thing")
    assert header["game"] == "ostrich"
    assert header["bags"] == [2, 3]
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(arrays[name], array, strict=True)


def test_same_contents_give_the_same_bytes(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    write_stored(other, "thing", {"bags": [2, 3], "game": "ostrich"}, ARRAYS)
    assert other.read_bytes() == file.read_bytes()


def test_a_file_truncated_anywhere_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    for length in range(0, len(whole), 7):
        file.write_bytes(whole[:length])
        with pytest.raises(UsageError, match=r"thing\.npz"):
            read_stored(file, "thing")


def test_a_file_with_any_byte_altered_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    for place in range(len(whole)):
        altered = bytearray(whole)
        altered[place] ^= 1 << place % 8
        file.write_bytes(bytes(altered))
        with pytest.raises(UsageError, match=r"thing\.npz"):
            read_stored(file, "thing")


def test_another_kind_is_refused_by_name(file: Path) -> None:
    with pytest.raises(UsageError, match="is no policy: its kind is 'thing'"):
        read_stored(file, "policy")


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04", b"\x93NUMPY\x01\x00"])
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign.npz"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"foreign\.npz"):
        read_stored(path, "thing")


def test_an_archive_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign.npz"
    np.savez(path, some=np.arange(3))
    with pytest.raises(UsageError, match="it has no header"):
        read_stored(path, "thing")


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "objects.npz"
    np.savez(path, header=np.array([{"kind": "thing"}], dtype=object))
    with pytest.raises(UsageError, match=r"objects\.npz"):
        read_stored(path, "thing")


def test_what_is_missing_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no file"):
        read_stored(tmp_path / "nothing.npz", "thing")
    with pytest.raises(UsageError, match="is a folder"):
        read_stored(tmp_path, "thing")


def test_a_failed_write_leaves_the_old_file(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(TypeError):
        write_stored(file, "thing", {}, {"objects": np.array([object()])})
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["thing.npz"]


def test_checksum_tells_names_shapes_and_types_apart() -> None:
    base = {"a": np.arange(6, dtype=np.int64)}
    sums = {
        checksum({}, base),
        checksum({}, {"b": base["a"]}),
        checksum({}, {"a": base["a"].reshape(2, 3)}),
        checksum({}, {"a": base["a"].view(np.uint64)}),
        checksum({"x": 1}, base),
    }
    assert len(sums) == 5
