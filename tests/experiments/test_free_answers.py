"""Answers of the shared run's ranker and of a language model, compared with expected ones."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from experiments.free_answers import BY_MODEL, RULES, WRITTEN, main
from rulerank.ranker import Ranker

PROJECT = Path(__file__).parents[2]


@pytest.fixture
def answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_run: Path, ranker: Ranker) -> Path:
    """A file of three questions: one with the ranker's own answer, one with another, and one it declines."""
    shutil.copy(PROJECT / "params.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    asked = pl.read_parquet(shared_run / "project/outputs/tables/queries.parquet")["text"].drop_nulls()
    said = {question: ranker.answer(question) for question in asked}
    one, other = [question for question, answer in said.items() if answer.claims][:2]
    declined = next(question for question, answer in said.items() if not answer.claims)
    own = " ".join(claim.text for claim in said[one].claims)
    rows = [(one, own), (other, "zebra quagga"), (declined, "zebra quagga")]
    lines = (json.dumps({"question": question, "answer": answer}) + "\n" for question, answer in rows)
    path = tmp_path / "expected.jsonl"
    path.write_text("".join(lines))
    return path


def test_own_answer_scores_1_and_the_mean_is_over_all_questions(
    answered: Path, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RULERANK_LLM_URL", raising=False)

    main(data=answered, bundle=bundle, questions=None)

    page = WRITTEN.read_text()
    row = next(line for line in page.splitlines() if RULES in line)
    share, *overlap, likeness = (float(cell) for cell in re.findall(r"\d\.\d+", row))
    assert "3 questions of expected.jsonl" in page
    assert share == pytest.approx(2 / 3, abs=1e-3)
    assert overlap == pytest.approx([1 / 3] * 3, abs=1e-3)
    assert 1 / 3 < likeness < 1
    assert "Win rate" not in page


def test_a_language_model_answers_grades_and_prefers(
    answered: Path, bundle: Path, chat: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULERANK_LLM_URL", chat.model.url)
    monkeypatch.setenv("RULERANK_LLM_MODEL", chat.model.name)

    def says(request: dict[str, Any]) -> str:
        said = request["messages"][1]["content"]
        if "Answer A:" in said:
            return '{"verdict": "A"}'
        if "The answer to judge:" in said:
            return '{"verdict": "right"}'
        return "Insufficient evidence in retrieved passages."

    chat.says = says

    main(data=answered, bundle=bundle, questions=2)

    page = WRITTEN.read_text()
    graded = [
        line
        for line in page.partition("| answers | right | partly | unread |")[2].splitlines()
        if "| " in line
    ]
    assert graded == [f"| {RULES} | 1.0000 | 0.0000 | 0 |", f"| {BY_MODEL} | 0.0000 | 0.0000 | 0 |"]
    assert (
        f"Win rate of the answers {BY_MODEL} over those {RULES}: 0.5000 (ties count half; 0 could not be read"
        in page
    )


def test_grades_that_cannot_be_read_are_left_out_and_counted(
    answered: Path, bundle: Path, chat: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULERANK_LLM_URL", chat.model.url)
    monkeypatch.setenv("RULERANK_LLM_MODEL", chat.model.name)

    def says(request: dict[str, Any]) -> str:
        said = request["messages"][1]["content"]
        if "The answer to judge:" in said:
            return "Hm." if "zebra quagga" in said else '{"verdict": "right"}'
        return "Insufficient evidence in retrieved passages."

    chat.says = says

    main(data=answered, bundle=bundle, questions=2)

    page = WRITTEN.read_text()
    assert f"| {RULES} | 1.0000 | 0.0000 | 1 |" in page
    assert f"{RULES}: nan (ties count half; 2 could not be read" in page
