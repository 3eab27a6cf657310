"""Questions worded by templates, with more or fewer words of the rules that they ask about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from rulerank.refwalk.benchmark.relations import ReferenceSet, Relation
from rulerank.text import STOPWORDS, analyse, language_of, modality, normalise
from rulerank.text.korean import KOREAN

WORDS = 4
"""Number of words by which a question names each rule."""
SHARES = (0.25, 0.5, 0.75, 1.0)
"""Shares of these words that come from the rule itself; the rest come from the headings above it."""

_WORD = re.compile(r"[가-힣]{2,}|[^\W\d_]{4,}")
_COMMON = 0.1
_DUTIES: Mapping[str | None, tuple[str, str]] = {
    "obligation": ("what must be done about {}", "{}에 관하여 하여야 하는 것은 무엇"),
    "prohibition": ("what is forbidden as to {}", "{}에 관하여 금지되는 것은 무엇"),
    "permission": ("what is allowed as to {}", "{}에 관하여 허용되는 것은 무엇"),
    "recommendation": ("what is advised about {}", "{}에 관하여 권장되는 것은 무엇"),
    None: ("what holds for {}", "{}에 관하여 정한 것은 무엇"),
}
_JOINED: Mapping[Relation, tuple[str, str]] = {
    "R1": ("", ""),
    "R2": (", and under the rule that this rests on, ", "이며, 그 근거가 되는 규정에서 "),
    "R3": (", and, as one rule leads to the next, ", "이며, 이어지는 규정에서 "),
    "R4": (", and, where the same rule calls for both, ", "이며, 같은 규정이 함께 요구하는 "),
}
FRAME = frozenset(
    term
    for terms in analyse(
        [form.format("") for pair in (*_DUTIES.values(), *_JOINED.values()) for form in (*pair, "인가요")]
    )
    for term in terms
)
"""The terms of the templates, which do not name any rule."""


@dataclass(frozen=True, eq=False)
class Namer:
    """Names passages by their rarer words.

    Parameters
    ----------
    own, around : sequences of sequences of str
        The words of each of N passages, and the words of its headings and document that the passage itself
        lacks; each word once, rarest first.

    """

    own: Sequence[Sequence[str]]
    around: Sequence[Sequence[str]]

    @classmethod
    def build(cls, passages: pl.DataFrame, documents: pl.DataFrame, parents: Sequence[int]) -> Namer:
        """Count the words of the passages.

        Parameters
        ----------
        passages, documents : polars.DataFrame
            The two tables.
        parents : sequence of int
            The row above each passage, -1 for none.

        """
        words = [_words(text) for text in passages["text"]]
        held = Counter(word for each in words for word in set(each))
        most = max(2.0, _COMMON * len(words))
        titles = dict(documents.select("document_id", "title").iter_rows())
        headings = [title or "" for title in passages["title"]]
        above = [
            f"{headings[parent]} {passages['text'][parent][:200]}" if parent >= 0 else ""
            for parent in parents
        ]
        around = (
            _words(f"{headings[row]} {above[row]} {titles.get(document) or ''}")
            for row, document in enumerate(passages["document_id"])
        )
        own = [_rarest((word for word in each if held[word] <= most), held) for each in words]
        near = [_rarest(set(each) - set(said), held) for each, said in zip(around, words, strict=True)]
        return cls(own, near)

    def name(self, passage: int, share: float, generator: np.random.Generator) -> str:
        """Return a name of a passage; the given share of its words comes from the passage itself."""
        own = self.own[passage][: 2 * WORDS]
        near = self.around[passage][: 2 * WORDS]
        wanted = min(max(1, round(share * WORDS)), len(own))
        drawn = [own[place] for place in sorted(generator.permutation(len(own))[:wanted])]
        rest = min(WORDS - len(drawn), len(near))
        drawn += [near[place] for place in sorted(generator.permutation(len(near))[:rest])]
        return " ".join(drawn)


def worded(
    found: ReferenceSet, share: float, namer: Namer, texts: pl.Series, generator: np.random.Generator
) -> str:
    """Return a question about a reference set, one clause per rule, in the language of the first.

    Parameters
    ----------
    found : ReferenceSet
        The reference set.
    share : float
        One of `SHARES`.
    namer : Namer
        Names the rules.
    texts : polars.Series
        Texts of the N passages.
    generator : numpy Generator
        Draws the words.

    """
    korean = int(language_of(texts[found.passages[0]]) is KOREAN)
    clauses = [
        _DUTIES[modality(texts[passage])][korean].format(namer.name(passage, share, generator))
        for passage in found.passages
    ]
    question = _JOINED[found.relation][korean].join(clauses)
    return f"{question}인가요?" if korean else f"{question[0].upper()}{question[1:]}?"


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(normalise(text)) if word not in STOPWORDS]


def _rarest(words: Iterable[str], held: Counter[str]) -> list[str]:
    return sorted(dict.fromkeys(words), key=lambda word: (held[word], word))
