"""Choose among settings by training questions alone, and print the results.

    python experiments/decide.py as_new --data path/to/obliqa            # by training folds
    python experiments/decide.py as_new --data path/to/eregs --on regulations_disjoint
    python experiments/decide.py                                         # the table so far

A decision (experiments/decisions.yaml) is a setting and its possible values. Each value is given to a named
experiment, which runs as far as it must. No question that was published for validation or test takes part.
There are two ways to measure:

- by folds: training questions are ranked by models that have not seen them. Questions with several relevant
  passages count; those with one are shown next to them. Each question has the mean of its grid points.
- by documents, if the experiment holds out documents: questions about documents that nothing was trained on,
  at every point of its grid.

DVC keeps what has run, so an interrupted call continues where it stopped. Each call adds to the table,
runs/decisions/table.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from rulerank.console import reported
from rulerank.corpora import read_corpus
from rulerank.errors import InputError
from rulerank.evaluate.decisions import Decision, decision_table, read_decisions
from rulerank.evaluate.report import markdown_table
from rulerank.files import replacing, write_text
from rulerank.pipeline.experiment import grid_points, merged, read_experiment
from rulerank.pipeline.paths import OUT_OF_FOLD, PER_QUERY
from rulerank.pipeline.run_folder import NAMED, RUNS, RunFolder
from rulerank.settings import load_settings, nested

DECISIONS, KEPT = Path("experiments/decisions.yaml"), RUNS / "decisions"

_ABOUT = """\
nDCG@10 of training questions, by folds or by documents (see experiments/decide.py); the first value of a
decision is the default. `difference` is relative to the default, with its 95 % bootstrap interval; two-sided
p-value of the paired randomisation test, and the same after Holm's correction for the rows of one decision
and experiment. `relevant`: questions with several relevant passages, or with one.
"""


def main(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A decision; by default none.")] = None,
    data: Annotated[Path | None, typer.Option(help="The corpus; by default that of params.yaml.")] = None,
    on: Annotated[str, typer.Option(metavar="EXPERIMENT", help="A named experiment.")] = "fast",
) -> None:
    """Measure the values of one decision on one experiment, and print the table of all that were measured."""
    with reported():
        decisions = read_decisions(DECISIONS)
        if name is not None:
            if name not in decisions:
                raise InputError(name, f"expected a decision, one of: {', '.join(decisions)}.")
            for value in decisions[name].values:
                _measure(decisions[name], name, value, on, data)
        table = decision_table(pl.concat(_kept()), decisions, load_settings().evaluate.permutations)
        write_text(KEPT / "table.md", f"# Decisions\n\n{_ABOUT}\n{markdown_table(table)}")
    typer.echo(markdown_table(table))


def _measure(decision: Decision, name: str, value: Any, on: str, data: Path | None) -> None:
    """Write the measures of one value on an experiment, at every point of its grid."""
    experiment = read_experiment(NAMED, on)
    folder = RunFolder.of(experiment, on, data)
    for point in grid_points(experiment.grid) or [{}]:
        label = "-".join(str(each) for each in [*point.values(), value])
        settings = folder.write_params(merged(nested(point), nested({decision.key: value})))
        # Questions of two corpora may have the same ids.
        measured_on = f"{on} {settings.data.root.name}"
        kept = KEPT / f"{measured_on}.{name}.{label}.parquet"
        by_documents = settings.prepare.protocol == "document_disjoint"
        folder.dvc("repro", "evaluate" if by_documents else "ranker")
        if by_documents:
            found = _of_held_out_documents(folder.path, settings.data.root, settings.prepare.questions)
        else:
            # Half of the judgements is hidden from some questions, which are unlike those asked in use.
            found = pl.read_parquet(folder.path / OUT_OF_FOLD).filter(~pl.col("hidden"))
        rows = found.select("run", "query_id", "relevant", "nDCG@10").with_columns(
            decision=pl.lit(name),
            value=pl.lit(str(value)),
            on=pl.lit(measured_on),
            measured=pl.lit("documents" if by_documents else "folds"),
        )
        with replacing(kept) as temporary:
            rows.write_parquet(temporary)


def _of_held_out_documents(folder: Path, root: Path, questions: Any) -> pl.DataFrame:
    """Return the measures of the held-out questions that were published as training questions."""
    corpus = read_corpus(root, questions)
    training = corpus.queries.filter(split="train")["query_id"].implode()
    relevant = corpus.judgements.filter(pl.col("relevance") > 0).group_by("query_id").agg(relevant=pl.len())
    scores = pl.read_parquet(folder / PER_QUERY).filter(
        pl.col("query_id").is_in(training), split="validation"
    )
    return scores.join(relevant, on="query_id", maintain_order="left")


def _kept() -> Iterator[pl.DataFrame]:
    paths = sorted(KEPT.glob("*.parquet"))
    if not paths:
        raise InputError(KEPT, "expected measured decisions, found none. Name one to measure it.")
    return map(pl.read_parquet, paths)


if __name__ == "__main__":
    typer.run(main)
