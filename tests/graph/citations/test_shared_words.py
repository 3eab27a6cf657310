"""Citations that share the words of a change, and whose document they mean."""

from __future__ import annotations

import time

import pytest

ROWS = [("sea", "1", ""), ("sea", "2", ""), ("tug", "1", ""), ("tug", "2", "")]
NAMES = {"new": ["New Rules"], "sea": ["Sea Rules"], "tug": ["Tug Rules"]}


@pytest.mark.parametrize(
    ("text", "superseded"),
    [
        ("Rule 1 of the Sea Rules and rule 2 of the Tug Rules are revoked.", ["sea:1", "tug:2"]),
        ("Rule 1 of the Sea Rules, and rule 2 of the Tug Rules, are revoked.", ["sea:1", "tug:2"]),
        (
            "This Rule revokes rule 1 of the Sea Rules and rule 2 of the Tug Rules.",
            ["sea:1", "tug:2"],
        ),
        (
            "This Rule revokes rule 1 of the Sea Rules, rule 1 of the Tug Rules and rule 2 of the "
            "Sea Rules with effect from 1 May 2022.",
            ["sea:1", "tug:1", "sea:2"],
        ),
        (
            "The Port hereby revokes— (a) rule 1 of the Sea Rules; and (b) rule 2 of the Tug Rules.",
            ["sea:1", "tug:2"],
        ),
        (
            "The following provisions are revoked: (a) rule 1 of the Sea Rules; (b) rule 2 of the Tug Rules.",
            ["sea:1", "tug:2"],
        ),
        (
            "In rule 1 of the Sea Rules and rule 2 of the Tug Rules, for “a” substitute “b”.",
            ["sea:1", "tug:2"],
        ),
        (
            "Subject to rule 1 of the Sea Rules, rule 2 of the Sea Rules and rule 1 of the Tug Rules "
            "are revoked.",
            ["sea:2", "tug:1"],
        ),
        (
            "This Rule revokes rule 1 of the Sea Rules and rule 2 of the Tug Rules applies.",
            ["sea:1"],
        ),
        (
            "Rule 1 of the Sea Rules (rest) and rule 2 of the Tug Rules (logs) are revoked.",
            ["sea:1", "tug:2"],
        ),
        ("See rule 1 of the Sea Rules and rule 2 of the Tug Rules is revoked.", ["tug:2"]),
        ("Rule 1 of the Sea Rules applies and rule 2 of the Tug Rules is revoked.", ["tug:2"]),
        ("A permit under rule 1 of the Sea Rules and rule 2 of the Tug Rules is revoked.", []),
        (
            "A permit under rule 1 of the Sea Rules, rule 2 of the Sea Rules and rule 2 of the Tug Rules is "
            "revoked.",
            [],
        ),
    ],
)
def test_citations_in_a_row_share_the_words_of_a_change(reading, text, superseded) -> None:
    read = reading("english_rulebook", [("new", "1", text), *ROWS], NAMES)
    edges = read.edges.filter(type="SUPERSEDES")
    assert set(edges["source_id"]) <= {"new:1"}
    assert edges["target_id"].to_list() == superseded


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("See rule 1 of the Sea Rules, rule 2 of the Tug Rules.", ["sea:1", "tug:2"]),
        ("Under the Sea Rules, rule 2 of the Tug Rules applies.", ["tug:2"]),
        ("See rule 1 of the Sea Rules, rule 2.", ["sea:1", "sea:2"]),
        ("See the Sea Rules, rule 2.", ["sea:2"]),
        # A paragraph after a section is one of its own, as the European Union cites.
        ("In Article 1 of the Sea Rules, paragraph 2 is deleted.", ["sea:1", "sea:1"]),
    ],
)
def test_document_named_after_a_citation_is_nearer_than_one_before(reading, text, cited) -> None:
    read = reading("english_rulebook", [("new", "1", text), *ROWS], NAMES)
    assert read.edges["target_id"].to_list() == cited


def test_long_row_is_read_in_time_that_grows_with_its_length(reading) -> None:
    text = "This Rule revokes " + ", ".join(["rule 1 of the Sea Rules"] * 2000) + " and rule 2."
    start = time.process_time()
    read = reading("english_rulebook", [("new", "1", text), *ROWS], NAMES)
    assert time.process_time() - start < 10
    assert "sea:1" in read.edges.filter(type="SUPERSEDES")["target_id"].to_list()
