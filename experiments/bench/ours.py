"""The measured calls into rulerank, in one place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulerank.arrays import DoubleArray
from rulerank.bundle import RANKER
from rulerank.features.extract import Batch, extract
from rulerank.features.feature_set import FeatureSet
from rulerank.features.registry import registered
from rulerank.features.withheld import nothing_withheld
from rulerank.learn.ranker.ablation import PAPER
from rulerank.ranker import Ranker
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.search import retrieve

LATE = "late"


def load(folder: Path, threads: int) -> Ranker:
    """Load an exported ranker."""
    return Ranker.load(folder, threads=threads)


def prepare(ranker: Ranker, texts: Sequence[str]) -> Queries:
    """Analyse and embed questions: the time of the encoder and the analyser."""
    return ranker.bundle.queries([str(place) for place in range(len(texts))], texts)


def find(ranker: Ranker, queries: Queries) -> None:
    """Find the candidates."""
    bundle = ranker.bundle
    retrieve(bundle.index.finding(bundle.candidates), anew(queries), bundle.candidates)


def anew(queries: Queries) -> Queries:
    """Return the questions without what was computed from them, which would take no time a second time."""
    return queries.slice(0, len(queries))


def describe(
    ranker: Ranker, queries: Queries, features: FeatureSet | None = None, workers: int = 1
) -> list[Batch]:
    """Find the candidates and compute their features, by default those that the ranker reads."""
    bundle = ranker.bundle
    wanted = bundle.features if features is None else features
    first = bundle.first_pass if len(wanted.of_pass(2)) else None
    found = extract(
        bundle.index,
        anew(queries),
        nothing_withheld(queries),
        wanted,
        bundle.candidates,
        workers=workers,
        first_pass=first,
    )
    return list(found)


def score(ranker: Ranker, batches: Sequence[Batch]) -> list[DoubleArray]:
    """Score the candidates with the ranker."""
    return [ranker.bundle.scores(RANKER, batch).total for batch in batches]


def pairs(batches: Sequence[Batch]) -> int:
    """Return the number of described candidates."""
    return sum(len(batch.matrix) for batch in batches)


def feature_sets(ranker: Ranker) -> dict[str, FeatureSet]:
    """Return the feature sets whose extraction is measured, by name."""
    every = registered(ranker.bundle.index.plugged_in)
    every = every if ranker.bundle.first_pass else every.of_pass(1)
    sets = {"ObliQA-MP": every.named(list(PAPER)), "one pass without late": every.of_pass(1).without(LATE)}
    return sets if ranker.bundle.index.late is None else {**sets, "all": every}
