"""The features of one passage that a search engine can compute, and the fields they are computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rulerank.bundle import RANKER, Bundle
from rulerank.errors import BundleError
from rulerank.trees import Trees

Kind = Literal["words", "cosine", "fact"]


@dataclass(frozen=True)
class Column:
    """A feature of a ranker in an engine.

    Parameters
    ----------
    name : str
        The feature's name.
    kind : {"words", "cosine", "fact"}
        A BM25 score, a cosine, or a number stored with the passage.
    field : str
        The field that it is computed from. The parameter of the question has the same name.

    """

    name: str
    kind: Kind
    field: str


WORDS = {"bm25_score": "terms", "bm25_context_score": "context_terms"}
COSINES = {"dense_score": "dense_vector", "pretrained_score": "pretrained_vector"}

FACTS = {
    "d_len": "length",
    "pr": "pagerank",
    "hits_auth": "hits_authority",
    "deg": "degree",
    "superseded": "superseded",
    "frontier": "frontier",
    "superseding_chain": "chain_length",
    "kind": "kind",
    "tier": "tier",
    "section_depth": "section_depth",
    "document_size": "document_size",
    "repeats": "repeats",
    "obligation_count": "obligation",
    "prohibition_count": "prohibition",
    "recommendation_count": "recommendation",
    "permission_count": "permission",
}
"""Features that depend on the passage alone, and the names of their values in `Surroundings.static`."""

PORTABLE: Mapping[str, Column] = {
    **{name: Column(name, "words", field) for name, field in WORDS.items()},
    **{name: Column(name, "cosine", field) for name, field in COSINES.items()},
    **{name: Column(name, "fact", name) for name in FACTS},
}
"""Every feature that an engine can compute, by name. All others depend on the other candidates."""


@dataclass(frozen=True, eq=False)
class Portable:
    """A ranker that an engine can run.

    Parameters
    ----------
    trees : Trees
        Its model as LightGBM's text.
    columns : tuple of Column
        The columns that it reads, in order.
    k1, b : float
        The parameters of BM25.
    width : mapping of str to int
        Dimension of each field of kind "cosine".

    """

    trees: Trees
    columns: tuple[Column, ...]
    k1: float
    b: float
    width: Mapping[str, int]


def portable(bundle: Bundle) -> Portable:
    """Return the ranker of a bundle as an engine runs it.

    Raises
    ------
    BundleError
        It looks at the whole list of candidates, or at features that no engine computes; all are named.

    """
    model = bundle.models[RANKER]
    of_lists = {
        "a second pass": bundle.first_pass,
        "completion": model.completion,
        "affinity": model.affinity,
        "standing": model.standing,
    }
    foreign = [name for name, part in of_lists.items() if part is not None]
    foreign += [name for name in model.features.names if name not in PORTABLE]
    if foreign:
        raise BundleError(
            "expected a ranker of one pass over features that a search engine can compute, found "
            f"{', '.join(foreign)}. Train one with `make experiment NAME=portable`."
        )
    words, dense = bundle.candidates.bm25, bundle.index.dense
    width = {"dense_vector": dense.vectors.width, "pretrained_vector": dense.pretrained.width}
    columns = tuple(PORTABLE[name] for name in model.features.names)
    # Without its graph: an export is compared with LightGBM itself.
    return Portable(Trees(model.trees.text), columns, words.k1, words.b, width)
