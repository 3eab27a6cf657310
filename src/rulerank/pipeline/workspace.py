"""What is built from the stages' outputs: the index, and questions with models that have not seen them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from rulerank.features.index import DESCRIBED, TRAINED, RankingIndex, ranking_index
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.storage import (
    GENERATORS,
    JUDGEMENTS,
    load_generators,
    load_judgements,
)
from rulerank.features.withheld import Withheld, draw_withheld, nothing_withheld
from rulerank.learn.out_of_fold import Fold
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import INDEX
from rulerank.retrieve.dense import Dense
from rulerank.retrieve.embedded import EmbeddedPassages
from rulerank.retrieve.generator import Generator, Material
from rulerank.retrieve.late import Late
from rulerank.retrieve.matched import Matched
from rulerank.retrieve.quantized import QuantizedVectors
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.settings import Settings
from rulerank.text import Analyser, load_analyser


@dataclass(frozen=True, eq=False)
class Served:
    """Questions, and an index no part of which has seen their judgements.

    Parameters
    ----------
    fold : int or None
        The fold of the questions, whose rankers have not seen them; None for the validation questions. What
        searches for passages is that of `served_by`, another fold where their documents are treated as new.
    index : RankingIndex
        The passages.
    queries : Queries
        The questions.
    withheld : Withheld
        The judgements that are withheld from their features.

    """

    fold: Fold
    index: RankingIndex
    queries: Queries
    withheld: Withheld


class Workspace(Outputs):
    """The outputs of a pipeline run, and what later stages build from them.

    Parameters
    ----------
    settings : Settings
        The whole of params.yaml.

    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @cached_property
    def analyser(self) -> Analyser:
        """The analyser that turns texts into terms."""
        return load_analyser(self.settings.text.target)

    @property
    def material(self) -> Material:
        """The material of generators that do not learn from judgements."""
        return Material(self.passages, self.documents, self.edges, analyser=self.analyser)

    def index(self, fold: Fold = None) -> RankingIndex:
        """Return the index that the stage `index` built, with the trained generators that serve a fold."""
        runs = dict.fromkeys([*DESCRIBED, *self.settings.candidates.runs])
        built = load_generators([run for run in runs if run not in TRAINED], INDEX / GENERATORS)
        return self._with_trained(built, load_judgements(INDEX / JUDGEMENTS, self.surroundings), fold)

    def served(self) -> Iterator[Served]:
        """Yield the training questions fold by fold, then the validation questions, each with its index."""
        training = self.asked("train").sort("served_by", "fold", maintain_order=True)
        index = self.index()
        for (served_by,), served in training.group_by("served_by", maintain_order=True):
            stranger = self._with_trained(index.generators, index.judgements, served_by)
            for (fold,), part in served.group_by("fold", maintain_order=True):
                clusters, as_new = part["cluster"].to_numpy().astype(np.int64), part["as_new"].to_numpy()
                withheld = draw_withheld(clusters, part["query_id"].to_list(), as_new, self.settings.seed)
                yield Served(fold, stranger, self._prepared(part, served_by), withheld)
        validation = self.asked("validation")
        yield Served(None, index, self._prepared(validation, None), nothing_withheld(validation))

    def _prepared(self, queries: pl.DataFrame, served_by: Fold) -> Queries:
        rows = queries["row"].to_numpy().astype(np.int64)
        tokens = self.tokens_of("queries").take(rows) if self.late_maps else None
        vectors = self.queries_by(served_by)[rows]
        return prepare_queries(
            queries["query_id"].to_list(), queries["text"].to_list(), vectors, tokens, self.analyser
        )

    def _with_trained(
        self, generators: Mapping[str, Generator], judgements: JudgementIndex, fold: Fold
    ) -> RankingIndex:
        """Return the index whose trained generators have not seen a fold."""
        dense = Dense.of(
            EmbeddedPassages(self.passages_by(fold), self.adapters.for_fold(fold), self.latent), self.has_text
        )
        trained: dict[str, Generator] = {"dense": dense}
        if self.late_maps is not None:
            maps, axes = self.late_maps.for_fold(fold), self.token_arrays["axes"]
            trained["late"] = Late.of(Matched(self.tokens_of("passages"), maps, axes), self.has_text)
        known = dense.adapted(self.queries_by(fold)[self.asked("train")["row"].to_numpy()])
        return ranking_index(
            self.passages["passage_id"],
            {**generators, **trained},
            self.surroundings,
            judgements.knowing(QuantizedVectors.of(known)),
            None if self.translation_tables is None else self.translation_tables.for_fold(fold),
            self.settings.extract,
        )
