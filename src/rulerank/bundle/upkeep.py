"""What a bundle keeps for the day its corpus changes: no question needs it, and loading leaves it unread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from rulerank.arrays import FloatArray, load_arrays, save_arrays
from rulerank.errors import BundleError, InputError
from rulerank.tables import EDGES
from rulerank.tables.table import Table

UPKEEP = "upkeep"
MAPS, JUDGED, REFERENCES = "maps", "judged.arrow", "references.arrow"
DENSE, LATE = "dense", "late"

JUDGED_QUESTIONS = Table("judged questions", {"query_id": pl.String()}, key=("query_id",))
"""The training questions, in the order of the judgement index, without their text."""


@dataclass(frozen=True, eq=False)
class Upkeep:
    """What is needed to index passages that the ranker was not trained with.

    Parameters
    ----------
    dense_map : array of shape (dimension, dimension)
        The adapter's map for passages, V in `rulerank.retrieve.dense.Adapter`.
    late_map : array of shape (width, dimension) or None
        That of late interaction, B in `rulerank.retrieve.late.LateMaps`, where it is used.
    judged : polars.DataFrame
        `JUDGED_QUESTIONS`, one row for each question of the judgement index.
    references : polars.DataFrame or None
        The curated cross-references, those to passages that the corpus does not have included; None where
        references are read from the text.

    """

    dense_map: FloatArray
    late_map: FloatArray | None
    judged: pl.DataFrame
    references: pl.DataFrame | None

    def write(self, folder: Path) -> None:
        """Write it into a bundle's folder."""
        maps = {DENSE: self.dense_map} | ({} if self.late_map is None else {LATE: self.late_map})
        save_arrays(folder / UPKEEP / MAPS, maps)
        JUDGED_QUESTIONS.write_mapped(self.judged, folder / UPKEEP / JUDGED)
        if self.references is not None:
            EDGES.write_mapped(self.references, folder / UPKEEP / REFERENCES)


def read_upkeep(bundle: Path) -> Upkeep:
    """Read what `Upkeep.write` wrote.

    Raises
    ------
    BundleError
        The bundle was written without it.

    """
    folder = bundle / UPKEEP
    if not folder.is_dir():
        raise BundleError(
            f"{folder}: expected what indexes new passages, found none: this bundle is of an older version, "
            "or was slimmed. Export the ranker again with `dvc repro export`."
        )
    try:
        maps = load_arrays(folder / MAPS)
        references = folder / REFERENCES
        return Upkeep(
            maps[DENSE],  # type: ignore[arg-type]
            maps.get(LATE),  # type: ignore[arg-type]
            JUDGED_QUESTIONS.map(folder / JUDGED),
            EDGES.map(references) if references.is_file() else None,
        )
    except (InputError, KeyError) as error:
        raise BundleError(f"{folder}: expected what indexes new passages: {error}") from error
