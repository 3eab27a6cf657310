"""Measure the loss of the exported ranker, not retrained, if edges of its graph are dropped or rewired.

    python experiments/robustness.py

Writes outputs/robustness/robustness.csv and .md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from rulerank.bundle import Bundle
from rulerank.console import reported
from rulerank.evaluate.measures import per_query
from rulerank.evaluate.report import markdown_table
from rulerank.evaluate.significance import compare, corrected
from rulerank.features.index import build_generators, ranking_index
from rulerank.features.surroundings import build_surroundings
from rulerank.files import replacing, write_text
from rulerank.graph.build import centrality_of
from rulerank.graph.perturb import CHANGES, SHARES, Change, perturb
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import BUNDLE, OUTPUTS
from rulerank.ranker import Ranker
from rulerank.retrieve.generator import Material
from rulerank.settings import Settings, load_settings
from rulerank.timing import timed

WRITTEN = OUTPUTS / "robustness"
MEASURED = ("Recall@10", "nDCG@10")
MOST = 0.01
"""Allowed loss of Recall@10 at the largest share."""

_PAGE = """\
# Edges dropped and rewired

The exported models, not retrained, on {queries} validation questions. Of the edges from passage to passage
(of all types) a share is dropped or led to a passage drawn at random, and everything derived from them is
computed again: centrality, neighbours, closure, the headings above a passage. Seed {seed}. `loss` is the
measure on the full graph minus that on the changed one, with its 95 % bootstrap interval; two-sided p-value
of the paired randomisation test, and the same after Holm's correction for the rows of one model and measure.

{verdict}

{table}"""


def main() -> None:
    """Write the table and the page."""
    settings = load_settings()
    with timed("robustness"):
        losses, questions = _losses(settings)
        with replacing(WRITTEN / "robustness.csv") as temporary:
            losses.write_csv(temporary)
        page = _PAGE.format(
            queries=questions, seed=settings.seed, verdict=_verdict(losses), table=markdown_table(losses)
        )
        write_text(WRITTEN / "robustness.md", page)
    print(f"{_verdict(losses)}\nwritten: {WRITTEN}/robustness.csv, {WRITTEN}/robustness.md")  # noqa: T201


def _losses(settings: Settings) -> tuple[pl.DataFrame, int]:
    """Return the losses of each model under each change, and the number of questions."""
    ranker = Ranker.load(BUNDLE, threads=settings.threads)
    workspace = Outputs()
    questions = workspace.validation().drop("row", "cluster", "fold")
    judged = workspace.judgements_of(questions["query_id"])
    models, rounds = list(ranker.bundle.models), settings.evaluate.permutations
    whole = per_query(judged, _runs(ranker, questions))
    rows: list[pl.DataFrame] = []
    for change, share, bundle in _changed(ranker.bundle, settings):
        changed = per_query(judged, _runs(Ranker(bundle), questions))
        scores = pl.concat([whole, changed.with_columns(pl.col("run") + " changed")])
        rows.extend(
            compare(scores, model, [f"{model} changed"], measure, rounds, settings.seed).select(
                pl.lit(model).alias("model"),
                pl.lit(change).alias("edges"),
                pl.lit(share).alias("share"),
                "measure",
                pl.lit(whole.filter(pl.col("run") == model)[measure].mean()).alias("whole"),
                pl.col("difference").alias("loss"),
                "low",
                "high",
                "p_value",
            )
            for model in models
            for measure in MEASURED
        )
    losses = corrected(pl.concat(rows), by=["model", "measure"])
    return losses.sort("model", "measure", "edges", "share", maintain_order=True), questions.height


def _changed(bundle: Bundle, settings: Settings) -> Iterator[tuple[Change, float, Bundle]]:
    """Yield the bundle on each changed graph."""
    ids, table = bundle.passages["passage_id"], bundle.index.translation_table
    for change in CHANGES:
        for share in SHARES:
            edges = perturb(bundle.edges, ids, change, share, settings.seed)
            material = Material(bundle.passages, bundle.documents, edges, analyser=bundle.analyser)
            # The headings above a passage, and so the run bm25_context, are read from the edges too.
            rebuilt = build_generators(material, ["bm25_context", "closure"], bundle.candidates)
            central = centrality_of(edges, ids, settings.graph)
            around = build_surroundings(material, central, bundle.index.bm25, bundle.index.settings)
            judgements = replace(
                bundle.index.judgements, documents=around.documents, sections=around.sections
            )
            generators = {**bundle.index.generators, **rebuilt}
            index = ranking_index(ids, generators, around, judgements, table, bundle.index.settings)
            yield change, share, replace(bundle, edges=edges, index=index)


def _runs(ranker: Ranker, questions: pl.DataFrame) -> pl.DataFrame:
    runs, _ = ranker.runs(questions)
    return runs.filter(pl.col("run").is_in(list(ranker.bundle.models)))


def _verdict(losses: pl.DataFrame) -> str:
    at_most = losses.filter(pl.col("share") == max(SHARES), pl.col("measure") == "Recall@10")
    greatest = at_most["loss"].to_numpy().max()
    kept = greatest <= MOST
    return (
        f"At {max(SHARES):.0%} the largest loss of Recall@10 is {greatest:.4f}: "
        f"{'within' if kept else 'above'} the bar of {MOST}."
    )


if __name__ == "__main__":
    with reported():
        main()
