"""Question and passages as a prompt shows them: as data, within delimiters that their text cannot close."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from rulerank.console import printable
from rulerank.passages import Passage

_TAG = re.compile(r"<(?=[^\s\d=])|[‹〈＜](?=\s*[|/A-Za-z])")
LONGEST_ID = 64
"""The most characters of an id that a prompt shows."""
_PLAIN = re.compile(rf"(?!(?:END|QUESTION)$)\w[\w.,:/()§-]{{0,{LONGEST_ID - 1}}}", re.ASCII)
_BRACKET = re.compile(r"[\[［](?=\s*/?\s*[A-Za-zＰ_]{1,24}\s*\d*\s*[\]］])")


def marks(sources: Sequence[Passage]) -> list[str]:
    """Return "P1", "P2" and so on, one per source."""
    return [f"P{number}" for number in range(1, len(sources) + 1)]


def rule_ids(sources: Sequence[Passage]) -> list[str]:
    """Return the names of the rules in a per-rule answer, one per source: the ids of the passages.

    An id is text of the corpus and appears on the line that opens a source. If any id is longer than
    `LONGEST_ID`, or has characters other than those of a plain word or number, all sources are named by their
    marks.
    """
    ids = [source.passage_id for source in sources]
    return ids if all(map(_PLAIN.fullmatch, ids)) and len(set(ids)) == len(ids) else marks(sources)


def boundary(question: str, sources: Sequence[Passage]) -> str:
    """Return a word that occurs in neither question nor sources, the same for the same input."""
    texts = [question, *(f"{source.place}\n{source.text}" for source in sources)]
    together = "\x00".join(texts).encode(errors="replace")
    for salt in range(len(together) + 1):
        word = hashlib.sha256(b"%d" % salt + together).hexdigest()[:16]
        if not any(word in text for text in texts):
            break
    return word


def opening(what: str, word: str) -> str:
    """Return the line that opens a block."""
    return f"<<<{what} {word}>>>"


def closing(word: str) -> str:
    """Return the line that closes a block."""
    return f"<<<END {word}>>>"


def shown_question(question: str, word: str) -> str:
    """Return the question within its delimiters."""
    return "\n".join([opening("QUESTION", word), harmless(question), closing(word)])


def shown_sources(sources: Sequence[Passage], names: Sequence[str], word: str, characters: int) -> str:
    """Return the sources within their delimiters, each with its name, its place and what changes it.

    `names` are `marks(sources)` or `rule_ids(sources)`.
    """
    named = {source.passage_id: name for name, source in zip(names, sources, strict=True)}
    return "\n\n".join(_shown(source, named, word, characters) for source in sources)


def _shown(source: Passage, named: Mapping[str, str], word: str, characters: int) -> str:
    lines = [opening(named[source.passage_id], word)]
    if source.place:
        lines.append(f"Place: {' '.join(harmless(source.place).split())}")
    changes = [named[each] for each in source.voided_by if each in named]
    if changes:
        lines.append(f"Changed by: {', '.join(changes)}")
    elif source.voided_by:
        lines.append("Changed by: a rule that is not among the sources")
    text = harmless(source.text)
    lines.append(text if len(text) <= characters else f"{text[:characters].rstrip()} (cut here)")
    return "\n".join([*lines, closing(word)])


def harmless(text: str) -> str:
    """Return a text without control characters, chat template marks or citations.

    A server may read "<|im_end|>" or "[/INST]" inside a message as the end of that message; a space after the
    bracket prevents this and leaves the words as they are.
    """
    return _BRACKET.sub("[ ", _TAG.sub("< ", printable(text)))
