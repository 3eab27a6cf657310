"""Stage explain: what the ranker relies on, whether its probabilities hold, and the pictures of a result.

Everything here is of the validation questions, which no model was trained on.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl

from rulerank.bundle import RANKER, load_bundle
from rulerank.console import reported
from rulerank.evaluate.explain import (
    Explained,
    Part,
    calibration_part,
    features_part,
    runs_part,
    write_page,
)
from rulerank.files import replacing_folder
from rulerank.settings import load_settings
from rulerank.tables import FEATURES, JUDGEMENTS, QUERIES
from rulerank.timing import timed

TABLES, EVALUATION = Path("outputs/tables"), Path("outputs/evaluation")
SPLIT = "validation"
HEAD = f"""\
# What the ranker relies on

Model `{RANKER}`; every figure is of {SPLIT} questions, which no model was trained on.
"""


def main() -> None:
    """Write `outputs/explain`."""
    settings = load_settings()
    with timed("explain"):
        bundle = load_bundle(Path("outputs/bundle"), settings.threads)
        table, judgements = _validation()
        about = f"{bundle.manifest['data']['name']}, {SPLIT}"
        parts: list[Part] = []
        if table.height:
            explained = Explained(bundle.models[RANKER], table, judgements, settings.threads)
            parts = [
                runs_part(*_evaluation(), about),
                features_part(explained, settings, about),
                calibration_part(explained, bundle.calibration, about),
            ]
        with replacing_folder(Path("outputs/explain")) as folder:
            write_page(folder, HEAD, parts)


def _validation() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return features and judgements of the judged validation questions that have candidates."""
    asked = QUERIES.read(TABLES / "queries.parquet").filter(pl.col("split") == SPLIT)
    judged = JUDGEMENTS.read(TABLES / "judgements.parquet").join(asked, on="query_id", how="semi")
    table = FEATURES.read(Path("outputs/features.parquet"))
    judged = judged.filter(pl.col("query_id").is_in(table["query_id"].unique().implode()))
    return table.join(judged, on="query_id", how="semi"), judged


def _evaluation() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return each question's measures and the recall by depth, from what the stage evaluate has measured."""
    scores = pl.read_parquet(EVALUATION / "per_query.parquet").filter(pl.col("split") == SPLIT)
    recall = pl.read_csv(EVALUATION / "recall_by_depth.csv").filter(pl.col("split") == SPLIT)
    return scores, recall


if __name__ == "__main__":
    with reported():
        main()
