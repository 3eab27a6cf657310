from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.errors import InputError
from rulerank.retrieve.content_store import ContentStore, content_key


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "below" / "store.sqlite"


def test_read_returns_the_keys_that_were_written_and_no_others(path: Path) -> None:
    ContentStore(path).write([("a", b"1"), ("b", b""), ("c", b"333")])
    store = ContentStore(path)
    assert dict(store.read(["c", "x", "b"])) == {"c": b"333", "b": b""}
    assert store.sizes(["c", "x", "b"]) == {"c": 3, "b": 0}
    assert dict(store.read([])) == store.sizes([]) == {}


def test_key_keeps_its_first_value(path: Path) -> None:
    store = ContentStore(path)
    store.write([("a", b"1")])
    store.write([("a", b"2"), ("b", b"2")])
    assert dict(store.read("ab")) == {"a": b"1", "b": b"2"}


def test_write_that_fails_leaves_nothing_of_it(path: Path) -> None:
    store = ContentStore(path)
    with pytest.raises(InputError, match="expected a cache that can be read and written"):
        store.write([("a", b"1"), ("b", None)])
    assert store.sizes("ab") == {}


def _write_and_die(path: Path) -> None:
    ContentStore(path).write([("a", b"1")])
    os._exit(9)


def test_finished_write_outlives_its_process(path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_write_and_die, args=(path,))
    process.start()
    process.join()
    assert process.exitcode == 9
    assert dict(ContentStore(path).read("a")) == {"a": b"1"}


def test_file_that_is_no_store_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(InputError, match=r"store\.sqlite: expected a cache .* or delete the file"):
        ContentStore(tmp_path / "store.sqlite")


@given(
    st.lists(st.text(max_size=3), min_size=1, max_size=3),
    st.lists(st.text(max_size=3), min_size=1, max_size=3),
)
def test_keys_are_equal_only_for_the_same_texts(one: list[str], other: list[str]) -> None:
    if "\0" in "".join([*one, *other]):
        return
    assert (content_key(*one) == content_key(*other)) == (one == other)
