"""An odd or small corpus goes through the stages, and nothing of it is lost."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from rulerank.engines.passages import passage_fields, question_parameters
from rulerank.errors import DataWarning
from rulerank.ranker import Ranker
from rulerank.text.korean import jamo


def test_headings_without_text_are_kept_and_never_candidates(
    workshop: Any, rulebook: Any, write: Any
) -> None:
    write()
    workshop.up_to("candidates")
    headings = {row["_id"] for row in rulebook.passages if not row["text"]}
    kept = pl.read_parquet(workshop.outputs / "tables/passages.parquet")
    assert set(kept.filter(pl.col("kind") == "heading")["passage_id"]) == headings
    found = pl.read_parquet(workshop.outputs / "candidates.parquet")
    assert found.group_by("query_id").len()["len"].unique().to_list() == [40]
    assert headings.isdisjoint(found["passage_id"])


def test_text_in_other_scripts_is_found_by_its_own_words(workshop: Any, rulebook: Any, write: Any) -> None:
    texts = [
        "빵집은 첫 판매 전에 허가를 받아야 한다.",
        "يجب على الخباز أن يسجل كل بيع في دفتر.",
        "面包师必须随时接待检查员。",
    ]
    for row, text in zip(rulebook.passages[1:4], texts, strict=True):
        row["text"] = text
    write()
    workshop.up_to("export")
    runs, _ = Ranker.load("outputs/bundle").runs(_queries(["허가를 받아야", "يسجل كل بيع", "接待检查员"]))
    first = runs.filter((pl.col("run") == "bm25") & (pl.col("rank") == 1))
    assert first["passage_id"].to_list() == ["baker-licence", "baker-ledger", "baker-visit"]


def test_bundle_carries_the_analyser_it_was_trained_with(workshop: Any, rulebook: Any, write: Any) -> None:
    rulebook.passages[1]["text"] = "빵집은 첫 판매 전에 허가를 받아야 한다."
    rulebook.passages[2]["text"] = '"Sales Ledger" means the book of all sales.'
    write()
    few = {"adapter": {"epochs": 1}, "ranker": {"num_iterations": 5}}
    workshop.write_params(workshop.folder, {"data": {"root": "data"}, "text": {"analyser": "jamo"}, **few})
    workshop.up_to("export")
    ranker = Ranker.load("outputs/bundle")
    assert ranker.bundle.analyser is jamo
    # 받는다 and 받아야 share only the letters ㅂㅏㄷ, and no pair of syllables.
    runs, _ = ranker.runs(_queries(["받는다"]))
    first = runs.filter((pl.col("run") == "bm25") & (pl.col("rank") == 1))
    assert first["passage_id"].to_list() == ["baker-licence"]
    # An engine gets the same terms.
    row = ranker.bundle.passages["passage_id"].to_list().index("baker-licence")
    terms = passage_fields(ranker.bundle, [])["terms"][row].split()
    assert terms == jamo([rulebook.passages[1]["text"]])[0]
    assert question_parameters(ranker.bundle, "받는다", [])["terms"].split() == jamo(["받는다"])[0]


def test_passages_that_repeal_each_other_stop_no_stage(workshop: Any, rulebook: Any, write: Any) -> None:
    one, other = rulebook.passages[1:3]
    for row, voided in ((one, other), (other, one)):
        row["text"] += f" Rule {voided['metadata']['section']} is repealed."
    write()
    with pytest.warns(DataWarning, match="passages void one another, so none of them is taken for void"):
        workshop.up_to("graph")
    edges = pl.read_parquet(workshop.outputs / "graph/edges.parquet")
    between = edges.filter(pl.col("source_id").is_in([one["_id"], other["_id"]]), type="SUPERSEDES")
    assert not between.height


def _queries(texts: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"query_id": [f"q{place}" for place in range(len(texts))], "text": texts})


def test_passage_of_24_000_words_is_ranked_like_any_other(workshop: Any, rulebook: Any, write: Any) -> None:
    rulebook.passages[1]["text"] = " ".join(["The baker weighs every loaf at dawn."] * 3429)
    write()
    workshop.up_to("export")
    ranked = Ranker.load("outputs/bundle").rank("Who weighs loaves at dawn?", k=40)
    assert len(rulebook.passages[1]["text"].split()) > 24_000
    assert "baker-licence" in [passage.passage_id for passage in ranked]


def test_corpus_without_an_edge_is_ranked_on_its_words(workshop: Any, rulebook: Any, write: Any) -> None:
    for row in rulebook.passages:
        row["metadata"] = {}
        row["text"] = row["text"].split(" under Rule")[0]
    write()
    workshop.up_to("evaluate")
    assert "PARENT_OF" not in workshop.read("figures/graph.json")
    assert workshop.read("evaluation/metrics.json")["validation"]["candidate_recall"] == 1


def test_one_document_is_enough(workshop: Any, rulebook: Any, write: Any) -> None:
    for row in rulebook.passages:
        row["metadata"]["document_id"] = "ONLY"
    write()
    workshop.up_to("evaluate")
    assert workshop.read("figures/prepare.json")["documents"] == 1
    assert set(workshop.read("evaluation/metrics.json")) == {"validation", "test"}


def test_one_passage_with_text_is_the_answer_to_everything(workshop: Any, rulebook: Any, write: Any) -> None:
    for row in rulebook.passages[2:]:
        row["text"] = ""
    _judge(rulebook, "baker-licence")
    write()
    workshop.up_to("evaluate")
    assert workshop.read("evaluation/metrics.json")["test"]["runs"]["ranker"]["FullCov@10"] == 1
    ranked = Ranker.load("outputs/bundle").rank("Who?", k=10)
    assert [passage.passage_id for passage in ranked] == ["baker-licence"]


def test_corpus_of_one_passage_goes_through(workshop: Any, rulebook: Any, write: Any) -> None:
    rulebook.passages = rulebook.passages[1:2]
    _judge(rulebook, "baker-licence")
    write()
    workshop.up_to("evaluate")
    assert workshop.read("figures/prepare.json")["passages"] == 1


def _judge(rulebook: Any, passage: str) -> None:
    """Judge one passage relevant to every question."""
    for rows in rulebook.judged.values():
        rows[:] = [(query, passage, 1) for query, _, _ in rows]
