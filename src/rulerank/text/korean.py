"""Korean: jamo, and the wording of its regulations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from rulerank.text.analysers import analyser
from rulerank.text.korean_changes import KOREAN_CHANGES
from rulerank.text.language import Language
from rulerank.text.plain import normalise

_WORD = re.compile(r"[가-힣]+|[^\W_가-힣]+")
_JAMO = 3
"""Consecutive letters that make a term (SearchFireSafety)."""

KOREAN = Language(
    modals=(
        (
            "prohibition",
            re.compile(
                r"서는\s*(?:아니|안)\s*[되된됩]|[할될]\s*수\s*없[다으는습]|금지(?:한다|된다|하여야|합니다)"
            ),
        ),
        ("recommendation", re.compile(r"권장|바람직하|노력하여야|것이 좋다")),
        (
            "obligation",
            re.compile(r"야\s*(?:한다|하며|하고|합니다|할)|의무가 있"),
        ),
        ("permission", re.compile(r"[가-힣]\s수\s*있[다으는습]|허용(?:한다|된다|됩니다)")),
    ),
    definition=re.compile(
        r"(?:이?란|(?:이?라) 함은)\s[^\n]{1,600}?(?:말한다|뜻한다)|용어의 (?:뜻은|정의는) 다음"
    ),
    form=re.compile(r"별지 제?\s?\d+호(?:의\d+)?\s?서식"),
    exception=re.compile(r"적용하지 (?:아니|않)|그러하지 (?:아니|않)|^\W*(?:다만|단),"),
    denial=re.compile(r"지(?:는|도)?\s*(?:아니|않|못)"),
    scope=re.compile(
        r"적용(?:한다|된다|하지 (?:아니|않))|그러하지 (?:아니|않)|예외|면제|제외"
        r"|이에\s*(?:관하여|대하여)는?\s[^.\n]{1,80}에\s*따른다"
    ),
    tiers=(
        (5, re.compile(r"지침|매뉴얼|해설|안내서")),
        (2, re.compile(r"시행령|대통령령")),
        (4, re.compile(r"행정규칙")),
        (3, re.compile(r"시행규칙|부령|총리령|규칙$")),
        (4, re.compile(r"고시|공고|훈령|예규|기준")),
        (1, re.compile(r"법률|법$|법\b")),
    ),
    levels=("법률", "시행령", "시행규칙", "행정규칙", "지침"),
    changes=KOREAN_CHANGES,
    grammar="korean",
)


@analyser
def jamo(texts: Sequence[str]) -> list[list[str]]:
    """Return the triples of adjacent letters of each text's Hangul words, and its other words whole.

    A syllable is decomposed into its two or three letters (Unicode's canonical decomposition). Triples run
    across syllables but not across words.

    Parameters
    ----------
    texts : sequence of str
        Passages or questions.

    """
    return [[term for word in _WORD.findall(normalise(text)) for term in _triples(word)] for text in texts]


def _triples(word: str) -> list[str]:
    letters = unicodedata.normalize("NFD", word)
    if letters == word or not "가" <= word[0] <= "힣":
        return [word]
    return [letters[start : start + _JAMO] for start in range(max(1, len(letters) - _JAMO + 1))]
