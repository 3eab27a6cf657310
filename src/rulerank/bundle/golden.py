"""Golden rows and questions: what a bundle scored and extracted when it was written.

Golden rows verify the trees (`golden_rows.py`). Golden questions verify the code of the features, and of what
a model adds to the score of its trees: both are computed again, and what has changed is named.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from rulerank.bundle.contents import Bundle, Contents
from rulerank.bundle.damage import expecting, require
from rulerank.bundle.golden_rows import drawn_rows, golden_path, golden_rows
from rulerank.bundle.golden_vectors import as_exported, write_vectors
from rulerank.bundle.names import GOLDEN, affinity_of
from rulerank.errors import BundleError
from rulerank.features.extract import Batch
from rulerank.files import make_folder
from rulerank.retrieve.queries import Queries
from rulerank.tables import GOLDEN_ROWS
from rulerank.tables.arrow_file import read_arrow

CLOSE, SHARE = 1e-3, 0.05
"""A value agrees within CLOSE of its size; at most SHARE of a feature's values may disagree.

Another processor rounds a sum differently, and if two scores are almost equal, a rank changes.
"""

QUESTIONS, EXTRACTED = "questions.arrow", "extracted.arrow"
"""Arrow and not Parquet: a damaged page of Parquet may ask polars for more memory than there is."""

KEYS = ("query_id", "passage_id")
LONGEST = 100_000
"""Characters of a golden question at most; a longer one would take its time each time a bundle is loaded."""


@dataclass(frozen=True, eq=False)
class Golden:
    """What a bundle is verified with: at least one row and one question.

    Parameters
    ----------
    rows : polars.DataFrame
        Rows of a features table.
    questions : polars.DataFrame
        query_id and text.

    """

    rows: pl.DataFrame
    questions: pl.DataFrame

    def write(self, contents: Contents, folder: Path) -> None:
        """Write golden rows of all trees, and the golden questions, into a bundle's folder."""
        company = contents.affinity_trees
        for name, trees in contents.forests.items():
            rows = drawn_rows(trees) if name in company else self.rows
            GOLDEN_ROWS.write_mapped(golden_rows(trees, rows), golden_path(folder, name))
        self.questions.select("query_id", "text").write_ipc(folder / GOLDEN / QUESTIONS)


@dataclass(frozen=True)
class KeptGolden:
    """The golden rows and questions of another bundle with the same models.

    Parameters
    ----------
    source : Path
        The bundle.
    names : mapping of str to str
        The name of a model there, if it differs.

    """

    source: Path
    names: Mapping[str, str]

    def write(self, contents: Contents, folder: Path) -> None:
        """Copy them into a bundle's folder."""
        make_folder(folder / GOLDEN)
        near = {affinity_of(name): affinity_of(old) for name, old in self.names.items()}
        for name in contents.forests:
            kept = golden_path(self.source, {**self.names, **near}.get(name, name))
            shutil.copyfile(kept, golden_path(folder, name))
        shutil.copyfile(self.source / GOLDEN / QUESTIONS, folder / GOLDEN / QUESTIONS)


def write_extracted(bundle: Bundle, folder: Path) -> None:
    """Extract the golden questions of a bundle that was just written, and keep the result.

    Those that have no candidates in this index verify nothing, and are left out.

    Raises
    ------
    BundleError
        None of them has candidates.

    """
    path = folder / GOLDEN / QUESTIONS
    questions = read_arrow(path)
    asked = asked_in(bundle, questions)
    parts = [batch.frame(bundle.features).hstack(_scores(bundle, batch)) for batch in bundle.described(asked)]
    extracted = pl.concat(parts)
    kept = questions.filter(pl.col("query_id").is_in(extracted["query_id"].implode()))
    if kept.is_empty():
        raise BundleError(
            f"golden questions: expected passages that could answer one of the {questions.height}, found "
            "none. Give the corpus more passages, or train a ranker whose candidates.runs have dense, which "
            "needs no word of the question."
        )
    if kept.height < questions.height:
        path.unlink()
        kept.write_ipc(path)
        asked = asked_in(bundle, kept)
    write_vectors(asked, folder)
    extracted.write_ipc(folder / GOLDEN / EXTRACTED)


def score_of(model: str) -> str:
    """Return the name of the column with the scores of one model, apart from the names of features."""
    return f"score of {model}"


def _scores(bundle: Bundle, batch: Batch) -> pl.DataFrame:
    return pl.DataFrame({score_of(name): scores for name, scores in bundle.own_scores(batch).items()})


def asked_in(bundle: Bundle, questions: pl.DataFrame) -> Queries:
    """Return golden questions as the bundle's index takes them; columns query_id and text."""
    return bundle.queries(questions["query_id"].to_list(), questions["text"].to_list())


def check_questions(bundle: Bundle, folder: Path, questions: int | None = None) -> None:
    """Extract the golden questions again.

    Parameters
    ----------
    bundle : Bundle
        The bundle that was loaded from the folder.
    folder : Path
        The bundle.
    questions : int, optional
        How many questions; by default all.

    Raises
    ------
    BundleError
        A feature has other values than when the bundle was written, or a model gives the old values other
        scores, or there are no golden questions.

    """
    path = folder / GOLDEN / EXTRACTED
    with expecting("golden questions", folder / GOLDEN / QUESTIONS):
        every = read_arrow(folder / GOLDEN / QUESTIONS)
        asked = every[:questions]
        require(asked.height > 0, "none")
        require(asked.schema == {"query_id": pl.String, "text": pl.String}, f"columns {asked.schema}")
        longest = max(map(len, asked["text"]))
        require(longest <= LONGEST, f"a text of {longest} characters")
        ids = asked["query_id"]
    with expecting("the features of the golden questions", path):
        before = read_arrow(path).filter(pl.col("query_id").is_in(ids.implode()))
        wanted = {**dict.fromkeys(KEYS, pl.String), **dict.fromkeys(bundle.features.names, pl.Float32)}
        found = {name: kind for name, kind in before.schema.items() if name in wanted}
        others = sorted(name for name in wanted if found.get(name) != wanted[name])
        require(not others, f"others or none for {', '.join(others)}")
        require(before["query_id"].n_unique() == ids.n_unique(), "those of other questions")
    with expecting("an index and settings by which the golden questions can be asked", folder):
        queries = as_exported(bundle, folder, asked_in(bundle, asked), every.height)
        batches = list(bundle.described(queries))
    after = pl.concat([batch.frame(bundle.features) for batch in batches])
    both = before.join(after, on=KEYS, suffix=" after")
    if both.height < (1 - SHARE) * before.height:
        raise BundleError(
            f"{folder / GOLDEN}: expected the {before.height} candidates of the golden questions, found "
            f"{both.height} of them. Either the index is not the one that was exported, or this version "
            "retrieves differently: train the ranker again."
        )
    changed = [name for name in bundle.features.names if _disagree(both[name], both[f"{name} after"])]
    if changed:
        raise BundleError(
            f"{folder / GOLDEN}: this version computes other values of {', '.join(changed)} than the ranker "
            "was trained with, or the index is not the one that was exported. Give what was changed a new "
            "version in its declaration, and train again."
        )
    # Another processor may find other candidates; then the list differs, and so do the scores.
    if before.select(KEYS).equals(after.select(KEYS)):
        _check_scores(bundle, folder, batches, before)


def _check_scores(bundle: Bundle, folder: Path, batches: Sequence[Batch], before: pl.DataFrame) -> None:
    """Score the candidates again by their features as they were, since a last digit may mean another leaf."""
    matrix = before.select(bundle.features.names).to_numpy()
    ends = np.cumsum([len(batch.matrix) for batch in batches])[:-1]
    as_then = [
        replace(batch, matrix=part) for batch, part in zip(batches, np.split(matrix, ends), strict=True)
    ]
    now = pl.concat([_scores(bundle, batch) for batch in as_then])
    changed = [name for name in now.columns if name in before.columns and _disagree(before[name], now[name])]
    if changed:
        raise BundleError(
            f"{folder / GOLDEN}: this version computes another {', '.join(changed)} from the same features "
            "than when the bundle was written. Export the ranker again with this version."
        )


def _disagree(before: pl.Series, after: pl.Series) -> bool:
    then, now = before.to_numpy(), after.to_numpy()
    close = np.isclose(then, now, rtol=CLOSE, atol=CLOSE, equal_nan=True)
    return len(close) > 0 and float(np.mean(~close)) > SHARE
