import json
from pathlib import Path
from threading import Barrier

import pytest

from rulerank.answer import Answer
from rulerank.errors import InputError, ModelError, RulerankError, UnansweredError
from rulerank.ranker.batch import answer_all
from tests.ranker.three import ASKED, RUN, answer_to


def test_one_object_per_line_in_the_order_of_the_questions(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    assert [query_id for query_id, _ in answer_all(ASKED, out, RUN, answer_to)] == ["q1", "q2", "q3"]
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [record["answered"] for record in records] == [True, False, True]
    assert records[0] == {
        "query_id": "q1",
        "question": "Who?",
        "answered": True,
        "as_of": "2024-05-01",
        "claims": [{"text": "Who?", "modality": None, "passages": ["p"], "quotes": [], "changed_by": []}],
        "abstained_because": None,
        "incomplete": False,
        "bundle": "abc",
        "model": "ranker",
        "k": 10,
        "llm": None,
    }


def test_questions_answered_side_by_side_keep_their_order(tmp_path: Path) -> None:
    alone, together = tmp_path / "alone.jsonl", tmp_path / "together.jsonl"
    asked = [(f"q{number}", f"Who {number}?") for number in range(9)]
    meeting = Barrier(3, timeout=10)  # passed only if three questions are answered at once

    def wait(question: str) -> Answer:
        meeting.wait()
        return answer_to(question)

    list(answer_all(asked, alone, RUN, answer_to))
    list(answer_all(asked, together, RUN, wait, workers=3))
    assert together.read_bytes() == alone.read_bytes()


def test_second_answer_to_a_question_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    list(answer_all(ASKED, out, RUN, answer_to))
    out.write_text(out.read_text() + out.read_text().splitlines()[0] + "\n")
    with pytest.raises(InputError, match=r":4: expected one answer to each question, found a second .* q1"):
        list(answer_all(ASKED, out, RUN, answer_to))


def test_interrupted_batch_goes_on_where_it_ended(tmp_path: Path) -> None:
    out, whole = tmp_path / "answers.jsonl", tmp_path / "whole.jsonl"
    list(answer_all(ASKED, whole, RUN, answer_to))
    cut = whole.read_text()[: whole.read_text().index("\n") + 30]
    out.write_text(cut)
    assert [query_id for query_id, _ in answer_all(ASKED, out, RUN, answer_to)] == ["q2", "q3"]
    assert out.read_text() == whole.read_text()
    assert list(answer_all(ASKED, out, RUN, answer_to)) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"as_of": "2024-05-02"},
            "expected as_of 2024-05-02, found 2024-05-01. Resume with --as-of 2024-05-01, or write to "
            "another file.",
        ),
        (
            {"model": "other", "k": 5},
            "expected model other, found ranker; expected k 5, found 10. Resume with --model ranker --k 10, "
            "or write to another file.",
        ),
        ({"bundle": "abd"}, "expected bundle abd, found abc. Write to another file."),
        (
            {"llm": "small", "k": 5},
            "expected k 5, found 10; expected llm small, found none. Write to another file.",
        ),
    ],
)
def test_answers_of_another_run_are_not_mixed_in(
    tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    out = tmp_path / "answers.jsonl"
    list(answer_all(ASKED, out, RUN, answer_to))
    before = out.read_bytes()
    with pytest.raises(InputError) as error:
        list(answer_all(ASKED, out, RUN | changed, answer_to))
    assert str(error.value) == f"{out}:1: {said}"
    assert out.read_bytes() == before


def test_answers_to_other_questions_are_not_mixed_in(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    list(answer_all(ASKED, out, RUN, answer_to))
    with pytest.raises(InputError) as error:
        list(answer_all([("q1", "Who else?")], out, RUN, answer_to))
    assert str(error.value) == (
        f"{out}:1: expected answers to these questions, found others. Write to another file."
    )


def test_other_file_is_left_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text('{"note": 1}\n')
    with pytest.raises(InputError, match="expected answers"):
        list(answer_all(ASKED, out, RUN, answer_to))
    assert out.read_text() == '{"note": 1}\n'


@pytest.mark.parametrize("text", ["an essay of one line", '{"query": "q1"}', "\ufeff"])
def test_file_that_does_not_end_with_a_line_of_answers_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    out = tmp_path / "notes.txt"
    out.write_text(text)
    with pytest.raises(InputError, match="expected answers, found something else"):
        list(answer_all(ASKED, out, RUN, answer_to))
    assert out.read_text() == text


def test_batch_that_was_cut_off_anywhere_goes_on_with_what_is_whole(tmp_path: Path) -> None:
    asked = [("q1", "Wer\u2028fährt?"), ("q2", "누가\x85?"), ("q3", "Who\x1c?\x0c")]
    out, audit, whole, grounds = (tmp_path / "new" / name for name in ("out", "audit", "whole", "grounds"))
    list(answer_all(asked, whole, RUN, answer_to, grounds))
    content = whole.read_bytes()
    lines = grounds.read_bytes().splitlines(keepends=True)
    for end in range(0, len(content) + 1, 7):
        out.write_bytes(content[:end])
        # The run may have added the grounds of the next answer.
        audit.write_bytes(b"".join(lines[: content[:end].count(b"\n") + 1]))
        list(answer_all(asked, out, RUN, answer_to, audit))
        assert out.read_bytes() == content
        assert audit.read_bytes() == grounds.read_bytes()


@pytest.mark.parametrize(
    ("workers", "answered", "unasked"),
    [(1, ["q1"], "Questions not asked after that: 1.\n"), (3, ["q1", "q3"], "")],
)
def test_answers_given_beside_a_question_that_fails_are_written(
    tmp_path: Path, workers: int, answered: list[str], unasked: str
) -> None:
    out, audit = tmp_path / "answers.jsonl", tmp_path / "audit.jsonl"
    begun = Barrier(3, timeout=10)

    def fail(question: str) -> Answer:
        if workers == 3:
            begun.wait()  # all are begun before one fails
        if question == "What?":
            raise ModelError("expected status 200, found 401")
        return answer_to(question)

    with pytest.raises(
        RulerankError, match=rf"^question q2: expected status 200, found 401\n{unasked}Run this"
    ):
        list(answer_all(ASKED, out, RUN, fail, audit, workers))
    for path in (out, audit):
        assert [json.loads(line)["query_id"] for line in path.read_text().splitlines()] == answered
    assert [query_id for query_id, _ in answer_all(ASKED, out, RUN, answer_to, audit)] == [
        each for each in ("q1", "q2", "q3") if each not in answered
    ]


@pytest.mark.parametrize("workers", [1, 3])
def test_questions_that_the_endpoint_does_not_answer_stop_no_other(tmp_path: Path, workers: int) -> None:
    out, audit = tmp_path / "answers.jsonl", tmp_path / "audit.jsonl"
    asked = [*ASKED, ("q4", "Why?")]
    failing = {"Who?": "found 413", "When?": "found <html>"}
    put: list[str] = []

    def answer(question: str) -> Answer:
        put.append(question)
        if question in failing:
            raise UnansweredError(failing[question])
        return answer_to(question)

    with pytest.raises(RulerankError) as caught:
        list(answer_all(asked, out, RUN, answer, audit, workers))
    assert str(caught.value).splitlines() == [
        "question q1: found 413",
        "question q3: found <html>",
        "Run this again to ask only the questions that have no answer yet.",
    ]
    for path in (out, audit):
        assert [json.loads(line)["query_id"] for line in path.read_text().splitlines()] == ["q2", "q4"]

    failing.pop("Who?")
    put.clear()
    with pytest.raises(RulerankError, match=r"^question q3: found <html>\n"):
        list(answer_all(asked, out, RUN, answer, audit, workers))
    assert sorted(put) == ["When?", "Who?"]
    for path in (out, audit):
        assert [json.loads(line)["query_id"] for line in path.read_text().splitlines()] == ["q2", "q4", "q1"]


def test_batch_of_which_every_question_is_refused_stops_soon(tmp_path: Path) -> None:
    out, put = tmp_path / "answers.jsonl", []

    def answer(question: str) -> Answer:
        put.append(question)
        raise UnansweredError("found 400")

    asked = [(f"q{number}", f"Who is {number}?") for number in range(100)]
    with pytest.raises(
        RulerankError,
        match=r"(?s)^question q0: found 400\n.*question q9: found 400\nQuestions not asked after that: 90",
    ):
        list(answer_all(asked, out, RUN, answer))
    assert len(put) == 10

    # Where some were answered, others may be.
    list(answer_all(asked[:1], out, RUN, answer_to))
    with pytest.raises(RulerankError, match="\nand 89 more\nRun this"):
        list(answer_all(asked, out, RUN, answer))
    assert len(put) == 10 + 99


def test_no_question_is_begun_after_one_has_failed(tmp_path: Path) -> None:
    asked = [(f"q{number}", f"Who {number}?") for number in range(20)]
    begun = []

    def fail(question: str) -> Answer:
        begun.append(question)
        raise ModelError("refused")

    with pytest.raises(RulerankError, match=r"^question q\d: refused\n"):
        list(answer_all(asked, tmp_path / "out", RUN, fail, workers=2))
    assert len(begun) <= 3


def test_fault_of_the_program_is_raised_as_it_is_and_names_the_question(tmp_path: Path) -> None:
    def fail(question: str) -> Answer:
        raise KeyError(question)

    with pytest.raises(KeyError) as caught:
        list(answer_all(ASKED, tmp_path / "out", RUN, fail))
    assert caught.value.__notes__ == ["question q1"]


def test_file_that_another_run_writes_to_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    first = answer_all(ASKED, out, RUN, answer_to)
    assert next(first)[0] == "q1"
    with pytest.raises(InputError, match=r"answers\.jsonl: expected a file that no other run writes to"):
        next(answer_all(ASKED, out, RUN, answer_to))
    assert [query_id for query_id, _ in first] == ["q2", "q3"]
