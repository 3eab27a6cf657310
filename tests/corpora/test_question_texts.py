from pathlib import Path

import pytest

from rulerank.corpora.question_texts import read_question_texts
from rulerank.errors import DataWarning, InputError


def test_both_formats_give_id_and_text(tmp_path: Path) -> None:
    obliqa, beir = tmp_path / "q.json", tmp_path / "queries.jsonl"
    obliqa.write_text('[{"QuestionID": "1", "Question": "Who?", "Passages": []}]')
    beir.write_text('{"_id": "1", "text": "Who?"}\n{"_id": "2", "text": " \\u200b"}\n')
    with pytest.warns(DataWarning, match=r"queries\.jsonl: 1 of 2 questions have no text .* '2' the first"):
        assert read_question_texts(obliqa) == read_question_texts(beir) == [("1", "Who?")]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "q.jsonl",
            '{"_id": "1", "text": "Who?"}\n{"_id": "1", "text": "What?"}\n',
            "'1' in line 1 and line 2",
        ),
        (
            "q.json",
            '[{"QuestionID": "1", "Question": "Who?"}, {"QuestionID": "1", "Question": "What?"}]',
            "'1' in record 1 and record 2",
        ),
        ("q.jsonl", "", "found none with a text"),
        ("q.json", "{}", "expected a list"),
        ("q.jsonl", '{"text": "Who?"}\n', "_id"),
        (
            "q.jsonl",
            '{"_id": "1", "txt": "Who?"}\n',
            r"q\.jsonl:1:14: record: expected known keys, found txt; the nearest is text\. "
            r"Correct the file\.$",
        ),
        (
            "q.json",
            '[{"QuestionID": "1", "Questoin": "Who?"}]',
            r"q\.json: record 1 \(QuestionID 1\): expected known keys, found Questoin; "
            r"the nearest is Question\. Correct the file\.$",
        ),
    ],
)
def test_what_is_no_file_of_questions_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read_question_texts(tmp_path / name)
