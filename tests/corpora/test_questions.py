import pytest

from rulerank.corpora import read_questions
from rulerank.errors import InputError


def _judged(path, passages):
    return read_questions(path, passages, "test", "own").judgements.rows()


def test_question_carries_its_split_and_collection(passages, write, item, listed) -> None:
    path = write("questions.json", [item("q1", listed(10, "1.1.1"), text="Which ledgers?")])

    questions = read_questions(path, passages, "test", "own")

    assert questions.queries.rows() == [("q1", "Which ledgers?", "test", "own", None, None)]
    assert questions.problems == ()


def test_passage_id_decides_over_section(passages, write, item, listed) -> None:
    path = write("questions.json", [item("q1", listed(10, "1.1.1", ID="p90"))])

    assert _judged(path, passages) == [("q1", "p90", 1)]


def test_passage_without_id_is_found_by_section_whatever_its_wording(passages, write, item, listed) -> None:
    path = write("questions.json", [item("q1", listed(10, "1.1.1", "garbled"))])

    assert _judged(path, passages) == [("q1", "p12", 1)]


def test_passages_sharing_a_section_are_told_apart_by_normalised_text(passages, write, item, listed) -> None:
    path = write("questions.json", [item("q1", listed(10, "2.", "THE SECOND of  two. "))])

    assert _judged(path, passages) == [("q1", "p14", 1)]


def test_unknown_id_is_resolved_by_section_and_equal_text(passages, write, item, listed) -> None:
    path = write("questions.json", [item("q1", listed(10, "2.", "The first of two.", ID="old"))])

    assert _judged(path, passages) == [("q1", "p13", 1)]


def test_unknown_id_with_other_text_is_reported_with_file_and_question(passages, write, item, listed) -> None:
    unknown = listed(10, "1.1.1", "Something else.", ID="old")
    path = write("questions.json", [item("q1", unknown, listed(9, "1"))])

    questions = read_questions(path, passages, "test", "own")

    assert questions.judgements.rows() == [("q1", "p90", 1)]
    assert questions.problems == (
        "questions.json: question q1: passage 1.1.1 of document 10 (ID old) is not in the corpus "
        "with this text; left out",
    )


def test_document_id_may_be_a_number_or_a_string(passages, write, item, listed) -> None:
    path = write("questions.json", [item("q1", {**listed(10, "1.1.1"), "DocumentID": "10"})])

    assert _judged(path, passages) == [("q1", "p12", 1)]


def test_connection_grades_relevance(passages, write, item, listed) -> None:
    path = write(
        "questions.json",
        [
            item(
                "q1",
                listed(10, "1.1.1", Connection="Directly Connected", ShortReason="It says so."),
                listed(9, "1", Connection="Indirectly Connected"),
                listed(10, "1."),
            )
        ],
    )

    assert _judged(path, passages) == [("q1", "p12", 2), ("q1", "p90", 1), ("q1", "p10", 1)]


def test_unknown_connection_counts_as_one_and_is_reported(passages, write, item, listed) -> None:
    path = write("questions.json", [item("q1", listed(10, "1.1.1", Connection="Perhaps"))])

    questions = read_questions(path, passages, "test", "own")

    assert questions.judgements.rows() == [("q1", "p12", 1)]
    assert "question q1" in questions.problems[0]
    assert "'Perhaps'" in questions.problems[0]


def test_passage_listed_twice_keeps_its_highest_relevance(passages, write, item, listed) -> None:
    graded = listed(10, "1.1.1", Connection="Directly Connected")
    path = write("questions.json", [item("q1", graded, listed(10, "1.1.1"))])

    assert _judged(path, passages) == [("q1", "p12", 2)]


@pytest.mark.parametrize("text", ["", "  \n", None])
def test_question_without_text_is_left_out_and_reported(passages, write, text, item, listed) -> None:
    path = write(
        "questions.json", [{**item("q1", listed(10, "1.")), "Question": text}, item("q2", listed(10, "1."))]
    )

    questions = read_questions(path, passages, "test", "own")

    assert questions.queries["query_id"].to_list() == ["q2"]
    assert questions.judgements["query_id"].to_list() == ["q2"]
    assert questions.problems == ("questions.json: question q1: has no text; left out",)


@pytest.mark.parametrize("passage", [[], [{"DocumentID": 77, "PassageID": "9.9", "Passage": ""}]])
def test_question_without_resolvable_passage_is_left_out_and_reported(passages, write, passage, item) -> None:
    path = write("questions.json", [item("q1", *passage)])

    questions = read_questions(path, passages, "test", "own")

    assert questions.queries.height == 0
    assert questions.judgements.height == 0
    assert questions.problems[-1] == (
        "questions.json: question q1: has no relevant passage in the corpus; left out"
    )


def test_repeated_question_id_names_both_records(passages, write, item, listed) -> None:
    path = write("questions.json", [item(key, listed(10, "1.")) for key in ("q1", "q2", "q1")])

    with pytest.raises(InputError, match="found q1 in records 1 and 3"):
        read_questions(path, passages, "test", "own")


def test_file_that_is_no_list_is_an_error(passages, write) -> None:
    path = write("questions.json", {"q1": "Which ledgers?"})

    with pytest.raises(InputError, match=r"questions\.json: expected a list of records, found an object"):
        read_questions(path, passages, "test", "own")


def test_lines_instead_of_a_list_are_named(passages, tmp_path) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text('{"_id": "q1", "text": "Which ledgers?"}\n{"_id": "q2", "text": "Who?"}\n')

    with pytest.raises(InputError) as error:
        read_questions(path, passages, "test", "own")

    assert str(error.value) == (
        f"{path}: expected one JSON list of records with QuestionID, found one object per line. "
        "Write them as one list, or check that this is the right file."
    )


def test_question_that_lacks_a_key_is_named(passages, write, item, listed) -> None:
    broken = item("q2", listed(10, "1."))
    del broken["Question"]
    path = write("questions.json", [item("q1", listed(10, "1.")), broken])

    with pytest.raises(InputError, match=r"record 2 \(QuestionID q2\): Question: field required"):
        read_questions(path, passages, "test", "own")


def test_passage_of_the_wrong_type_is_named(passages, write, item, listed) -> None:
    path = write("questions.json", [item("q1", listed(10, "1."), {**listed(10, "1."), "PassageID": 12})])

    with pytest.raises(
        InputError, match=r"record 1 \(QuestionID q1\): Passages\.1\.PassageID: .*string, found 12"
    ):
        read_questions(path, passages, "test", "own")


def test_malformed_json_names_line_and_column(passages, write) -> None:
    path = write("questions.json", '[\n{"QuestionID": "q1"\n"Question": "?"}]')

    with pytest.raises(InputError) as caught:
        read_questions(path, passages, "test", "own")

    assert (caught.value.line, caught.value.column) == (3, 1)
