import re
from pathlib import Path

import pytest

from rulerank.corpora import PublishedFile, fetch, published_files
from rulerank.corpora.fetch import git_blob_id
from rulerank.errors import InputError
from tests.corpora.host import CONTENT, Host


def _files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_git_blob_id_is_what_git_computes(tmp_path) -> None:
    # printf 'hello\n' | git hash-object --stdin
    (tmp_path / "hello").write_bytes(b"hello\n")

    assert git_blob_id(tmp_path / "hello") == "ce013625030ba8dba906f756967f9e9ca394464a"


def test_files_land_flat_and_documents_in_their_folder(host, publish, tmp_path) -> None:
    files = [publish("StructuredRegulatoryDocuments/1.json"), publish("data/QADataset/questions.json")]

    fetched = fetch(files, tmp_path, host.address)

    assert _files(tmp_path) == ["StructuredRegulatoryDocuments/1.json", "questions.json"]
    assert fetched == [tmp_path / "StructuredRegulatoryDocuments" / "1.json", tmp_path / "questions.json"]
    assert (tmp_path / "questions.json").read_bytes() == CONTENT


def test_file_that_is_there_is_not_asked_for_again(host, publish, tmp_path) -> None:
    file = publish()
    fetch([file], tmp_path, host.address)
    host.requests.clear()

    assert fetch([file], tmp_path, host.address) == []
    assert host.requests == []


def test_interrupted_download_is_kept_as_part_and_resumed(host, publish, tmp_path) -> None:
    file = publish()
    host.breaks_after = 100_000

    with pytest.raises(InputError, match="connection failed: 412000 bytes of 512000 were not received"):
        fetch([file], tmp_path, host.address)
    interrupted = _files(tmp_path)
    host.breaks_after = None
    fetch([file], tmp_path, host.address)

    assert interrupted == ["rules.json.part"]
    assert [wanted for _, wanted in host.requests] == [None, "bytes=100000-"]
    assert _files(tmp_path) == ["rules.json"]
    assert (tmp_path / "rules.json").read_bytes() == CONTENT


def test_download_interrupted_twice_is_resumed_twice(host, publish, tmp_path) -> None:
    file = publish()
    host.breaks_after = 200_000
    for _ in range(2):
        with pytest.raises(InputError):
            fetch([file], tmp_path, host.address)

    fetch([file], tmp_path, host.address)

    assert [wanted for _, wanted in host.requests] == [None, "bytes=200000-", "bytes=400000-"]
    assert (tmp_path / "rules.json").read_bytes() == CONTENT


def test_server_that_does_not_resume_sends_the_file_afresh(host, publish, tmp_path) -> None:
    file = publish()
    (tmp_path / "rules.json.part").write_bytes(CONTENT[:1000])
    host.resumes = False

    fetch([file], tmp_path, host.address)

    assert (tmp_path / "rules.json").read_bytes() == CONTENT


def test_part_that_is_whole_becomes_the_file(host, publish, tmp_path) -> None:
    file = publish()
    (tmp_path / "rules.json.part").write_bytes(CONTENT)

    fetch([file], tmp_path, host.address)

    assert _files(tmp_path) == ["rules.json"]


def test_wrong_checksum_leaves_nothing_behind(host, publish, tmp_path) -> None:
    file = publish()
    host.contents["/owner/name/abc/data/rules.json"] = CONTENT[::-1]

    with pytest.raises(InputError, match=f"expected content with git blob id {file.git_blob}"):
        fetch([file], tmp_path, host.address)

    assert _files(tmp_path) == []


def test_part_of_another_file_is_found_out_and_the_next_run_succeeds(host, publish, tmp_path) -> None:
    file = publish()
    (tmp_path / "rules.json.part").write_bytes(b"something else")

    with pytest.raises(InputError, match="it was deleted"):
        fetch([file], tmp_path, host.address)
    fetch([file], tmp_path, host.address)

    assert (tmp_path / "rules.json").read_bytes() == CONTENT


def test_missing_file_names_address_and_answer(host, tmp_path) -> None:
    file = PublishedFile("owner/name", "abc", "gone.json", "0" * 40)

    with pytest.raises(InputError, match=r"/owner/name/abc/gone\.json: .*404 Not Found"):
        fetch([file], tmp_path, host.address)

    assert _files(tmp_path) == []


def test_unreachable_server_says_to_run_again_and_leaves_no_folder(tmp_path) -> None:
    with Host() as closed:
        address = closed.address

    with pytest.raises(InputError, match=r"the connection failed: .*Run the same command again"):
        fetch([PublishedFile("owner/name", "abc", "a.json", "0" * 40)], tmp_path / "new", address)

    assert not (tmp_path / "new").exists()


def test_other_file_under_the_name_is_left_alone(host, publish, tmp_path) -> None:
    files = [publish("first.json"), publish("rules.json")]
    (tmp_path / "rules.json").write_text("my own")

    with pytest.raises(InputError, match=r"rules\.json: expected the published file or none, found another"):
        fetch(files, tmp_path, host.address)

    assert _files(tmp_path) == ["rules.json"]
    assert (tmp_path / "rules.json").read_text() == "my own"


def test_file_where_the_folder_should_be_is_left_alone(host, publish, tmp_path) -> None:
    (tmp_path / "file").write_text("own")

    with pytest.raises(InputError, match=r"file: expected a folder: .*Choose another folder\."):
        fetch([publish()], tmp_path / "file", host.address)

    assert (tmp_path / "file").read_text() == "own"


def test_address_that_is_not_http_is_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="expected an http or https address"):
        fetch([], tmp_path, "file:///etc")


def test_nothing_is_shown_when_standard_error_is_no_terminal(host, publish, tmp_path, capsys) -> None:
    fetch([publish()], tmp_path, host.address)

    assert capsys.readouterr() == ("", "")


def test_obliqa_is_pinned_whole_and_without_clashes() -> None:
    files = published_files("obliqa")

    assert sum(file.target.parent.name == "StructuredRegulatoryDocuments" for file in files) == 40
    assert len({file.target for file in files}) == len(files) == 49
    assert all(
        re.fullmatch("[0-9a-f]{40}", value) for file in files for value in (file.revision, file.git_blob)
    )


@pytest.mark.real
def test_published_documents_have_the_pinned_checksums(obliqa: Path) -> None:
    documents = [
        file
        for file in published_files("obliqa")
        if file.target.parent.name == "StructuredRegulatoryDocuments"
    ]

    assert [git_blob_id(obliqa / file.target) for file in documents] == [file.git_blob for file in documents]
