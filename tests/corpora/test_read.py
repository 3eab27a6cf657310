import pytest

from rulerank.corpora import read_corpus
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
