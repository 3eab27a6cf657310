"""Measure the classifier of obligations on labelled sentences, five folds of distinct texts.

    python experiments/obligations.py --data FILE

FILE is a JSON list of {"Text": ..., "Obligation": true or false}, such as ObliQA's
ObligationClassificationDataset.json. Prints accuracy and F1 with standard errors, compared with keywords and
the rules of modality, and writes outputs/obligations.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from rulerank.console import reported
from rulerank.evaluate.report import markdown_table
from rulerank.files import write_text
from rulerank.learn.obligations.fit import FOLDS
from rulerank.learn.obligations.labelled import read_labelled
from rulerank.learn.obligations.measure import cross_validate
from rulerank.settings import load_settings

WRITTEN = Path("outputs/obligations.md")

_PAGE = """\
# Obligations told from other sentences

{sentences:,} sentences of distinct words, {share:.1%} of them obligations; {repeats} repeats and {conflicts}
texts with contradictory labels left out. {folds} folds, seed {seed}: means and their standard errors over
folds. The classifier's settings are chosen within the training sentences of each fold; rules and keywords
learn nothing.

{table}"""


def main(
    data: Annotated[Path, typer.Option(metavar="FILE", help="Labelled sentences.")],
) -> None:
    """Print and write the table."""
    with reported():
        labelled, seed = read_labelled(data), load_settings().seed
        rows = [
            {"by": name, "accuracy": str(measured.accuracy), "F1": str(measured.f1)}
            for name, measured in cross_validate(labelled, seed).items()
        ]
        page = _PAGE.format(
            sentences=len(labelled.sentences),
            share=labelled.obligations.mean(),
            repeats=labelled.repeats,
            conflicts=labelled.conflicts,
            folds=FOLDS,
            seed=seed,
            table=markdown_table(pl.DataFrame(rows)),
        )
        write_text(WRITTEN, page)
    typer.echo(page)


if __name__ == "__main__":
    typer.run(main)
