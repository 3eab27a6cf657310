"""What a passage states, by the sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulerank.text import modality

_SENTENCE = re.compile(r"[^\n]+?(?:(?<=[.!?;:])(?=\s+[\"“(]*[A-Z(])|$)", re.MULTILINE)
_DEFINES = re.compile(r"[”\"] (?:means|has the meaning|includes)\b|\bmeans\b", re.I)


@dataclass(frozen=True)
class Span:
    start: int
    end: int


@dataclass(frozen=True)
class Statement:
    spans: tuple[Span, ...]
    text: str
    modality: str | None


def statements(text: str) -> list[Statement]:
    found = []
    for match in _SENTENCE.finditer(text):
        words = " ".join(match.group().split())
        if words:
            kind = modality(words) or ("definition" if _DEFINES.search(words) else None)
            found.append(Statement((Span(match.start(), match.end()),), words, kind))
    return found
