import resource
from collections.abc import Iterator

import pytest

from rulerank.errors import InputError
from rulerank.files import add_line


@pytest.fixture
def little_room() -> Iterator[None]:
    """Let no file have more than a kilobyte, as on a full disk."""
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, unlimited[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)


@pytest.mark.usefixtures("little_room")
def test_line_that_there_is_no_room_for_leaves_nothing_of_itself(tmp_path) -> None:
    path = tmp_path / "log.jsonl"
    add_line(path, b'{"a": 1}\n')
    for size in (2000, 995):
        with pytest.raises(InputError, match=r"log\.jsonl: expected room for it, found none: .*Make room\."):
            add_line(path, b"x" * size + b"\n")
    assert path.read_bytes() == b'{"a": 1}\n'
