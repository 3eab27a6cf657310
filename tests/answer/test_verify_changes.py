"""Claims that cite what changes or repeals a rule."""

from __future__ import annotations

from datetime import date

import pytest

from rulerank.answer.claims import Answer, Claim
from rulerank.answer.verify import verified
from tests.answer.numbered import numbered

CHANGED = (
    numbered(2, "A pilot must rest for six hours after a watch of two hours.", "act:4"),
    numbered(3, "In rule 4.2.2, “six hours” is replaced by “twelve hours”.", "act:4"),
    numbered(4, "In rule 4.2.2, as amended by rule 4.2.3, “twelve hours” is replaced by “nine hours”."),
    numbered(5, "The mate must call the harbour master.", "act:6"),
    numbered(6, "In rule 4.2.5, for “harbour master” there is substituted “port captain”."),
    numbered(7, "The mate must pay 5 dollars to the harbour within ten days.", "act:8"),
    numbered(
        8, "In rule 4.2.7, for “5 dollars” substitute “8 dollars” and for “ten days” substitute “a week”."
    ),
)


@pytest.mark.parametrize(
    ("text", "cited", "outdated"),
    [
        ("A pilot must rest for 6 hours.", (4, 2), "6 hour"),
        ("A pilot must rest for twelve hours.", (4, 3, 2), "twelve hours"),
        ("A pilot must rest for six hours, read as nine hours.", (4, 3, 2), None),
        ("The mate must call the harbour master.", (6, 5), "harbour master"),
        ("The mate must call the port captain.", (6, 5), None),
        ("The mate must pay 8 dollars within ten days.", (8, 7), "ten days"),
        ("The mate must pay 8 dollars within a week.", (8, 7), None),
    ],
)
def test_a_claim_that_cites_a_change_states_what_is_in_force(
    text: str, cited: tuple[int, ...], outdated: str | None
) -> None:
    *changing, rule = (f"act:{number}" for number in cited)
    claim = Claim(text, "obligation", (*changing, rule), changed_by=tuple(changing))
    dropped = verified(Answer("What?", date(2026, 1, 1), (claim,), CHANGED)).dropped
    found = dropped[0].because if dropped else None
    assert found == (outdated and f"change: {outdated!r} is no longer in force by what the claim cites")


@pytest.mark.parametrize(
    ("repeal", "text", "stays"),
    [
        ("Rule 4.2.5 is repealed.", "The mate must call the harbour master.", False),
        ("Rule 4.2.5 is repealed.", "The duty that the mate must call the harbour master is repealed.", True),
        ("Rule 4.2.5 is repealed in so far as ice melts.", "The mate must call the harbour master.", True),
        ("Rule 4.2.5 shall be omitted.", "The mate must call the harbour master.", False),
        ("Rule 4.2.5 shall cease to have effect.", "The mate must call the harbour master.", False),
        (
            "Rule 4.2.5 shall, from 1 May 2024, cease to have effect. It may be cited as the Port Rules.",
            "The mate must call the harbour master.",
            False,
        ),
        ("Rule 4.2.5 shall be omitted.", "Rule 4.2.5 shall be omitted.", True),
        (
            "Rule 4.2.5 is repealed and the mate must call the port captain.",
            "The mate must call the port captain.",
            True,
        ),
    ],
)
def test_a_repealed_duty_is_dropped_unless_the_claim_tells_of_the_repeal(
    repeal: str, text: str, stays: bool
) -> None:
    sources = (numbered(5, "The mate must call the harbour master.", "act:6"), numbered(6, repeal))
    claim = Claim(text, "obligation", ("act:6", "act:5"), changed_by=("act:6",))
    dropped = verified(Answer("What?", date(2026, 1, 1), (claim,), sources)).dropped
    expected = (
        [] if stays else [f"change: {sources[0].place!r} is no longer in force by what the claim cites"]
    )
    assert [each.because for each in dropped] == expected


@pytest.mark.parametrize(
    ("rule", "repeal", "text", "stays"),
    [
        ("A firm must not omit a fact.", "Rule 4.2.5 is repealed.", "A firm must not omit a fact.", False),
        ("A firm must not omit a fact.", "Rule 4.2.5 is repealed.", "Facts must not be omitted.", False),
        ("Names shall be omitted.", "Rule 4.2.5 shall be omitted.", "Rule 4.2.5 shall be omitted.", True),
        ("The crew must cease work.", "Rule 4.2.5 is repealed.", "The crew must cease work.", False),
        (
            "A bank must not cancel a policy.",
            "Rule 4.2.5 is revoked.",
            "The rule that a bank must not cancel a policy is revoked.",
            True,
        ),
        (
            "A pilot must rest for six hours.",
            "Rule 4.2.5 is repealed. A pilot must rest for nine hours.",
            "A pilot must rest for six hours.",
            False,
        ),
        (
            "A pilot must rest for six hours.",
            "Rule 4.2.5 is repealed. A pilot must rest for nine hours.",
            "A pilot must rest for nine hours.",
            True,
        ),
    ],
)
def test_the_words_of_a_repealed_rule_tell_of_no_repeal(
    rule: str, repeal: str, text: str, stays: bool
) -> None:
    sources = (numbered(5, rule, "act:6"), numbered(6, repeal))
    claim = Claim(text, None, ("act:6", "act:5"), changed_by=("act:6",))
    dropped = verified(Answer("What?", date(2026, 1, 1), (claim,), sources)).dropped
    expected = (
        [] if stays else [f"change: {sources[0].place!r} is no longer in force by what the claim cites"]
    )
    assert [each.because for each in dropped] == expected
