from pathlib import Path

import polars as pl
import pytest

from rulerank.corpora import read_obliqa
from rulerank.errors import InputError
from rulerank.tables import DOCUMENTS, JUDGEMENTS, PASSAGES, QUERIES

RULE = {"ID": "p12"}


def test_passages_follow_document_numbers_and_file_order(folder) -> None:
    passages = read_obliqa(folder).passages

    assert passages["passage_id"].to_list() == ["p90", "p91", "p10", "p11", "p12", "p13", "p14"]
    assert passages["document_id"].to_list() == ["9", "9", "10", "10", "10", "10", "10"]
    assert passages["position"].to_list() == [0, 1, 0, 1, 2, 3, 4]


def test_passages_keep_section_and_text_as_they_are(folder) -> None:
    row = read_obliqa(folder).passages.row(6, named=True)

    assert (row["section"], row["text"], row["title"]) == ("2.", "The second  of two.", "")


def test_passage_without_text_is_kept_as_a_heading(folder) -> None:
    passages = read_obliqa(folder).passages

    assert passages.filter(pl.col("kind") == "heading")["passage_id"].to_list() == ["p11"]


def test_documents_take_title_and_tier_from_their_names(folder, write) -> None:
    write("documents.json", {"9": ["GLO_VER1", "GLO", "Glossary Rules"]})

    corpus = read_obliqa(folder)

    assert corpus.documents.rows() == [
        ("9", "Glossary Rules", ["GLO_VER1", "GLO", "Glossary Rules"]),
        ("10", "10", []),
    ]
    assert corpus.passages.filter(pl.col("document_id") == "9")["tier"].to_list() == [3, 3]
    assert corpus.passages.filter(pl.col("document_id") == "10")["tier"].null_count() == 5


def test_documents_names_of_the_wrong_form_are_an_error(folder, write) -> None:
    write("documents.json", {"9": "GLO"})

    with pytest.raises(InputError, match=r"documents\.json: .*9"):
        read_obliqa(folder)


def test_each_question_file_serves_its_split(folder, write, item, listed) -> None:
    for name in ("ObliQA_train", "ObliQA_dev", "ObliQA_MultiPassage_test"):
        write(f"{name}.json", [item(name, listed(10, "1.1.1", **RULE))])

    queries = read_obliqa(folder).queries

    assert queries.select("query_id", "split", "collection").rows() == [
        ("ObliQA_train", "train", "ObliQA"),
        ("ObliQA_dev", "validation", "ObliQA"),
        ("ObliQA_MultiPassage_test", "test", "ObliQA-MP"),
    ]


def test_question_file_of_another_name_is_reported(folder, write) -> None:
    write("ObliQA_val.json", "[]")
    (problem,) = read_obliqa(folder).problems
    assert problem.startswith("ObliQA_val.json: expected a name of ObliQA_train.json, ")
    assert problem.endswith("; not read")


def test_folder_without_questions_gives_empty_tables(folder) -> None:
    corpus = read_obliqa(folder)

    assert QUERIES.check(corpus.queries, folder).height == 0
    assert JUDGEMENTS.check(corpus.judgements, folder).height == 0
    assert corpus.references is None
    assert corpus.problems == ()


def test_judged_sets_without_questions_are_queries_without_text(folder, write) -> None:
    write("qrels_train.txt", "q1 0 p12 1\nq1 0 p90 1\n")

    corpus = read_obliqa(folder)

    assert corpus.queries.rows() == [("q1", None, "train", "ObliQA-MP", None, None)]
    assert corpus.judgements.rows() == [("q1", "p12", 1), ("q1", "p90", 1)]


def test_judged_set_on_an_unknown_passage_is_reported(folder, write) -> None:
    write("qrels_train.txt", "q1 0 p12 1\nq1 0 gone 1\n")

    corpus = read_obliqa(folder)

    assert corpus.judgements.rows() == [("q1", "p12", 1)]
    assert corpus.problems == (
        "qrels_train.txt: question q1: passage gone is not in the corpus; judgement left out",
    )


def test_query_in_two_training_files_is_one_query(folder, write, item, listed) -> None:
    write("ObliQA_train.json", [item("q1", listed(10, "1.1.1"), text="Which books?")])
    write("qrels_train.txt", "q1 0 p90 1\nq1 0 p12 1\n")

    corpus = read_obliqa(folder)

    assert corpus.queries.rows() == [("q1", "Which books?", "train", "ObliQA-MP", None, None)]
    assert corpus.judgements.rows() == [("q1", "p12", 1), ("q1", "p90", 1)]


def test_highest_relevance_is_kept_when_files_disagree(folder, write, item, listed) -> None:
    write("qrels_train.txt", "q1 0 p12 1\n")
    graded = item("q1", listed(10, "1.1.1", Connection="Directly Connected", **RULE))
    write("ObliQA_MultiPassage_train.json", [graded])

    assert read_obliqa(folder).judgements.rows() == [("q1", "p12", 2)]


def test_query_in_training_and_test_stays_in_test_only(folder, write, item, listed) -> None:
    write("ObliQA_train.json", [item("q1", listed(10, "1.1.1")), item("q2", listed(10, "1.1.1"))])
    write("ObliQA_MultiPassage_test.json", [item("q1", listed(9, "1"))])

    corpus = read_obliqa(folder)

    assert corpus.queries.select("query_id", "split").rows() == [("q2", "train"), ("q1", "test")]
    assert corpus.judgements.rows() == [("q2", "p12", 1), ("q1", "p90", 1)]
    assert corpus.problems == ("ObliQA_train.json: question q1: also a test question; left out here",)


def test_multi_passage_split_decides_where_both_collections_have_a_question(
    folder, write, item, listed
) -> None:
    write("ObliQA_test.json", [item("q1", listed(10, "1.1.1")), item("q2", listed(10, "1.1.1"))])
    write("ObliQA_dev.json", [item("q3", listed(10, "1.1.1"))])
    write("ObliQA_MultiPassage_val.json", [item("q1", listed(9, "1"))])
    write("ObliQA_MultiPassage_train.json", [item("q3", listed(9, "1"))])

    corpus = read_obliqa(folder)

    assert corpus.queries.select("query_id", "split", "collection").sort("query_id").rows() == [
        ("q1", "validation", "ObliQA-MP"),
        ("q2", "test", "ObliQA"),
        ("q3", "train", "ObliQA-MP"),
    ]
    assert corpus.judgements.filter(pl.col("query_id") == "q1").rows() == [("q1", "p90", 1)]
    assert corpus.problems == (
        "ObliQA_dev.json: question q3: also a train question; left out here",
        "ObliQA_test.json: question q1: also a validation question; left out here",
    )


def test_folder_without_documents_is_an_error(tmp_path) -> None:
    with pytest.raises(InputError, match="expected JSON files of passages, found none"):
        read_obliqa(tmp_path)


def test_document_without_passages_is_an_error(folder, write) -> None:
    write("StructuredRegulatoryDocuments/11.json", [])

    with pytest.raises(InputError, match=r"11\.json: expected passages, found an empty list"):
        read_obliqa(folder)


def test_passage_id_in_two_documents_names_both_files(folder, write) -> None:
    write(
        "StructuredRegulatoryDocuments/11.json", [{**RULE, "DocumentID": 11, "PassageID": "1", "Passage": ""}]
    )

    with pytest.raises(InputError, match=r"11\.json: .* found p12 also in 10\.json"):
        read_obliqa(folder)


def test_passage_id_that_names_another_node_of_the_graph_is_an_error(folder, write) -> None:
    write(
        "StructuredRegulatoryDocuments/11.json",
        [{**RULE, "ID": "document:11", "DocumentID": 11, "PassageID": "1", "Passage": ""}],
    )
    with pytest.raises(InputError, match=r"11\.json: .*begins with none of document:, term:, name:"):
        read_obliqa(folder)


def test_malformed_document_names_line_and_column(folder, write) -> None:
    path = write("StructuredRegulatoryDocuments/11.json", '[\n  {"ID": "x",, }\n]')

    with pytest.raises(InputError) as caught:
        read_obliqa(folder)

    assert (caught.value.source, caught.value.line, caught.value.column) == (str(path), 2, 14)


def test_one_document_with_one_long_passage_in_another_script(write, tmp_path) -> None:
    text = "يجب على الشركة الاحتفاظ بالسجلات 기록을 보관하여야 한다 应当保存记录 ADGM " * 2400
    write(
        "StructuredRegulatoryDocuments/1.json",
        [{"ID": "a", "DocumentID": 1, "PassageID": "1", "Passage": text}],
    )

    corpus = read_obliqa(tmp_path)

    assert len(text.split()) == 24_000
    assert corpus.passages["text"].to_list() == [text]
    assert corpus.passages["kind"].to_list() == ["rule"]


@pytest.mark.real
def test_published_folder_is_read_whole(obliqa: Path) -> None:
    corpus = read_obliqa(obliqa)
    asked = corpus.queries.group_by("split").len().sort("split").rows()
    validation = corpus.queries.filter(pl.col("split") == "validation")["query_id"]

    assert PASSAGES.check(corpus.passages, obliqa).height == 13_732
    assert corpus.passages.filter(pl.col("kind") == "heading").height == 720
    assert DOCUMENTS.check(corpus.documents, obliqa).height == 40
    assert asked == [("train", 5_483 + 2_083 - 187), ("validation", 446)]
    assert corpus.judgements.filter(pl.col("query_id").is_in(validation.implode())).height == 1_068
    assert [problem for problem in corpus.problems if ": question " in problem] == []
    assert corpus.references is not None
    assert corpus.references.height == 736 + 15
    assert "CrossReferenceData.csv: 15 rows to an unknown passage give no edge" in corpus.problems
