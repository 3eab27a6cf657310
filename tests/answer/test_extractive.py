from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulerank.answer import ABSTENTION, Answer, Bullet, extractive_answer
from rulerank.passages import Passage


def answer_from(texts: list[str]) -> Answer:
    return extractive_answer(
        [
            Passage(
                passage_id=f"act:{number}", document_id="act", document="Act", section=str(number), text=text
            )
            for number, text in enumerate(texts, start=1)
        ]
    )


def test_answer_quotes_duties_only_and_in_reading_order() -> None:
    passage = "Berths\nThe pilot must call twice. Tides vary. A tug should stand by. Crews may rest."
    assert answer_from([passage]).text == ("- The pilot must call twice. [P1]\n- A tug should stand by. [P1]")


def test_answer_numbers_passages_from_one_in_ranked_order() -> None:
    answer = answer_from(["Nothing here.", "Masters shall not anchor."])
    assert answer.bullets == (Bullet("Masters shall not anchor.", (2,)),)


def test_answer_merges_a_repeated_duty_and_cites_each_passage_once() -> None:
    passages = ["Masks must be worn.", "Gloves shall fit.", "Masks must  be worn. Rest.\nMasks must be worn."]
    assert answer_from(passages).text == "- Masks must be worn. [P1][P3]\n- Gloves shall fit. [P2]"


@pytest.mark.parametrize("passages", [[], [""], ["\n"], ["Crews may rest.", "Definitions"]])
def test_answer_without_a_duty_is_exactly_the_abstention(passages: list[str]) -> None:
    answer = answer_from(passages)
    assert answer.bullets == ()
    assert answer.text == ABSTENTION == "Insufficient evidence in retrieved passages."


def _passage(number: int, text: str, *voided_by: str) -> Passage:
    return Passage(
        passage_id=f"act:{number}",
        document_id="act",
        document="Act",
        section="",
        text=text,
        voided_by=voided_by,
    )


def test_quoted_passage_is_quoted_with_the_change_that_voids_it() -> None:
    change = _passage(9, "In rule 1,\n“six hours” is replaced by “twelve hours”.")
    answer = extractive_answer([change, _passage(1, "Pilots must rest six hours.", "act:9")])
    assert answer.text == (
        "- In rule 1, “six hours” is replaced by “twelve hours”. [P1]\n- Pilots must rest six hours. [P2]"
    )


def test_change_is_not_quoted_where_nothing_that_it_voids_is() -> None:
    change = _passage(9, "“six” is replaced by “twelve”.")
    answer = extractive_answer([change, _passage(1, "Tides vary.", "act:9"), _passage(2, "Tugs must stop.")])
    assert answer.text == "- Tugs must stop. [P3]"


def test_superseder_that_states_its_own_duty_is_quoted_by_it_alone() -> None:
    change = _passage(9, "Rule 1 is replaced. Pilots must rest twelve hours.")
    answer = extractive_answer([change, _passage(1, "Pilots must rest six hours.", "act:9")])
    assert answer.text == "- Pilots must rest twelve hours. [P1]\n- Pilots must rest six hours. [P2]"


def test_answer_keeps_an_enumeration_with_its_lead_in() -> None:
    opening = "The log is public. The master must ensure that:"
    passage = f"{opening}\n(a)\tthe log is kept;\n(b)\tit is signed. Twice.\nEnd."
    assert answer_from([passage]).text == (
        "- The master must ensure that: (a) the log is kept; (b) it is signed. Twice. [P1]"
    )


def test_answer_gives_an_item_its_lead_in_when_the_item_alone_states_the_duty() -> None:
    duty = "(b)\tthe master must:\n(i)\tstay; and\n(ii)\twatch."
    passage = f"In a storm:\n(a)\tthe crew may rest;\n{duty}\n(c)\tall wait."
    assert answer_from([passage]).text == (
        "- In a storm: (b) the master must: (i) stay; and (ii) watch. [P1]"
    )


def test_answer_keeps_an_enumeration_whole_when_its_duty_comes_after() -> None:
    passage = (
        "(1)\tWhere the hold:\n(a)\tleaks; or\n(b)\tsmokes,\nit must be sealed.\n(2)\tThe seal must be red."
    )
    assert answer_from([passage]).text == (
        "- Where the hold: (a) leaks; or (b) smokes, it must be sealed. [P1]\n- The seal must be red. [P1]"
    )


def test_answer_splits_paragraphs_that_are_only_numbered() -> None:
    passage = "Seals\n(1)\tThe seal must be red. It must shine.\n(2)\tNo one shall break it."
    assert [bullet.text for bullet in answer_from([passage]).bullets] == [
        "The seal must be red.",
        "It must shine.",
        "No one shall break it.",
    ]


def test_answer_joins_a_sentence_broken_across_lines() -> None:
    assert answer_from(["The master must,\nbefore sailing, sign."]).text == (
        "- The master must, before sailing, sign. [P1]"
    )


def test_answer_reads_a_marker_on_a_line_of_its_own() -> None:
    passage = "The mate must:\n(a)\n\tring; and\n\n (b)\n\twave."
    assert answer_from([passage]).text == "- The mate must: (a) ring; and (b) wave. [P1]"


def test_answer_reads_i_after_h_as_a_letter() -> None:
    items = "".join(f"({letter})\tring {letter};\n" for letter in "abcdefgh")
    passage = f"On deck:\n{items}(i)\tthe mate must ring;\n(j)\tall go."
    assert answer_from([passage]).text == "- On deck: (i) the mate must ring; [P1]"


@pytest.mark.real
def test_answer_on_a_real_enumeration_is_one_whole_duty(obliqa: Path) -> None:
    passages = json.loads((obliqa / "StructuredRegulatoryDocuments" / "3.json").read_text(encoding="utf-8"))
    passage = next(row["Passage"] for row in passages if row["PassageID"] == "14.6.2")
    bullets = answer_from([passage]).bullets
    assert len(bullets) == 2
    assert bullets[1].text.startswith("The master list must detail: (a) ")
    assert "(g) " in bullets[1].text


@pytest.mark.real
def test_answer_words_all_stand_in_the_passage(obliqa: Path) -> None:
    passages = json.loads((obliqa / "StructuredRegulatoryDocuments" / "3.json").read_text(encoding="utf-8"))
    for row in passages[::10]:
        words = set(row["Passage"].replace("\u200e", "").split())
        for bullet in answer_from([row["Passage"]]).bullets:
            assert set(bullet.text.split()) <= words
