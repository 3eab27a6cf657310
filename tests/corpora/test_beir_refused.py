import unicodedata

import pytest

from rulerank.corpora import read_beir
from rulerank.errors import InputError


@pytest.mark.parametrize("relevance", ["NaN", "1e9", "1.5", "O"])
def test_first_judgement_at_fault_is_no_header(beir, write, relevance) -> None:
    write("qrels/train.tsv", f"q1\ta\t{relevance}\n")

    with pytest.raises(InputError, match=rf"train\.tsv:1:6: relevance: .*found '{relevance}'"):
        read_beir(beir)


@pytest.mark.parametrize(
    ("name", "content", "line", "message"),
    [
        ("corpus.jsonl", '{"_id": "a", "text": "x"}\n{"_id": "b" "text": "y"}\n', 2, "malformed JSON"),
        (
            "corpus.jsonl",
            '\n{"_id": "a", "text": "x"}\n\n{"_id": "a", "text": "y"}\n',
            4,
            "found a also on line 2",
        ),
        ("corpus.jsonl", '{"_id": "a"}\n', 1, "text: field required"),
        ("corpus.jsonl", '{"_id": 5, "text": "x"}\n', 1, "_id: .*found 5"),
        ("corpus.jsonl", '["a"]\n', 1, "found a list"),
        (
            "corpus.jsonl",
            '{"_id": "a", "text": "x", "metadata": {"tier": 6}}\n',
            1,
            r"metadata\.tier: .*found 6",
        ),
        (
            "corpus.jsonl",
            '{"_id": "a", "text": "x", "metadata": {"kind": "?"}}\n',
            1,
            "expected one of heading",
        ),
        (
            "corpus.jsonl",
            '{"_id": "a", "text": "x"}\n{"_id": "b", "text": "y", "metadata": {"tiers": 3}}\n',
            2,
            r"record: metadata: expected known keys, found tiers; the nearest is tier\.",
        ),
        (
            "corpus.jsonl",
            '{"_id": "a", "text": "x", "metadata": {"tier": 3, "docment_id": "Q"}}\n',
            1,
            "found docment_id; the nearest is document_id",
        ),
        ("corpus.jsonl", '{"_id": "a", "text": "x", "metdata": {}}\n', 1, "metdata; the nearest is metadata"),
        ("corpus.jsonl", '{"_id": "a b", "text": "x"}\n', 1, "_id: expected an id without white .*'a b'"),
        ("corpus.jsonl", '{"_id": "", "text": "x"}\n', 1, "_id: expected an id without white"),
        ("corpus.jsonl", '{"_id": "term:x", "text": "x"}\n', 1, "_id: expected an id that begins with none"),
        ("corpus.jsonl", '{"_id": "a\\u0001", "text": "x"}\n', 1, "_id: expected an id without control char"),
        ("corpus.jsonl", '{"_id": "a\\u202e", "text": "x"}\n', 1, "_id: expected an id without invisible"),
        (
            "corpus.jsonl",
            '{"_id": "a", "text": "x", "metadata": {"document_id": "D\\nE"}}\n',
            1,
            r"metadata\.document_id: expected an id without control char",
        ),
        ("queries.jsonl", '{"_id": "q\\t1", "text": "x"}\n', 1, r"_id: expected an id .*found 'q\\t1'"),
        ("queries.jsonl", '{"_id": "q1", "text": "x", "metadata": {"levle": "L1"}}\n', 1, "nearest is level"),
        ("queries.jsonl", '{"_id": "q1", "text": null}\n', 1, "text: .*found null"),
        (
            "queries.jsonl",
            '{"_id": "q1", "text": "x"}\n{"_id": "q1", "text": "y"}\n',
            2,
            "found q1 also on line 1",
        ),
        ("qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq2\tc\n", 2, "expected 3 fields .*, found 2"),
        (
            "qrels/dev.tsv",
            "q2\tc\t1\nq2\ta\tyes\n",
            2,
            "relevance: expected a whole number from -128 to 127, found 'yes'",
        ),
        ("qrels/dev.tsv", "q2\tc\t1\nq1\ta\t1\nq2\tc\t1\n", 3, "found on lines 1 and 3"),
    ],
)
def test_broken_line_is_named(beir, write, name, content, line, message) -> None:
    path = write(name, content)

    with pytest.raises(InputError, match=message) as caught:
        read_beir(beir)

    assert (caught.value.source, caught.value.line) == (str(path), line)


def test_empty_corpus_is_an_error(beir, write) -> None:
    write("corpus.jsonl", "\n")

    with pytest.raises(InputError, match="expected passages, found an empty file"):
        read_beir(beir)


def test_text_that_is_not_utf8_names_line_and_column(beir) -> None:
    (beir / "corpus.jsonl").write_bytes('{"_id": "a", "text": "x"}\n{"_id": "é"}\n'.encode("latin-1"))

    with pytest.raises(InputError, match="expected UTF-8") as caught:
        read_beir(beir)

    assert (caught.value.line, caught.value.column) == (2, 10)


def test_judgements_in_other_columns_are_refused(beir, write) -> None:
    write("qrels/train.tsv", "query-id\tscore\tcorpus-id\nq1\t1\t2\n")
    with pytest.raises(InputError, match=r"train\.tsv:1: expected the columns .* in this order, found "):
        read_beir(beir)


def test_bad_relevance_beside_an_id_in_parts_is_named(beir, write) -> None:
    write("qrels/train.tsv", unicodedata.normalize("NFD", "q1\té\t1.5\n"))
    with pytest.raises(InputError, match=r"train\.tsv:1:6: relevance: expected a whole number"):
        read_beir(beir)
