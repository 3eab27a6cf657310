"""Feedback as training questions: the last verdict counts, and an error names the place of a bad line."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.corpora.feedback import latest, query_id_of, read_feedback, read_verdicts
from rulerank.errors import InputError
from rulerank.tables import PASSAGES

VERDICT = {"question": "Who pays?", "passage_id": "a1", "relevance": 2, "at": "2026-03-01T09:00:00Z"}


@pytest.fixture
def passages() -> pl.DataFrame:
    rows = [
        (key, "act", key, "", f"Rule {key}.", None, "rule", place, None, None)
        for place, key in enumerate(("a1", "a2", "a3"))
    ]
    return pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row")


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def _write(*verdicts: dict[str, Any], name: str = "users.jsonl") -> Path:
        path = tmp_path / "feedback" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps({**VERDICT, **each}) + "\n" for each in verdicts))
        return path

    return _write


def test_verdicts_become_training_questions(write: Callable[..., Path], passages: pl.DataFrame) -> None:
    write({}, {"passage_id": "a2", "relevance": 0}, {"question": "who  PAYS?", "passage_id": "a3"})
    path = write({"question": "When?", "relevance": 1}, name="more.jsonl").parent
    found = read_feedback(path, passages)
    pays, when = query_id_of("Who pays?"), query_id_of("When?")
    assert sorted(found.judgements.rows()) == sorted(
        [(pays, "a1", 2), (pays, "a2", 0), (pays, "a3", 2), (when, "a1", 1)]
    )
    assert set(found.queries.select("query_id", "split", "collection").rows()) == {
        (pays, "train", "feedback"),
        (when, "train", "feedback"),
    }


def test_the_last_verdict_counts_whatever_the_order_of_the_lines(write: Callable[..., Path]) -> None:
    later, earlier = {"relevance": 1, "at": "2026-03-02T01:00:00+02:00"}, {"at": "2026-03-01T22:59:59"}
    assert [each.relevance for each in latest(read_verdicts(write(later, earlier)))] == [1]
    assert [each.relevance for each in latest(read_verdicts(write(earlier, later)))] == [1]


def test_what_cannot_be_learned_from_is_left_out_and_named(
    write: Callable[..., Path], passages: pl.DataFrame
) -> None:
    found = read_feedback(write({"passage_id": "gone"}, {"question": "None?", "relevance": 0}), passages)
    assert not found.queries.height
    assert not found.judgements.height
    assert any("passage gone is not in the corpus" in problem for problem in found.problems)
    assert any("has no relevant passage" in problem for problem in found.problems)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"relevance": 3}, "relevance: input should be 0, 1 or 2, found 3"),
        ({"relevance": True}, "relevance: input should be 0, 1 or 2"),
        ({"question": " "}, "question: expected a question in words"),
        ({"passage_id": 7}, "passage_id: input should be a valid string, found 7"),
        ({"at": 1772355600}, "at: expected an ISO date and time"),
        ({"at": "20260301"}, "at: expected an ISO date and time"),
        ({"at": "yesterday"}, "at: "),
        (
            {"at": "9999-12-31T23:59:59-14:00"},
            "at: expected a time no later than a day from now, found '9999-12-31T23:59:59-14:00'. Correct",
        ),
    ],
)
def test_bad_line_is_refused_by_file_line_and_column(
    write: Callable[..., Path], change: dict[str, Any], said: str
) -> None:
    path = write({}, change)
    with pytest.raises(InputError) as refused:
        read_verdicts(path)
    assert refused.value.line == 2
    column = refused.value.column or 0
    key = next(iter(change))
    assert path.read_text().split("\n")[1][column - 1 :].startswith(f'"{key}"')
    assert said in str(refused.value)


@pytest.mark.parametrize("zone", [UTC, None, timezone(timedelta(hours=14)), timezone(-timedelta(hours=12))])
def test_verdict_may_be_ahead_by_no_more_than_a_day(write: Callable[..., Path], zone: tzinfo | None) -> None:
    def after(hours: int) -> dict[str, str]:
        moment = datetime.now(UTC) + timedelta(hours=hours)
        return {"at": (moment.astimezone(zone) if zone else moment.replace(tzinfo=None)).isoformat()}

    assert len(read_verdicts(write(after(hours=23)))) == 1
    with pytest.raises(InputError, match=r"users\.jsonl:2:\d+: .* at: expected a time no later than a day"):
        read_verdicts(write({}, after(hours=25)))


def test_malformed_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "users.jsonl"
    path.write_text('{"question": }\n')
    with pytest.raises(InputError, match=r"users\.jsonl:1:14: malformed JSON"):
        read_verdicts(path)


def test_missing_file_is_refused(tmp_path: Path, passages: pl.DataFrame) -> None:
    with pytest.raises(InputError, match=r"expected a file or folder of feedback.*prepare\.feedback"):
        read_feedback(tmp_path / "none.jsonl", passages)


def test_folder_without_json_lines_is_refused(tmp_path: Path, passages: pl.DataFrame) -> None:
    (tmp_path / "notes.txt").write_text("Verdicts follow.")
    with pytest.raises(InputError, match=r"expected JSON Lines, which end in \.jsonl, found none"):
        read_feedback(tmp_path, passages)


def test_verdicts_through_a_pipe_are_kept(
    call: Callable[..., Any], write: Callable[..., Path], tmp_path: Path
) -> None:
    pipe, merged = tmp_path / "pipe", tmp_path / "all.jsonl"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(write({"question": "Who pays?"}).read_bytes(),))
    writer.start()
    assert call("feedback", pipe, "--out", merged).code == 0
    writer.join()
    assert [each.question for each in read_verdicts(merged)] == ["Who pays?"]


def test_command_keeps_what_is_merged_already(
    call: Callable[..., Any], write: Callable[..., Path], tmp_path: Path
) -> None:
    merged, first = tmp_path / "all.jsonl", write({"question": "Who pays?"})
    assert call("feedback", first, "--out", merged).code == 0
    assert call("feedback", write({"question": "When?"}, name="later.jsonl"), "--out", merged).code == 0
    assert {each.question for each in read_verdicts(merged)} == {"Who pays?", "When?"}


def test_command_without_a_verdict_writes_nothing(call: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "served").mkdir()
    said = call("feedback", tmp_path / "served", "--out", tmp_path / "all.jsonl")
    assert (said.code, said.out) == (1, "")
    assert "served: expected one verdict per line" in said.err
    assert not (tmp_path / "all.jsonl").exists()


def test_command_refuses_a_file_without_a_verdict_beside_others(
    call: Callable[..., Any], write: Callable[..., Path], tmp_path: Path
) -> None:
    (tmp_path / "empty.jsonl").touch()
    said = call("feedback", write({}), tmp_path / "empty.jsonl", "--out", tmp_path / "all.jsonl")
    assert said.code == 1
    assert "empty.jsonl: expected one verdict per line" in said.err
    assert not (tmp_path / "all.jsonl").exists()


def test_command_writes_nothing_into_an_exported_ranker(
    call: Callable[..., Any], write: Callable[..., Path], tmp_path: Path
) -> None:
    ranker = tmp_path / "bundle"
    ranker.mkdir()
    for name in ("manifest.json", "features.json"):
        (ranker / name).touch()
    said = call("feedback", write({}), "--out", ranker / "all.jsonl")
    assert said.code == 1
    assert "expected a file to write, found a path inside the input" in said.err
    assert len(list(ranker.iterdir())) == 2


def test_command_merges_files(call: Callable[..., Any], write: Callable[..., Path], tmp_path: Path) -> None:
    one, other = write({"relevance": 0}), write({"at": "2026-04-01T00:00:00Z"}, name="later.jsonl")
    said = call("feedback", one, other, "--out", tmp_path / "all.jsonl")
    assert (said.code, said.out) == (0, f"{tmp_path / 'all.jsonl'}: 1 verdicts on 1 questions\n")
    assert read_verdicts(tmp_path / "all.jsonl") == latest(read_verdicts(other))


def test_file_with_another_ending_is_not_left_out_without_a_word(write) -> None:
    write()
    folder = write(name="more.json").parent
    with pytest.raises(InputError, match=r"more\.json: expected JSON Lines, which end in \.jsonl"):
        read_verdicts(folder)
