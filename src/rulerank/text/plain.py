"""Operations on text of any language: characters, words, sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulerank.errors import InputError

INVISIBLE = dict.fromkeys(
    map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff")
)
"""Invisible characters, in the form that `str.translate` takes."""
SEEN = r"[^\s\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
"""A character that a reader sees: a pattern that means the same in Python, in Rust and in a browser."""
_HIDDEN = re.compile(f"[{''.join(map(chr, INVISIBLE))}]")
# Scripts written without spaces between words; their runs are cut into overlapping character pairs.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}]+")
_RUN = re.compile(rf"[{UNSPACED}]")
_ABBREVIATION = "".join(
    rf"(?<!\b{word}\.)" for word in (r"e\.g", r"i\.e", "cf", "vs", "No", "Nos", "Art", "Sec", "para", "Mr")
)
_BREAK = re.compile(
    rf"(?<=[.!?؟。！？]){_ABBREVIATION}([\"'”’)\]]*)\s+(?=[\"'“‘(\[]*[^\W_a-z])"
    rf"|(?<=[。！？])\s*(?=[{UNSPACED}])"
    r"|\n+"
)
MARKER = re.compile(r"\(?(?:\d{1,3}|[A-Za-z]|(?P<twin>[a-z])(?P=twin)|[ivxl]{1,6}|[IVXL]{1,6})[.)]|[•·▪–-]")
"""The beginning of an enumerated item: "(a)", "1.", "iv)", a bullet."""


def visible(text: str) -> str:
    """Return `text` in NFKC form, case unchanged, without invisible characters.

    U+200E precedes many numbers of published rulebooks; nobody sees it, and it breaks every pattern.
    """
    return text if text.isascii() else _HIDDEN.sub("", unicodedata.normalize("NFKC", text))


def composed(text: str) -> str:
    """Return `text` in NFC form: a letter with its accent or a syllable is one character, however typed."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def normalise(text: str) -> str:
    """Return `text` as `visible` does, case-folded, spaces collapsed."""
    return " ".join(visible(text).casefold().split())


def tokens(text: str) -> list[str]:
    """Return the words of `text`, normalised; unspaced scripts give character pairs."""
    return list(words(normalise(text)))


def bigrams(terms: Sequence[str]) -> list[str]:
    """Return the adjacent pairs of `terms`, each joined by one space."""
    return [f"{left} {right}" for left, right in pairwise(terms)]


def sentences(text: str) -> list[str]:
    """Split `text` at sentence ends and line breaks; enumerated items become separate sentences.

    A full stop after a common abbreviation ("e.g.", "No.") does not end a sentence, and a marker that
    stands alone ("(a)", "1.") belongs to the sentence after it.
    """
    found: list[str] = []
    marker = ""
    for piece in _BREAK.sub(r"\1\n", _HIDDEN.sub("", text)).split("\n"):
        words = " ".join([marker, *piece.split()]).strip()
        marker = words if MARKER.fullmatch(words) else ""
        if words and not marker:
            found.append(words)
    return [*found, marker] if marker else found


def is_seen(text: str) -> bool:
    """Return whether a reader sees anything of a text."""
    return re.search(SEEN, text) is not None


def require_question(question: object, name: str = "question") -> None:
    """Raise InputError, under a given name, unless a question is a text, not blank, and valid in UTF-8."""
    if not isinstance(question, str):
        raise InputError(name, f"expected a question, found {question!r}. Ask in plain words.")
    if not is_seen(question):
        raise InputError(name, "expected a question, found blank text. Ask in plain words.")
    try:
        question.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            name,
            "expected UTF-8 text, found another encoding. Ask in UTF-8.",
            column=error.start + 1,
        ) from error


def words(text: str) -> Iterator[str]:
    """Yield the words of normalised text; runs of unspaced scripts give overlapping pairs of characters."""
    found: list[str] = _TOKEN.findall(text)
    if not _RUN.search(text):
        yield from found
        return
    for word in found:
        if _RUN.match(word) and len(word) > 2:
            yield from (word[start : start + 2] for start in range(len(word) - 1))
        else:
            yield word
