"""Lists whose items are passages of their own."""

from __future__ import annotations

import pytest

from rulerank.ranker.evidence import FEW
from tests.ranker.laws import DAY, answered, evidence_of


def _listed(lead: str, *items: str) -> list[tuple[str, str, str, str]]:
    """Return a lead-in and its items as passages r, a, b and so on."""
    labels = "abcdefghijk"[: len(items)]
    below = [(each, "act", f"1({each})", item) for each, item in zip(labels, items, strict=True)]
    return [("r", "act", "1", lead), *below]


@pytest.mark.parametrize(
    "lead",
    [
        "A ship need not call if:",
        "A ship must call, unless:",
        "A ship may sail after dark, provided:",
        "A ship may sail only:",
        "The fee is the sum of:",
        "“Aground” means:",
    ],
)
@pytest.mark.parametrize("kept", [["r"], ["b"], ["b", "a"]])
def test_a_lead_in_and_an_item_bring_the_items_that_are_right_only_together(
    lead: str, kept: list[str]
) -> None:
    (claim,) = answered(evidence_of(_listed(lead, "she is old; and", "she is tall."), []), kept).claims
    assert claim.text == f"{lead} she is old; and she is tall."
    assert claim.passages == ("r", "a", "b")


@pytest.mark.parametrize(
    ("lead", "items"),
    [
        ("A master must:", ["rest; and", "eat."]),
        ("This rule applies where a ship is moored:", ["she must call; and", "she must show a lamp."]),
        ("A ship need not call if:", ["she is:", "she is tall."]),
        ("A ship need not call if:", ["she is tall;"] * 9),
    ],
)
def test_a_lead_in_brings_no_items_that_are_right_alone_or_many_or_lead_on(
    lead: str, items: list[str]
) -> None:
    passages, _ = evidence_of(_listed(lead, *items), []).law(["r"], DAY)
    assert [each.passage_id for each in passages] == ["r"]


def test_a_lead_in_that_ends_in_a_condition_brings_each_item_though_one_suffices() -> None:
    rows = _listed("A ship need not call if:", "she is old; or", "she is tall.")
    (claim,) = answered(evidence_of(rows, []), ["r"]).claims
    assert claim.text == "A ship need not call if: she is old; or she is tall."


def test_no_passage_to_answer_from_only_leads_into_items() -> None:
    other = ("o", "act", "2", "A master must rest.")
    said = ("s", "act", "3", "A mate must eat. A mate must also:")
    more = ("sa", "act", "3(a)", "sing.")
    evidence = evidence_of([*_listed("A master must:", "rest; and", "eat."), other, said, more], [])
    assert evidence.with_items(["r"]) == ["r", "a", "b"]
    assert evidence.with_items(["r", "o"]) == ["r", "a", "b", "o"]
    assert evidence.with_items(["o", "r"]) == ["o"]
    assert evidence.with_items(["o", "r", "b"]) == ["o", "r", "b"]
    assert evidence.with_items(["b", "o", "r"]) == ["b", "o", "r"]
    assert evidence.with_items(["o", "s"]) == ["o", "s"]
    lists = [
        *_listed("A licence is granted if:", "the fee is paid; and", "the mast is sound."),
        ("n", "act", "4", "A mate must report each breach within 24 hours, stating:"),
        ("na", "act", "4(a)", "its place."),
    ]
    assert evidence_of([*lists, other], []).with_items(["o", "r", "n"]) == ["o", "r", "n"]
    ensure = _listed("A master must ensure that:", "the mate rests; and", "she eats.")
    assert evidence_of([*ensure, other], []).with_items(["o", "r"]) == ["o"]
    assert [claim.text for claim in answered(evidence, evidence.with_items(["r", "o"])).claims] == [
        "A master must: rest",
        "A master must: eat.",
        "A master must rest.",
    ]


def test_items_that_lead_on_bring_theirs() -> None:
    rows = [*_listed("A master must:", "see that:", "eat."), ("a1", "act", "1(a)(i)", "the mate rests;")]
    evidence = evidence_of(rows, [])
    assert evidence.with_items(["r"]) == ["r", "a", "a1", "b"]
    assert evidence.with_items(["r", "a1"]) == ["r", "a1"]


def test_a_lead_in_of_many_items_brings_none() -> None:
    rows = [("r", "act", "1", "A master must:")]
    rows += [(f"i{place}", "act", f"1({place})", "rest;") for place in range(FEW + 1)]
    assert evidence_of(rows, []).with_items(["r"]) == ["r"]
    assert len(evidence_of(rows[:-1], []).with_items(["r"])) == FEW + 1


@pytest.mark.parametrize("kept", [["r"], ["a"], ["b"], ["c"]])
@pytest.mark.parametrize(
    ("change", "item"),
    [
        (
            "In rule 1(a), for “old” substitute “new”.",
            "She must carry an old [read as “new”] lamp; and",
        ),
        ("Rule 1(a) is revoked.", "[Rule 1(a) is revoked.]"),
        (
            "In rule 1(a), omit “old”.",
            "She must carry an old lamp; and [In rule 1(a), omit “old”.]",
        ),
    ],
)
def test_a_list_is_stated_with_what_changes_its_items(change: str, item: str, kept: list[str]) -> None:
    rows = _listed("A ship need not call if:", "She must carry an old lamp; and", "She is tall.")
    evidence = evidence_of([*rows, ("c", "act", "2", change)], [("c", "a", "SUPERSEDES", change)])
    (claim,) = answered(evidence, kept).claims
    assert claim.text == f"A ship need not call if: {item} She is tall."
    assert (claim.modality, claim.changed_by, set(claim.passages)) == ("permission", ("c",), {*"rabc"})


def test_items_of_a_lead_in_that_is_changed_are_stated_one_by_one() -> None:
    rows = _listed("A ship need not call if:", "she is old; or", "she is tall.")
    changed = [*rows, ("c", "act", "2", "In rule 1, for “call” substitute “stop”.")]
    answer = answered(evidence_of(changed, [("c", "r", "SUPERSEDES", "for “call” substitute “stop”")]), ["a"])
    assert [each.text for each in answer.claims] == [
        "A ship need not call [read as “stop”] if: she is old",
        "A ship need not call [read as “stop”] if: she is tall.",
    ]


def test_items_of_a_few_words_are_stated_though_they_look_like_titles() -> None:
    evidence = evidence_of(_listed("This Chapter applies to:", "Class 2 vessels", "Tugs"), [])
    assert [claim.text for claim in answered(evidence, ["r", "a", "b"]).claims] == [
        "This Chapter applies to: Class 2 vessels",
        "This Chapter applies to: Tugs",
    ]
