"""What kind of question a run answers well: facts of each question, and the measures by slice."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rulerank.evaluate.measures import average

SLICINGS = {
    "level": "how hard the corpus says the question is",
    "relevant": "relevant passages of the question",
    "words": "words of the question, in thirds",
    "documents": "whether its relevant passages are in one document",
    "evidence": "whether its relevant passages, or at least their documents, were judged in training too",
}
"""The ways in which questions are sliced, and what each means."""

EVIDENCE = ("seen", "partly", "unseen", "unjudged")
"""The slices of `evidence`, from what training says most about to what it says nothing about."""

MANY = 4
"""Questions with at least this many relevant passages share a slice."""


def query_facts(queries: pl.DataFrame, judgements: pl.DataFrame, passages: pl.DataFrame) -> pl.DataFrame:
    """Return the facts of every measured question that the slices need.

    Parameters
    ----------
    queries : the QUERIES table
        Includes the training questions.
    judgements : the JUDGEMENTS table
        The judgements of all of them.
    passages : frame with columns passage_id and document_id

    Returns
    -------
    frame with columns query_id, split, collection, level, text, relevant, words, documents, evidence, judged
        One row per judged question with text outside training, in the order of `queries`. `relevant` and
        `documents` count its relevant passages and their documents; `judged` lists the passages by id, each
        with its relevance. `evidence` is "seen" if all of these
        passages are also relevant to a training question, "unjudged" if nothing in their documents is,
        "unseen" if none of them is, else "partly".

    """
    training = queries.filter(pl.col("split") == "train")
    relevant = judgements.filter(pl.col("relevance") >= 1)
    shown = relevant.join(training, on="query_id", how="semi")["passage_id"].unique()
    places = passages.select("passage_id", "document_id")
    judged = places.filter(pl.col("passage_id").is_in(shown.implode()))["document_id"].unique()
    evidence = (
        relevant.join(places, on="passage_id")
        .with_columns(
            seen=pl.col("passage_id").is_in(shown.implode()),
            judged=pl.col("document_id").is_in(judged.implode()),
        )
        .group_by("query_id")
        .agg(
            relevant=pl.len().cast(pl.Int32),
            documents=pl.col("document_id").n_unique().cast(pl.Int32),
            evidence=pl.when(pl.col("seen").all())
            .then(pl.lit("seen"))
            .when(pl.col("seen").any())
            .then(pl.lit("partly"))
            .when(pl.col("judged").any())
            .then(pl.lit("unseen"))
            .otherwise(pl.lit("unjudged")),
            judged=pl.struct("passage_id", "relevance").sort_by("passage_id"),
        )
    )
    words = pl.col("text").str.count_matches(r"\S+").cast(pl.Int32).alias("words")
    return (
        queries.filter((pl.col("split") != "train") & pl.col("text").is_not_null())
        .join(evidence, on="query_id", maintain_order="left")
        .select(
            *("query_id", "split", "collection", "level", "text"),
            *("relevant", words, "documents", "evidence", "judged"),
        )
    )


def by_slice(per_query: pl.DataFrame, facts: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Average the measures of every run over each slice of the questions.

    Parameters
    ----------
    per_query : frame of `measures.per_query`
        Without further columns.
    facts : frame of `query_facts`
        Facts of the same questions, from which the thirds of `words` are taken.

    Returns
    -------
    dict of str to frame
        Maps the names in `SLICINGS` to frames with that name as a column, then run, queries and the measures.
        Slices are in their natural order, runs in the order of `per_query`. A slicing that puts all questions
        into one slice is left out.

    """
    asked = facts.join(per_query, on="query_id", how="semi")
    tables = {}
    for slicing, members in _members(asked):
        if members["slice"].n_unique() > 1:
            scores = members.join(per_query, on="query_id", maintain_order="left_right").sort(
                "place", maintain_order=True
            )
            means = average(scores, by=["slice"])
            order = pl.DataFrame({"slice": scores["slice"].unique(maintain_order=True)}).with_row_index("at")
            ordered = means.join(order, on="slice", maintain_order="left").sort("at", maintain_order=True)
            tables[slicing] = ordered.select(pl.col("slice").alias(slicing), pl.exclude("slice", "at"))
    return tables


def _members(facts: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield each slicing with query_id, slice, and the place of the slice in the slicing's order."""
    relevant, several = pl.col("relevant"), (pl.col("documents") > 1).cast(pl.Int32)
    many = relevant.cast(pl.String).replace(str(MANY), f"{MANY}+")
    order = {name: place for place, name in enumerate(EVIDENCE)}
    evidence = pl.col("evidence").replace_strict(order, return_dtype=pl.Int32)
    choices = {
        "level": (pl.col("level"), pl.col("level").rank("dense").cast(pl.Int32)),
        "relevant": (many, relevant),
        "words": _thirds(facts["words"]),
        "documents": (pl.when(several == 1).then(pl.lit("several")).otherwise(pl.lit("one")), several),
        "evidence": (pl.col("evidence"), evidence),
    }
    capped = facts.with_columns(relevant.clip(upper_bound=MANY))
    for slicing, (label, place) in choices.items():
        members = capped.select("query_id", slice=label, place=place)
        yield slicing, members.filter(pl.col("slice").is_not_null())


def _thirds(words: pl.Series) -> tuple[pl.Expr, pl.Expr]:
    """Return the label and the place of a question's third by its number of words."""
    if words.is_empty():
        return pl.lit("", pl.String), pl.lit(0, pl.Int32)
    first, second = (int(words.quantile(share, "lower") or 0) for share in (1 / 3, 2 / 3))
    middle = f"{second}" if second == first + 1 else f"{first + 1} to {second}"
    counted = pl.col("words")
    label = (
        pl.when(counted <= first)
        .then(pl.lit(f"up to {first}"))
        .when(counted <= second)
        .then(pl.lit(middle))
        .otherwise(pl.lit(f"more than {second}"))
    )
    return label, (counted > first).cast(pl.Int32) + (counted > second).cast(pl.Int32)
