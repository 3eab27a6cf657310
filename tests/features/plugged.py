"""A generator from outside the package, named in params.yaml by its dotted name."""

from __future__ import annotations

from typing import ClassVar, Self

from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.generator import Material
from rulerank.settings import Bm25 as Bm25Settings
from rulerank.settings import Candidates

RUN = "tests.features.plugged:TfIdf"


class TfIdf(Bm25):
    """The idf of the terms that question and passage share, whatever their number and the length."""

    name: ClassVar[str] = "tfidf"

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:
        return cls.of_terms(material.terms, material.has_text, Bm25Settings(k1=0, b=0))
