"""Questions in the form that the generators use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from rulerank.arrays import FloatArray, IntArray
from rulerank.retrieve.tokens import Tokens
from rulerank.text import Analyser, analyse

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Queries:
    """A batch of questions, ready to be matched.

    Parameters
    ----------
    ids : sequence of str
        Their query ids.
    terms : sequence of sequences of str
        Analysed terms of each.
    embeddings : array of shape (queries, dimension)
        Their embeddings, before the adapter.
    tokens : Tokens, optional
        Their tokens, for late interaction.

    """

    ids: Sequence[str]
    terms: Sequence[Sequence[str]]
    embeddings: FloatArray
    tokens: Tokens | None = None
    _made: dict[Callable[[Queries], Any], Any] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    def once(self, make: Callable[[Queries], Made]) -> Made:
        """Return what a function computes from the questions; it is called only the first time."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("Made", self._made[make])

    def slice(self, start: int, stop: int) -> Queries:
        """Return the questions from `start` up to `stop`."""
        tokens = None if self.tokens is None else self.tokens.slice(start, stop)
        return Queries(self.ids[start:stop], self.terms[start:stop], self.embeddings[start:stop], tokens)

    def take(self, rows: IntArray) -> Queries:
        """Return some questions, in the order of `rows`."""
        tokens = None if self.tokens is None else self.tokens.take(rows)
        ids, terms = [self.ids[row] for row in rows], [self.terms[row] for row in rows]
        return Queries(ids, terms, self.embeddings[rows], tokens)


def prepare_queries(
    ids: Sequence[str],
    texts: Sequence[str],
    embeddings: FloatArray,
    tokens: Tokens | None = None,
    analyser: Analyser = analyse,
) -> Queries:
    """Analyse the texts of questions whose embeddings, and optionally tokens, are known.

    Parameters
    ----------
    ids, texts : sequence of str
        Query ids and texts of the questions.
    embeddings : array of shape (queries, dimension)
        Their embeddings, before the adapter.
    tokens : Tokens, optional
        Their tokens, for late interaction.
    analyser : Analyser, optional
        Turns texts into terms; the passages use the same one.

    """
    return Queries(list(ids), analyser(texts), embeddings, tokens)
