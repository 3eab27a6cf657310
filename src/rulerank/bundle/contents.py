"""An exported ranker in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from rulerank.answer.selection import Selection
from rulerank.arrays import BoolArray, DoubleArray, FloatArray, IntArray
from rulerank.bundle.model import Model, Scored
from rulerank.bundle.names import FIRST_PASS, ON_NEW_RULES, RANKER, WITH_JUDGEMENT, affinity_of
from rulerank.features.extract import Batch, extract
from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.features.index import RankingIndex
from rulerank.features.trust import LOOKED_AT, Limits, trusted
from rulerank.features.withheld import nothing_withheld
from rulerank.passages import Passage
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.latent import append_latent
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.settings import Candidates, Text
from rulerank.text import Analyser, load_analyser
from rulerank.trees import Trees


@dataclass(frozen=True, eq=False)
class Contents:
    """The contents of an exported ranker.

    Parameters
    ----------
    documents, passages, edges : polars.DataFrame
        The corpus.
    index : RankingIndex
        The corpus as the generators and features use it.
    models : mapping of str to Model
        Models by name; `RANKER` is always there.
    first_pass : FirstPass or None
        The first pass, if a model has features of the second.
    trust : mapping of str to sequence of two floats, or None
        How far `RANKER` answers a question itself, as for `trusted`; it leaves the rest to `ON_NEW_RULES`.
        None if it answers all.
    selections : mapping of str to Selection
        By model: which passages of its ranking are evidence for a question, if that was learned.

    """

    documents: pl.DataFrame
    passages: pl.DataFrame
    edges: pl.DataFrame
    index: RankingIndex
    models: Mapping[str, Model]
    first_pass: FirstPass | None
    trust: Limits | None
    selections: Mapping[str, Selection]

    @property
    def trained(self) -> dict[str, Model | FirstPass]:
        """Every model by name, the first pass among them."""
        return {**self.models, **({FIRST_PASS: self.first_pass} if self.first_pass else {})}

    @property
    def affinity_trees(self) -> dict[str, Trees]:
        """The trees that score a passage by its company, by the name of their files."""
        affinities = {affinity_of(name): each.affinity for name, each in self.models.items()}
        return {name: each.trees for name, each in affinities.items() if each is not None}

    @property
    def forests(self) -> dict[str, Trees]:
        """All trees by the name of their files."""
        return {**{name: each.trees for name, each in self.trained.items()}, **self.affinity_trees}


@dataclass(frozen=True, eq=False)
class Bundle(Contents):
    """An exported ranker in memory.

    Parameters
    ----------
    documents, passages, edges, index, models, first_pass, trust, selections
        As in `Contents`.
    manifest : mapping
        Format, versions, settings, provenance, and the hash of every file.
    encoder : Encoder
        Embeds questions.
    token_encoder : Encoder
        Gives their tokens; the pretrained encoder, which may differ from the one that embeds.

    """

    manifest: Mapping[str, Any]
    encoder: Encoder
    token_encoder: Encoder

    @cached_property
    def features(self) -> FeatureSet:
        """The columns of the matrix at run time: the features that the ranker and its first pass read."""
        own = self.models[RANKER].features
        return own if self.first_pass is None else own.joined(self.first_pass.features)

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The title of each document, by its id."""
        return dict(self.documents.select("document_id", "title").iter_rows())

    def passages_of(self, rows: Sequence[int]) -> list[Passage]:
        """Return the passages at some rows, as a result shows them."""
        passages = (self._shown.row(row, named=True) for row in rows)
        return [
            Passage(
                **passage,
                document=self.titles.get(passage["document_id"], passage["document_id"]),
                voided_by=self.index.voided_by(row),
            )
            for row, passage in zip(rows, passages, strict=True)
        ]

    @cached_property
    def _shown(self) -> pl.DataFrame:
        """What a result shows of each passage."""
        return self.passages.select("passage_id", "document_id", "section", "text")

    def embed(self, questions: Sequence[str]) -> FloatArray:
        """Embed questions as the passages of the index are embedded, shape (questions, dimension)."""
        places = {question: place for place, question in enumerate(dict.fromkeys(questions))}
        encoded = self.encoder.encode(list(places), "query")[[places[question] for question in questions]]
        return append_latent(encoded, questions, self.index.dense.latent, self.analyser)

    def queries(self, ids: Sequence[str], texts: Sequence[str]) -> Queries:
        """Return questions as the index takes them: analysed, embedded, with tokens for late interaction."""
        late, tokens = self.index.late, None
        if late is not None:
            tokens = self.token_encoder.tokens(texts, "query").mapped(late.axes)
        return prepare_queries(ids, texts, self.embed(texts), tokens, self.analyser)

    def described(
        self, queries: Queries, workers: int = 1, without: Sequence[IntArray] | None = None
    ) -> Iterator[Batch]:
        """Yield the candidates of questions with their features, in batches, `workers` of them in parallel.

        For each question, the passages of the rows `without` count as not in the corpus.
        """
        first = self.first_pass
        settings = self.candidates
        return extract(
            self.index,
            queries,
            nothing_withheld(queries),
            self.features,
            settings,
            workers,
            first,
            without=without,
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The models that can be asked, and `WITH_JUDGEMENT` if `RANKER` does not answer all itself."""
        return (*self.models, *([WITH_JUDGEMENT] if self.trust is not None else []))

    def scores(self, name: str, batch: Batch) -> Scored:
        """Return the scores that one of `names` gives candidates with the columns `features`."""
        return self._chosen(name, batch.matrix, lambda model, kept: self._of_model(model, batch, kept))

    def tree_scores(self, name: str, matrix: FloatArray) -> DoubleArray:
        """Return the scores by the trees of one of `names` for rows with columns `features`, shape (rows,).

        What the other candidates add depends on the whole list and is not included.
        """

        def of_trees(model: str, kept: BoolArray) -> Scored:
            columns = self.features.places(self.models[model].features.names)
            trees = self.models[model].trees.scores(matrix[kept][:, columns])
            return Scored(trees, *np.zeros((2, len(trees))))

        return self._chosen(name, matrix, of_trees).trees

    def all_scores(self, batch: Batch) -> dict[str, DoubleArray]:
        """Return the scores that each of `names` gives the same candidates; no model scores a row twice."""
        scored = self._by_model(batch)
        return {
            name: self._chosen(name, batch.matrix, lambda model, kept: scored[model].at(kept)).total
            for name in self.names
        }

    def own_scores(self, batch: Batch) -> dict[str, DoubleArray]:
        """Return the scores that each trained model gives the same candidates; none leaves any to another."""
        own = {name: scored.total for name, scored in self._by_model(batch).items()}
        if self.first_pass is not None:
            columns = self.features.places(self.first_pass.features.names)
            own[FIRST_PASS] = self.first_pass.trees.scores(batch.matrix[:, columns])
        return own

    def _by_model(self, batch: Batch) -> dict[str, Scored]:
        return {name: self._of_model(name, batch, batch.every) for name in self.models}

    def _chosen(self, name: str, matrix: FloatArray, scored: Callable[[str, BoolArray], Scored]) -> Scored:
        """Return the scores by the models that answer each question when one of `names` is asked.

        `scored` takes a model and the rows that it answers.
        """
        own = self._own(name, matrix)
        trees, standing, company = np.zeros((3, len(matrix)))
        for model, weight in ((self._forest(name), own), (ON_NEW_RULES, 1 - own)):
            kept = weight > 0
            if kept.any():
                part = scored(model, kept)
                trees[kept] += weight[kept] * part.trees
                standing[kept] += weight[kept] * part.standing
                company[kept] += weight[kept] * part.company
        return Scored(trees, standing, company)

    def _of_model(self, name: str, batch: Batch, kept: BoolArray) -> Scored:
        return self.models[name].scored(batch, self.features, self.index.judgements, kept)

    def answering(self, name: str, matrix: FloatArray) -> dict[str, float]:
        """Return the models that answer one question when one of `names` is asked, with their weights.

        The weights sum to 1. A question without candidates has no features by which to trust judgements.
        """
        own = float(self._own(name, matrix)[0]) if len(matrix) else 1.0
        weights = (self._forest(name), own), (ON_NEW_RULES, 1 - own)
        return {model: weight for model, weight in weights if weight > 0}

    def _forest(self, name: str) -> str:
        return RANKER if name == WITH_JUDGEMENT else name

    def _own(self, name: str, matrix: FloatArray) -> DoubleArray:
        """Return the weight that the model's own trees have in the score of each row, shape (rows,)."""
        if name != RANKER or self.trust is None:
            return np.ones(len(matrix))
        return trusted(matrix[:, self.features.places(LOOKED_AT)], self.trust)

    @cached_property
    def analyser(self) -> Analyser:
        """The analyser that turns texts into terms, the same as in training."""
        return load_analyser(Text.model_validate(self.manifest["settings"].get("text", {})).target)

    @cached_property
    def candidates(self) -> Candidates:
        """The section `candidates` of the params with which it was trained."""
        return Candidates.model_validate(self.manifest["settings"]["candidates"])
