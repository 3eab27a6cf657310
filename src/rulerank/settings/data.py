"""Sections of params.yaml on the input: where the data are, and how they are cleaned and linked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from rulerank.errors import nearest
from rulerank.settings.section import Name, Place, Section

DocumentId = Annotated[
    str, Field(min_length=1), BeforeValidator(lambda name: str(name) if type(name) is int else name)
]
"""As the corpus reader returns it; YAML reads 1005 as a number."""


class Data(Section):
    """Where the regulations and questions are."""

    root: Place = Path("data/sample")


class Sample(Section):
    """Size and seed of the generated sample corpora, English and Korean."""

    seed: int = Field(7, ge=0)
    questions: int = Field(960, ge=40, le=5000)
    korean: int = Field(240, ge=40, le=1000)
    """Number of questions of the Korean sample, whose rulebook is smaller."""


class Prepare(Section):
    """How questions are cleaned and divided into folds."""

    folds: int = Field(5, ge=2, le=20)
    near_duplicate: float = Field(0.8, gt=0, le=1)
    """TF-IDF cosine from which two questions count as one."""
    as_new: float = Field(0.2, ge=0, le=1)
    """Share of the training questions treated as if their documents were new: served by models that learned
    nothing about them, with half of the judged rulebook hidden."""
    questions: Literal["published", "recut"] = "published"
    """Which question files of an ObliQA folder serve which split. The re-cut trains on the questions of
    ObliQA's dev and test files and holds out the multi-passage validation and test questions."""
    protocol: Literal["published", "random", "evidence_disjoint", "document_disjoint"] = "published"
    """Which questions are trained on and which are held out: as published; with `held_out_share` of the
    training questions held out too; without the training questions that share evidence with held-out ones; or
    by document, with the questions about `held_out_documents` held out."""
    held_out_share: float = Field(0.2, gt=0, lt=1)
    """Share of the training questions that the protocol `random` holds out for validation."""
    held_out_part: int = Field(0, ge=0)
    """Which of these shares, from 0: with a share of 0.2, parts 0 to 4 hold out every question once."""
    held_out_documents: tuple[DocumentId, ...] = ()
    """With the protocol `document_disjoint`, the documents that no training question is about."""
    grades: Literal["given", "binary"] = "given"
    """Whether relevance keeps the grades of the corpus, or is yes or no (the ObliQA-MP publication)."""
    feedback: Place = Path("data/feedback")
    """Users' judgements of ranked passages: a file of JSON Lines, or a folder of such files."""

    @model_validator(mode="after")
    def _part_is_within_the_questions(self) -> Prepare:
        parts = round(1 / self.held_out_share, 6)
        if self.held_out_part >= parts:
            raise ValueError(
                f"held_out_part: expected less than 1 / held_out_share, {parts:g}, found {self.held_out_part}"
            )
        return self

    @model_validator(mode="after")
    def _documents_are_held_out_by_one_protocol(self) -> Prepare:
        wanted = self.protocol == "document_disjoint"
        if wanted != bool(self.held_out_documents):
            found = ", ".join(self.held_out_documents) or "none"
            raise ValueError(
                f"held_out_documents: expected {'document ids' if wanted else 'none'} with the protocol "
                f"{self.protocol}, found {found}; only document_disjoint holds documents out"
            )
        return self


class Graph(Section):
    """Which edges are extracted from the passages, and which of them measure how central a passage is."""

    max_term_share: float = Field(0.1, gt=0, le=1)
    """A defined term used by more than this share of the passages is uninformative, and gets no edges."""
    grammar: Name = "auto"
    """How the corpus cites: the name of a grammar in this package, or the path of a YAML file; "auto" is the
    one that fits the language of most passages, and the way in which they cite."""
    references: Literal["curated", "text"] = "curated"
    """The source of REFERENCES if the corpus has a curated table of them; without one, it is the text."""
    also: tuple[Literal["CITED_BY", "NAMES"], ...] = ()
    """Additional edges of the ObliQA-MP publication: every REFERENCES reversed, and edges from passages to
    the names of bodies and things in them."""
    centrality: tuple[str, ...] | None = None
    """Edge types that PageRank, HITS and degree use; null uses all."""
    hits_without: tuple[str, ...] = ("CONTAINS",)
    """The types among them that HITS leaves out."""

    @field_validator("centrality", "hits_without")
    @classmethod
    def _are_edge_types(cls, types: tuple[str, ...] | None) -> tuple[str, ...] | None:
        # The tables load Polars, which the commands that read settings do not need.
        from rulerank.tables import EDGE_TYPES

        for name in types or ():
            if name not in EDGE_TYPES:
                raise ValueError(
                    f"expected some of {', '.join(EDGE_TYPES)}, found {name!r}; "
                    f"the nearest name is {nearest(name, EDGE_TYPES)}"
                )
        return types
