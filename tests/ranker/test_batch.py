import json
from datetime import date
from pathlib import Path

import pytest

from rulerank.answer import Answer, Claim
from rulerank.errors import InputError
from rulerank.ranker.batch import answer_all

DAY = date(2024, 5, 1)
ASKED = [("q1", "Who?"), ("q2", "What?"), ("q3", "When?")]


def _answer(question: str) -> Answer:
    claims = () if question == "What?" else (Claim(question, None, ("p",)),)
    return Answer(question, DAY, claims, (), None if claims else "nothing")


def test_one_object_per_line_in_the_order_of_the_questions(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    assert [query_id for query_id, _ in answer_all(ASKED, out, DAY, _answer)] == ["q1", "q2", "q3"]
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [record["answered"] for record in records] == [True, False, True]
    assert records[0] == {
        "query_id": "q1",
        "question": "Who?",
        "answered": True,
        "as_of": "2024-05-01",
        "claims": [{"text": "Who?", "modality": None, "passages": ["p"], "quotes": [], "changed_by": []}],
        "abstained_because": None,
    }


def test_interrupted_batch_goes_on_where_it_ended(tmp_path: Path) -> None:
    out, whole = tmp_path / "answers.jsonl", tmp_path / "whole.jsonl"
    list(answer_all(ASKED, whole, DAY, _answer))
    cut = whole.read_text()[: whole.read_text().index("\n") + 30]
    out.write_text(cut)
    assert [query_id for query_id, _ in answer_all(ASKED, out, DAY, _answer)] == ["q2", "q3"]
    assert out.read_text() == whole.read_text()
    assert list(answer_all(ASKED, out, DAY, _answer)) == []


def test_answers_of_another_day_are_not_mixed_in(tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    list(answer_all(ASKED, out, DAY, _answer))
    with pytest.raises(InputError, match=r"answers\.jsonl:1: expected answers"):
        list(answer_all(ASKED, out, date(2024, 5, 2), _answer))


def test_other_file_is_left_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text('{"note": 1}\n')
    with pytest.raises(InputError, match="expected answers"):
        list(answer_all(ASKED, out, DAY, _answer))
    assert out.read_text() == '{"note": 1}\n'
