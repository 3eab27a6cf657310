"""The index of a trained ranker over other passages, with the same parts that the pipeline builds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import polars as pl

from rulerank.bundle import Bundle, Upkeep
from rulerank.errors import DataWarning, InputError
from rulerank.features.index import DESCRIBED, TRAINED, RankingIndex, build_generators, ranking_index
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.surroundings import Surroundings, build_surroundings
from rulerank.graph.build import link
from rulerank.graph.loops import about
from rulerank.retrieve.bm25 import Bm25
from rulerank.settings import Extract, Graph
from rulerank.tables import has_text
from rulerank.upkeep.texts import KnownMaterial, compared
from rulerank.upkeep.trained import trained_generators


@dataclass(frozen=True, eq=False)
class Rulebook:
    """The passages of a corpus, without questions.

    Parameters
    ----------
    documents, passages : polars.DataFrame
        The tables of these names.
    references : polars.DataFrame or None
        The curated cross-references, as in `rulerank.corpora.Corpus`.
    names : mapping of str to sequence of str, optional
        Names of documents by id, of those without passages too.

    """

    documents: pl.DataFrame
    passages: pl.DataFrame
    references: pl.DataFrame | None
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def known_names(self) -> dict[str, Sequence[str]]:
        """The names of its documents by id, and those kept for documents without passages."""
        return {**dict(self.documents.select("document_id", "aliases").iter_rows()), **self.names}


def build_index(
    source: Bundle,
    kept: Upkeep,
    book: Rulebook,
    settings: Graph,
    judged: Callable[[Surroundings], JudgementIndex],
    indexed: pl.DataFrame,
) -> tuple[pl.DataFrame, RankingIndex]:
    """Build the edges and the index of some passages under a trained ranker.

    Everything that counts passages is computed anew: edges and what follows from them, term statistics,
    centrality. What was learned stays: encoder, maps, translation table, latent space.

    Parameters
    ----------
    source, kept
        The ranker, and the data it keeps for this purpose.
    book : Rulebook
        The passages.
    settings : Graph
        How edges are read.
    judged : callable
        From the surroundings of the passages to the judgements of training questions about them.
    indexed : polars.DataFrame
        The passages of the ranker whose texts are not encoded again: all of them, or none.

    Raises
    ------
    InputError
        No passage has a text.

    """
    if not has_text(book.passages).any():
        count = book.passages.height
        found = f"only {count} headings" if count else "none"
        raise InputError("passages", f"expected one with text, found {found}. Keep or add a text.")
    references = book.references if settings.references == "curated" else None
    linked = link(book.passages, book.documents, references, settings)
    if linked.looped.height:
        warnings.warn(
            f"{about(linked.looped)} Correct their texts, scopes or dates.", DataWarning, stacklevel=2
        )
    texts = compared(book.passages["text"].to_list(), indexed["text"].to_list())
    known = {name: facts[: indexed.height] for name, facts in source.index.around.static.items()}
    material = KnownMaterial(
        book.passages, book.documents, linked.edges, analyser=source.analyser, texts=texts, known=known
    )
    candidates, extract = source.candidates, Extract.model_validate(source.manifest["settings"]["extract"])
    untrained = [run for run in (*DESCRIBED, *candidates.runs) if run not in TRAINED]
    generators = build_generators(material, untrained, candidates)
    around = build_surroundings(material, linked.centrality, cast("Bm25", generators["bm25"]), extract)
    trained = trained_generators(source, kept, texts)
    index = ranking_index(
        book.passages["passage_id"],
        {**generators, **trained},
        around,
        judged(around),
        source.index.translation_table,
        extract,
    )
    return linked.edges, index
