"""Published figures beside our own, each with the questions it was measured on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
from pydantic import field_validator

from rulerank.errors import InputError
from rulerank.evaluate.expected import Found
from rulerank.evaluate.experiment import read_described
from rulerank.evaluate.measures import MEASURES
from rulerank.settings import Section


class Publication(Section):
    """One publication's results on one split."""

    title: str
    data: str
    split: str
    queries: int
    systems: dict[str, dict[str, float]]
    """By name of the system, the measures that the publication gives."""

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
    """Return the publications of these keys."""
    known = read_described(path, Published).publications
    for key in keys:
        if key not in known:
            raise InputError(path, f"expected one of {sorted(known)}, found {key!r}. Correct the experiment.")
    return [known[key] for key in keys]


def beside(found: Found, publications: Sequence[Publication], protocol: str) -> pl.DataFrame:
    """Return the rows of a run with the published ones below, each with its questions.

    Parameters
    ----------
    found : Found
        Of this run.
    publications : sequence of Publication
    protocol : str
        How this run's questions were split: other splits than the published ones are never those of a
        publication, whatever they are called.

    Returns
    -------
    frame with columns source, system, data, split, questions, same questions, and the measures
        "no" stands where no split of this run has that name and number of questions. "likely" claims no
        more than that one has: question by question nobody has compared them.

    """
    ours = found.queries.items() if protocol == "published" else ()
    rows = [*_ours(found)]
    for each in publications:
        same = "likely" if (each.split, each.queries) in ours else "no"
        rows += [
            _row(each.title, system, each.data, each.split, each.queries, same, measures)
            for system, measures in each.systems.items()
        ]
    return pl.DataFrame(rows, schema_overrides={name: pl.Float64() for name in MEASURES})


def _ours(found: Found) -> Iterator[dict[str, object]]:
    for split, runs in found.runs.items():
        for run, measures in runs.items():
            yield _row("this run", run, found.data, split, found.queries[split], "–", measures)


def _row(
    source: str, system: str, data: str, split: str, questions: int, same: str, measures: dict[str, float]
) -> dict[str, object]:
    facts = {"source": source, "system": system, "data": data, "split": split, "questions": questions}
    return {**facts, "same questions": same, **{name: measures.get(name) for name in MEASURES}}
