"""`rulerank feedback`: verdicts merged into one file, which several runs may share."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from rulerank.commands.feedback import feedback
from rulerank.files import alone_in

VERDICT = {"passage_id": "a1", "relevance": 2, "at": "2026-03-01T09:00:00Z"}


def _write(path: Path, question: str) -> Path:
    path.write_text(json.dumps({"question": question, **VERDICT}) + "\n")
    return path


def test_merge_keeps_the_verdicts_of_one_that_ended_meanwhile(tmp_path: Path) -> None:
    out = tmp_path / "merged" / "users.jsonl"
    given = _write(tmp_path / "given.jsonl", "Who pays?")
    merge = threading.Thread(target=feedback, args=([given], out))
    with alone_in(out.parent):
        merge.start()
        merge.join(0.5)
        assert merge.is_alive()
        _write(out, "When?")
    merge.join(10)
    assert sorted(json.loads(line)["question"] for line in out.read_text().splitlines()) == [
        "When?",
        "Who pays?",
    ]
