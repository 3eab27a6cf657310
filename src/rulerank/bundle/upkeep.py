"""What a bundle keeps for changes of its corpus: no question needs it, and loading does not read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import TypeAdapter

from rulerank.arrays import FloatArray, save_arrays
from rulerank.bundle.checked import Arrays
from rulerank.bundle.damage import expecting, require
from rulerank.bundle.layout import DENSE_MAP, LATE_MAP
from rulerank.errors import BundleError
from rulerank.features.index import RankingIndex
from rulerank.files import read_json, write_json
from rulerank.tables import EDGES
from rulerank.tables.table import Table

UPKEEP = "upkeep"
MAPS, JUDGED, REFERENCES, NAMES = "maps", "judged.arrow", "references.arrow", "names.json"
DENSE, LATE = "dense", "late"

_Names = TypeAdapter(dict[str, list[str]])

JUDGED_QUESTIONS = Table("judged questions", {"query_id": pl.String()}, key=("query_id",))
"""The training questions, in the order of the judgement index, without their text."""


@dataclass(frozen=True, eq=False)
class Upkeep:
    """The data needed to index passages that were not in training.

    Parameters
    ----------
    dense_map : array of shape (dimension, dimension)
        The adapter's map for passages, V in `rulerank.retrieve.embedded.Adapter`.
    late_map : array of shape (width, dimension) or None
        The map of late interaction, B in `rulerank.retrieve.matched.LateMaps`, if it is used.
    judged : polars.DataFrame
        `JUDGED_QUESTIONS`, one row for each question of the judgement index.
    references : polars.DataFrame or None
        The curated cross-references, including those to passages that the corpus lacks; None if references
        are read from the text.
    names : mapping of str to sequence of str
        Names of documents by id, including documents without passages.

    """

    dense_map: FloatArray
    late_map: FloatArray | None
    judged: pl.DataFrame
    references: pl.DataFrame | None
    names: Mapping[str, Sequence[str]]

    def write(self, folder: Path) -> None:
        """Write it into a bundle's folder."""
        maps = {DENSE: self.dense_map} | ({} if self.late_map is None else {LATE: self.late_map})
        save_arrays(folder / UPKEEP / MAPS, maps)
        JUDGED_QUESTIONS.write_mapped(self.judged, folder / UPKEEP / JUDGED)
        if self.references is not None:
            EDGES.write_mapped(self.references, folder / UPKEEP / REFERENCES)
        write_json(folder / UPKEEP / NAMES, self.names)


def read_upkeep(bundle: Path, index: RankingIndex) -> Upkeep:
    """Read and check the files that `Upkeep.write` wrote.

    Parameters
    ----------
    bundle : Path
        The bundle.
    index : RankingIndex
        Its index.

    Raises
    ------
    BundleError
        The bundle was written without it, or it does not belong to the index.

    """
    folder = bundle / UPKEEP
    if not folder.is_dir():
        raise BundleError(
            f"{folder}: expected what indexes new passages, found none: this bundle is of an older version, "
            "or was slimmed. Export the ranker again with `dvc repro export`."
        )
    layout, sizes = dict(DENSE_MAP), {"dimension": len(index.dense.query_map)}
    if index.late is not None:
        layout |= LATE_MAP
        sizes["reduced"], sizes["late"] = index.late.query_map.shape
    maps: Mapping[str, Any] = Arrays(folder / MAPS, layout, sizes, None).arrays
    questions = len(index.judgements.sets)
    with expecting(f"the {questions} questions of the judgements", folder / JUDGED):
        judged = JUDGED_QUESTIONS.check(JUDGED_QUESTIONS.map(folder / JUDGED), folder / JUDGED)
        require(judged.height == questions, f"{judged.height}")
    path, references = folder / REFERENCES, None
    if path.is_file():
        with expecting("curated references", path):
            references = EDGES.check(EDGES.map(path), path)
    path, names = folder / NAMES, {}
    if path.is_file():
        with expecting("names of documents", path):
            names = _Names.validate_python(read_json(path))
    return Upkeep(maps[DENSE], maps.get(LATE), judged, references, names)
