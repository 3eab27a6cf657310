"""What a rule applies to, and its exceptions, beside its duties."""

from __future__ import annotations

import pytest

from tests.answer.rules import answered


def test_what_a_rule_applies_to_is_stated_with_its_duties() -> None:
    text = "Rule 2 does not apply to tugs. The owner must prove the size. It was made in 2010."
    answer = answered([text], "Do tugs need a pilot?")
    assert [(claim.text, claim.modality) for claim in answer.claims] == [
        ("Rule 2 does not apply to tugs.", None),
        ("The owner must prove the size.", "obligation"),
    ]


@pytest.mark.parametrize(
    ("duty", "rider"),
    [
        ("The owner must prove the size.", "This is subject to paragraph 4 of Notice 7."),
        ("The owner must prove the size.", "These requirements are subject to Rule 9."),
        ("The owner must prove the size.", "It is read together with paragraph 4 of Notice 7."),
        ("The owner must prove the size.", "Paragraph 4 of Notice 7 modifies this provision."),
        ("The owner must prove the size.", "This rule ceases to have effect on 31 December 2022."),
        ("The owner must prove the size.", "This rule expires on 31 December 2022."),
        ("The owner must prove the size.", "This rule comes into force on 1 January 2030."),
        ("The owner must prove the size.", "This rule is suspended until 1 January 2030."),
        ("The owner must prove the size.", "However, that does not hold of a tug."),
        ("The owner must prove the size.", "In this rule an owner does not include a bank."),
        ("The owner must prove the size.", "This does not apply in winter."),
        ("The owner must prove the size.", "This only applies in summer."),
        ("The owner must prove the size.", "It applies only to a tug."),
        ("The owner must prove the size.", "The foregoing does not apply to a tug."),
        ("The owner must prove the size.", "The duty does not arise if the tug is laid up."),
        ("The owner must prove the size.", "This requirement only applies to a tug."),
        ("The owner must prove the size.", "This rule applies from 1 January 2099."),
        ("The owner must prove the size.", "A rescue tug is exempt."),
        ("The owner must prove the size.", "A rescue tug is not subject to this rule."),
        ("The owner must prove the size.", "Provided that nothing in this rule shall apply to a tug."),
        ("선주는 크기를 증명하여야 한다.", "이에 관하여는 고시 제4조에 따른다."),
    ],
)
def test_what_a_rule_is_subject_to_is_stated_with_its_duties(duty: str, rider: str) -> None:
    answer = answered([f"{duty} {rider}"], "Must the owner prove the size?")
    assert [(claim.text, claim.modality) for claim in answer.claims] == [(duty, "obligation"), (rider, None)]


@pytest.mark.parametrize(
    "exception",
    [
        "However, a tug may tow a vessel in distress at any time.",
        "Provided that a tug of less than ten tonnes need not call.",
        "A master need not report a spill of less than one litre.",
        "A tug is not required to call twice.",
        "No call is necessary in winter.",
        "The harbour master may exempt a tug from paragraph (1).",
        "The harbour master may in writing waive this requirement.",
        "This requirement may be waived by the harbour master.",
    ],
)
def test_exception_in_the_words_of_a_permission_is_stated_with_the_duty(exception: str) -> None:
    duty = "A tug must not tow at night."
    answer = answered([f"{duty} {exception} Crews may rest."])
    assert [(claim.text, claim.modality) for claim in answer.claims] == [
        (duty, "prohibition"),
        (exception, "permission"),
    ]


@pytest.mark.parametrize(
    "aside", ["Tugs are subject to dues.", "However, tugs have not paid dues.", "It applies paint."]
)
def test_what_is_said_of_persons_is_no_scope(aside: str) -> None:
    answer = answered([f"The owner must call. {aside}"], "Must the owner call?")
    assert [claim.text for claim in answer.claims] == ["The owner must call."]


def test_what_a_rule_applies_to_takes_the_place_of_nothing() -> None:
    text = "The fee for a berth is £20 a day. This rule applies to all vessels."
    answer = answered([text], "What is the fee for a berth?")
    assert [claim.text for claim in answer.claims] == text.replace("day. ", "day.\n").split("\n")
