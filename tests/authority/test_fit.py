from __future__ import annotations

import json

import polars as pl
import pytest

from rulerank.authority.domain import Domain
from rulerank.authority.fit import check_fit, unread_keys
from rulerank.errors import InputError

TITLES = [("t", "title", 1, "7"), ("l", "lien", 2, "7"), ("r", "release", 3, "7")]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [("t", "titel", 1, "7")],
            "anchor_type: expected documents of type title, found only titel; the nearest",
        ),
        (
            [("t", "title", 1, "7")],
            "superseding_type: expected documents of type lien or release, found only title",
        ),
        (
            [("t", "title", 1, None), ("l", "lien", 1, None)],
            "scope key 'plot': expected in the scope of documents",
        ),
    ],
)
def test_documents_that_do_not_fit_the_domain_are_refused(table, registry, rows, message) -> None:
    with pytest.raises(InputError, match=message):
        check_fit(table(rows), registry, "documents.jsonl")


def test_documents_without_a_scope_key_are_counted_and_the_first_is_named(table, registry) -> None:
    rows = [*TITLES, ("loose", "lien", 5, None), ("bare", "title", 1, None), ("sketch", "survey", 1, None)]
    problems = check_fit(table(rows), registry, "documents.jsonl")
    assert problems == ["2 of 5 documents lack scope key 'plot'; the first is 'loose'"]


def test_type_that_no_document_has_is_told_with_the_nearest(table) -> None:
    domain = Domain(
        anchor_type="title",
        superseding_type="lien",
        scope_keys="plot",
        rules=[["lien", "title"], ["lein", "lien"]],
    )
    assert check_fit(table(TITLES), domain, "x") == [
        "no document is of type 'lein', which the domain names; the nearest is 'lien'"
    ]


def test_scope_key_of_questions_that_no_domain_names_is_told_with_the_nearest(registry) -> None:
    scopes = [{"plto": "7"}, {"plto": "8", "plot": "8"}, {"plot": "7"}, {}]
    queries = pl.DataFrame({"scope": [json.dumps(scope) for scope in scopes]})
    assert unread_keys(queries, [registry]) == [
        "2 of 4 questions give scope key 'plto', which no domain names; the nearest is 'plot'"
    ]
    other = registry.model_copy(update={"scope_keys": ("plto",)})
    assert unread_keys(queries, [registry, other]) == []
