"""Which training questions judged which passages, as far as a question may see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from rulerank.arrays import BoolArray, FloatArray, IntArray, counted
from rulerank.features.judged import Judged
from rulerank.features.withheld import Withheld
from rulerank.ragged import Ragged, collected, transposed
from rulerank.retrieve.cosines import nearest
from rulerank.retrieve.hits import Hits, joined, lookup
from rulerank.retrieve.quantized import QuantizedVectors


@dataclass(frozen=True, eq=False)
class JudgementIndex:
    """The judgements of M training questions on N passages.

    Parameters
    ----------
    sets : Ragged
        For each training question, the passages that are relevant to it.
    judged : Ragged
        For each passage, the training questions to which it is relevant.
    clusters : int array of shape (M,)
        Cluster of each question; near-duplicate questions share one.
    with_text : int array of shape (A,)
        The questions with a known text.
    known : QuantizedVectors
        Their A embeddings, after the adapter.
    documents, sections : int arrays of shape (N,)
        As in `Surroundings`.

    """

    sets: Ragged
    judged: Ragged
    clusters: IntArray
    with_text: IntArray
    known: QuantizedVectors
    documents: IntArray
    sections: IntArray

    @cached_property
    def text_row(self) -> IntArray:
        """The row of each question in `known`, shape (M,); A for a question without a text."""
        rows = np.full(len(self.clusters), len(self.with_text), np.int64)
        rows[self.with_text] = np.arange(len(self.with_text))
        return rows

    def most_similar(self, asked: FloatArray, visible: BoolArray, depth: int) -> Hits:
        """Return the training questions with a text that are most similar to each question.

        Parameters
        ----------
        asked : array of shape (questions, dimension)
            The questions' embeddings after the adapter.
        visible : boolean array of shape (questions, M)
            From `visible`.
        depth : int
            Training questions per question, at most.

        Returns
        -------
        Hits
            `columns` are rows of `known`.

        """
        seen = visible[:, self.with_text]
        return joined(list(nearest(self.known, asked, depth, seen)))

    def knowing(self, known: QuantizedVectors) -> JudgementIndex:
        """Return the same with other embeddings of the questions, which depend on the adapter in use."""
        return replace(self, known=known)

    def of_pairs(self, rows: IntArray, columns: IntArray, withheld: Withheld) -> Judged:
        """Look up the judgements of candidates, and how far judgements cover their surroundings.

        Parameters
        ----------
        rows, columns : int arrays of shape (pairs,)
            Question and passage of each candidate, question by question.
        withheld : Withheld
            What each question must not see.

        """
        visible = self.visible(withheld)
        pairs, questions = self.judging(rows, columns, withheld, visible)
        prior = np.bincount(pairs, minlength=len(columns)).astype(np.float32)
        in_document, in_section = self._covered(rows, columns, withheld, visible)
        return Judged(rows, columns, pairs, questions, prior, in_document, in_section, visible)

    def visible(self, withheld: Withheld) -> BoolArray:
        """Return which training questions each question may see, shape (Q, M)."""
        visible: BoolArray = self.clusters[None, :] != withheld.clusters[:, None]
        return visible

    def judging(
        self, rows: IntArray, columns: IntArray, withheld: Withheld, visible: BoolArray
    ) -> tuple[IntArray, IntArray]:
        """Return pair and training question of each judgement that its question may see, pairs ascending."""
        pairs, places = self.judged.places(columns)
        questions = self.judged.items[places].astype(np.int64)
        kept = visible[rows[pairs], questions]
        kept &= ~self._hidden(rows, columns, withheld)[pairs]
        return pairs[kept], questions[kept]

    def _hidden(self, rows: IntArray, columns: IntArray, withheld: Withheld) -> BoolArray:
        return withheld.hides(rows, [self.documents[columns], self.sections[columns], columns])

    @cached_property
    def _relevant(self) -> IntArray:
        """The passages that are relevant to a training question, ascending, shape (R,)."""
        return np.flatnonzero(self.judged.sizes)

    @cached_property
    def _in_all(self) -> tuple[FloatArray, FloatArray]:
        """How many of these each document has, and how many each section has."""
        judged = self._relevant
        counts = [np.bincount(each[judged], minlength=each.max(initial=-1) + 1) for each in self._families]
        return counts[0].astype(np.float32), counts[1].astype(np.float32)

    @property
    def _families(self) -> tuple[IntArray, IntArray]:
        return self.documents, self.sections

    def _covered(
        self, rows: IntArray, columns: IntArray, withheld: Withheld, visible: BoolArray
    ) -> tuple[FloatArray, FloatArray]:
        """Count the passages of each pair's document, and section, with a judgement its question may see."""
        questions, passages = self._lost(withheld, visible)

        def left(families: IntArray, in_all: FloatArray) -> FloatArray:
            width, family = len(families), families[columns]
            keys, counts = counted(questions * width + families[passages])
            return in_all[family] - lookup(keys, counts.astype(np.float32), rows * width + family, missing=0)

        in_document, in_section = map(left, self._families, self._in_all)
        return in_document, in_section

    def _lost(self, withheld: Withheld, visible: BoolArray) -> tuple[IntArray, IntArray]:
        """Return question and passage of the pairs whose judgements are all hidden from the question."""
        width = max(len(self.judged), 1)
        questions, unseen = np.nonzero(~visible)
        owner, passages, _ = self.sets.take(unseen)
        keys, withdrawn = counted(questions[owner] * width + passages)
        bare = keys[withdrawn == self.judged.sizes_of(keys % width)]
        partly = np.flatnonzero(withheld.levels)
        rows, columns = np.repeat(partly, len(self._relevant)), np.tile(self._relevant, len(partly))
        hidden = (rows * width + columns)[self._hidden(rows, columns, withheld)]
        lost, _ = counted(np.concatenate([bare, hidden]))
        return lost // width, lost % width


def build_judgement_index(
    judgements: pl.DataFrame,
    passage_ids: pl.Series,
    query_ids: list[str],
    clusters: IntArray,
    with_text: IntArray,
    known: QuantizedVectors,
    documents: IntArray,
    sections: IntArray,
) -> JudgementIndex:
    """Index the relevant judgements of training questions.

    Parameters
    ----------
    judgements : polars.DataFrame
        The judgements table; rows with other questions or passages are left out.
    passage_ids : polars.Series
        Ids of the N passages.
    query_ids : list of str
        Ids of the M training questions.
    clusters, with_text, known, documents, sections
        As in `JudgementIndex`.

    """
    questions = pl.DataFrame(
        {"query_id": query_ids, "row": np.arange(len(query_ids))}, schema_overrides={"query_id": pl.String}
    )
    passages = pl.DataFrame({"passage_id": passage_ids, "column": np.arange(len(passage_ids))})
    kept = (
        judgements.filter(pl.col("relevance") > 0)
        .join(questions, on="query_id")
        .join(passages, on="passage_id")
    )
    sets = collected(kept["row"].to_numpy(), kept["column"].to_numpy(), len(query_ids))
    judged = transposed(sets, len(passage_ids))
    return JudgementIndex(sets, judged, clusters, with_text, known, documents, sections)
