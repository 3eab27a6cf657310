from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulerank.text import analyse, bigrams, modality, normalise, sentences, tokens


def test_normalise_folds_width_case_space_and_invisible_characters() -> None:
    assert normalise(" Ｒule\u200e  4.3\u00a0STRASSE\n") == "rule 4.3 strasse"
    assert normalise("Straße ﬁle") == "strasse file"


@settings(deadline=None)
@given(st.text(max_size=40))
def test_normalise_collapses_space(text: str) -> None:
    found = normalise(text)
    assert found == " ".join(found.split())


def test_tokens_split_at_punctuation_and_keep_digits() -> None:
    assert tokens("Rule 4.3.2(b): don't_stop") == ["rule", "4", "3", "2", "b", "don", "t", "stop"]


def test_tokens_of_arabic_are_words() -> None:
    assert tokens("يجب على الشخص") == ["يجب", "على", "الشخص"]


def test_tokens_of_korean_are_character_pairs_of_each_word() -> None:
    assert tokens("선장은 신고해야") == ["선장", "장은", "신고", "고해", "해야"]


def test_tokens_of_chinese_are_character_pairs() -> None:
    assert tokens("船长必须") == ["船长", "长必", "必须"]
    assert tokens("船 ABC船长") == ["船", "abc", "船长"]


def test_analyse_stems_and_drops_stopwords_but_keeps_repeats() -> None:
    assert analyse(["The licences of the Authorised Persons, licences", ""]) == [
        ["licenc", "authoris", "person", "licenc"],
        [],
    ]


def test_bigrams_join_neighbours() -> None:
    assert bigrams(["a", "b", "c"]) == ["a b", "b c"]
    assert bigrams(["a"]) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One ends. Two ends! Three?", ["One ends.", "Two ends!", "Three?"]),
        (
            "Title\nBody  text.\n\n(a)\titem one;\n(b)\titem two.",
            ["Title", "Body text.", "(a) item one;", "(b) item two."],
        ),
        ("See Rule 4.3.2 and No. 5. The end.", ["See Rule 4.3.2 and No. 5.", "The end."]),
        ("Vessels, e.g. Tugs, i.e. Small ones, wait.", ["Vessels, e.g. Tugs, i.e. Small ones, wait."]),
        ("It must: (A) stay; (B) wait.", ["It must: (A) stay; (B) wait."]),
        ("1. The crew rests.\n(a)\n\tItem.", ["1. The crew rests.", "(a) Item."]),
        (
            "He said “Stop.” Then left. (See below.) End.",
            ["He said “Stop.”", "Then left.", "(See below.)", "End."],
        ),
        ("approx. five. then on", ["approx. five. then on"]),
        ("10² m of Rule \u200e3.", ["10² m of Rule 3."]),
        ("船长必须报告。船员等待。", ["船长必须报告。", "船员等待。"]),
        ("신고한다. 기다린다.", ["신고한다.", "기다린다."]),
        ("هل يجب؟ نعم يجب.", ["هل يجب؟", "نعم يجب."]),
        (" \n\t", []),
    ],
)
def test_sentences_split_where_a_reader_would(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@settings(deadline=None)
@given(st.text(alphabet="Ab1 .;:!?()\n\t•e.g.", max_size=60))
def test_sentences_lose_no_character_but_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("A Person must not trade and must report.", "prohibition"),
        ("Copy trading is prohibited.", "prohibition"),
        ("Brokers are not permitted to lend.", "prohibition"),
        ("A Person SHALL report.", "obligation"),
        ("Firms are obligated to report.", "obligation"),
        ("Issuers are still required to publish.", "obligation"),
        ("Members are to ensure order.", "obligation"),
        ("A Person should report.", "recommendation"),
        ("Firms are expected to report.", "recommendation"),
        ("A Person may report.", "permission"),
        ("They do not need to report and do not have to pay.", None),
        ("A Person is not required to report.", None),
        ("Matters that should have been disclosed.", None),
        ("The mustard shallot mayor.", None),
    ],
)
def test_modality_names_the_strongest_duty(sentence: str, expected: str | None) -> None:
    assert modality(sentence) == expected
