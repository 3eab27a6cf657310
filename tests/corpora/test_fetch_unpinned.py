"""Files whose checksum is not known beforehand."""

import json
from dataclasses import replace
from importlib import import_module

import pytest

from rulerank.corpora import fetch, published_files
from rulerank.errors import InputError
from tests.corpora.host import CONTENT


@pytest.fixture
def unpinned(publish):
    """Serve a file without a pinned checksum, and return it with its checksum."""
    file = publish()
    return replace(file, git_blob=None), file.git_blob


def test_checksum_of_what_comes_first_is_recorded(host, unpinned, tmp_path) -> None:
    file, blob = unpinned

    assert fetch([file], tmp_path, host.address) == [tmp_path / "rules.json"]
    assert json.loads((tmp_path / "checksums.json").read_text()) == {"rules.json": blob}
    assert fetch([file], tmp_path, host.address) == []


def test_file_that_changed_since_is_found_out(host, unpinned, tmp_path) -> None:
    file, blob = unpinned
    fetch([file], tmp_path, host.address)
    (tmp_path / "rules.json").write_text("changed")

    with pytest.raises(InputError, match="expected the published file or none, found another"):
        fetch([file], tmp_path, host.address)

    (tmp_path / "rules.json").unlink()
    host.contents["/owner/name/abc/data/rules.json"] = CONTENT[::-1]
    with pytest.raises(InputError, match=f"expected content with git blob id {blob}"):
        fetch([file], tmp_path, host.address)


def test_part_without_a_checksum_is_not_gone_on_with(host, unpinned, tmp_path) -> None:
    (tmp_path / "rules.json.part").write_bytes(b"of another revision")

    fetch([unpinned[0]], tmp_path, host.address)

    assert (tmp_path / "rules.json").read_bytes() == CONTENT


def test_download_interrupted_before_its_checksum_is_recorded_is_resumed(
    host, unpinned, tmp_path, monkeypatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(import_module("rulerank.corpora.fetch"), "write_json", interrupted)
        with pytest.raises(KeyboardInterrupt):
            fetch([unpinned[0]], tmp_path, host.address)

    assert fetch([unpinned[0]], tmp_path, host.address) == [tmp_path / "rules.json"]
    assert (tmp_path / "rules.json").read_bytes() == CONTENT


def test_download_interrupted_after_its_checksum_is_recorded_is_resumed(host, unpinned, tmp_path) -> None:
    file, blob = unpinned
    (tmp_path / "checksums.json").write_text(json.dumps({"rules.json": blob}))
    (tmp_path / "rules.json.part").write_bytes(CONTENT)

    assert fetch([file], tmp_path, host.address) == [tmp_path / "rules.json"]
    assert fetch([file], tmp_path, host.address) == []


def test_checksums_that_are_none_are_an_error(host, unpinned, tmp_path) -> None:
    (tmp_path / "checksums.json").write_text("[]")

    with pytest.raises(InputError, match=r"checksums\.json: expected the git blob id of each file"):
        fetch([unpinned[0]], tmp_path, host.address)


def test_searchfiresafety_is_pinned_by_revision_alone() -> None:
    files = published_files("searchfiresafety")

    assert [file.target.name for file in files] == [
        "legal_docs.jsonl",
        "realworld_qa.jsonl",
        "multihop_qa_mcq.jsonl",
    ]
    assert all(len(file.revision) == 40 and file.git_blob is None for file in files)
