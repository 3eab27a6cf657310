"""How good the ranker, the one for new rules and the mean of both are, by how many leaders are judged.

    python experiments/trust.py

Needs the outputs of a run, and prints the table from which the limits of `rulerank.features.trust` were
chosen; it is written to outputs/trust as well. Only training questions take part, ranked by models that have
not seen them: as they are, and with the judgements of all their answers hidden, as if they asked for new
rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse
from threadpoolctl import threadpool_limits

from rulerank.arrays import BoolArray, IntArray
from rulerank.bundle import ON_NEW_RULES, RANKER
from rulerank.console import progress, reported
from rulerank.errors import InputError
from rulerank.evaluate.measures import CUTOFF, per_query
from rulerank.evaluate.report import markdown_table
from rulerank.features.extract import Batch, extract
from rulerank.features.trust import LIMITS, LOOKED_AT, trusted
from rulerank.features.withheld import NOTHING, PASSAGES, Withheld
from rulerank.files import replacing, write_text
from rulerank.learn.ranker.saved import load_rankers
from rulerank.learn.ranker.saved_first_pass import load_first_passes
from rulerank.pipeline.chosen import known_features
from rulerank.pipeline.paths import FIRST_PASSES, OUTPUTS, RANKERS
from rulerank.pipeline.workspace import Served, Workspace
from rulerank.retrieve.hits import best_hits
from rulerank.retrieve.search import tabulate
from rulerank.settings import Settings, load_settings

WRITTEN = OUTPUTS / "trust"
BINS = 10
"""Bins of `leaders_judged`, of equal width."""

MEASURED = ("nDCG@10", "FullCov@10")

_PAGE = """\
# How far judgements can be trusted

Training questions ranked by models that have not seen them. `hidden`: the judgements of all their answers are
hidden. `several`: more than one passage is relevant. `judged`: the share of the leaders that is judged, from
this value up; `all` is the mean over all questions. `itself` is the model `{ranker}`, `new` the model
`{new}`, `mean` the mean of their scores, and `trusted` what is answered under the limits
{limits}.

{table}"""


@dataclass(frozen=True, eq=False)
class Unjudged(Withheld):
    """What is withheld from questions whose answers nobody has judged.

    Parameters
    ----------
    answers : scipy.sparse array of shape (Q, N)
        1 for the passages that are relevant to each question.

    """

    answers: sparse.csr_array

    def take(self, rows: IntArray | slice) -> Unjudged:
        """Return the selected questions, in the order of `rows`."""
        return Unjudged(self.clusters[rows], self.levels[rows], self.salts[rows], self.answers[rows])

    def hides(self, rows: IntArray, units: Sequence[IntArray]) -> BoolArray:
        """Return which pairs of a question and a passage, the last of the units, are hidden."""
        hidden: BoolArray = self.answers[rows, units[-1]] > 0
        return hidden


def main() -> None:
    """Write the table and print it."""
    with reported():
        table = _table(load_settings())
        with replacing(WRITTEN / "trust.csv") as temporary:
            table.write_csv(temporary)
        limits = ", ".join(f"{name} {half} and {full}" for name, (half, full) in LIMITS.items())
        page = _PAGE.format(ranker=RANKER, new=ON_NEW_RULES, limits=limits, table=markdown_table(table))
        write_text(WRITTEN / "trust.md", page)
    print(f"{page}\nwritten: {WRITTEN}/trust.csv, {WRITTEN}/trust.md")  # noqa: T201


def _table(settings: Settings) -> pl.DataFrame:
    """Return the mean measures by questions, their answers hidden or not, and the share of judged leaders."""
    workspace = Workspace(settings)
    relevant = workspace.judgements.filter(pl.col("relevance") > 0)
    several = relevant.group_by("query_id").agg(several=pl.len() > 1)
    models = Models(settings)
    parts = [
        models.measured(served, workspace).with_columns(hidden=pl.lit(hidden))
        for hidden, served in progress(list(_served(workspace)), "trust")
    ]
    questions = pl.concat(parts).join(several, on="query_id")
    by = "several", "hidden"
    binned = (pl.col("judged") * BINS).floor().clip(0, BINS - 1) / BINS
    tables = [
        _means(questions.with_columns(binned.round(2).cast(pl.String)), by, "judged"),
        _means(questions.with_columns(judged=pl.lit("all")), by, "judged"),
    ]
    return pl.concat(tables).sort(*by, "judged", descending=[True, False, False])


def _served(workspace: Workspace) -> Iterator[tuple[bool, Served]]:
    """Yield the training questions from which nothing is hidden, fold by fold, then with answers hidden."""
    for served in workspace.served():
        rows = np.flatnonzero(served.withheld.levels == NOTHING)
        if served.fold is None or not len(rows):
            continue
        asked, withheld = served.queries.take(rows), served.withheld.take(rows)
        answers = workspace.relevant(pl.DataFrame({"query_id": asked.ids}))
        levels = np.full(len(rows), PASSAGES)
        unjudged = Unjudged(withheld.clusters, levels, withheld.salts, answers)
        yield False, replace(served, queries=asked, withheld=withheld)
        yield True, replace(served, queries=asked, withheld=unjudged)


class Models:
    """The two rankers of each fold, and their first pass."""

    def __init__(self, settings: Settings) -> None:
        known = known_features(settings)
        self.settings = settings
        rankers, passes = load_rankers(RANKERS, known), load_first_passes(FIRST_PASSES, known)
        if ON_NEW_RULES not in rankers or passes is None:
            raise InputError(RANKERS, f"expected `{ON_NEW_RULES}` and a first pass, found none. Train both.")
        self.rankers, self.passes = rankers, passes
        own, new = (rankers[name].full.features for name in (RANKER, ON_NEW_RULES))
        self.features = own.joined(new).joined(passes.full.features)

    def measured(self, served: Served, workspace: Workspace) -> pl.DataFrame:
        """Return the measures of each way to rank, question by question, and the share of judged leaders."""
        batches = extract(
            served.index,
            served.queries,
            served.withheld,
            self.features,
            self.settings.candidates,
            self.settings.threads,
            first_pass=self.passes.for_fold(served.fold),
        )
        # As in the stage extract: batches run in parallel.
        with threadpool_limits(1, "blas"):
            return pl.concat([self._of_batch(batch, served, workspace) for batch in batches])

    def _of_batch(self, batch: Batch, served: Served, workspace: Workspace) -> pl.DataFrame:
        pairs, ids = batch.pairs, batch.pairs.queries.ids
        shares = batch.matrix[:, self.features.places(LOOKED_AT)]
        own, new = (self._scores(name, batch, served) for name in (RANKER, ON_NEW_RULES))
        weight = trusted(shares, LIMITS)
        scores = {
            "itself": own,
            "new": new,
            "mean": (own + new) / 2,
            "trusted": weight * own + (1 - weight) * new,
        }
        hits = {
            name: best_hits(pairs.rows, pairs.columns, each.astype(np.float32), CUTOFF)
            for name, each in scores.items()
        }
        runs = tabulate(hits, ids, served.index.passage_ids)
        found = per_query(workspace.judgements_of(pl.Series(ids)), runs)
        first = pairs.starts[:-1][np.diff(pairs.starts) > 0]
        asked = pl.Series([ids[row] for row in pairs.rows[first]], dtype=pl.String)
        judged = np.nan_to_num(shares[first, LOOKED_AT.index("leaders_judged")])
        return found.join(pl.DataFrame({"query_id": asked, "judged": judged}), on="query_id")

    def _scores(self, name: str, batch: Batch, served: Served) -> NDArray[np.float64]:
        model = self.rankers[name].for_fold(served.fold)
        return model.scored(batch, self.features, served.index.judgements, batch.every).total


def _means(questions: pl.DataFrame, by: Sequence[str], bins: str) -> pl.DataFrame:
    """Return the number of questions of each group, and the means of each way to rank."""
    wide = questions.pivot("run", index=["query_id", *by, bins], values=list(MEASURED))
    measures = [name for name in wide.columns if name.startswith(MEASURED)]
    return wide.group_by(*by, bins).agg(pl.len().alias("questions"), pl.col(measures).mean())


if __name__ == "__main__":
    main()
