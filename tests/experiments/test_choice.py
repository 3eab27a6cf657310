"""The contexts with which the multiple-choice questions of SearchFireSafety are asked."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parent.parent.parent
LAWS = [
    {"doc_id": 1, "law_name": "창고 안전법", "text": "창고는 매년 점검한다.", "related_doc_ids": [2]},
    {"doc_id": 2, "law_name": "창고 안전법 시행령", "text": "점검은 봄에 한다."},
]
QUESTION = {
    "question_id": 1,
    "related_doc_ids": [1, 2],
    "question": "언제 점검하나요?",
    **{f"option_{number}": f"보기 {number}" for number in range(1, 6)},
    "answer_full": 2,
    "answer_partial": 5,
}


@pytest.fixture
def main(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    for name, rows in (("legal_docs.jsonl", LAWS), ("multihop_qa_mcq.jsonl", [QUESTION])):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.chdir(tmp_path)
    loaded: Callable[..., None] = runpy.run_path(str(PROJECT / "experiments/choice.py"))["main"]
    return loaded


def test_rates_are_those_of_all_the_first_and_the_first_with_its_links(
    main: Callable[..., None],
    chat: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("RULERANK_LLM_URL", chat.model.url)
    monkeypatch.setenv("RULERANK_LLM_MODEL", chat.model.name)
    # The model knows once it sees the decree; otherwise it says that it does not know.
    chat.says = lambda request: "2" if "봄에" in request["messages"][1]["content"] else "5"

    main(data=tmp_path, questions=None)

    figures = json.loads(capsys.readouterr().out)
    assert (figures["questions"], figures["full"], figures["partial"], figures["both"]) == (1, 1.0, 1.0, 1.0)
    assert figures["links"]["corrected"] == 1.0
    assert len(chat.asked) == 2  # all of its passages and the first with its links are the same
    assert (tmp_path / ".cache/choice.jsonl").is_file()


def test_without_a_model_the_variables_are_named(
    main: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("RULERANK_LLM_URL", "RULERANK_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(SystemExit):
        main(data=tmp_path, questions=None)

    assert "RULERANK_LLM_URL" in capsys.readouterr().err
