"""Whether the parts of an index agree: with the passages they stand for, and with one another.

What follows from other parts is computed again where that is cheap. So an array that was shuffled, or that
belongs to another index, is found although each of its values is possible.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from rulerank.arrays import IntArray
from rulerank.authority.shown import authority_facts
from rulerank.authority.supersession import Supersession
from rulerank.bundle.damage import expecting, require
from rulerank.bundle.layout import AROUND, COUNTED, GENERATORS, JUDGEMENTS, TRAINED, Arrays
from rulerank.features import storage
from rulerank.features.definitions import build_definitions
from rulerank.features.static import tabled_facts
from rulerank.files import read_json
from rulerank.graph.matrix import Matrix, adjacency, adjacent, ancestors, neighbours, parents
from rulerank.ragged import Ragged, ragged, transposed
from rulerank.retrieve.bm25 import VOCABULARY
from rulerank.retrieve.citing import SETTINGS
from rulerank.retrieve.dense import LATENT
from rulerank.retrieve.latent import load_latent
from rulerank.settings import Candidates, Extract


def check_index(
    folder: Path,
    passages: pl.DataFrame,
    edges: pl.DataFrame,
    candidates: Candidates,
    extract: Extract,
    largest: int | None,
) -> None:
    """Check all arrays of an index before anything is made of them.

    Parameters
    ----------
    folder : Path
        What `rulerank.features.storage.save_index` wrote.
    passages, edges : polars.DataFrame
        The tables of the bundle.
    candidates, extract : Candidates, Extract
        The settings that the index was built by.
    largest : int or None
        Bytes above which the fractions of an array, and what follows from such tables, are not looked at.

    Raises
    ------
    BundleError
        An array is not of its layout, or contradicts the passages or another array; its file is named.

    """
    size = {"passages": passages.height}
    around = _around(folder / storage.AROUND, dict(size), largest)
    if largest is None or passages.estimated_size() <= largest:
        _check_places(around, passages, edges, extract)
    generators = folder / storage.GENERATORS
    shared = dict(size)
    for name, layout in GENERATORS.items():
        if not (generators / name).is_dir():
            continue
        sizes = dict(size) if name.startswith("bm25") else shared
        arrays = Arrays(generators / name, layout, sizes, largest)
        if name.startswith("bm25"):
            _check_terms(arrays, sizes["terms"])
            _mirrored(arrays, "postings", "holdings", sizes["terms"])
        elif name == "dense":
            _check_latent(generators / name / LATENT, sizes)
        elif name == "closure":
            _check_walk(arrays, around, candidates)
        if name == "bm25":
            _check_words(around, arrays, sizes["terms"])
    Arrays(folder / storage.TRAINED, TRAINED, shared, largest)
    judged = Arrays(folder / storage.JUDGEMENTS, JUDGEMENTS, shared, largest)
    _mirrored(judged, "judged", "sets", passages.height)


def _around(folder: Path, sizes: dict[str, int], largest: int | None) -> Arrays:
    """Check where the passages stand, each array by itself and against the others."""
    around = Arrays(folder, AROUND, sizes, largest)
    _check_hierarchy(around)
    _check_authority(around)
    _symmetric(around, "closure")
    with expecting("a list of defined terms, each once", folder / storage.DEFINED):
        _require_words(read_json(folder / storage.DEFINED), sizes["defined"])
    weights = around.lists("neighbours")
    with expecting("equal weights that sum to 1", around.path("neighbours.weights")):
        require(np.allclose(weights.weights * weights.sizes[_owners(weights)], 1), "others")
    return around


def _check_hierarchy(around: Arrays) -> None:
    own: Any = around.arrays["parents"]
    with expecting("a hierarchy of passages", around.path("parents")):
        above = own
        # Each step doubles how far up `above` points: past the top of N passages once, it points at a cycle.
        for _ in range(len(own).bit_length()):
            above = np.where(above >= 0, above[above], -1)
        require(not (above >= 0).any(), "passages that stand above themselves")
    with expecting("the passages above each as parents.npy has them", around.path("ancestors.items")):
        _require_same(around.lists("ancestors"), ancestors(own))
    with expecting("one number for passages of one parent", around.path("sections")):
        alone = -2 - np.arange(len(own))
        _require_equal(around, "sections", np.unique(np.where(own >= 0, own, alone), return_inverse=True)[1])
    _require_equal(around, "static.section_depth", around.lists("ancestors").sizes)


def _check_authority(around: Arrays) -> None:
    """Check the order of supersession: the length of the longest chain proves that it has no loop."""
    above, chain = around.lists("authority"), around.arrays["chain_length"]
    longest = np.zeros(len(above), np.int64)
    np.maximum.at(longest, _owners(above), chain[above.items] + 1)
    _require_equal(around, "chain_length", longest)
    order = Supersession(len(above), above.matrix(len(above)), longest)
    for name, facts in authority_facts(order).items():
        _require_equal(around, f"{storage.STATIC}{name}", facts)
    _require_equal(around, f"{storage.STATIC}neighbours", around.lists("neighbours").sizes)
    with expecting("all that supersede each passage by authority", around.path("superseders.items")):
        every = around.lists("superseders").matrix(len(above))
        expected = sparse.csr_array(order.above + order.above @ every)
        expected.sort_indices()
        require(np.array_equal(expected.indptr, every.indptr), "other numbers of them")
        require(np.array_equal(expected.indices, every.indices), "others")


def _check_places(around: Arrays, passages: pl.DataFrame, edges: pl.DataFrame, settings: Extract) -> None:
    """Check that the rows of the index are those of the passages table, and its links those of the edges."""
    ids = passages["passage_id"]
    _require_equal(around, "has_text", (passages["text"].str.strip_chars() != "").to_numpy())
    _require_equal(around, "documents", passages["document_id"].rank("dense").to_numpy().astype(np.int64) - 1)
    _require_equal(around, "adjacent", adjacent(passages))
    _require_equal(around, "parents", parents(edges, ids))
    for name, facts in tabled_facts(passages).items():
        _require_equal(around, f"{storage.STATIC}{name}", facts)
    characters = passages["text"].str.len_chars().to_numpy()
    for name in COUNTED:
        path = around.path(f"{storage.STATIC}{name}")
        with expecting("counts of what is in each passage", path):
            require(
                bool((around.arrays[path.stem] <= characters).all()), "more than a passage has characters"
            )
    _require_links(around, "closure", adjacency(edges, ids, settings.closure.edge_types, "both"))
    _require_links(around, "authority", adjacency(edges, ids, ["SUPERSEDES"], "in"))
    _require_links(around, "neighbours", neighbours(edges, passages, settings.neighbours))
    definitions = build_definitions(edges, ids)
    with expecting("the terms that the edges define", around.folder / storage.DEFINED):
        require(read_json(around.folder / storage.DEFINED) == list(definitions.forms), "others")
    for name, lists in (("definers", definitions.definers), ("holders", definitions.holders)):
        with expecting("the passages of each defined term", around.path(f"{name}.items")):
            _require_same(around.lists(name), lists)


def _check_terms(arrays: Arrays, terms: int) -> None:
    with expecting("a list of terms, each once", arrays.folder / VOCABULARY):
        _require_words(read_json(arrays.folder / VOCABULARY), terms)
    postings, idf = arrays.lists("postings"), arrays.arrays["idf"]
    most = np.log((len(arrays.lists("holdings")) + 1) / (postings.sizes + 1)) + 1
    with expecting("the idf of the postings", arrays.path("idf")):
        # A heading without text is in no posting, but what stands above it counts for `bm25_context`.
        low = most if arrays.folder.name == "bm25" else np.ones_like(most)
        require(bool(((idf >= low - 1e-4) & (idf <= most + 1e-4)).all()), "others")


def _check_words(around: Arrays, bm25: Arrays, terms: int) -> None:
    """Check what is computed from the passages' own terms."""
    holdings, idf = bm25.lists("holdings"), bm25.arrays["idf"].astype(np.float64)
    squares = np.bincount(_owners(holdings), idf[holdings.items] ** 2, len(holdings))
    with expecting("the lengths of the passages' vectors of idf", around.path("lengths")):
        lengths: Any = around.arrays["lengths"]
        require(np.allclose(lengths, np.sqrt(squares), rtol=1e-4), "others")
    with expecting(f"pairs of {terms} terms", around.path("bigram_keys")):
        keys: Any = around.arrays["bigram_keys"]
        require(not len(keys) or keys[-1] < terms**2, "others")


def _check_latent(path: Path, sizes: dict[str, int]) -> None:
    latent = 0
    with expecting("the axes of terms", path):
        space = load_latent(path)
        if space is not None:
            rows, latent = space.axes.shape
            require(space.axes.dtype == np.float32, f"numbers of type {space.axes.dtype}")
            require(bool(np.isfinite(space.axes).all()), "numbers that are not finite")
            _require_words(list(space.vocabulary), rows)
        wide = sizes["dimension"], sizes["width"] + latent
        require(wide[0] == wide[1], f"{latent} axes beside {sizes['width']} of the encoder, not {wide[0]}")


def _check_walk(arrays: Arrays, around: Arrays, candidates: Candidates) -> None:
    _symmetric(arrays, "citations")
    _require_equal(arrays, "has_text", around.arrays["has_text"])
    with expecting("the settings `candidates.closure` and `candidates.rrf_k`", arrays.folder / SETTINGS):
        said = read_json(arrays.folder / SETTINGS)
        expected = {"closure": candidates.closure.model_dump(mode="json"), "rrf_k": candidates.rrf_k}
        require(said == expected, f"{said}"[:200])


def _mirrored(arrays: Arrays, name: str, other: str, size: int) -> None:
    """Check that lists of b by a and lists of a by b say the same."""
    with expecting(f"the lists of {other} the other way round", arrays.path(f"{name}.items")):
        turned = transposed(arrays.lists(other), size)
        _require_same(arrays.lists(name), turned)
        require(np.array_equal(arrays.lists(name).weights, turned.weights), "other weights")


def _symmetric(arrays: Arrays, name: str) -> None:
    with expecting("links that lead both ways", arrays.path(f"{name}.items")):
        lists = arrays.lists(name)
        _require_same(lists, transposed(lists, len(lists)))


def _require_links(arrays: Arrays, name: str, expected: Matrix) -> None:
    with expecting("the links of the edges table", arrays.path(f"{name}.items")):
        _require_same(arrays.lists(name), ragged(expected))


def _require_same(found: Ragged, expected: Ragged) -> None:
    require(np.array_equal(found.starts, expected.starts), "lists of other lengths")
    require(np.array_equal(found.items, expected.items), "other lists")


def _require_equal(arrays: Arrays, name: str, expected: NDArray[Any]) -> None:
    with expecting("what follows from the passages and the other arrays", arrays.path(name)):
        require(name in arrays.arrays, "none")
        floats = expected.dtype.kind == "f"
        require(np.array_equal(arrays.arrays[name], expected, equal_nan=floats), "other values")


def _require_words(said: Any, count: int) -> None:
    require(isinstance(said, list) and all(isinstance(each, str) for each in said), "something else")
    require(len(set(said)) == len(said) == count, f"{len(set(said))} different of {len(said)}, not {count}")


def _owners(lists: Ragged) -> IntArray:
    """Return the list of each entry."""
    return np.repeat(np.arange(len(lists)), lists.sizes)
