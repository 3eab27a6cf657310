import threading

import pytest

from rulerank.errors import InputError
from rulerank.files import add_line, alone_in, extended_alone, require_lines_of


@pytest.mark.usefixtures("no_room")
def test_line_that_there_is_no_room_for_leaves_nothing_of_itself(tmp_path) -> None:
    path = tmp_path / "log.jsonl"
    add_line(path, b'{"a": 1}\n')
    for size in (2000, 995):
        with pytest.raises(
            InputError,
            match=r"log\.jsonl: expected enough disk space for it, found too little: .*Free some space\.",
        ):
            add_line(path, b"x" * size + b"\n")
    assert path.read_bytes() == b'{"a": 1}\n'


def test_line_goes_after_a_last_line_without_its_end(tmp_path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a": 1}')
    add_line(path, b'{"b": 2}\n')
    add_line(path, b'{"c": 3}\n')
    assert path.read_bytes() == b'{"a": 1}\n{"b": 2}\n{"c": 3}\n'


def test_file_is_extended_by_one_run_at_a_time(tmp_path) -> None:
    path = tmp_path / "answers.jsonl"
    with extended_alone(path) as add:
        add(b"1\n")
        with (
            pytest.raises(InputError, match="expected a file that no other run writes to"),
            extended_alone(path),
        ):
            pass
        add(b"2\n")
    with extended_alone(path) as add:
        add(b"3\n")
    assert path.read_bytes() == b"1\n2\n3\n"


def test_folder_is_held_by_one_at_a_time(tmp_path) -> None:
    held = threading.Event()

    def hold() -> None:
        with alone_in(tmp_path / "shared"):
            held.set()

    other = threading.Thread(target=hold)
    with alone_in(tmp_path / "shared"):
        other.start()
        assert not held.wait(0.2)
    other.join(10)
    assert held.is_set()


@pytest.mark.parametrize("content", [None, b"", b"{", b'{"a": 1}\n', b'{"b": 2}\n'])
def test_file_of_such_lines_may_be_extended_even_one_that_was_cut(tmp_path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "log.jsonl").write_bytes(content)
    require_lines_of(tmp_path / "log.jsonl", b'{"a": ', b'{"b": ')


@pytest.mark.parametrize("content", [b"[1]", b'{"c": 1}\n', b'{\n  "a": 1\n}', b"\n"])
def test_file_of_something_else_is_not_extended(tmp_path, content: bytes) -> None:
    (tmp_path / "log.jsonl").write_bytes(content)
    with pytest.raises(InputError, match=r"log\.jsonl: expected lines that begin with .*\. Write to another"):
        require_lines_of(tmp_path / "log.jsonl", b'{"a": ', b'{"b": ')
