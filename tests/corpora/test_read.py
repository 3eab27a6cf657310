import pytest

from rulerank.corpora import provenance, read_corpus
from rulerank.errors import InputError


def test_folder_of_structured_documents_is_read_as_obliqa(folder) -> None:
    assert read_corpus(folder).passages.height == 7


def test_folder_with_corpus_jsonl_is_read_as_beir(write) -> None:
    root = write("corpus.jsonl", '{"_id": "a", "text": "Keep ledgers."}\n').parent

    assert read_corpus(root).passages["passage_id"].to_list() == ["a"]


@pytest.mark.parametrize(
    ("name", "found"),
    [("missing", "no such folder"), ("empty", "an empty folder"), ("file", "a file"), ("other", "notes.txt")],
)
def test_folder_without_a_corpus_says_what_is_recognised_and_what_to_do(tmp_path, name, found) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").touch()

    with pytest.raises(InputError) as caught:
        read_corpus(tmp_path / name)

    message = str(caught.value)
    assert message.startswith(f"{tmp_path / name}: ")
    for part in (
        "StructuredRegulatoryDocuments",
        "corpus.jsonl",
        f"found {found}",
        "rulerank data fetch obliqa",
    ):
        assert part in message


def test_beir_folder_has_no_recut(write) -> None:
    root = write("corpus.jsonl", '{"_id": "a", "text": "Keep ledgers."}\n').parent

    with pytest.raises(InputError, match=r"found BEIR. Set prepare\.questions to published"):
        read_corpus(root, "recut")


def test_linked_folder_is_hashed_as_it_is_read(folder, tmp_path) -> None:
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "StructuredRegulatoryDocuments").symlink_to(folder / "StructuredRegulatoryDocuments")
    (linked / "again").symlink_to(linked)
    hashed = provenance(linked)["files"]
    assert sorted(hashed) == ["StructuredRegulatoryDocuments/10.json", "StructuredRegulatoryDocuments/9.json"]


def test_table_without_rows_does_not_say_that_nothing_is_cited(folder) -> None:
    (folder / "CrossReferenceData.csv").write_text("SourceID,ReferenceText,TargetID\n")
    assert read_corpus(folder).references is None
