"""Texts that revoke other documents as a whole."""

from __future__ import annotations

import time

import polars as pl
import pytest

from rulerank.graph.citations import extract, load_grammar
from rulerank.tables import PASSAGES

TITLES = {
    "pilot": "Pilot Rules 2015",
    "tug": "Tug and Barge Rules 2016",
    "new": "Harbour Rules 2021",
    "one": "Berths",
    "two": "Berths",
}


def _superseded(text: str) -> list[str]:
    """Return the passages that a passage of the Harbour Rules 2021 supersedes."""
    passages = [
        ("p1", "pilot", "1", "", "A pilot must hold a certificate.", None, "rule", 1, None, None),
        ("p2", "pilot", "2", "", "A pilot must keep a log.", None, "rule", 2, None, None),
        ("t1", "tug", "1", "", "A tug must carry a bell.", None, "rule", 1, None, None),
        ("b1", "one", "1", "", "A berth must be lit.", None, "rule", 1, None, None),
        ("n1", "new", "1", "", text, None, "rule", 1, None, None),
        ("n2", "new", "2", "", "A harbour pilot must hold a licence.", None, "rule", 2, None, None),
    ]
    documents = pl.DataFrame(
        [{"document_id": each, "title": title, "aliases": []} for each, title in TITLES.items()],
        schema_overrides={"aliases": pl.List(pl.String)},
    )
    table = pl.DataFrame(passages, schema=dict(PASSAGES.columns), orient="row")
    edges = extract(table, documents, load_grammar("english_rulebook")).edges.filter(type="SUPERSEDES")
    assert edges["source_id"].unique().to_list() in ([], ["n1"])
    return edges["target_id"].to_list()


@pytest.mark.parametrize(
    ("text", "superseded"),
    [
        ("The Pilot Rules 2015 are revoked.", ["p1", "p2"]),
        ("(1) The Tug and Barge Rules 2016 are hereby repealed with effect from 1 May 2022.", ["t1"]),
        ("The Pilot Rules 2015 and the Tug and Barge Rules 2016 are revoked.", ["p1", "p2", "t1"]),
        ("Tug and Barge Rules 2016, and Pilot Rules 2015 shall be repealed.", ["t1", "p1", "p2"]),
        ("The Pilot Rules 2015 are revoked with effect from 1 May 2022.", ["p1", "p2"]),
        ("Repeals.\nThe Pilot Rules 2015 are revoked.", ["p1", "p2"]),
        ("The Pilot Rules 2015 cease to have effect.", ["p1", "p2"]),
        ("The Pilot Rules 2015 are revoked, except rule 1.", ["p2"]),
        ("The Pilot Rules 2015 are revoked with the exception of rule 1.", ["p2"]),
        ("The Pilot Rules 2015, other than rules 1 and 3, are revoked.", ["p2"]),
        ("The Pilot Rules 2015 (except for rule 2) are revoked.", ["p1"]),
        ("All the provisions of the Pilot Rules 2015, other than rule 1, are revoked.", ["p2"]),
        ("The whole of the Pilot Rules 2015 is revoked.", ["p1", "p2"]),
        ("From 1 May 2022, the Pilot Rules 2015 are revoked.", ["p1", "p2"]),
        ("On 1 May 2022 the Pilot Rules 2015 are revoked.", ["p1", "p2"]),
        ("The following are revoked: (a) the Pilot Rules 2015, other than rule 1.", ["p2"]),
        (
            "The following are revoked: (a) the Pilot Rules 2015 (except rule 1); and (b) the Tug and Barge "
            "Rules 2016.",
            ["p2", "t1"],
        ),
        ("The Pilot Rules 2015 are hereby withdrawn.", ["p1", "p2"]),
        ("The Pilot Rules 2015 are cancelled with effect from 1 May 2022.", ["p1", "p2"]),
        ("The Pilot Rules 2015 are superseded by these Rules.", ["p1", "p2"]),
        ("These Rules supersede and replace the Pilot Rules 2015.", ["p1", "p2"]),
        ("This Order takes effect on 1 May 2022 and cancels the Pilot Rules 2015.", ["p1", "p2"]),
        # Whether the corpus has the other document makes no difference.
        ("The Port Rules 1998 and the Pilot Rules 2015 are revoked.", ["p1", "p2"]),
        ("The Pilot Rules 2015 and the Port (Fees) Rules 1998 are revoked.", ["p1", "p2"]),
        ("This Order revokes— (a) the Pilot Rules 2015; and (b) the Port Rules 1998.", ["p1", "p2"]),
        ("Licences granted by the Port Rules 1998 and the Pilot Rules 2015 are revoked.", []),
        ("Fees of the Port Rules 1998 and the Pilot Rules 2015 are revoked.", []),
        ("The Pilot Rules 2015 and licences of 2016 are revoked.", []),
        ("This Order revokes the exemption from the Pilot Rules 2015.", []),
        ("These Rules replace the Pilot Rules 2015 for tugs.", []),
        ("Fees under the Port Rules 1998 and the Pilot Rules 2015 are revoked.", []),
        ("Rule 1 of the Port Rules 1998 and the Pilot Rules 2015 are revoked.", []),
        ("The Minister may revoke the Pilot Rules 2015.", []),
        ("The Pilot Rules 2015 are withdrawn from sale.", []),
        ("Subject to ratification by the Council, the Pilot Rules 2015 are revoked.", []),
        ("Subject to rule 4, the Pilot Rules 2015 are revoked.", ["p1", "p2"]),
        # What stays is said with each rule.
        ("With the exception of rule 1, the Pilot Rules 2015 are revoked.", ["p1", "p2"]),
        # The number of its own rule 2 is not meant.
        ("The Pilot Rules 2015 are revoked, save for rule 2 and section 1.", []),
        (
            "The Pilot Rules 2015 (except rule 1) and the Tug and Barge Rules 2016 (except rule 2) are "
            "revoked.",
            ["p2", "t1"],
        ),
        (
            "The Pilot Rules 2015, other than rule 1, and the Tug and Barge Rules 2016, other than rule 2, "
            "are revoked.",
            ["p2", "t1"],
        ),
        # What stays in part is said with each rule.
        ("The Pilot Rules 2015 are revoked, except rule 1 so far as it applies to a tug.", ["p1", "p2"]),
        ("The Pilot Rules 2015 are revoked, except rule 1(2).", ["p1", "p2"]),
        ("The following are revoked: (a) rule 1 of the Pilot Rules 2015 or any licence under it.", ["p1"]),
        (
            "The following are revoked: (a) the Pilot Rules 2015; (b) the Tug and Barge Rules 2016.",
            ["p1", "p2", "t1"],
        ),
        (
            "(1) Subject to rule 2, the following Rules are hereby repealed—\n(a) the Sea Rules 1990,\n"
            "(b) the Pilot Rules 2015 (S.I. 2015/7), and\n(c) the Tug and Barge Rules 2016, except rule 1.",
            ["p1", "p2"],
        ),
        (
            "The following are revoked: Pilot Rules 2015; and the Tug and Barge Rules 2016.",
            ["p1", "p2", "t1"],
        ),
        ("The Pilot Rules 2015 are revoked by these Rules.", ["p1", "p2"]),
        ("The Tug and Barge Rules 2016 shall expire at the end of 31 December 2019.", ["t1"]),
    ],
)
def test_a_revoked_document_is_superseded_in_every_passage(text: str, superseded: list[str]) -> None:
    assert _superseded(text) == superseded


@pytest.mark.parametrize(
    "text",
    [
        "The Pilot Rules 2015 are revoked, but rule 1 continues to have effect.",
        "The Pilot Rules 2015 are revoked in England.",
        "The Pilot Rules 2015 are revoked with respect to tugs.",
        "The Pilot Rules 2015 are revoked with regard to tugs.",
        "(1) The Pilot Rules 2015 are revoked. (2) Rule 1 of those Rules continues to apply to a ferry.",
        "The Pilot Rules 2015 are revoked in so far as they apply to tugs.",
        "A licence under the Pilot Rules 2015 is revoked.",
        "Licences under the Pilot Rules 2015 and the Tug and Barge Rules 2016 are revoked.",
        "If the Pilot Rules 2015 are revoked, rule 2 applies.",
        "The Pilot Rules 2015 are not revoked.",
        "The Pilot Rules 2015 are revoked by the Tug and Barge Rules 2016.",
        "These Rules shall be revoked by order of the Minister.",
        "The Pilot Rules are revoked.",
        "The Harbour Rules 2021 are revoked.",
        "Berths are revoked.",
        "If the Minister so orders, the following are revoked: (a) the Pilot Rules 2015.",
        "The Minister may order that the following are revoked: (a) the Pilot Rules 2015.",
        "The following are revoked: (a) the Pilot Rules 2015. Rule 1 of those Rules continues to apply.",
        "The following are amended: (a) the Pilot Rules 2015.",
        "The Pilot Rules 2015 cease to have effect if the Minister so orders.",
        "The Pilot Rules 2015 may cease to have effect on 1 May 2020.",
        "The Pilot Rules 2015 shall expire on such day as the Minister appoints.",
        "A certificate under the Pilot Rules 2015 expires on 1 May 2020.",
    ],
)
def test_what_revokes_no_other_document_as_a_whole_supersedes_nothing(text: str) -> None:
    assert _superseded(text) == []


def test_a_rule_of_a_document_is_revoked_alone() -> None:
    assert _superseded("Rule 1 of the Pilot Rules 2015 is revoked.") == ["p1"]


@pytest.mark.parametrize(
    "text",
    [
        "These Rules cease to have effect on 1 January 2020.",
        "(3) These Rules shall expire at the end of 31 December 2019.",
        "This Act lapses on 1 May 2021.",
        "Duration.\nThese Regulations cease to be in force at the end of the period of six months beginning"
        " with the day on which they are made.",
        "These Rules are revoked on 1 May 2020.",
    ],
)
def test_a_document_that_ends_itself_is_superseded_in_every_other_passage(text: str) -> None:
    assert _superseded(text) == ["n2"]


@pytest.mark.parametrize(
    "text",
    [
        "A permit under these Rules ceases to have effect on 1 January 2020.",
        "Unless continued, these Rules expire on 1 May 2020.",
        "These Rules, unless continued by the Minister, expire on 1 May 2020.",
        "These Rules cease to have effect on 1 May 2020, except rule 2.",
        "These Rules may be revoked on 1 May 2020.",
        "This Part expires on 1 May 2020.",
        "This rule ceases to have effect on 1 May 2020.",
        "This Act does not apply to a permit that shall expire on 1 May 2030.",
        "The Minister proposes that these Rules expire on 1 May 2020.",
        "After rule 8 insert— “9. These Rules cease to have effect on 1 May 2020.”",
        'After rule 8 insert: "9. These Rules expire on 1 May 2020."',
    ],
)
def test_the_end_of_something_else_ends_no_document(text: str) -> None:
    assert _superseded(text) == []


def test_a_list_of_revoked_documents_may_be_in_passages_of_its_own() -> None:
    rows = [
        ("p1", "pilot", "1", "A pilot must hold a certificate."),
        ("t1", "tug", "1", "A tug must carry a bell."),
        ("n1", "new", "1", "The following are revoked:"),
        ("n2", "new", "1(a)", "(a) the Sea Rules 1990;"),
        ("n3", "new", "1(b)", "(b) the Pilot Rules 2015."),
        ("n4", "new", "2", "The Tug and Barge Rules 2016"),
    ]
    table = pl.DataFrame(
        [
            (name, document, section, "", text, None, "rule", place, None, None)
            for place, (name, document, section, text) in enumerate(rows)
        ],
        schema=dict(PASSAGES.columns),
        orient="row",
    )
    documents = pl.DataFrame(
        [{"document_id": each, "title": title, "aliases": []} for each, title in TITLES.items()],
        schema_overrides={"aliases": pl.List(pl.String)},
    )
    edges = extract(table, documents, load_grammar("english_rulebook")).edges.filter(type="SUPERSEDES")
    assert edges.select("source_id", "target_id", "evidence").rows() == [
        ("n1", "p1", "The following are revoked:")
    ]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["These Rules expire on 1 May 2020.", "Rule 1 is revoked.", "Rest."], ["1>3", "2>1"]),
        (
            ["These Rules expire on 1 May 2020.", "In rule 3, omit “x”.", "In rule 1, omit “y”.", "Rest."],
            ["1>4", "2>3", "3>1"],
        ),
        (
            ["These Rules expire on 1 May 2020.", "These Rules cease to have effect on 1 May 2021.", "Rest."],
            ["1>3", "2>3"],
        ),
    ],
)
def test_what_changes_the_end_of_a_document_is_not_ended_by_it(reading, rows, expected) -> None:
    table = [("new", str(number), text) for number, text in enumerate(rows, start=1)]
    edges = reading("english_rulebook", table, {"new": ["Harbour Rules 2021"]}).edges
    found = edges.filter(type="SUPERSEDES").select("source_id", "target_id").rows()
    assert [f"{source[4:]}>{target[4:]}" for source, target in found] == expected


@pytest.mark.parametrize(
    "piece",
    [
        "The following are revoked: ",
        "The following are revoked: (a) x; ",
        "(a) The Rules ( ",
        " ,",
        "Pilot Rules 2015, ",
    ],
)
def test_a_long_list_is_read_in_linear_time(piece: str) -> None:
    start = time.process_time()
    assert _superseded("The following are revoked: " + piece * 4_000) == []
    assert time.process_time() - start < 5
