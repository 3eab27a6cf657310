"""Analysers: from text to tokens, stems, sentences and obligation modality."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, get_args

import Stemmer

from rulerank.errors import InputError

Modality = Literal["prohibition", "obligation", "recommendation", "permission"]

INVISIBLE = dict.fromkeys(
    map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff")
)
"""Characters that nobody sees, as `str.translate` takes them."""
_HIDDEN = re.compile(f"[{''.join(map(chr, INVISIBLE))}]")
# Scripts written without spaces between words: their runs are cut into overlapping character pairs.
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
"""What an enumerated item begins with: "(a)", "1.", "iv)", a bullet."""

STOPWORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below
    between both but by can could did do does doing down during each few for from further had has have
    having he her here hers him his how i if in into is it its itself just me more most my no nor not
    now of off on once only or other our ours out over own same she should so some such than that the
    their theirs them then there these they this those through to too under until up very was we were
    what when where which while who whom why will with would you your yours
    """.split()  # noqa: SIM905
)

_MODALS: tuple[tuple[Modality, re.Pattern[str]], ...] = (
    (
        "prohibition",
        re.compile(
            r"\b((must|shall|may) (not|never)|(is|are) (prohibited|forbidden)|(is|are) not permitted to)\b",
            re.I,
        ),
    ),
    (
        "obligation",
        re.compile(
            r"\b(must|shall|(is|are) (also |still )?(required|obliged|obligated) to|it is required that"
            r"|has to|(?<!not )have to|(?<!not )needs? to|(is|are) under a duty to|mandates? that|are to)\b",
            re.I,
        ),
    ),
    ("recommendation", re.compile(r"\b(should(?! have been)|ought to|(is|are) expected to)\b", re.I)),
    ("permission", re.compile(r"\b(may|(is|are) (permitted|entitled) to)\b", re.I)),
)


def visible(text: str) -> str:
    """Return `text` in NFKC form and in its own case, without invisible characters.

    U+200E stands before many numbers of published rulebooks; nobody sees it, and every pattern trips over it.
    """
    return text if text.isascii() else _HIDDEN.sub("", unicodedata.normalize("NFKC", text))


def normalise(text: str) -> str:
    """Return `text` as `visible` does, case-folded, spaces collapsed."""
    return " ".join(visible(text).casefold().split())


def tokens(text: str) -> list[str]:
    """Return the words of `text`, normalised; unspaced scripts give character pairs."""
    return list(_words(normalise(text)))


def analyse(texts: Sequence[str]) -> list[list[str]]:
    """Return the Snowball stems of each text, stopwords left out.

    Parameters
    ----------
    texts : sequence of str
        Passages or questions.

    Returns
    -------
    list of list of str
        One list of terms per text, in reading order, repeats kept. Equal terms are one object, so that the
        terms of a large corpus fit into memory.

    """
    stems = _Stems()
    return [[stems[word] for word in _words(normalise(text)) if word not in STOPWORDS] for text in texts]


def bigrams(terms: Sequence[str]) -> list[str]:
    """Return the adjacent pairs of `terms`, each joined by one space."""
    return [f"{left} {right}" for left, right in pairwise(terms)]


def sentences(text: str) -> list[str]:
    """Split `text` at sentence ends and line breaks; enumerated items become sentences of their own.

    A full stop after a common abbreviation ("e.g.", "No.") ends nothing, and a marker that stands
    alone ("(a)", "1.") belongs to the sentence after it.
    """
    found: list[str] = []
    marker = ""
    for piece in _BREAK.sub(r"\1\n", _HIDDEN.sub("", text)).split("\n"):
        words = " ".join([marker, *piece.split()]).strip()
        marker = words if MARKER.fullmatch(words) else ""
        if words and not marker:
            found.append(words)
    return [*found, marker] if marker else found


def modality(sentence: str) -> Modality | None:
    """Return the strongest duty that `sentence` states, None when it states none."""
    return next((name for name, pattern in _MODALS if pattern.search(sentence)), None)


def duties(texts: Sequence[str]) -> dict[Modality, list[int]]:
    """Count the sentences of each text by the duty that they state."""
    stated = [[modality(sentence) for sentence in sentences(text)] for text in texts]
    return {name: [found.count(name) for found in stated] for name in get_args(Modality)}


def require_question(question: object) -> None:
    """Raise InputError for a question that is no text, blank, or that no UTF-8 text can hold."""
    if not isinstance(question, str):
        raise InputError("question", f"expected a question, found {question!r}. Ask in plain words.")
    if not question.strip():
        raise InputError("question", "expected a question, found blank text. Ask in plain words.")
    try:
        question.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            "question",
            "expected UTF-8 text, found another encoding. Ask in UTF-8.",
            column=error.start + 1,
        ) from error


class _Stems(dict[str, str]):
    """The Snowball stem of each word that was looked up."""

    def __init__(self) -> None:
        self._stem = Stemmer.Stemmer("english").stemWord
        self._terms: dict[str, str] = {}

    def __missing__(self, word: str) -> str:
        stem = self._stem(word)
        self[word] = self._terms.setdefault(stem, stem)
        return self[word]


def _words(text: str) -> Iterator[str]:
    words: list[str] = _TOKEN.findall(text)
    if not _RUN.search(text):
        yield from words
        return
    for word in words:
        if _RUN.match(word) and len(word) > 2:
            yield from (word[start : start + 2] for start in range(len(word) - 1))
        else:
            yield word
