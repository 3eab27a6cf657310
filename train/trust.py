"""Stage trust: learn for which questions the judgements of training questions can be trusted."""

from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.features.curve import probabilities
from rulerank.features.listing import LEADERS
from rulerank.features.storage import JUDGEMENTS, load_judgements
from rulerank.features.trust import LOOKED_AT, believed, shares_seen
from rulerank.features.withheld import as_new, of_clusters
from rulerank.files import write_json
from rulerank.learn.ranker.saved_first_pass import load_first_passes
from rulerank.learn.ranker.trust import COVERED, least_judged
from rulerank.pipeline.chosen import known_features
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import FEATURE_TABLE, FIRST_PASSES, INDEX, TABLES, TRUST
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings
from rulerank.tables import FEATURES

AT_ONCE = 512
"""Questions whose judgements are looked up together; this bounds the memory."""


@stage(
    "trust",
    reads=[FEATURE_TABLE, FIRST_PASSES, TABLES, INDEX],
    writes=[TRUST],
    params=["candidates", "extract", "late"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/trust.json`; null if the features that decide are not used."""
    features = FEATURES.scan(FEATURE_TABLE)
    least, figures = dict[str, float](), dict[str, float | None]()
    if {*LOOKED_AT} <= {*features.collect_schema()}:
        leaders = features.filter(pl.col("first_rank") <= LEADERS)
        columns = "query_id", "passage_id", "first_rank", "first_score"
        known, new = _shares(leaders.select(columns).collect(), settings)
        found = least_judged(known[:, 0], new[:, 0]), COVERED if len(known) else None
        least = {name: each for name, each in zip(LOOKED_AT, found, strict=True) if each is not None}
        for name, shares in (("believed_as_they_are", known), ("believed_as_if_new", new)):
            figures[name] = round(float(believed(shares, least).mean()), 4) if len(shares) else None
    write_json(TRUST, least or None)
    return Outcome({"least": least, **figures})


def _shares(leaders: pl.DataFrame, settings: Settings) -> tuple[FloatArray, FloatArray]:
    """Return the judged shares of training questions' leaders, unchanged and as if their rules were new.

    Both have the shape (questions, 2), with a column for each of `LOOKED_AT`. Questions whose documents are
    treated as new are left out, since their leaders are not those that they would have in use.
    """
    outputs = Outputs()
    judgements = load_judgements(INDEX / JUDGEMENTS, outputs.surroundings)
    training = outputs.queries.filter(pl.col("split") == "train").select("query_id", "cluster", "as_new")
    # Their places among all training questions equal those in the judgement index.
    served = training.with_row_index("place").filter(~pl.col("as_new"))
    asked = served.join(leaders, on="query_id", how="semi")
    places, clusters = (asked[name].to_numpy().astype(np.int64) for name in ("place", "cluster"))
    columns, probability = _lists(leaders, asked["query_id"], outputs.passages["passage_id"], settings)
    nothing = np.empty((0, len(LOOKED_AT)), np.float32)
    known, new = [nothing], [nothing]
    for start in range(0, asked.height, AT_ONCE):
        part = slice(start, start + AT_ONCE)
        for shares, withheld in (
            (known, of_clusters(clusters[part])),
            (new, as_new(clusters[part], places[part])),
        ):
            shares.append(shares_seen(judgements, columns[part], probability[part], withheld))
    return np.concatenate(known), np.concatenate(new)


def _lists(
    leaders: pl.DataFrame, asked: pl.Series, passage_ids: pl.Series, settings: Settings
) -> tuple[IntArray, FloatArray]:
    """Return the leaders of each question and their probabilities, in the form that `share_seen` takes."""
    passes = load_first_passes(FIRST_PASSES, known_features(settings))
    if passes is None:
        raise ValueError(f"expected a first pass where {LOOKED_AT[0]} is used, found none")
    questions = pl.DataFrame({"query_id": asked}).with_row_index("row")
    passages = pl.DataFrame({"passage_id": passage_ids}).with_row_index("passage")
    own = leaders.join(questions, on="query_id").join(passages, on="passage_id")
    cells = own["row"].to_numpy(), own["first_rank"].to_numpy().astype(np.int64) - 1
    columns = np.full((len(asked), LEADERS), -1, np.int64)
    columns[cells] = own["passage"].to_numpy()
    probability = np.zeros(columns.shape, np.float32)
    probability[cells] = probabilities(own["first_score"].to_numpy(), passes.full.curve)
    return columns, probability


if __name__ == "__main__":
    main.run()
