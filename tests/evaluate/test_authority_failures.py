"""Plot 7 has two titles, of which a lien voids one; plot 8 has a title alone."""

from datetime import datetime

import numpy as np
import polars as pl
import pytest

from rulerank.authority.domain import Domain
from rulerank.authority.index import index_domain
from rulerank.authority.search import Retrieval
from rulerank.evaluate.authority_failures import Failure, chains, factors, failure_class, failures
from rulerank.evaluate.authority_measures import per_question, summarise
from rulerank.settings import Bm25

DOMAIN = Domain(
    anchor_type="title",
    superseding_type="lien",
    scope_keys="plot",
    rules=[["lien", "title", ["plot", "owner"]]],
    answers=[{"type": "lien", "answer": "burdened"}, {"type": "title", "answer": "clear"}],
)
ROWS = [("title", "7", "ann"), ("lien", "7", "ann"), ("title", "7", "bob"), ("title", "8", "cid")]
ANN, LIEN, BOB, CID = range(4)
QUERY = {
    "query_id": ["q"],
    "text": ["Is plot 7 burdened?"],
    "gold": [["1"]],
    "provenance": [["0", "1"]],
    "group": ["g"],
    "answer": ["burdened"],
}


@pytest.fixture(scope="module")
def index():
    documents = pl.DataFrame(
        {
            "document_id": [str(row) for row in range(4)],
            "type": [kind for kind, _, _ in ROWS],
            "text": [f"{kind} of {owner}" for kind, _, owner in ROWS],
            "timestamp": [datetime(2020, 5, 1 + row) for row in range(4)],
            "scope": [{"plot": plot, "owner": owner} for _, plot, owner in ROWS],
        }
    )
    return index_domain(documents, DOMAIN, "x", Bm25())


def rows(*documents: int) -> np.ndarray:
    return np.array(documents, np.int64)


@pytest.mark.parametrize(
    ("shown", "entries", "expected"),
    [
        ([LIEN], [ANN], None),
        ([CID], [CID], Failure.ANCHOR),  # nothing of plot 7 to start from
        ([BOB, CID], [BOB], Failure.SCOPE),  # plot 7, but the chain of the other title
        ([BOB], [ANN], Failure.SCOPE),  # the right anchor, but the other chain is shown
        ([ANN], [ANN], Failure.CLOSURE),  # the chain without the document that controls it
    ],
)
def test_first_step_that_went_wrong_is_named(index, shown, entries, expected) -> None:
    found = failure_class(index, rows(*shown), rows(*entries), rows(LIEN), rows(ANN, LIEN))
    assert found == expected


def test_factors_are_shares_of_what_the_step_before_let_through_and_multiply_to_tca() -> None:
    missed = [Failure.ANCHOR, Failure.SCOPE, Failure.SCOPE, Failure.CLOSURE, *[None] * 6]
    classes = pl.Series(missed, dtype=pl.String)
    assert failures(classes) == {"anchor missed": 1, "scope missed": 2, "closure missed": 1}
    shares = factors(classes)
    assert shares == {"anchor": 9 / 10, "scope": 7 / 9, "frontier": 6 / 7}
    assert np.prod(list(shares.values())) == pytest.approx(0.6)
    assert factors(pl.Series([Failure.ANCHOR], dtype=pl.String)) == {
        "anchor": 0,
        "scope": None,
        "frontier": None,
    }


def test_scope_identifies_a_chain_by_its_share_of_the_documents(index) -> None:
    # Plot 7: two chains, and the chain of the lien is two documents of three.
    measured = chains(index, pl.DataFrame(QUERY))
    assert measured == {"mean": 2.0, "mean_inverse": 0.5, "identifiability": pytest.approx(2 / 3)}


def test_accuracy_closure_and_provenance_are_measured_apart(index) -> None:
    lists = {"two_stage": rows(LIEN), "other": rows(ANN, BOB)}
    measured = per_question(index, pl.DataFrame(QUERY), [Retrieval(rows(ANN), lists)])
    right, wrong = measured.to_dicts()
    assert (right["answer_correct@5"], right["closure_violation@5"], right["ProvRec@5"]) == (True, False, 0.5)
    # The title alone reads "clear": bob's is in force, ann's stands without its lien.
    assert (wrong["answer_correct@5"], wrong["closure_violation@5"], wrong["ProvRec@5"]) == (False, True, 0.5)
    assert (right["failure"], wrong["failure"]) == (None, "closure missed")
    summary = summarise(measured)["other"]
    assert summary["ProvRec@5"] == 0.5
    assert summary["closure_violation@5"]["mean"] == 1
    assert summary["failures"] == {"anchor missed": 0, "scope missed": 0, "closure missed": 1}


def test_without_a_failure_nothing_is_counted(index) -> None:
    measured = per_question(index, pl.DataFrame(QUERY), [Retrieval(rows(ANN), {"two_stage": rows(LIEN)})])
    assert summarise(measured)["two_stage"]["failures"] == dict.fromkeys(
        ("anchor missed", "scope missed", "closure missed"), 0
    )
