"""Settings chosen on training questions: which values were tried, and how each compares with the default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import Field, ValidationError

from rulerank.errors import InputError
from rulerank.evaluate.measures import MEASURE
from rulerank.evaluate.significance import compare, corrected
from rulerank.settings import Section
from rulerank.yaml_files import read_yaml

RUNS = ("ranker", "ranker_on_new_rules", "ranker_without_judgement")
_KEYS = ("decision", "on", "measured", "relevant", "run")
_COMPARED = ("difference", "low", "high", "p_value")
_TABLE = {
    **dict.fromkeys((*_KEYS, "value"), pl.String),
    "questions": pl.Int64,
    **dict.fromkeys((MEASURE, *_COMPARED), pl.Float64),
}


class Decision(Section):
    """A setting, and the values from which it is chosen."""

    about: str
    """What it is."""
    key: str
    """Its dotted key in params.yaml."""
    values: tuple[Any, ...] = Field(min_length=2)
    """The default first."""


def read_decisions(path: Path) -> dict[str, Decision]:
    """Read a file of decisions by name; raise InputError if it is malformed."""
    try:
        return {name: Decision.model_validate(each) for name, each in read_yaml(path).items()}
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(path, f"{place}: {first['msg'].lower()}. Correct the file.") from error


def decision_table(
    measured: pl.DataFrame, decisions: Mapping[str, Decision], permutations: int
) -> pl.DataFrame:
    """Compare each value with the default of its decision, question by question.

    A question that was measured at several points of a grid counts once, with the mean of its points. They
    are alike, so counting each would make the intervals and p-values too small.

    Parameters
    ----------
    measured : polars.DataFrame
        Columns decision, value (as text), on (the experiment and its corpus), measured ("folds" or
        "documents"), run, query_id, relevant and nDCG@10.
    decisions : mapping of str to Decision
        The decisions that were measured.
    permutations : int
        Rounds of the paired randomisation test.

    Returns
    -------
    polars.DataFrame
        One row per decision, experiment, kind of question (several relevant passages, or one), ranker and
        value: its mean nDCG@10, the difference from the default with its 95 % interval, the p-value, and the
        same after Holm's correction for the rows of one decision and experiment.

    """
    several = pl.when(pl.col("relevant") > 1).then(pl.lit("several")).otherwise(pl.lit("one"))
    scores = measured.filter(pl.col("run").is_in(RUNS)).with_columns(relevant=several)
    rows = [
        {**dict(zip(_KEYS, group, strict=True)), **row}
        for group, part in scores.sort(_KEYS, maintain_order=True).group_by(_KEYS, maintain_order=True)
        if (decision := decisions.get(str(group[0]))) is not None
        for row in _rows(part, decision, permutations)
    ]
    return corrected(pl.DataFrame(rows, schema=_TABLE), by=["decision", "on"])


def _rows(part: pl.DataFrame, decision: Decision, permutations: int) -> Iterator[dict[str, Any]]:
    """Yield the default of a decision, then its other values, if they were measured."""
    found = part.group_by("query_id", run="value", maintain_order=True).agg(pl.col(MEASURE).mean())
    names = [str(value) for value in decision.values]
    present = [name for name in names if name in found["run"].unique()]
    for name in present if present[:1] == names[:1] else []:
        means = found.filter(run=name)[MEASURE]
        row: dict[str, Any] = {"value": name, "questions": len(means), MEASURE: means.mean()}
        row |= dict.fromkeys(_COMPARED)
        if name != names[0]:
            compared = compare(found, name, [names[0]], MEASURE, permutations).row(0, named=True)
            row |= {key: compared[key] for key in _COMPARED}
        yield row
