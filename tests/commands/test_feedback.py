"""`rulerank feedback`: verdicts merged into one file, which several runs may share."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from rulerank.commands.feedback import feedback
from rulerank.errors import InputError
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


@pytest.mark.parametrize("given", ["served/feedback.jsonl", "served", "linked"])
def test_file_that_is_merged_is_not_replaced(tmp_path: Path, given: str) -> None:
    (tmp_path / "served").mkdir()
    served = _write(tmp_path / "served" / "feedback.jsonl", "Who pays?")
    (tmp_path / "linked").symlink_to(served)
    kept = served.read_text(), served.stat().st_ino
    with pytest.raises(InputError, match="expected another file than those to be merged, found one of them"):
        feedback([tmp_path / given], served)
    assert (served.read_text(), served.stat().st_ino) == kept


def test_merged_file_keeps_its_permissions(tmp_path: Path) -> None:
    out = _write(tmp_path / "users.jsonl", "When?")
    out.chmod(0o600)
    feedback([_write(tmp_path / "given.jsonl", "Who pays?")], out)
    assert out.stat().st_mode & 0o777 == 0o600
    assert len(out.read_text().splitlines()) == 2


def test_merged_file_has_a_name_that_prepare_reads(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"users\.ndjson: expected a file that ends in \.jsonl"):
        feedback([tmp_path / "given.jsonl"], tmp_path / "users.ndjson")
