import os
import shutil
import stat
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from safetensors.numpy import save_file

from rulerank.errors import InputError
from rulerank.files import (
    make_folder,
    read_json,
    read_text,
    replacing,
    replacing_folder,
    write_json,
    write_text,
)


def _break_off(path: Path) -> None:
    path.write_text("half")
    raise KeyboardInterrupt


def test_written_text_is_read_back_with_its_folder_made(tmp_path) -> None:
    path = tmp_path / "a" / "b.txt"

    write_text(path, "قانون 법 法\n")

    assert read_text(path) == "قانون 법 法\n"
    assert list(path.parent.iterdir()) == [path]


def test_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")

    with pytest.raises(KeyboardInterrupt), replacing(path) as temporary:
        _break_off(temporary)

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_interrupted_first_write_leaves_nothing(tmp_path) -> None:
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "a.txt") as temporary:
        _break_off(temporary)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="permission bits are POSIX")
def test_written_file_has_ordinary_permissions(tmp_path) -> None:
    (tmp_path / "plain").touch()

    write_text(tmp_path / "a.txt", "x")

    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == stat.S_IMODE(
        (tmp_path / "plain").stat().st_mode
    )


@pytest.mark.skipif(os.name != "posix", reason="permission bits are POSIX")
def test_replaced_file_keeps_its_permissions(tmp_path) -> None:
    (tmp_path / "a.txt").touch(0o600)

    write_text(tmp_path / "a.txt", "x")

    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o600


def test_folder_is_replaced_whole(tmp_path) -> None:
    path = tmp_path / "bundle"
    path.mkdir()
    (path / "old").touch()

    with replacing_folder(path) as temporary:
        (temporary / "new").touch()

    assert [entry.name for entry in path.iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [path]


def test_read_only_folder_is_replaced_without_a_trace(tmp_path) -> None:
    path = tmp_path / "bundle"
    (path / "inside").mkdir(parents=True)
    (path / "inside" / "old").touch()
    for folder in (path / "inside", path):
        folder.chmod(0o555)

    with replacing_folder(path) as temporary:
        (temporary / "new").touch()

    assert [entry.name for entry in path.iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [path]


def test_interrupted_folder_leaves_the_old_one_and_nothing_else(tmp_path) -> None:
    path = tmp_path / "bundle"
    path.mkdir()
    (path / "old").touch()

    with pytest.raises(KeyboardInterrupt), replacing_folder(path) as temporary:
        _break_off(temporary / "new")

    assert [entry.name for entry in path.iterdir()] == ["old"]
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path) -> None:
    path, others = tmp_path / "bundle", tmp_path / ".bundle.notes"
    others.mkdir()
    (tmp_path / ".bundle.notes.lock").touch()
    killed = tmp_path / ".bundle.killed"
    killed.mkdir()
    (killed / "half").touch()
    (tmp_path / ".bundle.killed.rulerank-lock").touch()
    with replacing_folder(path) as first:
        assert not killed.exists()
        with replacing_folder(path):
            assert first.exists()
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        ".bundle.notes",
        ".bundle.notes.lock",
        "bundle",
    ]


def test_json_is_written_in_one_stable_form(tmp_path) -> None:
    write_json(tmp_path / "a.json", {"b": 0.1, "a": "법"})

    assert (tmp_path / "a.json").read_text("utf-8") == '{\n  "a": "법",\n  "b": 0.1\n}\n'
    assert read_json(tmp_path / "a.json") == {"a": "법", "b": 0.1}


def test_file_where_a_folder_is_needed_is_refused_and_kept(tmp_path) -> None:
    (tmp_path / "a").write_text("old")

    for write in (write_text, lambda path, _: make_folder(path)):
        with pytest.raises(InputError, match=r"expected a f\w+( to write)?: .* Choose another "):
            write(tmp_path / "a" / "b", "new")

    assert (tmp_path / "a").read_text() == "old"


def test_name_too_long_is_refused(tmp_path) -> None:
    path = tmp_path / ("Who keeps the register? " * 20)

    with pytest.raises(InputError, match="expected a file: File name too long"):
        read_text(path)
    with pytest.raises(InputError, match="expected a file to write: File name too long"):
        write_text(path, "text")


def test_folder_is_not_written_over_by_a_file(tmp_path) -> None:
    with pytest.raises(InputError, match="expected a file to write, found a folder"):
        write_text(tmp_path, "text")

    assert list(tmp_path.iterdir()) == []


def test_file_is_not_written_over_by_a_folder(tmp_path) -> None:
    path = tmp_path / "README.md"
    path.write_text("kept")
    refused = pytest.raises(InputError, match=r"README\.md: expected a folder to write, found a file")
    with refused, replacing_folder(path):
        pass
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("no_room")
def test_file_that_there_is_no_room_for_leaves_the_old_one(tmp_path) -> None:
    path = tmp_path / "page.md"
    path.write_text("kept")
    with pytest.raises(
        InputError, match=r"page\.md: expected enough disk space for it, found too little: File too large"
    ):
        write_text(path, "x" * 10_000)
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


def _copied(folder: Path) -> None:
    shutil.copytree(Path(pl.__file__).parent / "io", folder / "io")


LARGE = np.random.default_rng(1).random(10_000)


@pytest.mark.usefixtures("no_room")
@pytest.mark.parametrize(
    "write",
    [
        _copied,
        lambda folder: np.save(folder / "a.npy", LARGE),
        lambda folder: pl.DataFrame({"a": LARGE}).write_parquet(folder / "a.parquet"),
        lambda folder: pl.DataFrame({"a": LARGE}).write_ipc(folder / "a.arrow"),
        lambda folder: save_file({"a": LARGE}, folder / "a.safetensors"),
    ],
)
def test_folder_that_there_is_no_room_for_leaves_the_old_one(tmp_path, write) -> None:
    path = tmp_path / "bundle"
    path.mkdir()
    (path / "kept").touch()
    refused = pytest.raises(
        InputError,
        match=r"bundle: expected enough disk space for it, found too little: .*\. Free some space\.$",
    )
    with refused, replacing_folder(path) as temporary:
        write(temporary)
    assert [entry.name for entry in path.iterdir()] == ["kept"]
    assert list(tmp_path.iterdir()) == [path]


def test_folder_is_not_made_where_there_can_be_none() -> None:
    refused = pytest.raises(
        InputError, match=r"/proc/none: expected a folder to write: .*Choose another path"
    )
    with refused, replacing_folder(Path("/proc/none")):
        pass
