"""Rules that a text leaves as they are: "rules 1 to 4, other than rule 2, are revoked"."""

from __future__ import annotations

import pytest

HARBOUR = [("h", str(number), "A ship must stop.") for number in range(1, 6)]
NAMES = {"h": ["Harbour Rules"], "n": ["Night Rules"]}


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("Rules 1 to 4 of the Harbour Rules, other than rule 2, are revoked.", [1, 3, 4]),
        ("Rules 1 to 4 of the Harbour Rules (except rules 2 and 3) are revoked.", [1, 4]),
        ("Rules 1 to 4 of the Harbour Rules are revoked, save for rule 2.", [1, 3, 4]),
        ("Rules 1 to 4 of the Harbour Rules, apart from rule 2, rule 3 and rule 4, are revoked.", [1]),
        ("This Order revokes rules 1 to 3 of the Harbour Rules, with the exception of rule 2.", [1, 3]),
        ("Rules 1 to 4 of the Harbour Rules,\nother\nthan rule 2,\nare revoked.", [1, 3, 4]),
        # Before the name of the document.
        ("Rules 1 to 3 (except rule 2) of the Harbour Rules are revoked.", [1, 3]),
        ("Rules 1 to 3, other than rule 2, of the Harbour Rules are revoked.", [1, 3]),
        ("This Order revokes rules 1 to 4 (except rules 1 and 2) of the Harbour Rules.", [3, 4]),
        ("Rules 1 to 3, except rule 2, of the Ports Act 1998 are revoked.", []),
        (
            "In rules 1 to 3 of the Harbour Rules, for “ship”, wherever it occurs, other than in rule 2, "
            "substitute “tug”.",
            [1, 3],
        ),
        # With a condition, the rule is among them, and the condition is stated with it.
        ("Rules 1 to 3 of the Harbour Rules, except rule 2 as it applies to tugs, are revoked.", [1, 2, 3]),
        ("Rules 1 and 3 of the Harbour Rules, except rule 3(2), are revoked.", [1, 3]),
        # The words go on to another rule.
        ("No rule other than rule 9 applies, and rule 4 of the Harbour Rules is revoked.", [4]),
        ("Except for rule 1 of the Harbour Rules, rule 4 of those Rules is revoked.", [4]),
    ],
)
def test_an_excepted_rule_stays_as_it_is(reading, text: str, changed: list[int]) -> None:
    edges = reading("english_rulebook", [*HARBOUR, ("n", "1", text)], NAMES).edges
    assert sorted(edges.filter(type="SUPERSEDES")["target_id"]) == [f"h:{number}" for number in changed]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("Despite rule 1, rule 4 of the Harbour Rules is revoked.", [4]),
        ("Subject to rule 1, rules 2 and 4 of the Harbour Rules are revoked.", [2, 4]),
        ("Subject to rule 1, rule 2 and rule 4 of the Harbour Rules are revoked.", [2, 4]),
        ("Notwithstanding rule 1, rule 2 and rule 4 of the Harbour Rules are revoked.", [2, 4]),
        ("Despite rules 1 and 2, rules 3 and 4 of the Harbour Rules are revoked.", [3, 4]),
        ("Rule 1, Rule 2 of the Harbour Rules are revoked.", [1, 2]),
        ("Rule 1, 2, rule 3 of the Harbour Rules are revoked.", [1, 2, 3]),
        ("Rule 1, rules 2 and 4 of the Harbour Rules are revoked.", [1, 2, 4]),
        ("Rule 1, rule 2 and rule 4 of the Harbour Rules are revoked.", [1, 2, 4]),
        ("Rules 1, 2 and 4 of the Harbour Rules are revoked.", [1, 2, 4]),
    ],
)
def test_a_rule_before_a_comma_is_revoked_only_in_a_list(reading, text: str, changed: list[int]) -> None:
    edges = reading("english_rulebook", [*HARBOUR, ("n", "1", text)], NAMES).edges
    assert sorted(edges.filter(type="SUPERSEDES")["target_id"]) == [f"h:{number}" for number in changed]
