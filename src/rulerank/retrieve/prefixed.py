"""Lexical generators over texts prefixed with their metadata (SearchFireSafety), used by dotted name."""

from __future__ import annotations

from typing import ClassVar, Self

from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.context import prefixed
from rulerank.retrieve.generator import Material
from rulerank.retrieve.term_weights import Terms
from rulerank.retrieve.tfidf import TfIdf
from rulerank.settings import Candidates


class PrefixedBm25(Bm25):
    """Each passage after its law, level, article and heading."""

    name: ClassVar[str] = "bm25_prefixed"

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:
        """Index the passages with their prefixes."""
        return cls.of_terms(_terms(material), material.has_text, settings.bm25)


class PrefixedTfIdf(TfIdf):
    """Each passage after its law, level, article and heading."""

    name: ClassVar[str] = "tfidf_prefixed"

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:  # noqa: ARG003
        """Index the passages with their prefixes."""
        return cls.of_passages(_terms(material), material.has_text)


def _terms(material: Material) -> Terms:
    return material.analyser(prefixed(material.passages, material.documents))
