"""Text: characters, words and sentences, analysers, and the wording of regulations by language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import get_args

from rulerank.text.analysers import Analyser, analyser, load_analyser
from rulerank.text.english import ENGLISH, STOPWORDS, analyse
from rulerank.text.korean import KOREAN
from rulerank.text.language import Duty, Language
from rulerank.text.plain import (
    INVISIBLE,
    MARKER,
    SEEN,
    UNSPACED,
    bigrams,
    composed,
    is_seen,
    normalise,
    require_question,
    sentences,
    tokens,
    visible,
)

__all__ = [
    "ENGLISH",
    "INVISIBLE",
    "KOREAN",
    "LANGUAGES",
    "MARKER",
    "SEEN",
    "STOPWORDS",
    "UNSPACED",
    "Analyser",
    "Language",
    "analyse",
    "analyser",
    "bigrams",
    "composed",
    "duties",
    "is_seen",
    "language_of",
    "load_analyser",
    "modality",
    "normalise",
    "prevailing_language",
    "require_question",
    "sentences",
    "tokens",
    "visible",
]

LANGUAGES = (ENGLISH, KOREAN)
"""The languages whose wording is read."""

_HANGUL = re.compile(r"[가-힣]")
_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str) -> Language:
    """Return the language whose wording a text has: Korean if half of its words or more are, else English."""
    if text.isascii() or not _HANGUL.search(text):
        return ENGLISH
    words = _WORD.findall(text)
    return KOREAN if 2 * sum(_HANGUL.search(word) is not None for word in words) >= len(words) else ENGLISH


def prevailing_language(texts: Sequence[str]) -> Language:
    """Return the language of more than half of the non-blank texts, or English if there is none."""
    written = [language_of(text) for text in texts if text.strip()]
    return KOREAN if sum(language is KOREAN for language in written) * 2 > len(written) else ENGLISH


def modality(sentence: str) -> Duty | None:
    """Return the strongest duty that `sentence` states, or None."""
    return next((name for name, pattern in language_of(sentence).modals if pattern.search(sentence)), None)


def duties(texts: Sequence[str]) -> dict[Duty, list[int]]:
    """Count the sentences of each text by the duty that they state."""
    stated = [[modality(sentence) for sentence in sentences(text)] for text in texts]
    return {name: [found.count(name) for found in stated] for name in get_args(Duty)}
