"""The input of an engine: the passages with their fields, and a question's parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from rulerank.authority.commencement import dated
from rulerank.bundle import Bundle
from rulerank.engines.columns import FACTS, Column
from rulerank.errors import BundleError
from rulerank.retrieve.generator import Material
from rulerank.text import require_question
from rulerank.trees.nodes import ZERO

SPACE = "▁"
"""What stands for a space within a term, as in SentencePiece: engines split terms at white space."""
_NOT_WHOLE = re.compile(rf"[^\S ]|{SPACE}")


def passage_fields(bundle: Bundle, columns: Sequence[Column]) -> pl.DataFrame:
    """Return the passages as an engine indexes them, one row each.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    columns : sequence of Column
        The columns that it reads.

    Returns
    -------
    frame with columns passage_id, has_text, effective_from, terms and the fields of `columns`
        Words are terms as the ranker analyses them, with spaces between; a vector is null for a heading
        without text, a number is null if it is missing, and a day if the passage was always in force.

    Raises
    ------
    BundleError
        A number is below 0, which scores of a query must not be; or an engine would split a term.

    """
    material = Material(bundle.passages, bundle.documents, bundle.edges, analyser=bundle.analyser)
    fields: dict[str, pl.Series] = {
        "passage_id": bundle.passages["passage_id"],
        "has_text": pl.Series(material.has_text),
        "effective_from": dated(bundle.passages)["effective_from"],
        "terms": _words(material.terms),
    }
    for column in columns:
        if column.field == "context_terms":
            fields[column.field] = _words(material.context_terms)
        elif column.kind == "cosine":
            fields[column.field] = _vectors(bundle, column.field)
        elif column.kind == "fact":
            fields[column.field] = _numbers(bundle, column)
    return pl.DataFrame(fields)


def question_parameters(bundle: Bundle, question: str, columns: Sequence[Column]) -> dict[str, Any]:
    """Return the parameters of a question, by field: its terms, and its vectors as lists of numbers.

    Raises
    ------
    InputError
        The question is not text, or is blank.
    BundleError
        An engine would split a term of it.

    """
    require_question(question)
    embedded = bundle.embed([question])
    dense = bundle.index.dense
    vectors = {"dense_vector": dense.adapted, "pretrained_vector": dense.of_encoder}
    terms = joined(bundle.analyser([question])[0])
    return {"terms": terms} | {
        column.field: terms if column.kind == "words" else vectors[column.field](embedded)[0].tolist()
        for column in columns
        if column.kind != "fact"
    }


def joined(terms: Sequence[str]) -> str:
    """Return terms as one text that an engine splits into the same terms.

    Examples
    --------
    >>> joined(["keep", "register", "keep register"])
    'keep register keep▁register'

    Raises
    ------
    BundleError
        A term holds white space other than spaces, or the character that takes their place.

    """
    split = next(filter(_NOT_WHOLE.search, terms), None)
    if split is not None:
        raise BundleError(
            f"expected terms that an engine can keep whole, without {SPACE!r} and white space other than "
            f"spaces, found {split!r}. Train with another text.analyser."
        )
    return " ".join(term.replace(" ", SPACE) for term in terms)


def _words(texts: Sequence[Sequence[str]]) -> pl.Series:
    return pl.Series(list(map(joined, texts)), dtype=pl.String)


def _vectors(bundle: Bundle, field: str) -> pl.Series:
    dense = bundle.index.dense
    stored = dense.vectors if field == "dense_vector" else dense.pretrained
    listed = pl.Series(stored.take(dense.place).numbers(), dtype=pl.Array(pl.Float32, stored.width))
    headings = pl.Series(dense.place < 0)
    return listed.to_frame("vector").select(pl.when(~headings).then("vector")).to_series()


def _numbers(bundle: Bundle, column: Column) -> pl.Series:
    values = np.asarray(bundle.index.around.static[FACTS[column.name]], np.float32)
    if (values < 0).any():
        raise BundleError(
            f"expected numbers of 0 or more for {column.name}, found {np.nanmin(values)}: an engine cannot "
            "deliver them. Train without this feature."
        )
    # The trees treat such a number as 0; an engine would not.
    return pl.Series(np.where(values <= ZERO, np.float32(0), values)).fill_nan(None)
