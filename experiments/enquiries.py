"""Rank the authority's replies to each enquiry: the pipeline in five folds, compared with BM25 by analyser.

    python -m experiments.enquiries --data FILE.jsonl

Each line of the file has a `question` and an `answer`, as the Korean fire-safety enquiries of
SearchFireSafety do. Every reply is a passage, and the only relevant one of its question. The named experiment
`enquiries` runs once per fold, so no ranker has seen the questions on which it is measured. The measure is
the mean reciprocal rank. Replies that are not candidates of the pipeline count as not found, while BM25 alone
ranks all of them. Writes runs/enquiries_folds/table.md.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")

import polars as pl
import typer

from experiments.analysers import Enquiry, read_answered, reciprocal_ranks
from rulerank.console import reported
from rulerank.corpora.beir import CORPUS
from rulerank.corpora.trec import read_run
from rulerank.evaluate.report import markdown_table
from rulerank.evaluate.significance import compare, corrected
from rulerank.files import write_lines, write_text
from rulerank.pipeline.experiment import grid_points, read_experiment
from rulerank.pipeline.paths import EVALUATION
from rulerank.pipeline.run_folder import NAMED, RUNS, RunFolder
from rulerank.settings import ANALYSERS, Bm25, Text, nested
from rulerank.text import load_analyser

NAME, MEASURE = "enquiries", "MRR"
WRITTEN = RUNS / "enquiries_folds"

_PAGE = """\
# Enquiries

Mean reciprocal rank of the question's own reply among {replies}, over {questions} enquiries; runs of the
pipeline in {folds} folds. `difference` is the run minus {best}, the best analyser, with its 95 % bootstrap
interval; two-sided p-value of the paired randomisation test, and the same after Holm's correction for the
number of runs.

{table}"""


def main(
    data: Annotated[Path, typer.Option("--data", help="JSON Lines with `question` and `answer`.")],
) -> None:
    """Print one row per run, best first."""
    with reported():
        enquiries = read_answered(data)
        write_corpus(enquiries, WRITTEN / "corpus")
        experiment = read_experiment(NAMED, NAME)
        folder, folds = RunFolder.of(experiment, NAME, WRITTEN / "corpus"), grid_points(experiment.grid)
        found = []
        for fold in folds:
            folder.write_params(nested(fold))
            folder.dvc("repro", "evaluate")
            found += [own_ranks(read_run(path)) for path in (folder.path / EVALUATION).glob("runs/*.trec")]
        ranked = pl.concat(found)
        lexical = by_words(enquiries).filter(pl.col("query_id").is_in(ranked["query_id"].unique().implode()))
        best = str(lexical.group_by("run").agg(pl.col(MEASURE).mean()).sort(MEASURE)["run"].last())
        table = compared(filled(pl.concat([ranked, lexical])), best)
        page = _PAGE.format(
            replies=len(enquiries),
            questions=lexical["query_id"].n_unique(),
            folds=len(folds),
            best=best,
            table=markdown_table(table),
        )
        write_text(WRITTEN / "table.md", page)
    typer.echo(page)


def write_corpus(enquiries: Sequence[Enquiry], folder: Path) -> None:
    """Write a BEIR folder: every reply is a passage that answers the question with its number."""
    write_lines(folder / CORPUS, ({"_id": str(n), "text": each.answer} for n, each in enumerate(enquiries)))
    questions = ({"_id": str(n), "text": each.question} for n, each in enumerate(enquiries))
    write_lines(folder / "queries.jsonl", questions)
    judged = (f"{number}\t{number}\t1\n" for number in range(len(enquiries)))
    write_text(folder / "qrels/train.tsv", "".join(["query-id\tcorpus-id\tscore\n", *judged]))


def by_words(enquiries: Sequence[Enquiry]) -> pl.DataFrame:
    """Return query_id, run and reciprocal rank by BM25 with each analyser of the package."""
    ids = [str(number) for number in range(len(enquiries))]
    ranks = {
        name: reciprocal_ranks(enquiries, load_analyser(Text(analyser=name).target), Bm25())
        for name in ANALYSERS
    }
    return pl.concat(
        pl.DataFrame({"query_id": ids, "run": f"BM25 of {name}", MEASURE: each})
        for name, each in ranks.items()
    )


def own_ranks(run: pl.DataFrame) -> pl.DataFrame:
    """Return query_id, run and reciprocal rank of the own reply in a TREC run, 0 if it is missing."""
    own = pl.when(pl.col("passage_id") == pl.col("query_id")).then(1 / pl.col("rank"))
    return run.group_by("query_id", "run", maintain_order=True).agg(own.max().fill_null(0.0).alias(MEASURE))


def filled(ranked: pl.DataFrame) -> pl.DataFrame:
    """Give every run every question, with 0 where it found nothing at all."""
    asked = (
        ranked.select("run")
        .unique(maintain_order=True)
        .join(ranked.select("query_id").unique(maintain_order=True), how="cross")
    )
    found = asked.join(ranked, on=["run", "query_id"], how="left", maintain_order="left")
    return found.with_columns(pl.col(MEASURE).fill_null(0.0))


def compared(ranked: pl.DataFrame, best: str) -> pl.DataFrame:
    """Return a row per run, best first, with its difference from one of them."""
    rows = []
    for (run,), scores in ranked.group_by("run", maintain_order=True):
        row = {"run": run, MEASURE: scores[MEASURE].mean(), "first": (scores[MEASURE] == 1).mean()}
        if run != best:
            tested = compare(ranked, str(run), [best], MEASURE)
            row |= tested.select("difference", "low", "high", "p_value").row(0, named=True)
        rows.append(row)
    table = corrected(pl.DataFrame(rows, infer_schema_length=None))
    return table.sort(MEASURE, descending=True, maintain_order=True)


if __name__ == "__main__":
    typer.run(main)
