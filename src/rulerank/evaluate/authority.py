"""The evaluation of a domain: the measures of every system on every question."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from rulerank.authority.index import DomainIndex
from rulerank.authority.search import Embeddings, Retrieval
from rulerank.errors import DataWarning, InputError
from rulerank.evaluate.authority_failures import chains
from rulerank.evaluate.authority_measures import by_group, per_question, summarise
from rulerank.evaluate.vocabulary_gap import vocabulary_gap
from rulerank.settings.encoder import DEFAULT_ENCODER

LISTED = 20
"""How many documents of each list the JSON names."""
_KEYS = ("system", "query_id", "group")


@dataclass(frozen=True, eq=False)
class DomainEvaluation:
    """What the systems return for the questions of a domain, and how good it is.

    Parameters
    ----------
    index : DomainIndex
        The documents.
    queries : polars.DataFrame
        The queries table of `rulerank.corpora.authority`.
    retrievals : sequence of Retrieval
        One per question, in order.

    """

    index: DomainIndex
    queries: pl.DataFrame
    retrievals: Sequence[Retrieval]

    @cached_property
    def measures(self) -> pl.DataFrame:
        """The table of `per_question`: one row per system and question."""
        return per_question(self.index, self.queries, self.retrievals)

    @cached_property
    def systems(self) -> dict[str, dict[str, Any]]:
        """The measures of each system, from `summarise`."""
        return summarise(self.measures)

    @cached_property
    def groups(self) -> dict[str, dict[str, dict[str, Any]]]:
        """The measures of each system by group, from `by_group`."""
        return by_group(self.measures)

    @cached_property
    def gap(self) -> dict[str, Any]:
        """The figures of `vocabulary_gap`."""
        return vocabulary_gap(self.index, self.queries)

    def as_json(self) -> dict[str, Any]:
        """Return all measures as a JSON object."""
        return {
            "documents": len(self.index.documents),
            "queries": len(self.queries),
            "superseded": int(self.index.order.superseded.sum()),
            "chains_per_scope": chains(self.index, self.queries),
            "vocabulary_gap": self.gap,
            "systems": self.systems,
            "groups": self.groups,
            "per_query": self._per_query(),
        }

    def _per_query(self) -> list[dict[str, Any]]:
        """Return each question's measures with the ids of its anchors and of the first documents listed."""
        ids = self.index.documents["document_id"]
        questions = self.measures.partition_by("query_id", maintain_order=True)
        return [
            {
                "query_id": rows["query_id"][0],
                "group": rows["group"][0],
                "anchors": ids.gather(retrieval.anchors).to_list(),
                "systems": {
                    row["system"]: {
                        "measures": {name: value for name, value in row.items() if name not in _KEYS},
                        "documents": ids.gather(retrieval.lists[row["system"]][:LISTED]).to_list(),
                    }
                    for row in rows.iter_rows(named=True)
                },
            }
            for rows, retrieval in zip(questions, self.retrievals, strict=True)
        ]


def embed(documents: pl.DataFrame, queries: pl.DataFrame, encoder: str | None) -> Embeddings | None:
    """Embed every text of a domain.

    Parameters
    ----------
    documents, queries : polars.DataFrame
        The tables of `rulerank.corpora.authority`.
    encoder : str or None
        A hub name or a folder. With None, `DEFAULT_ENCODER` is used if it can be loaded; otherwise there is a
        warning and there are no embeddings.

    Raises
    ------
    InputError
        The named encoder cannot be loaded.

    """
    try:
        from rulerank.learn.encoder.export import load_model

        model = load_model(encoder or DEFAULT_ENCODER)
    except (InputError, ImportError) as error:
        if encoder is not None:
            raise InputError(
                "--encoder",
                f"expected a folder or a model of the hub, found {encoder!r}. Check name and network.",
            ) from error
        warnings.warn(
            "no encoder can be loaded: no dense run, anchors by BM25 alone", DataWarning, stacklevel=2
        )
        return None
    return Embeddings(
        *(
            model.encode(texts.to_list(), normalize_embeddings=True, show_progress_bar=None, batch_size=16)
            for texts in (documents["text"], queries["text"])
        )
    )
