from __future__ import annotations

from dataclasses import replace

import polars as pl

from rulerank.answer.sources import sources
from rulerank.ranker import Ranker
from rulerank.tables import EDGES


def _amended(ranker: Ranker, *pairs: tuple[str, str]):
    edges = pl.DataFrame(
        [(upper, lower, "SUPERSEDES", "") for upper, lower in pairs],
        schema=dict(EDGES.columns),
        orient="row",
    )
    return replace(ranker.bundle, edges=edges)


def test_sources_are_the_kept_passages_in_order(ranker: Ranker) -> None:
    rows = ranker.bundle.passages.filter(pl.col("text") != "").head(3)
    found = sources(_amended(ranker), rows["passage_id"].to_list()[::-1])
    assert [each.passage_id for each in found] == rows["passage_id"].to_list()[::-1]
    assert [each.text for each in found] == rows["text"].to_list()[::-1]


def test_voided_passage_is_never_a_source_without_what_voids_it(ranker: Ranker) -> None:
    first, second, third, *_ = ranker.bundle.passages.filter(pl.col("text") != "")["passage_id"]
    bundle = _amended(ranker, (third, second), (second, first))
    assert [each.passage_id for each in sources(bundle, [first])] == [third, first]
