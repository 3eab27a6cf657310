"""Damaged Arrow files are refused; the process that reads them goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.tables.arrow_file import read_arrow

FRAME = pl.DataFrame(
    {
        "passage_id": ["a", "bb", "a text that is too long to be kept in its view"],
        "tier": pl.Series([1, None, 3], dtype=pl.Int8),
        "aliases": [["x"], [], ["y", "z"]],
        "judged": [True, None, False],
    }
)
FLIP = """
import sys
from pathlib import Path
from rulerank.tables.arrow_file import read_arrow

path, content = Path(sys.argv[1]), Path(sys.argv[1]).read_bytes()
outcomes = set()
for place in range(len(content)):
    damaged = bytearray(content)
    damaged[place] ^= 1 << place % 8
    path.write_bytes(damaged)
    try:
        read_arrow(path).rows()
        outcomes.add("read")
    except BaseException as error:
        outcomes.add(type(error).__name__)
print(*sorted(outcomes))
"""
"""A panic of polars is an error like others; a process that ends is not."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "frame.arrow"
    FRAME.write_ipc(path, compression="uncompressed")
    return path


@pytest.mark.parametrize("frame", [FRAME, FRAME.clear(), pl.concat([FRAME] * 1000)])
def test_whole_file_is_read_as_it_was_written(path: Path, frame: pl.DataFrame) -> None:
    frame.write_ipc(path, compression="uncompressed", record_batch_size=100)
    assert read_arrow(path).equals(frame)


@pytest.mark.parametrize("name", ["frame[1].arrow", "f*.arrow", "fram?.arrow"])
def test_path_is_no_pattern(path: Path, name: str) -> None:
    FRAME.head(1).write_ipc(path.with_name(name), compression="uncompressed")
    assert read_arrow(path.with_name(name)).equals(FRAME.head(1))


@pytest.mark.slow
def test_flipped_bits_do_not_end_the_process(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FLIP, path], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert {"read", "InputError"} <= set(done.stdout.split())


def test_length_beyond_the_file_is_refused(path: Path) -> None:
    content = path.read_bytes()
    places = [place for place in range(len(content) - 8) if content[place : place + 8] == _long(3)]
    refused = 0
    for place in places:
        path.write_bytes(content[:place] + _long(2**47) + content[place + 8 :])
        refused += _refuses(path)
    assert refused >= 5, "the rows of the batch and of its four columns"


@pytest.mark.parametrize("kept", [0, 5, 100, -1])
def test_truncated_file_is_refused_by_its_name(path: Path, kept: int) -> None:
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(InputError, match=r"frame\.arrow: expected an intact Arrow file, found a damaged one"):
        read_arrow(path)


def _refuses(path: Path) -> bool:
    try:
        read_arrow(path)
    except (InputError, pl.exceptions.PolarsError):
        return True
    return False


def _long(number: int) -> bytes:
    return number.to_bytes(8, "little")
