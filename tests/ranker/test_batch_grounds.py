"""The file of the grounds of the answers of a batch, beside that of the answers."""

from pathlib import Path

import pytest

from rulerank.errors import InputError
from rulerank.ranker.batch import answer_all
from tests.ranker.three import ASKED, RUN, answer_to


@pytest.mark.parametrize(
    "text",
    [
        '{"bundle": "abd", "query_id": "q1", "question": "Who?", "as_of": "2024-05-01"}\n',
        '{"bundle": "abc", "query_id": "q9", "question": "Who else?", "as_of": "2024-05-01"}\n',
        '{"bundle": "abc", "query_id": "q1", "question": "Who?", "as_of": "2023-05-01"}\n',
        '{"query_id": "q1", "text": "Who?"}\n',
        "a letter",
    ],
)
def test_what_other_answers_rest_on_is_not_replaced(tmp_path: Path, text: str) -> None:
    audit = tmp_path / "audit.jsonl"
    audit.write_text(text)
    with pytest.raises(InputError, match=r"audit\.jsonl(:1)?: expected the grounds of .*answers"):
        list(answer_all(ASKED, tmp_path / "out", RUN, answer_to, audit))
    assert audit.read_text() == text


def test_grounds_of_another_run_are_not_dropped_for_answers_that_were_not_written(tmp_path: Path) -> None:
    audit = tmp_path / "audit.jsonl"
    list(answer_all(ASKED, tmp_path / "first", RUN, answer_to, audit))
    kept = audit.read_bytes()
    with pytest.raises(InputError, match=r"audit\.jsonl:1: expected the grounds of the answers in .*second"):
        list(answer_all(ASKED, tmp_path / "second", RUN | {"model": "other"}, answer_to, audit))
    assert audit.read_bytes() == kept
    assert not (tmp_path / "second").exists()


@pytest.mark.parametrize(("written", "refused"), [(0, 1), (1, 2), (2, None), (3, None)])
def test_one_line_of_grounds_may_be_ahead_of_the_answers(
    tmp_path: Path, written: int, refused: int | None
) -> None:
    out, audit = tmp_path / "answers.jsonl", tmp_path / "audit.jsonl"
    list(answer_all(ASKED, out, RUN, answer_to, audit))
    whole, grounds = out.read_bytes(), audit.read_bytes()
    out.write_bytes(b"".join(whole.splitlines(keepends=True)[:written]))
    if refused is None:
        assert len(list(answer_all(ASKED, out, RUN, answer_to, audit))) == 3 - written
        assert (out.read_bytes(), audit.read_bytes()) == (whole, grounds)
    else:
        with pytest.raises(InputError, match=rf"audit\.jsonl:{refused}: expected the grounds of the answers"):
            list(answer_all(ASKED, out, RUN, answer_to, audit))
        assert audit.read_bytes() == grounds


def test_grounds_of_other_claims_are_refused(tmp_path: Path) -> None:
    out, audit = tmp_path / "answers.jsonl", tmp_path / "audit.jsonl"
    list(answer_all(ASKED, out, RUN, answer_to, audit))
    other = audit.read_text().replace('"text": "When?"', '"text": "Never."')
    audit.write_text(other)
    with pytest.raises(InputError, match=r"audit\.jsonl:3: expected the grounds of the answers"):
        list(answer_all(ASKED, out, RUN, answer_to, audit))
    assert audit.read_text() == other


def test_what_answers_rest_on_is_not_lost_to_a_file_that_lacks_some_of_it(tmp_path: Path) -> None:
    out, audit = tmp_path / "answers.jsonl", tmp_path / "audit.jsonl"
    list(answer_all(ASKED[:2], out, RUN, answer_to, audit))
    list(answer_all(ASKED, out, RUN, answer_to))
    kept = audit.read_text()
    with pytest.raises(
        InputError, match=r"audit\.jsonl: expected the grounds of the 3 answers .*, found those of 2"
    ):
        list(answer_all(ASKED, out, RUN, answer_to, audit))
    assert audit.read_text() == kept


def test_refused_batch_leaves_no_new_file(tmp_path: Path) -> None:
    out, audit = tmp_path / "answers.jsonl", tmp_path / "audit.jsonl"
    audit.write_text("something else\n")
    with pytest.raises(InputError, match=r"audit\.jsonl"):
        next(answer_all(ASKED, out, RUN, answer_to, audit))
    assert not out.exists()


def test_answers_and_their_grounds_are_two_files(tmp_path: Path) -> None:
    out, audit = tmp_path / "answers.jsonl", tmp_path / "audit.jsonl"
    list(answer_all(ASKED, out, RUN, answer_to))
    audit.hardlink_to(out)
    with pytest.raises(InputError, match="expected a file of its own"):
        next(answer_all(ASKED, out, RUN, answer_to, audit))
