"""What is a title, and what states something in as few words."""

from __future__ import annotations

import pytest

from rulerank.obligations import is_title, statements, without_heading


@pytest.mark.parametrize(
    "text", ["Category 3A firms", "Class 9 - Other", "Capital Requirement for Insurers that are Companies"]
)
def test_names_with_numbers_and_clauses_are_titles(text: str) -> None:
    assert is_title(text)


@pytest.mark.parametrize(
    "text",
    [
        "Category 3A: fifty thousand dollars",
        "Class 1 vessels carry two lifeboats",
        "Notify the Harbour Master if the port is closed",
        "Rule 7 revoked",
        "Fee: 20 dollars",
    ],
)
def test_short_statements_are_no_titles(text: str) -> None:
    assert not is_title(text)


@pytest.mark.parametrize("first", ["Category 2: Twenty dollars.", "Step 1: Close the valve."])
def test_a_labelled_statement_is_no_heading(first: str) -> None:
    said = without_heading(statements(f"{first} The master must then sound the alarm."))
    assert said[0].text == first


@pytest.mark.parametrize(
    "heading",
    [
        "Principle 3 – Sharing the watch between the master, the mate and the crew within the harbour .",
        "Retention of logs.",
        "Liability of the owner for delay in the removal of a sunken hull.",
        "Limited prohibition on sale of tickets for ferries without lifeboats.",
    ],
)
def test_a_heading_that_runs_into_the_passage_is_left_out(heading: str) -> None:
    said = without_heading(statements(f"{heading} The master must keep the watch."))
    assert [each.text for each in said] == ["The master must keep the watch."]


@pytest.mark.parametrize(
    "first",
    [
        "Principle 3 – Masters of large tugs may share the watch with the mate.",
        "Payment of the dues for a berth ends the stay of a vessel.",
        "Retention of logs by a firm in the harbour is a matter for its owner.",
        "The prohibition on sale of tickets for ferries without lifeboats.",
        "Registration of a mortgage over a tug takes effect from its entry.",
        "Suspension of a licence under this rule lasts until the Authority lifts it in writing.",
        "Publication on the website constitutes notice to every owner.",
        "Liability for delay in the harbour of Osto rests with the carrier.",
        "Step 2 – Deduct the value of collateral held.",
        "Rule 3 – Owners keep records for six years.",
        "Principle 6 – Owners treat their crews fairly at all times.",
        "Sharing the watch between the master, the mate and the crew within the harbour wears crews out.",
    ],
)
def test_a_long_first_sentence_with_a_verb_is_no_heading(first: str) -> None:
    said = without_heading(statements(f"{first} The master must keep the watch."))
    assert said[0].text == first


def test_a_line_in_capitals_may_be_a_longer_title() -> None:
    title = "OWNERS OF TUGS AND BARGES THAT TOW HULLS IN RELATION TO WORKS AFLOAT – EXTENSION TO DIVING"
    assert is_title(title)
    assert not is_title(title.replace("EXTENSION", "HULLS ARE EXTENDED"))
    assert not is_title(title.capitalize())
    assert not is_title("DUES = " + " + ".join(["A", "BC", "D", "EF", "G", "HI", "J", "KL", "M"]))
    assert not is_title(
        "NO PERSON OTHER THAN THE MASTER OR A PILOT WITH A LICENCE FOR THE PORT ON THE BRIDGE DURING BERTHING"
    )
