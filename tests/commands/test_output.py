from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from rulerank.commands.output import print_json, shortened
from rulerank.passages import RankedPassage, Reason


def test_missing_value_is_null_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    passage = RankedPassage(
        passage_id="act:1",
        document_id="act",
        document="Harbour Act",
        section="1",
        text="Pay.",
        rank=1,
        score=0.2,
        reasons=(Reason("closure_depth", float("nan"), 0.5), Reason("q_len", 7.0, -0.1)),
    )
    print_json([asdict(passage)])
    (printed,) = json.loads(capsys.readouterr().out)
    assert [reason["value"] for reason in printed["reasons"]] == [None, 7.0]
    assert (printed["passage_id"], printed["score"], printed["probability"]) == ("act:1", 0.2, None)


def test_long_text_is_cut_to_one_line_of_the_limit() -> None:
    assert shortened("Keep\n\tthe  log.") == "Keep the log."
    assert shortened("Keep the log of pilots.", limit=10) == "Keep the…"
