from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulerank.errors import SettingsError
from rulerank.settings import ANALYSERS, Text
from rulerank.text import Analyser, analyse, analyser, load_analyser

TEXTS = ["The master mustn't pay §4.7.14(a).", "소방시설이란 건물 2층", "", "!?"]


def _named(name: str) -> Analyser:
    return load_analyser(Text(analyser=name).target)


@pytest.mark.parametrize("name", ANALYSERS)
def test_every_analyser_gives_terms_text_by_text(name: str) -> None:
    found = _named(name)(TEXTS)
    assert len(found) == len(TEXTS)
    assert found[2:] == [[], []]
    assert all(found[:2])
    assert found == [terms for text in TEXTS for terms in _named(name)([text])]


def test_default_is_the_english_analysis() -> None:
    assert load_analyser(Text().target) is analyse


def test_contractions_are_expanded_and_legal_characters_kept() -> None:
    (found,) = _named("english_bigrams")(["The master’s crew won't pay § 4.7.14(a) — it's 12%."])
    assert found == [
        *("master", "crew", "pay", "§", "4.7.14", "12"),
        *("master crew", "crew pay", "pay §", "§ 4.7.14", "4.7.14 12"),
    ]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("She mustn't.", ["must"]),
        ("can't refuse", ["refus"]),
        ("they're paying; we've paid", ["pay", "paid", "pay paid"]),
        ("Authority's rules", ["author", "rule", "author rule"]),
        ("1. Fees", ["1", "fee", "1 fee"]),
    ],
)
def test_expanded_words_are_analysed_like_any_other(text: str, terms: list[str]) -> None:
    assert _named("english_bigrams")([text]) == [terms]


def test_jamo_are_taken_by_threes_within_a_word() -> None:
    # The letters of 법 are U+1107 U+1165 U+11B8, those of 령 U+1105 U+1167 U+11BC; 가 has two.
    (found,) = _named("jamo")(["법령 가 NFTC 303"])
    assert [ascii(term) for term in found] == [
        r"'\u1107\u1165\u11b8'",
        r"'\u1165\u11b8\u1105'",
        r"'\u11b8\u1105\u1167'",
        r"'\u1105\u1167\u11bc'",
        r"'\u1100\u1161'",
        "'nftc'",
        "'303'",
    ]


def test_syllables_are_taken_by_twos_and_words_whole() -> None:
    assert _named("syllables")(["소방시설 303호"]) == [["소방", "방시", "시설", "303", "호"]]
    assert _named("words")(["소방시설 303호"]) == [["소방시설", "303호"]]


@pytest.mark.parametrize("target", ["rulerank.text:nothing", "no_such_package:analyse", "rulerank.text"])
def test_analyser_that_is_not_there_is_refused(target: str) -> None:
    with pytest.raises(SettingsError, match=rf"text\.analyser: expected an .*, found '{target}'"):
        load_analyser(target)


@pytest.mark.parametrize("target", ["subprocess:call", "builtins:print", "rulerank.text:normalise"])
def test_function_that_is_not_marked_is_no_analyser(target: str) -> None:
    with pytest.raises(SettingsError, match=rf"expected an analyser, found '{target}', which is not marked"):
        load_analyser(target)


@analyser
def _capitals(texts: Sequence[str]) -> list[list[str]]:
    return [[word for word in text.split() if word.isupper()] for text in texts]


def test_function_that_is_marked_is_an_analyser() -> None:
    assert load_analyser(f"{__name__}:_capitals")(["Keep the LOG", ""]) == [["LOG"], []]
