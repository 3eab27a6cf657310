"""The corpus's defined terms: which passages define or use the terms of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray, counted
from rulerank.ragged import Ragged, collected
from rulerank.retrieve.hits import lookup
from rulerank.tables import TERM_NODE
from rulerank.text import Analyser, analyse


@dataclass(frozen=True, eq=False)
class Definitions:
    """The T defined terms of N passages.

    Parameters
    ----------
    forms : mapping of str to int
        Number of each term, by its analysed words.
    definers : Ragged
        For each term, the passages that define it.
    holders : Ragged
        For each term, the passages that define or use it.

    """

    forms: Mapping[str, int]
    definers: Ragged
    holders: Ragged

    @cached_property
    def _longest(self) -> int:
        return max((form.count(" ") + 1 for form in self.forms), default=0)

    def asked(self, texts: Sequence[Sequence[str]]) -> list[IntArray]:
        """Return the distinct terms of each analysed text, including a term within another."""
        found = []
        for words in texts:
            parts = (
                " ".join(words[start : start + length])
                for length in range(1, min(self._longest, len(words)) + 1)
                for start in range(len(words) - length + 1)
            )
            found.append(
                np.unique([self.forms[part] for part in parts if part in self.forms]).astype(np.int64)
            )
        return found

    def count(
        self, lists: Ragged, asked: Sequence[IntArray], rows: IntArray, columns: IntArray, width: int
    ) -> FloatArray:
        """Count the terms of each pair's question whose list, in `definers` or `holders`, has its passage.

        Parameters
        ----------
        lists : Ragged
            The passages of each term.
        asked : sequence of int arrays
            The terms of each question, from `asked`.
        rows, columns : int arrays of shape (pairs,)
            Question and passage of each pair.
        width : int
            The number N of passages.

        """
        question = np.repeat(np.arange(len(asked)), [len(terms) for terms in asked])
        owner, passages, _ = lists.take(np.concatenate([np.empty(0, np.int64), *asked]))
        keys, counts = counted(question[owner] * width + passages)
        return lookup(keys, counts.astype(np.float32), rows * width + columns, missing=0)


def build_definitions(
    edges: pl.DataFrame, passage_ids: pl.Series, analyser: Analyser = analyse
) -> Definitions:
    """Index the terms of the edges DEFINES and USES_TERM, without terms made only of stop words."""
    ends = edges.filter(pl.col("type").is_in(["DEFINES", "USES_TERM"]))
    nodes = ends["target_id"].unique().sort()
    words = analyser(nodes.str.strip_prefix(TERM_NODE).to_list())
    numbered = {node: " ".join(form) for node, form in zip(nodes, words, strict=True) if form}
    forms = {form: number for number, form in enumerate(dict.fromkeys(numbered.values()))}
    terms = pl.DataFrame(
        {"target_id": list(numbered), "term": [forms[form] for form in numbered.values()]},
        schema={"target_id": pl.String, "term": pl.Int64},
    )
    rows = pl.DataFrame({"source_id": passage_ids, "row": np.arange(len(passage_ids))})
    placed = ends.join(terms, on="target_id").join(rows, on="source_id")
    return Definitions(
        forms, _lists(placed.filter(pl.col("type") == "DEFINES"), len(forms)), _lists(placed, len(forms))
    )


def _lists(placed: pl.DataFrame, terms: int) -> Ragged:
    """Return the passages of each term without repeats."""
    return collected(placed["term"].to_numpy(), placed["row"].to_numpy(), terms)
