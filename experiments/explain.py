"""Stage explain: what the ranker relies on, whether its probabilities hold, and the pictures of a result.

Everything here is of the validation questions, which no model was trained on.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.bundle import RANKER, Bundle, load_bundle
from rulerank.console import reported
from rulerank.evaluate.explain import (
    MEASURE,
    Described,
    calibration_table,
    permutation_importance,
    shap_table,
)
from rulerank.evaluate.figures import (
    calibration_figure,
    differences_figure,
    importance_figure,
    png,
    recall_figure,
    shap_figure,
)
from rulerank.evaluate.page import html_page
from rulerank.evaluate.report import markdown_table
from rulerank.files import replacing_folder, write_text
from rulerank.settings import Settings, load_settings
from rulerank.tables import FEATURES, JUDGEMENTS, QUERIES
from rulerank.timing import timed

TABLES, EVALUATION = Path("outputs/tables"), Path("outputs/evaluation")
SPLIT = "validation"
BASELINE = "rrf"


def main() -> None:
    """Write `outputs/explain`."""
    settings = load_settings()
    with timed("explain"):
        bundle = load_bundle(Path("outputs/bundle"), settings.threads)
        table, judgements = _validation()
        about = f"{bundle.manifest['data']['name']}, {SPLIT}"
        with replacing_folder(Path("outputs/explain")) as folder:
            parts = [
                "# What the ranker relies on\n",
                f"Model `{RANKER}`; every figure is of {SPLIT} questions, which no model was trained on.\n",
            ]
            if table.height:
                parts += _results(folder, about)
                parts += _model(bundle, table, judgements, settings, folder, about)
            _write_report(folder, "\n".join(parts))


def _validation() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return features and judgements of the judged validation questions that have candidates."""
    asked = QUERIES.read(TABLES / "queries.parquet").filter(pl.col("split") == SPLIT)
    judged = JUDGEMENTS.read(TABLES / "judgements.parquet").join(asked, on="query_id", how="semi")
    table = FEATURES.read(Path("outputs/features.parquet"))
    judged = judged.filter(pl.col("query_id").is_in(table["query_id"].unique().implode()))
    return table.join(judged, on="query_id", how="semi"), judged


def _results(folder: Path, about: str) -> list[str]:
    """Draw how the runs compare, from what the stage evaluate has measured."""
    scores = pl.read_parquet(EVALUATION / "per_query.parquet").filter(pl.col("split") == SPLIT)
    recall = pl.read_csv(EVALUATION / "recall_by_depth.csv").filter(pl.col("split") == SPLIT)
    asked = f"{about}, {scores['query_id'].n_unique()} questions"
    ranker, baseline = (
        scores.filter(pl.col("run") == name).select("query_id", MEASURE) for name in (RANKER, BASELINE)
    )
    paired = ranker.join(baseline, on="query_id", maintain_order="left")
    differences = (paired[MEASURE] - paired[f"{MEASURE}_right"]).sort(descending=True)
    pl.DataFrame({"question": range(1, len(differences) + 1), "difference": differences}).write_csv(
        folder / "differences.csv"
    )
    _picture(folder, "recall_by_depth", png(recall_figure(recall, asked)))
    drawn = differences_figure(differences.to_numpy(), RANKER, BASELINE, MEASURE, asked)
    _picture(folder, "differences", png(drawn))
    return [
        "## Runs\n",
        "![Recall against the number of passages read, one line a run](recall_by_depth.png)\n",
        f"![Gain or loss of each question against {BASELINE}](differences.png)\n",
    ]


def _model(
    bundle: Bundle,
    table: pl.DataFrame,
    judgements: pl.DataFrame,
    settings: Settings,
    folder: Path,
    about: str,
) -> list[str]:
    model = bundle.models[RANKER]
    names, generator = model.features.names, np.random.default_rng(settings.seed)

    def predict(matrix: FloatArray) -> FloatArray:
        return np.asarray(model.booster.predict(matrix, num_threads=settings.threads))

    whole = _described(table, judgements, names)
    scores = predict(whole.matrix)
    labels = table["relevance"].to_numpy().astype(np.int64)
    calibration = calibration_table(scores, labels, bundle.calibration)
    calibration.write_csv(folder / "calibration.csv")
    questions = table["query_id"].n_unique()
    asked = f"{about}, {questions} questions"
    _picture(folder, "calibration", png(calibration_figure(calibration, asked)))

    gains = np.asarray(model.booster.feature_importance("gain"), dtype=np.float64)
    some = _some(table, settings.explain.pairs, generator)
    part = _described(some, judgements, names)
    importance, groups = permutation_importance(
        part, model.features, predict, gains, settings.explain.repeats, settings.seed
    )
    importance.write_csv(folder / "importance.csv")
    groups.write_csv(folder / "importance_by_group.csv")
    shuffled = part.pairs["query_id"].n_unique()
    _picture(
        folder, "importance", png(importance_figure(importance, f"{about}, {shuffled} questions shuffled"))
    )

    first = np.flatnonzero(whole.ranks(scores).to_numpy() <= settings.explain.depth)
    drawn = np.sort(generator.choice(first, min(settings.explain.drawn, len(first)), replace=False))
    values = whole.matrix[drawn]
    explained = model.booster.predict(values, pred_contrib=True, num_threads=settings.threads)
    shares = np.asarray(explained)[:, :-1]
    shap = shap_table(shares, values, model.features)
    shap.write_csv(folder / "shap.csv")
    said = f"{about}, {len(drawn)} pairs drawn from the first {settings.explain.depth} of each question"
    _picture(folder, "shap", png(shap_figure(shares, values, names, said)))
    return [
        "## Feature groups\n",
        f"Share of the gain in the trees; drop in {MEASURE} when the group's columns are shuffled together "
        f"({shuffled} of {questions} questions, seed {settings.seed}). A drop is what this model loses, not "
        "what a model trained without the group would.\n",
        markdown_table(groups),
        "## Features\n",
        "![Importance by gain and by permutation](importance.png)\n",
        "![SHAP values of single pairs](shap.png)\n",
        markdown_table(importance),
        "## Calibration\n",
        "Mean probability stated, share of passages judged relevant with its 95 % interval, and pairs.\n",
        "![Stated probability against the share of relevant passages](calibration.png)\n",
        markdown_table(calibration),
    ]


def _described(table: pl.DataFrame, judgements: pl.DataFrame, names: list[str]) -> Described:
    return Described(
        table.select("query_id", "passage_id"),
        table.select(names).to_numpy(order="c"),
        judgements.join(table, on="query_id", how="semi"),
    )


def _some(table: pl.DataFrame, pairs: int, generator: np.random.Generator) -> pl.DataFrame:
    """Return the rows of as many whole questions, drawn at random, as `pairs` allows, at least one."""
    sizes = table.group_by("query_id", maintain_order=True).len()
    drawn = sizes[generator.permutation(sizes.height)]
    within = drawn.filter((pl.col("len").cum_sum() <= pairs) | (pl.int_range(pl.len()) == 0))
    return table.join(within, on="query_id", how="semi")


def _picture(folder: Path, name: str, content: bytes) -> None:
    (folder / f"{name}.png").write_bytes(content)


def _write_report(folder: Path, markdown: str) -> None:
    write_text(folder / "report.md", markdown)
    pictures = {path.name: path.read_bytes() for path in sorted(folder.glob("*.png"))}
    write_text(folder / "report.html", html_page(markdown, pictures))


if __name__ == "__main__":
    with reported():
        main()
