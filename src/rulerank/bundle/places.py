"""Whether the facts about the passages' places agree with the tables and with one another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rulerank.authority.shown import authority_facts
from rulerank.authority.supersession import Supersession
from rulerank.bundle.array_checks import (
    require_closed,
    require_equal,
    require_links,
    require_same,
    require_symmetric,
    require_words,
)
from rulerank.bundle.checked import Arrays
from rulerank.bundle.damage import expecting, require
from rulerank.bundle.layout import AROUND, COUNTED
from rulerank.features import storage
from rulerank.features.definitions import build_definitions
from rulerank.features.static import tabled_facts
from rulerank.files import read_json
from rulerank.graph.adjacency import (
    adjacency,
    adjacent,
    ancestors,
    circling,
    document_numbers,
    neighbours,
    parents,
    section_numbers,
)
from rulerank.settings import Extract
from rulerank.tables import has_text
from rulerank.text import Analyser

TERMS = 4
"""The most terms that an analyser makes of one character: three for a syllable of Hangul."""


def read_around(folder: Path, sizes: dict[str, int], largest: int | None) -> Arrays:
    """Check the arrays on the passages' places, each by itself and against the others."""
    around = Arrays(folder, AROUND, sizes, largest)
    _check_hierarchy(around)
    _check_authority(around)
    require_symmetric(around, "closure")
    with expecting("a list of defined terms, each once", folder / storage.DEFINED):
        require_words(read_json(folder / storage.DEFINED), sizes["defined"])
    weights = around.lists("neighbours")
    with expecting("equal weights that sum to 1", around.path("neighbours.weights")):
        require(np.allclose(weights.weights * weights.sizes[weights.owners], 1), "others")
    return around


def _check_hierarchy(around: Arrays) -> None:
    own: Any = around.arrays["parents"]
    with expecting("a hierarchy of passages", around.path("parents")):
        require(not len(circling(own)), "passages that stand above themselves")
    with expecting("the passages above each as parents.npy has them", around.path("ancestors.items")):
        require_same(around.lists("ancestors"), ancestors(own))
    with expecting("one number for passages of one parent", around.path("sections")):
        require_equal(around, "sections", section_numbers(own))
    require_equal(around, "static.section_depth", around.lists("ancestors").sizes)


def _check_authority(around: Arrays) -> None:
    """Check the order of supersession: the length of the longest chain proves that it has no loop."""
    above, chain = around.lists("authority"), around.arrays["chain_length"]
    longest = np.zeros(len(above), np.int64)
    np.maximum.at(longest, above.owners, chain[above.items] + 1)
    require_equal(around, "chain_length", longest)
    order = Supersession(len(above), above, longest)
    for name, facts in authority_facts(order).items():
        require_equal(around, f"{storage.STATIC}{name}", facts)
    require_equal(around, f"{storage.STATIC}neighbours", around.lists("neighbours").sizes)
    with expecting("all that supersede each passage by authority", around.path("superseders.items")):
        require_closed(above, around.lists("superseders"))


def check_places(
    around: Arrays, passages: pl.DataFrame, edges: pl.DataFrame, settings: Extract, analyser: Analyser
) -> None:
    """Check that the rows of the index are those of the passages table, and its links those of the edges."""
    ids = passages["passage_id"]
    require_equal(around, "has_text", has_text(passages).to_numpy())
    require_equal(around, "documents", document_numbers(passages))
    require_equal(around, "adjacent", adjacent(passages))
    require_equal(around, "parents", parents(edges, ids))
    for name, facts in tabled_facts(passages).items():
        require_equal(around, f"{storage.STATIC}{name}", facts)
    characters = passages["text"].str.len_chars().to_numpy()
    for name in COUNTED:
        path = around.path(f"{storage.STATIC}{name}")
        with expecting("counts of what is in each passage", path):
            counts = around.arrays[path.stem]
            require(bool((counts <= TERMS * characters).all()), "more than a passage has characters for")
    require_links(around, "closure", adjacency(edges, ids, settings.closure.edge_types, "both"))
    require_links(around, "authority", adjacency(edges, ids, ["SUPERSEDES"], "in"))
    require_links(around, "neighbours", neighbours(edges, passages, settings.neighbours))
    with expecting(
        "defined terms that the analyser of the settings can read", around.folder / storage.DEFINED
    ):
        definitions = build_definitions(edges, ids, analyser)
    with expecting("the terms that the edges define", around.folder / storage.DEFINED):
        require(read_json(around.folder / storage.DEFINED) == list(definitions.forms), "others")
    for name, lists in (("definers", definitions.definers), ("holders", definitions.holders)):
        with expecting("the passages of each defined term", around.path(f"{name}.items")):
            require_same(around.lists(name), lists)
