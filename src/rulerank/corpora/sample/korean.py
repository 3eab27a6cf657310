"""The sample in Korean: articles numbered through the document, "「화물규칙」 제3조제1호"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_PARTICLES = ("은/는", "이/가", "을/를", "과/와", "으로/로", "이란/란", "이라/라", "이나/나")
_PARTICLE = re.compile(rf"(?<=(.))([”」]?)\(({'|'.join(_PARTICLES)})\)")
_FINALS, _RIEUL = 28, 8
"""The number of final consonants of a syllable, counting none, and the one that takes 로, not 으로."""


class Korean:
    """How Korean words the sample; see `rulerank.corpora.sample.wording.Wording`."""

    day = "%Y년 %m월 %d일"
    either: tuple[str, ...] = ("body", "person", "object", "record", "attachment", "excludes", "deem")

    def derived(self, facts: Mapping[str, str]) -> dict[str, str]:
        """Return the instrument unchanged: nouns have no articles."""
        return {"the_instrument": facts["instrument"]}

    def sections(self, places: Sequence[tuple[str, ...]]) -> list[str]:
        """Return `제1장`, `제1장.제2조`, `제1장.제2조.제1호`; chapters do not restart article numbers."""
        named: list[str] = []
        articles = 0
        for chapter, *rest in places:
            item = bool(rest) and rest[-1].startswith("(")
            articles += bool(rest) and not item
            parts = [f"제{chapter}장"]
            if rest:
                parts.append(f"제{articles}조")
            if item:
                parts.append(f"제{ord(rest[-1][1]) - ord('a') + 1}호")
            named.append(".".join(parts))
        return named

    def cited(self, section: str, document: Mapping[str, Any], *, own: bool) -> str:
        """Return "「화물규칙」 제3조": the document comes first, the chapter is left out."""
        number = "".join(section.split(".")[1:])
        return number if own else f"「{document['called']}」 {number}"

    def code(self, section: str, document_id: str, document: Mapping[str, Any]) -> str:  # noqa: ARG002
        """Return the whole citation."""
        return self.cited(section, document, own=False)

    def joined(self, ask: str) -> str:
        """Return the question after "그리고"."""
        return f"그리고 {ask}"

    def finished(self, text: str) -> str:
        """Return the text with its particles, as `particles` does."""
        return particles(text)


def particles(text: str) -> str:
    """Return Korean text in which "(을/를)" and the like have the form that fits the preceding syllable.

    The form before the slash follows a final consonant, the other follows a vowel; 로 follows ㄹ too.
    """
    return _PARTICLE.sub(lambda match: match[2] + _form(match[1], match[3]), text)


def _form(before: str, pair: str) -> str:
    closed, vowel = pair.split("/")
    final = (ord(before) - ord("가")) % _FINALS if "가" <= before <= "힣" else 0
    return closed if final and not (closed == "으로" and final == _RIEUL) else vowel
