"""Judgements and runs rolled up to articles: passages of one article count as one."""

from __future__ import annotations

import polars as pl

from rulerank.evaluate.answers.measures import rules_of


def by_article(
    judgements: pl.DataFrame, runs: pl.DataFrame, passages: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return both tables with articles in place of passages, ready to be measured.

    An article is a document and a section up to its first bracket. It is as relevant as its most relevant
    passage. It takes the rank of its first passage, and what comes after moves up. The roll-up therefore
    comes before any cut at a depth.

    Parameters
    ----------
    judgements, runs : polars.DataFrame
        The two tables; runs ranked from 1.
    passages : polars.DataFrame
        The passages table. A passage that is missing from it is an article by itself.

    Returns
    -------
    judgements, runs : polars.DataFrame
        `passage_id` holds the name of the article.

    """
    rules = rules_of(passages)
    article = pl.col("passage_id").replace(rules)
    judged = judgements.with_columns(article).group_by("query_id", "passage_id", maintain_order=True)
    first = (
        runs.sort("rank", maintain_order=True)
        .with_columns(article)
        .unique(["run", "query_id", "passage_id"], keep="first", maintain_order=True)
    )
    rank = pl.int_range(1, pl.len() + 1).cast(runs.schema["rank"]).over("run", "query_id")
    return judged.agg(pl.col("relevance").max()), first.with_columns(rank=rank)
