import hashlib

import pytest

from rulerank.errors import InputError
from rulerank.files import parse_json, read_json, read_text, sha256, write_text


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


def test_place_of_a_byte_that_is_not_utf8_does_not_count_the_byte_order_mark(tmp_path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\ntwo \xe9t\xe9\n")

    with pytest.raises(InputError, match=r"a\.txt:2:5: expected UTF-8 text, found byte 0xe9"):
        read_text(tmp_path / "a.txt")


def test_byte_order_mark_of_an_appended_file_is_placed(tmp_path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n\xef\xbb\xbfthree\r\n")

    with pytest.raises(InputError, match=r"a\.txt:3:1: expected a byte order mark at the file's beginning"):
        read_text(tmp_path / "a.txt")


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
        pytest.param("[" * 100_000, "nested too deeply", id="deep"),
        pytest.param('{"a": ' + "1" * 5000 + "}", "Exceeds the limit", id="a long number"),
        (r'{"a": "x\ud83d"}', "half a surrogate pair stands alone"),
        (r'{"a": "\ude00x"}', "half a surrogate pair stands alone"),
        ('{"a": [{"b": 1, "c": 2, "b": 3}]}', "the key 'b' is given twice in one object"),
    ],
)
def test_json_that_python_cannot_hold_is_refused_by_line(text, message) -> None:
    with pytest.raises(InputError, match=rf"^a\.jsonl:7: malformed JSON: {message}"):
        parse_json(text, "a.jsonl", line=7)


def test_whole_surrogate_pair_and_an_escaped_backslash_are_text() -> None:
    assert parse_json(r'["\ud83d\ude00", "\\ud83d"]', "a.json") == ["\U0001f600", r"\ud83d"]


def test_folder_is_no_file_to_read(tmp_path) -> None:
    with pytest.raises(InputError, match="expected a file, found a folder"):
        read_text(tmp_path)


def test_sha256_is_of_the_bytes(tmp_path) -> None:
    (tmp_path / "a").write_bytes(b"ledger")

    assert sha256(tmp_path / "a") == hashlib.sha256(b"ledger").hexdigest()
