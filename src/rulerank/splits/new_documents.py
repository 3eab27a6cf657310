"""Training questions that are treated as if their documents were new.

An adapter that has learned from other questions about a document ranks its passages better than those of a
document that nobody has asked about. Rankers that see only such adapters in training trust them too much
where a document is new. So a share of the training questions is served by models that have learned from no
question about a third of the documents, theirs among them.
"""

from __future__ import annotations

import polars as pl

from rulerank.splits.folds import cluster_hashes
from rulerank.tables import FOLDS

THIRDS = 3
"""The documents are divided into as many parts, alike in questions. Each is new to the models of one fold."""

MOST_HIDDEN = 0.75
"""Models are trained only if at most this share of the training questions is hidden from them."""


def serve_as_new(
    folds: pl.DataFrame,
    queries: pl.DataFrame,
    judgements: pl.DataFrame,
    passages: pl.DataFrame,
    share: float,
    seed: int,
) -> pl.DataFrame:
    """Choose the training questions whose documents are treated as new, and the folds that serve them.

    Whole clusters of near-duplicates are chosen, by a hash of the seed and the smallest id in each. For a
    question about documents of several thirds, those of one are treated as new.

    Parameters
    ----------
    folds : polars.DataFrame
        From `folds.fold_queries`.
    queries, judgements, passages : polars.DataFrame
        The tables.
    share : float
        Share of the training questions, in [0, 1].
    seed : int
        Another seed gives other questions.

    Returns
    -------
    polars.DataFrame
        The table `FOLDS` with one further fold per third. Each question is hidden from the folds of all its
        documents, whether they are treated as new or not.

    """
    training = folds.join(queries.filter(split="train"), on="query_id", how="semi")
    about = _documents(training, judgements, passages)
    of_cluster = _thirds(about, first=training.select(pl.col("fold").max() + 1).item())
    trained = pl.col("query_id").is_in(training["query_id"].implode())
    new = pl.col("thirds").list.first()
    usable = _usable(training.join(queries.filter(pl.col("text").is_not_null()), on="query_id"), of_cluster)
    return FOLDS.check(
        folds.join(of_cluster, on="cluster", how="left", maintain_order="left")
        .with_columns(as_new=(cluster_hashes(folds, f"{seed}:new") / 2**64 < share) & trained)
        .with_columns(
            served_by=pl.when("as_new", new.is_in(usable.implode())).then(new).otherwise("fold"),
            hidden_from=pl.when(trained)
            .then(pl.concat_list(pl.col("fold"), pl.col("thirds").fill_null([])))
            .otherwise("hidden_from"),
        )
        .select(*FOLDS.columns),
        "serve_as_new",
    )


def _documents(training: pl.DataFrame, judgements: pl.DataFrame, passages: pl.DataFrame) -> pl.DataFrame:
    """Return cluster and document_id, one row per judgement of a relevant passage by a training question."""
    return (
        judgements.filter(pl.col("relevance") > 0)
        .join(training.select("query_id", "cluster"), on="query_id")
        .join(passages.select("passage_id", "document_id"), on="passage_id")
        .select("cluster", "document_id")
    )


def _thirds(about: pl.DataFrame, first: int) -> pl.DataFrame:
    """Return cluster and `thirds`: the folds of the thirds that its documents are in, the most judged first.

    Documents are dealt out from the largest on, each to the third with less so far.
    """
    sizes = [0] * THIRDS
    thirds = []
    counted = about.group_by("document_id").len().sort("len", "document_id", descending=[True, False])
    for size in counted["len"]:
        thirds.append(sizes.index(min(sizes)))
        sizes[thirds[-1]] += size
    dealt = counted.select("document_id", pl.Series("thirds", thirds, pl.Int8) + first)
    return (
        about.join(dealt, on="document_id")
        .group_by("cluster", "thirds")
        .len()
        .sort("cluster", "len", "thirds", descending=[False, True, False])
        .group_by("cluster", maintain_order=True)
        .agg("thirds")
    )


def _usable(learned: pl.DataFrame, of_cluster: pl.DataFrame) -> pl.Series:
    """Return the folds of thirds that leave enough of the questions with a text to learn from."""
    hidden = learned.join(of_cluster.explode("thirds"), on="cluster").group_by("thirds").len()
    return hidden.filter(pl.col("len") <= MOST_HIDDEN * learned.height)["thirds"]
