"""An exported ranker measured on judged questions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from rulerank.bundle import RANKER
from rulerank.corpora import Questions
from rulerank.errors import InputError
from rulerank.evaluate.measures import MEASURES, average, candidate_recall, per_query
from rulerank.ranker import Ranker


@dataclass(frozen=True, eq=False)
class RankerMeasures:
    """How well a ranker ranks a set of questions.

    Parameters
    ----------
    figures : dict
        `queries`, the measures of the ranker, `candidate_recall`, and `runs` with the other runs' measures.
    ranking : polars.DataFrame
        The ranker's run, as the runs table.

    """

    figures: dict[str, Any]
    ranking: pl.DataFrame


def measure_ranker(ranker: Ranker, questions: Questions, source: Path | str) -> RankerMeasures:
    """Rank judged questions and measure the rankings.

    Parameters
    ----------
    ranker : Ranker
        A ranker over the corpus for which the questions were judged.
    questions : Questions
        From `rulerank.corpora.read_questions`.
    source : path or str
        Where the questions come from, for the error.

    Raises
    ------
    InputError
        No question has a text and a passage of this corpus.

    """
    if not questions.queries.height:
        raise InputError(
            source,
            "expected a question with a text and a passage of this corpus, found none. Check the bundle.",
        )
    runs, candidates = ranker.runs(questions.queries)
    rows = average(per_query(questions.judgements, runs)).drop("queries").to_dicts()
    means: dict[str, dict[str, float]] = {row.pop("run"): row for row in rows}
    figures = {
        "queries": questions.queries.height,
        **{measure: means[RANKER][measure] for measure in MEASURES},
        "candidate_recall": candidate_recall(questions.judgements, candidates),
        "runs": {name: scores for name, scores in means.items() if name != RANKER},
    }
    return RankerMeasures(figures, runs.filter(runs["run"] == RANKER))
