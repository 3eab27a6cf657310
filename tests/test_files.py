import hashlib
import os
import resource
import stat
from pathlib import Path

import pytest

from rulerank.errors import InputError
from rulerank.files import (
    make_folder,
    parse_json,
    read_json,
    read_text,
    replacing,
    replacing_folder,
    require_outputs,
    sha256,
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


def test_folder_is_replaced_whole(tmp_path) -> None:
    path = tmp_path / "bundle"
    path.mkdir()
    (path / "old").touch()

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


def test_json_is_written_in_one_stable_form(tmp_path) -> None:
    write_json(tmp_path / "a.json", {"b": 0.1, "a": "법"})

    assert (tmp_path / "a.json").read_text("utf-8") == '{\n  "a": "법",\n  "b": 0.1\n}\n'
    assert read_json(tmp_path / "a.json") == {"a": "법", "b": 0.1}


@pytest.mark.parametrize("name", ["missing.txt", "a.txt/b.txt"])
def test_reading_what_is_no_file_is_an_error(tmp_path, name) -> None:
    write_text(tmp_path / "a.txt", "a file, no folder")
    with pytest.raises(InputError, match="expected a file, found none"):
        read_text(tmp_path / name)


def test_byte_order_mark_is_no_part_of_the_text(tmp_path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfa")

    assert read_text(tmp_path / "a.txt") == "a"


def test_bytes_that_are_not_utf8_are_placed(tmp_path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\ntwo \xff\n")

    with pytest.raises(InputError, match="0xff") as caught:
        read_text(tmp_path / "a.txt")

    assert (caught.value.line, caught.value.column) == (2, 5)


def test_malformed_json_is_placed(tmp_path) -> None:
    write_text(tmp_path / "a.json", '{\n  "a": 1,\n}')

    with pytest.raises(InputError, match=r"a\.json:3:1: malformed JSON"):
        read_json(tmp_path / "a.json")


def test_malformed_line_of_json_lines_keeps_its_line_number() -> None:
    with pytest.raises(InputError, match=r"^a\.jsonl:7:7: malformed JSON"):
        parse_json('{"a": }', "a.jsonl", line=7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' + "1" * 5000 + "}", "Exceeds the limit"),
        (r'{"a": "x\ud83d"}', "half a surrogate pair stands alone"),
        (r'{"a": "\ude00x"}', "half a surrogate pair stands alone"),
    ],
)
def test_json_that_python_cannot_hold_is_refused_by_line(text, message) -> None:
    with pytest.raises(InputError, match=rf"^a\.jsonl:7: malformed JSON: {message}"):
        parse_json(text, "a.jsonl", line=7)


def test_whole_surrogate_pair_and_an_escaped_backslash_are_text() -> None:
    assert parse_json(r'["\ud83d\ude00", "\\ud83d"]', "a.json") == ["\U0001f600", r"\ud83d"]


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


def test_folder_is_no_file_to_read(tmp_path) -> None:
    with pytest.raises(InputError, match="expected a file, found a folder"):
        read_text(tmp_path)


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


def test_file_that_there_is_no_room_for_leaves_the_old_one(tmp_path) -> None:
    path = tmp_path / "page.md"
    path.write_text("kept")
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, unlimited[1]))
    try:
        with pytest.raises(InputError, match=r"page\.md: expected room for it, found none: File too large"):
            write_text(path, "x" * 10_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


def test_output_that_cannot_be_written_is_refused_before_the_work(tmp_path) -> None:
    (tmp_path / "a").write_text("a file, no folder")

    with pytest.raises(InputError, match="expected a file to write, found a folder"):
        require_outputs(None, tmp_path)
    with pytest.raises(InputError, match=r"found that .*a is a file"):
        require_outputs(tmp_path / "a" / "b")
    with pytest.raises(InputError, match="File name too long"):
        require_outputs(tmp_path / ("a" * 300))


@pytest.mark.parametrize("target", ["kept", "nothing"])
def test_output_that_is_a_link_is_refused(tmp_path, target) -> None:
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "link").symlink_to(tmp_path / target)
    with pytest.raises(InputError, match=rf"expected a file to write, found a link to .*{target}"):
        require_outputs(tmp_path / "link")


def test_output_that_is_a_device_is_refused(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(InputError, match="expected a file to write, found a device"):
            require_outputs(path)


def test_output_that_is_read_is_refused(tmp_path) -> None:
    for name in ("data", "bundle"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "old").touch()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    data, bundle = tmp_path / "data", tmp_path / "bundle"
    require_outputs(data / "new", tmp_path / "new", inputs=[data, None], sealed=bundle)
    with pytest.raises(InputError, match="found what is read"):
        require_outputs(tmp_path / "new", inputs=[tmp_path / "data" / ".." / "new"])
    for path in (data / "old", tmp_path / "link" / "old", bundle / "old", bundle / "new", bundle / "a" / "b"):
        with pytest.raises(InputError, match=rf"^{path}: .*found a place in .*, which is read"):
            require_outputs(path, inputs=[data], sealed=bundle)


def test_two_outputs_of_one_file_are_refused(tmp_path) -> None:
    (tmp_path / "b").mkdir()

    with pytest.raises(InputError, match="expected a file of its own for each output"):
        require_outputs(tmp_path / "a", tmp_path / "b" / ".." / "a")
    require_outputs(tmp_path / "a", tmp_path / "new" / "a", None)
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_sha256_is_of_the_bytes(tmp_path) -> None:
    (tmp_path / "a").write_bytes(b"ledger")

    assert sha256(tmp_path / "a") == hashlib.sha256(b"ledger").hexdigest()
