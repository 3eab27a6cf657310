"""Stage trust: learn when a question is left to the ranker for rules that nobody has judged.

Training questions are ranked by models that have not seen them: as they are, and with the judgements of all
their answers hidden, as if they asked for new rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from scipy import sparse
from threadpoolctl import threadpool_limits

from rulerank.arrays import BoolArray, DoubleArray, IntArray
from rulerank.bundle import ON_NEW_RULES, RANKER, Model
from rulerank.console import progress
from rulerank.evaluate.measures import CUTOFF, MEASURE, per_query
from rulerank.evaluate.trust import page, table_of
from rulerank.features.extract import Batch, extract
from rulerank.features.first_pass import FirstPass
from rulerank.features.trust import LOOKED_AT
from rulerank.features.withheld import NOTHING, PASSAGES, Withheld
from rulerank.files import replacing_folder, write_json, write_text
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.saved import load_rankers
from rulerank.learn.ranker.saved_first_pass import load_first_passes
from rulerank.learn.ranker.trust import TrustExamples, fit_limits
from rulerank.pipeline.chosen import known_features
from rulerank.pipeline.paths import (
    DENSE,
    ENCODERS,
    FIRST_PASSES,
    INDEX,
    LATE,
    LIMITS,
    RANKERS,
    TABLES,
    TRANSLATION,
    TRUST,
)
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Served, Workspace
from rulerank.retrieve.hits import best_hits
from rulerank.retrieve.search import tabulate
from rulerank.settings import Settings

QUESTIONS = 400
"""Maximum number of questions per fold, which is enough to choose two limits."""

SEVERAL = 100
"""The fewest questions with several relevant passages that decide alone: judgements add most to those."""

WAYS = ("new", "mean", "itself")
"""The ways to rank, in the order of `TrustExamples.found`."""


@dataclass(frozen=True, eq=False)
class Unjudged(Withheld):
    """What is withheld from questions whose answers nobody has judged.

    The answers alone are hidden, so they stand out where all around them is judged, as new rules do.

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
        # For no pair at all, SciPy returns a sparse array.
        hidden: BoolArray = self.answers[rows, units[-1]] > 0 if len(rows) else np.zeros(0, np.bool_)
        return hidden


@stage(
    "trust",
    reads=[RANKERS, FIRST_PASSES, TABLES, INDEX, ENCODERS, DENSE, LATE, TRANSLATION],
    writes=[TRUST],
    params=["candidates", "extract", "late", "seed", "text", "threads", "translation", "trust"],
)
def main(settings: Settings) -> Outcome:
    """Write the limits into `outputs/trust`, and a table of what each way to rank is worth.

    The limits are null if the ranker answers every question itself, because there is no other, or because it
    does not look at the features that tell judged rules from new ones.
    """
    known, workspace = known_features(settings), Workspace(settings)
    rankers, passes = load_rankers(RANKERS, known), load_first_passes(FIRST_PASSES, known)
    limits, table = None, None
    if ON_NEW_RULES in rankers and passes and {*LOOKED_AT} <= {*rankers[RANKER].full.features.names}:
        found = Trial(rankers, passes, workspace).measured()
        examples = _examples(found)
        limits = fit_limits(examples, settings.trust.unjudged)
        table = table_of(found.with_columns(trusted=examples.under(limits)), WAYS)
    with replacing_folder(TRUST) as folder:
        write_json(folder / LIMITS.name, limits)
        if limits is not None and table is not None:
            table.write_csv(folder / "trust.csv")
            write_text(folder / "trust.md", page(limits, table))
    return Outcome({"leaders_judged": list(limits["leaders_judged"]) if limits else None})


class Trial:
    """The two rankers of each fold, and their first pass, on questions that they have not seen."""

    def __init__(
        self,
        rankers: dict[str, OutOfFold[Model]],
        passes: OutOfFold[FirstPass],
        workspace: Workspace,
    ) -> None:
        self.rankers, self.passes, self.workspace = rankers, passes, workspace
        own, new = (rankers[name].full.features for name in (RANKER, ON_NEW_RULES))
        self.features = own.joined(new).joined(passes.full.features)

    def measured(self) -> pl.DataFrame:
        """Return query_id, hidden, the values of `LOOKED_AT`, and how good each of `WAYS` is."""
        parts = [
            self._of_fold(served).with_columns(hidden=pl.lit(hidden))
            for hidden, served in progress(list(self._served()), "trust")
        ]
        columns = {
            "query_id": pl.String(),
            "hidden": pl.Boolean(),
            **dict.fromkeys((*LOOKED_AT, *WAYS), pl.Float64()),
        }
        return pl.concat(parts).select(list(columns)) if parts else pl.DataFrame(schema=columns)

    def _served(self) -> Iterator[tuple[bool, Served]]:
        """Yield training questions from which nothing is hidden, fold by fold, then with answers hidden."""
        asked = [
            (served, np.flatnonzero(served.withheld.levels == NOTHING).tolist())
            for served in self.workspace.served()
            if served.fold is not None
        ]
        deciding = self._deciding([served.queries.ids[row] for served, rows in asked for row in rows])
        for served, rows in asked:
            own = np.array([row for row in rows if served.queries.ids[row] in deciding][:QUESTIONS], np.int64)
            if len(own):
                queries, withheld = served.queries.take(own), served.withheld.take(own)
                answers = self.workspace.relevant(pl.DataFrame({"query_id": queries.ids}))
                levels = np.full(len(own), PASSAGES)
                unjudged = Unjudged(withheld.clusters, levels, withheld.salts, answers)
                yield False, replace(served, queries=queries, withheld=withheld)
                yield True, replace(served, queries=queries, withheld=unjudged)

    def _deciding(self, query_ids: list[str]) -> set[str]:
        """Return which of some questions decide."""
        judgements = self.workspace.judgements_of(pl.Series(query_ids, dtype=pl.String))
        relevant = judgements.filter(pl.col("relevance") > 0)["query_id"].value_counts()
        several = relevant.filter(pl.col("count") > 1)
        return set((several if several.height >= SEVERAL else relevant)["query_id"])

    def _of_fold(self, served: Served) -> pl.DataFrame:
        settings = self.workspace.settings
        batches = extract(
            served.index,
            served.queries,
            served.withheld,
            self.features,
            settings.candidates,
            settings.threads,
            first_pass=self.passes.for_fold(served.fold),
        )
        # As in the stage extract: batches run in parallel.
        with threadpool_limits(1, "blas"):
            return pl.concat([self._of_batch(batch, served) for batch in batches])

    def _of_batch(self, batch: Batch, served: Served) -> pl.DataFrame:
        pairs, ids = batch.pairs, batch.pairs.queries.ids
        new, own = (self._scores(name, batch, served) for name in (ON_NEW_RULES, RANKER))
        scores = dict(zip(WAYS, (new, (own + new) / 2, own), strict=True))
        hits = {
            way: best_hits(pairs.rows, pairs.columns, each.astype(np.float32), CUTOFF)
            for way, each in scores.items()
        }
        runs = tabulate(hits, ids, served.index.passage_ids)
        found = per_query(self.workspace.judgements_of(pl.Series(ids)), runs)
        first = pairs.starts[:-1][np.diff(pairs.starts) > 0]
        shares = batch.matrix[first][:, self.features.places(LOOKED_AT)]
        asked = pl.DataFrame({"query_id": [ids[row] for row in pairs.rows[first]]}, {"query_id": pl.String()})
        described = asked.hstack(pl.DataFrame(np.nan_to_num(shares), schema=list(LOOKED_AT), orient="row"))
        measured = found.group_by("query_id").agg(
            **{way: pl.col(MEASURE).filter(pl.col("run") == way).first() for way in WAYS}
        )
        return described.join(measured, on="query_id", maintain_order="left")

    def _scores(self, name: str, batch: Batch, served: Served) -> DoubleArray:
        model = self.rankers[name].for_fold(served.fold)
        return model.scored(batch, self.features, served.index.judgements, batch.every).total


def _examples(found: pl.DataFrame) -> TrustExamples:
    return TrustExamples(
        found.select(LOOKED_AT).to_numpy().astype(np.float32),
        found["hidden"].to_numpy().astype(np.bool_),
        found.select(WAYS).to_numpy().astype(np.float64),
    )


if __name__ == "__main__":
    main.run()
