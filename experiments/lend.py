"""Lend the training questions of this run to the rankers of other corpora.

    python experiments/lend.py [FOLDER]

Writes what the first pass and the ranker are trained on to FOLDER, by default data/others, as
`pairs/<corpus>.parquet` and `features/<corpus>.parquet`, where <corpus> is the name of the folder that
`data.root` names. A run of another corpus is trained on it too if its `ranker.others` gives the corpus a
weight. The rows hold numbers and ids, no text.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulerank.console import reported
from rulerank.learn.ranker.choice import read_choice
from rulerank.learn.ranker.lending import lend
from rulerank.learn.ranker.recipe import training_rows
from rulerank.pipeline.chosen import known_features
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import CHOICE, FEATURE_TABLE, OTHERS, PAIRS
from rulerank.settings import load_settings
from rulerank.tables import FEATURES


def main(folder: Annotated[Path, typer.Argument(metavar="FOLDER")] = OTHERS) -> None:
    """Write both tables of the run in the current folder."""
    with reported():
        settings = load_settings()
        name, choice = settings.data.root.name, read_choice(CHOICE)
        for table in (PAIRS, FEATURE_TABLE):
            lent = FEATURES.scan(table)
            names = FEATURES.further(lent.collect_schema().names())
            features = known_features(settings).named(names)
            target = folder / table.stem
            rows = lend(training_rows(lent, Outputs().training_folds), features, choice, name, target)
            typer.echo(f"{target / name}.parquet: {rows} rows")


if __name__ == "__main__":
    typer.run(main)
