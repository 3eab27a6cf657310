"""Feedback is learned from and never reaches held-out questions. Passages without questions are accepted."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from rulerank.errors import DataWarning, InputError


def _verdict(question: str, passage_id: str, relevance: int = 1) -> str:
    said = {
        "question": question,
        "passage_id": passage_id,
        "relevance": relevance,
        "at": "2026-03-01T09:00:00Z",
    }
    return json.dumps(said) + "\n"


def test_feedback_is_trained_on_unless_it_repeats_a_held_out_question(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    write()
    held_out = {row[0] for split in ("dev", "test") for row in rulebook.judged[split]}
    repeated = next(row["text"] for row in rulebook.queries if row["_id"] in held_out)
    folder = workshop.folder / "data/feedback"
    folder.mkdir()
    new = "Which licences does the guild ask of bakers?"
    (folder / "users.jsonl").write_text(
        _verdict(new, "baker-licence", 2)
        + _verdict(new, "baker-fee", 0)
        + _verdict(repeated.upper(), "baker-fee")
    )
    workshop.stage("prepare")
    queries = pl.read_parquet(workshop.outputs / "tables/queries.parquet")
    given = queries.filter(pl.col("collection") == "feedback")
    assert given.select("text", "split").rows() == [(new, "train")]
    assert queries.filter(pl.col("split") != "train")["query_id"].sort().to_list() == sorted(held_out)
    judged = pl.read_parquet(workshop.outputs / "tables/judgements.parquet")
    own = judged.filter(pl.col("query_id") == given["query_id"][0])
    assert dict(own.select("passage_id", "relevance").iter_rows()) == {"baker-licence": 2, "baker-fee": 0}
    figures = workshop.read("figures/prepare.json")
    assert (figures["feedback"], figures["dropped_feedback"]) == (1, 1)
    assert list(workshop.read("tables/provenance.json")["feedback"]) == ["users.jsonl"]


def test_without_feedback_nothing_is_said_of_it(workshop: Any, write: Any) -> None:
    write()
    workshop.stage("prepare")
    assert "feedback" not in workshop.read("figures/prepare.json")
    assert "feedback" not in workshop.read("tables/provenance.json")


def test_feedback_has_the_grades_of_the_corpus(workshop: Any, write: Any) -> None:
    write()
    folder = workshop.folder / "data/feedback"
    folder.mkdir()
    (folder / "users.jsonl").write_text(
        _verdict("Which licences does the guild ask of bakers?", "baker-fee", 2)
    )
    workshop.write_params(workshop.folder, {"data": {"root": "data"}, "prepare": {"grades": "binary"}})
    workshop.stage("prepare")
    judged = pl.read_parquet(workshop.outputs / "tables/judgements.parquet")
    given = judged.filter(pl.col("query_id").str.starts_with("feedback"))
    assert given.select("passage_id", "relevance").rows() == [("baker-fee", 1)]


def test_folder_without_feedback_is_none_by_default_and_refused_if_it_was_named(
    workshop: Any, write: Any
) -> None:
    write()
    for name in ("data/feedback", "verdicts"):
        (workshop.folder / name).mkdir()
        (workshop.folder / name / "README.md").write_text("Verdicts go here.")
    workshop.stage("prepare")
    assert "feedback" not in workshop.read("figures/prepare.json")
    workshop.write_params(workshop.folder, {"data": {"root": "data"}, "prepare": {"feedback": "verdicts"}})
    with pytest.raises(InputError, match=r"^verdicts: expected JSON Lines, which end in \.jsonl, found none"):
        workshop.stage("prepare")


def test_feedback_alone_is_trained_on_without_a_warning(
    workshop: Any, rulebook: Any, write: Any, recwarn: pytest.WarningsRecorder
) -> None:
    texts = {row["_id"]: row["text"] for row in rulebook.queries}
    asked = [(texts[query], passage) for query, passage, _ in rulebook.judged["train"]]
    rulebook.queries, rulebook.judged = [], {}
    write()
    folder = workshop.folder / "data/feedback"
    folder.mkdir()
    (folder / "users.jsonl").write_text("".join(_verdict(*each) for each in asked))
    workshop.stage("prepare")
    assert workshop.read("figures/prepare.json")["queries"] == {"train": len(asked)}
    assert not [each for each in recwarn if "no questions" in str(each.message)]


def test_passages_alone_give_a_graph_and_the_advice_to_index_them(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    rulebook.queries, rulebook.judged = [], {}
    write()
    with pytest.warns(DataWarning, match="found no questions: the graph can be built, but no ranker"):
        workshop.stage("prepare")
    workshop.stage("graph")
    assert pl.read_parquet(workshop.outputs / "graph/edges.parquet").height
    with pytest.raises(
        InputError, match=r"expected training questions.*rulerank index CORPUS --ranker BUNDLE"
    ):
        workshop.stage("encoder")
