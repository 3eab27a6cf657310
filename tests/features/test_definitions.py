from __future__ import annotations

import math

import polars as pl
import pytest

from rulerank.features.definitions import build_definitions
from rulerank.tables import EDGES


@pytest.fixture(scope="module")
def defined(world):
    """The harbour with three defined terms, one within another."""
    edges = [
        ("act:1.1", "term:pilot licence", "DEFINES"),
        ("act:1.2", "term:pilot licence", "USES_TERM"),
        ("act:1.1", "term:licence", "DEFINES"),
        ("act:1.1", "term:licence", "USES_TERM"),
        ("code:1", "term:licences", "USES_TERM"),
        ("act:2", "term:vessel fees", "DEFINES"),
        ("act:2", "term:the", "DEFINES"),
    ]
    table = pl.DataFrame([(*edge, "") for edge in edges], schema=dict(EDGES.columns), orient="row")
    return world.with_around(definitions=build_definitions(table, world.index.passage_ids))


def _found(world, feature: str, query: str) -> dict[str, float]:
    return {passage: value for passage, value in world.values(feature, query).items() if value}


def test_terms_of_a_question_are_found_by_their_stems_one_within_another(defined) -> None:
    # "Must a pilot hold a pilot licence?"
    assert _found(defined, "terms_defined", "pilot") == {"act:1.1": 2}
    assert _found(defined, "terms_held", "pilot") == {"act:1.1": 1, "act:1.2": 0.5, "code:1": 0.5}


def test_each_question_has_its_own_terms(defined) -> None:
    assert _found(defined, "terms_defined", "fees") == {"act:2": 1}
    assert _found(defined, "terms_held", "fees") == {"act:2": 1}


def test_question_without_a_defined_term_has_no_share(defined) -> None:
    assert not _found(defined, "terms_defined", "lights")
    assert all(math.isnan(value) for value in defined.values("terms_held", "lights").values())


def test_term_of_stop_words_alone_is_no_term(defined) -> None:
    assert set(defined.index.around.definitions.forms) == {"licenc", "pilot licenc", "vessel fee"}


def test_corpus_without_definitions_has_none(world) -> None:
    assert not world.index.around.definitions.forms
    assert not any(world.values("terms_defined", "pilot").values())
