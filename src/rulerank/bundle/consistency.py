"""Whether the parts of an index agree with the passages they stand for and with one another.

What follows from other parts is computed again if that is cheap. So an array that was shuffled, or that
belongs to another index, is found even though each of its values is possible.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rulerank.bundle.array_checks import require_equal, require_mirrored, require_symmetric, require_words
from rulerank.bundle.checked import Arrays
from rulerank.bundle.damage import expecting, require
from rulerank.bundle.layout import GENERATORS, JUDGEMENTS, TRAINED, TRANSLATION
from rulerank.bundle.places import check_places, read_around
from rulerank.features import storage
from rulerank.files import read_json
from rulerank.retrieve.bm25 import VOCABULARY
from rulerank.retrieve.citing import SETTINGS
from rulerank.retrieve.dense import LATENT
from rulerank.retrieve.latent import load_latent
from rulerank.retrieve.quantized import quantized_from
from rulerank.retrieve.translation import masses
from rulerank.retrieve.translation_table import WORDS
from rulerank.settings import Candidates, Extract
from rulerank.text import Analyser


def check_index(
    folder: Path,
    passages: pl.DataFrame,
    edges: pl.DataFrame,
    candidates: Candidates,
    extract: Extract,
    analyser: Analyser,
    largest: int | None,
) -> None:
    """Check all arrays of an index before they are used.

    Parameters
    ----------
    folder : Path
        The folder that `rulerank.features.storage.save_index` wrote.
    passages, edges : polars.DataFrame
        The tables of the bundle.
    candidates, extract : Candidates, Extract
        The settings with which the index was built.
    analyser : Analyser
        The analyser that made the terms of the index.
    largest : int or None
        Bytes above which the fractions of an array, and what follows from such tables, are not checked.

    Raises
    ------
    BundleError
        An array does not match its layout, or contradicts the passages or another array; its file is named.

    """
    size = {"passages": passages.height}
    around = read_around(folder / storage.AROUND, dict(size), largest)
    if largest is None or passages.estimated_size() <= largest:
        check_places(around, passages, edges, extract, analyser)
    generators = folder / storage.GENERATORS
    shared = dict(size)
    for name, layout in GENERATORS.items():
        if not (generators / name).is_dir():
            continue
        sizes = dict(size) if name.startswith("bm25") else shared
        arrays = Arrays(generators / name, layout, sizes, largest)
        if name.startswith("bm25"):
            _check_terms(arrays, sizes["terms"])
            require_mirrored(arrays, "postings", "holdings", sizes["terms"])
        elif name == "dense":
            _check_latent(generators / name / LATENT, sizes)
            _check_quantized(arrays, "vectors", "pretrained")
        elif name == "closure":
            _check_walk(arrays, around, candidates)
        if name == "bm25":
            _check_words(around, arrays, sizes["terms"])
    if (folder / storage.TRANSLATION).is_dir():
        _check_table(folder / storage.TRANSLATION, largest)
    _check_quantized(Arrays(folder / storage.TRAINED, TRAINED, shared, largest), "known")
    judged = Arrays(folder / storage.JUDGEMENTS, JUDGEMENTS, shared, largest)
    require_mirrored(judged, "judged", "sets", passages.height)


def _check_terms(arrays: Arrays, terms: int) -> None:
    with expecting("a list of terms, each once", arrays.folder / VOCABULARY):
        require_words(read_json(arrays.folder / VOCABULARY), terms)
    postings, idf = arrays.lists("postings"), arrays.arrays["idf"].astype(np.float64)
    most = np.log((len(arrays.lists("holdings")) + 1) / (postings.sizes + 1)) + 1
    with expecting("the idf of the postings", arrays.path("idf")):
        # A heading without text is in no posting, but the headings above it count for `bm25_context`.
        low = most if arrays.folder.name == "bm25" else np.ones_like(most)
        require(bool(((idf >= low - 1e-4) & (idf <= most + 1e-4)).all()), "others")


def _check_words(around: Arrays, bm25: Arrays, terms: int) -> None:
    """Check the arrays that are computed from the passages' own terms."""
    holdings, idf = bm25.lists("holdings"), bm25.arrays["idf"].astype(np.float64)
    squares = np.bincount(holdings.owners, idf[holdings.items] ** 2, len(holdings))
    with expecting("the lengths of the passages' vectors of idf", around.path("lengths")):
        lengths: Any = around.arrays["lengths"]
        require(np.allclose(lengths, np.sqrt(squares), rtol=1e-4), "others")
    with expecting("the masses of the passages' terms", around.path("masses")):
        stored: Any = around.arrays["masses"]
        require(np.allclose(stored, masses(holdings, bm25.lists("postings").sizes), rtol=1e-4), "others")
    with expecting(f"pairs of {terms} terms", around.path("bigram_keys")):
        keys: Any = around.arrays["bigram_keys"]
        require(not len(keys) or keys[-1] < terms**2, "others")


def _check_table(folder: Path, largest: int | None) -> None:
    sizes: dict[str, int] = {}
    table = Arrays(folder, TRANSLATION, sizes, largest)
    sources, frequencies = table.lists("sources"), table.arrays["frequencies"]
    with expecting("a list of words, each once, in order", folder / WORDS):
        words = read_json(folder / WORDS)
        require_words(words, sizes["words"])
        require(words == sorted(words), "another order")
    with expecting("frequencies that sum to 1", table.path("frequencies")):
        require(np.isclose(frequencies.sum(dtype=np.float64), 1) or not words, "others")
    with expecting("every word among those that stand for it", table.path("sources.items")):
        owner = sources.owners
        require(np.array_equal(owner[owner == sources.items], np.arange(len(words))), "others")
    with expecting("probabilities, at most 1 for each word of a passage", table.path("sources.weights")):
        totals = np.bincount(sources.items, sources.weights, len(words))
        require(bool((sources.weights >= 0).all() and (totals <= 1 + 1e-4).all()), "others")


def _check_latent(path: Path, sizes: dict[str, int]) -> None:
    latent = 0
    with expecting("the axes of terms", path):
        space = load_latent(path)
        if space is not None:
            rows, latent = space.axes.shape
            require(space.axes.dtype == np.float32, f"numbers of type {space.axes.dtype}")
            require(bool(np.isfinite(space.axes).all()), "numbers that are not finite")
            require_words(list(space.vocabulary), rows)
        wide = sizes["dimension"], sizes["width"] + latent
        require(wide[0] == wide[1], f"{latent} axes beside {sizes['width']} of the encoder, not {wide[0]}")


def _check_quantized(arrays: Arrays, *names: str) -> None:
    """Check that vectors in 8 bits have the length 1, or 0 for a text without a word."""
    for name in filter(arrays.reads, names):
        stored = quantized_from(arrays.arrays, name)
        codes = stored.codes.astype(np.float32)
        squares = np.einsum("ij,ij->i", codes, codes)
        with expecting("rows of length 1 or 0", arrays.path(name)):
            require(np.allclose(squares * stored.scale**2, squares > 0, atol=1e-4), "others")


def _check_walk(arrays: Arrays, around: Arrays, candidates: Candidates) -> None:
    require_symmetric(arrays, "citations")
    require_equal(arrays, "has_text", around.arrays["has_text"])
    with expecting("the settings `candidates.closure` and `candidates.rrf_k`", arrays.folder / SETTINGS):
        said = read_json(arrays.folder / SETTINGS)
        expected = {"closure": candidates.closure.model_dump(mode="json"), "rrf_k": candidates.rrf_k}
        require(said == expected, f"{said}"[:200])
