"""Stage explain: what the ranker relies on, whether its probabilities hold, and the pictures of a result.

All figures are for the validation questions, on which no model was trained.
"""

from __future__ import annotations

import polars as pl

from rulerank.bundle import RANKER, load_bundle
from rulerank.evaluate.explain import (
    Explained,
    Part,
    calibration_part,
    features_part,
    runs_part,
    total_scores,
    write_page,
)
from rulerank.files import replacing_folder
from rulerank.pipeline.paths import (
    BUNDLE,
    EXPLANATION,
    FEATURE_TABLE,
    PER_QUERY,
    RECALL_BY_DEPTH,
    TABLES,
)
from rulerank.pipeline.stage import Outcome, Plot, stage
from rulerank.settings import Settings
from rulerank.tables import FEATURES, JUDGEMENTS, QUERIES

IMPORTANCE = EXPLANATION / "importance.csv"
CALIBRATION, DIFFERENCES = EXPLANATION / "calibration.csv", EXPLANATION / "differences.csv"
SPLIT = "validation"
HEAD = f"""\
# What the ranker relies on

Model `{RANKER}`; every figure is for {SPLIT} questions, on which no model was trained.
"""


@stage(
    "explain",
    reads=[BUNDLE, FEATURE_TABLE, TABLES, PER_QUERY, RECALL_BY_DEPTH],
    writes=[EXPLANATION],
    params=["explain", "seed", "threads"],
    figures=False,
    plots=[
        Plot("Importance by gain", IMPORTANCE, "gain", "feature", "bar_horizontal"),
        Plot("Importance by permutation", IMPORTANCE, "permutation", "feature", "bar_horizontal"),
        Plot("Calibration", CALIBRATION, x="probability", y="relevant"),
        Plot("Differences", DIFFERENCES, x="question", y="difference"),
    ],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/explain`."""
    bundle = load_bundle(BUNDLE, settings.threads)
    asked, table, judgements = _validation()
    about = f"{bundle.manifest['data']['name']}, {SPLIT}"
    parts: list[Part] = []
    if table.height:
        model = bundle.models[RANKER]
        scored = total_scores(bundle, RANKER, asked, judgements, settings.threads)
        parts = [
            runs_part(*_evaluation(), about),
            features_part(Explained(model, table, judgements, settings.threads), settings, about),
            calibration_part(scored, model.curve, about),
        ]
    with replacing_folder(EXPLANATION) as folder:
        write_page(folder, HEAD, parts)
    return Outcome()


def _validation() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return the judged validation questions that have candidates, their features and judgements."""
    asked = QUERIES.read(TABLES / "queries.parquet").filter(pl.col("split") == SPLIT)
    judged = JUDGEMENTS.read(TABLES / "judgements.parquet").join(asked, on="query_id", how="semi")
    table = FEATURES.scan(FEATURE_TABLE).join(judged.lazy(), on="query_id", how="semi", maintain_order="left")
    described = table.collect()
    asked, judged = (
        each.join(described, on="query_id", how="semi", maintain_order="left") for each in (asked, judged)
    )
    return asked, described, judged


def _evaluation() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return each question's measures and the recall by depth, as measured by the stage evaluate."""
    scores = pl.read_parquet(PER_QUERY).filter(pl.col("split") == SPLIT)
    recall = pl.read_csv(RECALL_BY_DEPTH).filter(pl.col("split") == SPLIT)
    return scores, recall


if __name__ == "__main__":
    main.run()
