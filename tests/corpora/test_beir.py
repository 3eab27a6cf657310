import json
import unicodedata
from datetime import date

import polars as pl
import pytest

from rulerank.corpora import Corpus, read_beir, read_obliqa, write_beir
from rulerank.tables import has_text


def _lines(*records: dict[str, object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_entries_without_metadata_are_documents_of_their_own(beir) -> None:
    corpus = read_beir(beir)

    columns = corpus.passages.select(
        "passage_id", "document_id", "section", "title", "text", "kind", "position"
    )
    assert columns.rows() == [
        ("a", "a", "", "Ledgers", "Keep them.", "text", 0),
        ("b", "b", "", "Part 2", " ", "heading", 1),
        ("c", "c", "", "", "Show them.", "text", 2),
    ]
    assert corpus.documents.rows() == [("a", "a", []), ("b", "b", []), ("c", "c", [])]
    assert corpus.references is None


def test_metadata_fills_the_columns(beir, write) -> None:
    metadata = {
        "document_id": "d",
        "section": "1.2",
        "tier": 2,
        "kind": "rule",
        "position": 7,
        "effective_from": "2024-03-01",
        "scope": "banks",
        "url": "ignored",
    }
    write("corpus.jsonl", _lines({"_id": "a", "title": "t", "text": "x", "metadata": metadata}))

    assert read_beir(beir).passages.rows() == [
        ("a", "d", "1.2", "t", "x", 2, "rule", 7, date(2024, 3, 1), "banks")
    ]


def test_qrels_files_serve_their_splits_with_or_without_header(beir) -> None:
    corpus = read_beir(beir)

    assert corpus.queries.rows() == [
        ("q1", "Keep what?", "train", beir.name, None, None),
        ("q2", "Show what?", "validation", beir.name, None, None),
    ]
    assert corpus.judgements.rows() == [("q1", "a", 1), ("q2", "c", 2), ("q2", "a", 0)]
    assert corpus.problems == ()


@pytest.mark.parametrize(
    "header", ["query_id\tdoc_id\tlabel", "QID\tpid\trelevance", "query-id\tcorpus-id\tscore"]
)
def test_usual_headers_are_no_judgements(beir, write, header) -> None:
    write("qrels/train.tsv", f"{header}\nq1\ta\t1\n")

    assert read_beir(beir).judgements.rows()[0] == ("q1", "a", 1)


def test_query_metadata_gives_level_and_group(beir, write) -> None:
    metadata = {"level": "L2", "group": "logs", "type": "x"}
    write("queries.jsonl", _lines({"_id": "q1", "text": "Keep what?", "metadata": metadata}))

    assert read_beir(beir).queries.select("level", "group").rows() == [("L2", "logs")]


def test_document_names_come_from_documents_json(beir, write) -> None:
    write("documents.json", {"a": ["LED_V1", "Ledger Act"]})

    assert read_beir(beir).documents.row(0) == ("a", "Ledger Act", ["LED_V1", "Ledger Act"])


def test_judgements_on_unknown_passages_and_queries_are_reported(beir, write) -> None:
    write("qrels/test.tsv", "q1\tgone\t1\nq1\tc\t1\nq9\ta\t1\n")

    corpus = read_beir(beir)

    assert corpus.queries.select("query_id", "split").rows() == [("q2", "validation"), ("q1", "test")]
    assert corpus.problems == (
        "qrels/test.tsv: question q1: passage gone is not in the corpus; judgement left out",
        "qrels/test.tsv: question q9: judged, but its text is not there; judgement left out",
        "qrels/train.tsv: question q1: also a test question; left out here",
    )


def test_question_without_judgement_is_reported(beir, write) -> None:
    write("qrels/train.tsv", "")

    corpus = read_beir(beir)

    assert corpus.queries["query_id"].to_list() == ["q2"]
    assert corpus.problems == ("queries.jsonl: question q1: has no judgement; left out",)


def test_question_judged_only_unrelated_is_reported(beir, write) -> None:
    write("qrels/train.tsv", "q1\ta\t0\nq1\tc\t-1\n")

    corpus = read_beir(beir)

    assert corpus.queries["query_id"].to_list() == ["q2"]
    assert corpus.problems == (
        "qrels/train.tsv: question q1: has no relevant passage in the corpus; left out",
    )


def test_negative_relevance_counts_as_unrelated(beir, write) -> None:
    write("qrels/train.tsv", "q1\ta\t1\nq1\tc\t-1\n")

    assert read_beir(beir).judgements.rows()[:2] == [("q1", "a", 1), ("q1", "c", 0)]


def test_written_corpus_is_read_back(folder, write, item, listed, tmp_path) -> None:
    write("documents.json", {"9": ["Glossary Rules"], "10": ["Record Rules", "REC"]})
    write("ObliQA_train.json", [item("q1", listed(10, "1.1.1"), text="ما هي السجلات؟ 무엇? 什么？")])
    write("ObliQA_dev.json", [item("q2", listed(9, "1", Connection="Directly Connected"), listed(10, "1."))])
    first = read_obliqa(folder)
    queries = first.queries.with_columns(
        collection=pl.lit("out"), level=pl.Series(["L1", None]), group=pl.Series([None, "logs"])
    )
    dated = first.passages.with_columns(effective_from=pl.lit(date(2024, 3, 1)), scope=pl.lit("banks"))
    written = Corpus(first.documents, dated, queries, first.judgements, None)

    write_beir(written, tmp_path / "out")
    second = read_beir(tmp_path / "out")

    assert second.documents.equals(written.documents)
    assert second.passages.equals(written.passages)
    assert second.queries.equals(written.queries)
    assert second.judgements.equals(written.judgements)


def test_letters_typed_in_parts_are_read_as_those_typed_as_one(write) -> None:
    composed = {"_id": "가", "text": "제4조에 따른다.", "metadata": {"document_id": "법", "kind": "rule"}}
    parted = unicodedata.normalize("NFD", json.dumps(composed, ensure_ascii=False))
    assert parted != json.dumps(composed, ensure_ascii=False)
    write("queries.jsonl", '{"_id": "q", "text": "무엇?"}\n')
    write("qrels/train.tsv", unicodedata.normalize("NFD", "q\t가\t1\n"))
    for line in (parted, json.dumps(json.loads(parted))):
        corpus = read_beir(write("corpus.jsonl", line + "\n").parent)
        assert corpus.judgements["passage_id"].to_list() == ["가"]
        assert corpus.passages.select("passage_id", "document_id", "text").row(0) == (
            "가",
            "법",
            "제4조에 따른다.",
        )


def test_questions_of_a_blank_group_are_of_none(beir, write) -> None:
    write(
        "queries.jsonl",
        _lines(
            {"_id": "q1", "text": "Keep what?", "metadata": {"group": " ", "level": ""}},
            {"_id": "q2", "text": "Show what?", "metadata": {"group": "the\tlogs "}},
        ),
    )

    assert read_beir(beir).queries.select("level", "group").rows() == [(None, None), (None, "the logs")]


def test_blank_scope_is_none_and_white_space_around_a_document_id_makes_no_other_document(write) -> None:
    root = write(
        "corpus.jsonl",
        _lines(
            {"_id": "a", "text": "Log.", "metadata": {"document_id": "CAR", "scope": " "}},
            {"_id": "b", "text": "Fish.", "metadata": {"document_id": "CAR ", "scope": "Ships "}},
        ),
    ).parent
    corpus = read_beir(root)
    assert corpus.passages.select("document_id", "scope").rows() == [("CAR", None), ("CAR", "Ships")]
    assert corpus.documents["document_id"].to_list() == ["CAR"]


def test_files_and_names_that_nothing_reads_are_reported(beir, write) -> None:
    write("qrels/val.tsv", "q1\ta\t1\n")
    write("documents.json", '{"a": ["The Act"], "A": ["The other Act"]}')
    problems = read_beir(beir).problems
    assert "qrels/val.tsv: expected a name of train, dev, test; not read" in problems
    assert "documents.json: A: names no document of the corpus; left out" in problems


def test_question_of_which_nothing_is_seen_is_left_out(beir, write) -> None:
    write("queries.jsonl", _lines({"_id": "q1", "text": "\u200b"}, {"_id": "q2", "text": "Show what?"}))
    corpus = read_beir(beir)
    assert corpus.queries["query_id"].to_list() == ["q2"]
    assert "qrels/train.tsv: question q1: has no text; left out" in corpus.problems


@pytest.mark.parametrize(("text", "kind"), [("\u200b", "text"), ("\x1c", "text"), ("\u3000", "heading")])
def test_entry_is_a_heading_only_if_the_index_finds_no_text_in_it(write, text: str, kind: str) -> None:
    root = write("corpus.jsonl", _lines({"_id": "a", "text": text})).parent

    passages = read_beir(root).passages

    assert passages["kind"].to_list() == [kind]
    assert has_text(passages).to_list() == [kind == "text"]
