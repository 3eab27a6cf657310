from __future__ import annotations

from dataclasses import replace
from datetime import date

from rulerank.answer.claims import ABSTENTION, INCOMPLETE, Answer, Claim
from rulerank.passages import Passage


def _passage(number: int) -> Passage:
    return Passage(
        passage_id=f"act:{number}", document_id="act", document="Act", section=str(number), text="Tugs stop."
    )


def _answer(*claims: Claim, because: str | None = None) -> Answer:
    sources = tuple(_passage(number) for number in (7, 8, 9))
    return Answer("Who stops?", date(2026, 1, 1), claims, sources, because)


def test_each_claim_is_a_line_that_ends_in_the_numbers_of_its_passages() -> None:
    answer = _answer(
        Claim("Tugs must stop.", "obligation", ("act:8",)),
        Claim("Twelve is read for six.", None, ("act:9", "act:7"), changed_by=("act:9",)),
    )
    assert answer.text == "- Tugs must stop. [P2]\n- Twelve is read for six. [P3][P1]"


def test_an_answer_without_claims_abstains_and_says_why() -> None:
    assert ABSTENTION == "Insufficient evidence in retrieved passages."
    assert _answer(because="rule 4 is not in the corpus").text == f"{ABSTENTION}\nrule 4 is not in the corpus"


def test_an_answer_without_claims_and_without_a_reason_is_the_abstention_alone() -> None:
    assert _answer().text == ABSTENTION


def test_an_incomplete_answer_says_so_below_what_it_states() -> None:
    stated = replace(_answer(Claim("Tugs must stop.", "obligation", ("act:8",))), incomplete=True)
    assert stated.text.splitlines() == [
        "- Tugs must stop. [P2]",
        "This answer may be incomplete: the language model's reply was cut off. "
        "Raise answer.model.max_tokens.",
    ]
    assert replace(_answer(), incomplete=True).text.splitlines() == [ABSTENTION, INCOMPLETE]
