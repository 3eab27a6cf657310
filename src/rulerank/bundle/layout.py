"""What each array of the index must hold: types, shapes, and the range of its values.

Sizes are named: the first array in which a size occurs sets it, and all others must agree. A wrong index
would make compiled code read beyond its memory, so indices are always checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from rulerank.retrieve.product import STEPS

INDEX = "int32 int64"


@dataclass(frozen=True)
class Numbers:
    """An array.

    Parameters
    ----------
    shape : str
        The names of its sizes, or numbers.
    types : str, optional (default="float32")
        The types that it may have.
    least, most : float or str, optional
        The bounds of its values. The name of a size means that size minus 1, the last index into it.
    missing : bool, optional (default=False)
        Whether a value may be NaN.
    unit : bool, optional (default=False)
        Whether its rows are vectors of length 1 or 0, in steps of 1 / `STEPS`.
    rising : bool, optional (default=False)
        Whether each value is greater than the one before.
    whole : bool, optional (default=False)
        Whether fractions are excluded.

    """

    shape: str
    types: str = "float32"
    least: float = -np.inf
    most: float | str = np.inf
    missing: bool = False
    unit: bool = False
    rising: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Lists:
    """The three arrays of lists of different lengths.

    Parameters
    ----------
    count, of : str
        The number of lists, and what their items index.
    rising : bool, optional (default=True)
        Whether the items of each list rise.
    weighed : bool, optional (default=False)
        Whether the weights may differ from 1.

    """

    count: str
    of: str
    rising: bool = True
    weighed: bool = False


@dataclass(frozen=True)
class Bounds:
    """Where each of `count` non-empty lists begins in an array of `of` rows, and where the last one ends."""

    count: str
    of: str


Layout = Mapping[str, Numbers | Lists | Bounds]

PARTS = ("starts", "items", "weights")
"""The arrays of `Lists`."""

PER_PASSAGE = Numbers("passages")
COUNT = Numbers("passages", least=0, whole=True)
ROWS = Numbers("passages", INDEX, 0, "passages")
PLACE = Numbers("passages", "int32", -1, "distinct")
TEXT = Numbers("passages", "bool")
CODES = Numbers("distinct dimension", "int8", -STEPS, STEPS)
SCALE = Numbers("distinct", least=0, most=1)

COUNTED = ("length", "obligation", "prohibition", "recommendation", "permission")
"""Facts that count words or sentences of a passage."""

FOLLOWING = ("kind", "place", "document_size", "repeats", "section_depth", "neighbours")
"""Facts that are compared with their sources, as those of supersession are."""

AROUND: Layout = {
    "has_text": TEXT,
    "documents": ROWS,
    "sections": ROWS,
    "parents": replace(ROWS, least=-1),
    "adjacent": Numbers("2 passages", INDEX, -1, "passages"),
    "lengths": replace(PER_PASSAGE, least=0),
    "masses": replace(PER_PASSAGE, least=0),
    "chain_length": replace(ROWS, most=np.inf),
    "ancestors": Lists("passages", "passages", rising=False),
    "neighbours": Lists("passages", "passages", weighed=True),
    "closure": Lists("passages", "passages"),
    "authority": Lists("passages", "passages"),
    "superseders": Lists("passages", "passages"),
    "bigram_keys": Numbers("bigrams", "int64", 0, rising=True),
    "bigrams": Lists("bigrams", "passages"),
    "definers": Lists("defined", "passages"),
    "holders": Lists("defined", "passages"),
    **{f"static.{name}": COUNT for name in (*COUNTED, *FOLLOWING, "degree")},
    **{f"static.{name}": COUNT for name in ("superseded", "frontier", "chain_length")},
    "static.pagerank": replace(PER_PASSAGE, least=0, most=1),
    "static.hits_authority": replace(PER_PASSAGE, least=0, most=1),
    "static.tier": Numbers("passages", missing=True),
}
JUDGEMENTS: Layout = {
    "sets": Lists("questions", "passages"),
    "judged": Lists("passages", "questions"),
    "clusters": Numbers("questions", INDEX, 0),
    "with_text": Numbers("known", INDEX, 0, "questions", rising=True),
}
TRAINED: Layout = {
    "known": replace(CODES, shape="known dimension"),
    "known_scale": replace(SCALE, shape="known"),
    "centroid_lengths": replace(PER_PASSAGE, least=0),
}
BM25: Layout = {
    "postings": Lists("terms", "passages", weighed=True),
    "holdings": Lists("passages", "terms", weighed=True),
    "idf": Numbers("terms", least=1),
}
DENSE: Layout = {
    "vectors": CODES,
    "vectors_scale": SCALE,
    "pretrained": replace(CODES, shape="distinct width"),
    "pretrained_scale": SCALE,
    "place": PLACE,
    "query_map": Numbers("dimension dimension"),
}
LATE: Layout = {
    "tokens": Numbers("tokens late", "int8", -STEPS, STEPS, unit=True),
    "starts": Bounds("texts", "tokens"),
    "place": replace(PLACE, most="texts"),
    "query_map": Numbers("reduced late"),
    "axes": Numbers("token reduced"),
}
DENSE_MAP: Layout = {"dense": Numbers("dimension dimension")}
LATE_MAP: Layout = {"late": Numbers("reduced late")}
ASKED: Layout = {"embeddings": Numbers("asked dimension")}
ASKED_TOKENS: Layout = {"tokens": Numbers("tokens width", "float16"), "starts": Bounds("asked", "tokens")}
TRANSLATION: Layout = {
    "sources": Lists("words", "words", weighed=True),
    "frequencies": Numbers("words", least=1e-12, most=1),
    # As params.yaml allows, apart from rounding.
    "smoothing": Numbers("1", least=0.0009, most=0.9991),
}
CLOSURE: Layout = {"citations": Lists("passages", "passages"), "has_text": TEXT}
GENERATORS: Mapping[str, Layout] = {
    "bm25": BM25,
    "bm25_context": BM25,
    "dense": DENSE,
    "late": LATE,
    "closure": CLOSURE,
}
