"""Published figures and our own, each with the questions on which it was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
from pydantic import field_validator

from rulerank.errors import InputError
from rulerank.evaluate.measures import MEASURES
from rulerank.evaluate.results import Results
from rulerank.settings import Section, read_described


class Publication(Section):
    """One publication's results on one split."""

    title: str
    data: str
    split: str
    queries: int
    systems: dict[str, dict[str, float]]
    """The measures that the publication reports, by name of the system."""

    @field_validator("systems")
    @classmethod
    def _known_measures(cls, systems: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
        unknown = {name for measures in systems.values() for name in measures} - set(MEASURES)
        if unknown:
            raise ValueError(f"unknown measures {sorted(unknown)}; known are {list(MEASURES)}")
        return systems


class Published(Section):
    """The file `experiments/published.yaml`."""

    publications: dict[str, Publication]


def read_published(path: Path, keys: Sequence[str]) -> list[Publication]:
    """Return the publications with these keys."""
    known = read_described(path, Published).publications
    for key in keys:
        if key not in known:
            raise InputError(path, f"expected one of {sorted(known)}, found {key!r}. Correct the experiment.")
    return [known[key] for key in keys]


def with_published(results: Results, publications: Sequence[Publication], protocol: str) -> pl.DataFrame:
    """Return a table of this run's results, followed by published ones, each with its number of questions.

    Parameters
    ----------
    results : Results
        The results of this run.
    publications : sequence of Publication
    protocol : str
        How this run's questions were split. Only with the published splits can its questions be the same as
        a publication's.

    Returns
    -------
    frame with columns source, system, data, split, questions, same questions, and the measures
        `same questions` is "likely" if a split of this run has that name and number of questions, although
        nobody has compared them question by question; otherwise "no".

    """
    ours = results.queries.items() if protocol == "published" else ()
    rows = [*_ours(results)]
    for each in publications:
        same = "likely" if (each.split, each.queries) in ours else "no"
        rows += [
            _row(each.title, system, each.data, each.split, each.queries, same, measures)
            for system, measures in each.systems.items()
        ]
    return pl.DataFrame(rows, schema_overrides={name: pl.Float64() for name in MEASURES})


def _ours(results: Results) -> Iterator[dict[str, object]]:
    for split, runs in results.runs.items():
        for run, measures in runs.items():
            yield _row("this run", run, results.data, split, results.queries[split], "–", measures)


def _row(
    source: str, system: str, data: str, split: str, questions: int, same: str, measures: dict[str, float]
) -> dict[str, object]:
    facts = {"source": source, "system": system, "data": data, "split": split, "questions": questions}
    return {**facts, "same questions": same, **{name: measures.get(name) for name in MEASURES}}
