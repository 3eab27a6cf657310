"""The command `rulerank evaluate`."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

from rulerank.commands.arguments import BundlePath
from rulerank.commands.output import print_json
from rulerank.errors import DataWarning
from rulerank.files import require_outputs


def evaluate(
    bundle: BundlePath,
    questions: Annotated[
        Path, typer.Argument(metavar="QUESTIONS.json", help="Questions in the ObliQA format.")
    ],
    run: Annotated[Path | None, typer.Option("--run", help="Also write the ranking as a TREC run.")] = None,
) -> None:
    """Measure an exported ranker on judged questions and print one JSON object.

    Keys: queries, Recall@10, MAP@10, nDCG@10, FullCov@10, candidate_recall,
    and runs: the same measures for each candidate generator, their fusions,
    and the other models.

    Example: rulerank evaluate outputs/bundle data/sample/questions_test.json
    """
    import rulerank
    from rulerank.corpora import read_questions, write_run
    from rulerank.evaluate.questions import measure_ranker

    require_outputs(run, inputs=[questions], sealed=bundle)
    ranker = rulerank.load(bundle)
    judged = read_questions(questions, ranker.bundle.passages, "test", questions.stem)
    for problem in judged.problems:
        warnings.warn(problem, DataWarning, stacklevel=1)
    measured = measure_ranker(ranker, judged, questions)
    print_json(measured.figures)
    if run is not None:
        write_run(measured.ranking, run)
