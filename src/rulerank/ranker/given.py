"""Passages that a caller names, by their ids or by their texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.arrays import IntArray
from rulerank.errors import InputError
from rulerank.ranker.checks import require_listed
from rulerank.ranker.evidence import EvidenceSource

SHOWN = 60
"""Characters of a passage that an error message repeats."""

_ON_ONE_LINE = pl.col("text").str.replace_all(r"\s+", " ").str.strip_chars(" ")


class UnknownPassageError(InputError):
    """A passage that the corpus lacks."""


@dataclass(frozen=True, eq=False)
class Given:
    """The passages of one bundle by the names that a caller may use for them.

    A text matches a passage if both are equal once every run of white space counts as one space.

    Parameters
    ----------
    evidence : EvidenceSource
        The passages.

    """

    evidence: EvidenceSource

    def rows(self, name: str, passages: Iterable[str]) -> list[IntArray]:
        """Return the rows of each named passage; several rows if passages share a text.

        Parameters
        ----------
        name : str
            What errors call the argument.
        passages : iterable of str
            Ids or texts.

        Raises
        ------
        UnknownPassageError
            A name is neither an id nor a text.
        InputError
            `passages` is no list or other iterable of them, or one is a heading, which has no text to rank.

        """
        listed = require_listed(name, passages, "ids or texts")
        return [self._rows(f"{name}[{place}]", each) for place, each in enumerate(listed)]

    def require_ids(self, name: str, passage_ids: Sequence[str]) -> None:
        """Raise InputError unless this is a list of ids of passages or headings of the corpus."""
        if isinstance(passage_ids, str) or not isinstance(passage_ids, Sequence):
            raise InputError(name, f"expected a list of ids, found {_short(passage_ids)}. Give a list.")
        for each in passage_ids:
            if not isinstance(each, str) or self.evidence.row(each) is None:
                raise UnknownPassageError(
                    name, f"expected ids of passages of this corpus, found {_short(each)}. Leave it out."
                )

    def row(self, name: str, passage_id: str) -> int:
        """Return the row of the passage with an id; raises the errors of `rows`."""
        row = self.evidence.row(passage_id) if isinstance(passage_id, str) else None
        if row is None:
            raise UnknownPassageError(
                name,
                f"expected the id of a passage of this corpus, found {_short(passage_id)}. Take one from "
                "`rank`.",
            )
        if not self._passages["text"][row].strip():
            raise InputError(
                name, f"expected a passage with a text, found the heading {_short(passage_id)}. Leave it out."
            )
        return row

    def pair(self, passage_id: str, against: str | None) -> IntArray:
        """Return the rows of a passage and of another, if one is given; raises the errors of `rows`."""
        named = {"passage_id": passage_id} | ({} if against is None else {"against": against})
        return np.array([self.row(name, each) for name, each in named.items()], np.int64)

    def _rows(self, name: str, passage: str) -> IntArray:
        known = isinstance(passage, str)
        if known and self.evidence.row(passage) is not None:
            return np.array([self.row(name, passage)], np.int64)
        rows = self._of_text(passage) if known else []
        if not rows:
            raise UnknownPassageError(
                name,
                f"expected the id or the text of a passage of this corpus, found {_short(passage)}. "
                "Only passages of this corpus can be scored: leave it out.",
            )
        return np.array(rows, np.int64)

    def _of_text(self, text: str) -> list[int]:
        try:
            wanted = pl.DataFrame({"text": [text]}).select(_ON_ONE_LINE).to_series()
        except UnicodeEncodeError:
            return []
        near = np.flatnonzero(self._hashes == wanted.hash()[0])
        alike = self._passages[near].select(_ON_ONE_LINE).to_series() == wanted[0]
        return near[alike.to_numpy()].tolist() if wanted[0] else []

    @cached_property
    def _hashes(self) -> NDArray[np.uint64]:
        """A hash of each text; the texts themselves would be a second corpus in memory."""
        return self._passages.select(_ON_ONE_LINE).to_series().hash().to_numpy()

    @property
    def _passages(self) -> pl.DataFrame:
        return self.evidence.bundle.passages


def _short(found: object) -> str:
    said = repr(found)
    return said if len(said) <= SHOWN else f"{said[:SHOWN]}…"
