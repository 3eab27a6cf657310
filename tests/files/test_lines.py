import pytest

from rulerank.errors import InputError
from rulerank.files import add_line


@pytest.mark.usefixtures("no_room")
def test_line_that_there_is_no_room_for_leaves_nothing_of_itself(tmp_path) -> None:
    path = tmp_path / "log.jsonl"
    add_line(path, b'{"a": 1}\n')
    for size in (2000, 995):
        with pytest.raises(InputError, match=r"log\.jsonl: expected room for it, found none: .*Make room\."):
            add_line(path, b"x" * size + b"\n")
    assert path.read_bytes() == b'{"a": 1}\n'
