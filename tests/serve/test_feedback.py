"""`rulerank feedback` and the stage `prepare` read the judgements that a server keeps from its users."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulerank.corpora.feedback import read_feedback
from rulerank.ranker import Ranker
from tests.serve.conftest import Kept

ASKED = "Who shall ring\nthe “bell”\u2028 in fog?"


def test_judgements_that_the_server_kept_are_training_questions(
    kept: Kept, ranker: Ranker, call: Callable[..., Any], tmp_path: Path
) -> None:
    right, wrong = (each.passage_id for each in ranker.rank(ASKED, 2))
    for question, passage, accepted in (
        (ASKED, right, False),
        (ASKED.upper(), right, True),
        (ASKED, wrong, False),
    ):
        body = {"question": question, "passage_id": passage, "accepted": accepted}
        assert kept.http.post("/v1/feedback", json=body).status_code == 200
    merged = tmp_path / "users.jsonl"
    assert call("feedback", kept.feedback, "--out", merged).code == 0
    own = [
        each
        for each in map(json.loads, merged.read_text().split("\n")[:-1])
        if each["question"].casefold() == ASKED.casefold()
    ]
    assert {(each["passage_id"], each["relevance"]) for each in own} == {(right, 1), (wrong, 0)}
    given = read_feedback(merged, ranker.bundle.passages)
    asked = given.queries.filter(given.queries["text"].str.to_uppercase() == ASKED.upper())
    assert asked["split"].to_list() == ["train"]
    judged = given.judgements.join(asked, on="query_id", how="semi")
    assert dict(judged.select("passage_id", "relevance").iter_rows()) == {right: 1, wrong: 0}
