"""The ObliQA folder: structured regulatory documents, their names, questions and cross-references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import polars as pl
from pydantic import BaseModel

from rulerank.corpora.corpus import Corpus, Questions, keep_judged, misnamed, name_documents, unite
from rulerank.corpora.keys import PassageKey
from rulerank.corpora.kinds import kind_of
from rulerank.corpora.naming import learn_names, tiers_of
from rulerank.corpora.questions import read_questions
from rulerank.corpora.records import read_list, read_names
from rulerank.corpora.references import read_references
from rulerank.corpora.trec import read_qrels
from rulerank.errors import InputError
from rulerank.files import files_in
from rulerank.tables import DOCUMENTS, JUDGEMENTS, PASSAGES, QUERIES

DOCUMENTS_FOLDER = "StructuredRegulatoryDocuments"

QuestionFiles = Literal["published", "recut"]

# File, split, collection. The multi-passage splits decide: for a question that ObliQA has too, they have the
# better judgements. Of two files of one split, the later says more: graded passages, known ids.
_PUBLISHED = (
    ("ObliQA_train.json", "train", "ObliQA"),
    ("ObliQA_dev.json", "validation", "ObliQA"),
    ("ObliQA_test.json", "test", "ObliQA"),
    ("qrels_train.txt", "train", "ObliQA-MP"),
    ("ObliQA_MultiPassage_train.json", "train", "ObliQA-MP"),
    ("ObliQA_MultiPassage_val.json", "validation", "ObliQA-MP"),
    ("ObliQA_MultiPassage_test.json", "test", "ObliQA-MP"),
)

_RECUT = (
    ("ObliQA_dev.json", "train", "ObliQA"),
    ("ObliQA_test.json", "train", "ObliQA"),
    ("qrels_train.txt", "train", "ObliQA-MP"),
    ("ObliQA_MultiPassage_val.json", "validation", "ObliQA-MP"),
    ("ObliQA_MultiPassage_test.json", "test", "ObliQA-MP"),
)


class _Passage(BaseModel):
    ID: PassageKey
    DocumentID: int | str
    PassageID: str
    Passage: str


def read_obliqa(root: Path, questions: QuestionFiles = "published") -> Corpus:
    """Read an ObliQA folder.

    Parameters
    ----------
    root : Path
        The folder.
    questions : {"published", "recut"}, optional (default="published")
        Which question files serve which split. "published": every file that is present serves its own.
        "recut": the questions of ObliQA's dev and test files are the training questions, beside the judged
        sets of `qrels_train.txt`; the multi-passage validation and test questions are held out; no other file
        is read. Only ids that are in two splits are dropped here; `rulerank.splits.folds.drop_repeats`
        compares texts.

    Raises
    ------
    InputError
        There are no documents, two passages have the same id, a file is malformed, or a file that the re-cut
        needs is missing.

    """
    read = _read_passages(root / DOCUMENTS_FOLDER)
    stated = root / "documents.json"
    names = read_names(stated) if stated.exists() else learn_names(read)
    passages = PASSAGES.check(_classified(read, tiers_of(read, names)), root / DOCUMENTS_FOLDER)
    document_ids = passages["document_id"].unique(maintain_order=True).to_list()
    documents = DOCUMENTS.check(name_documents(document_ids, names), stated)
    united = unite(_read_questions(root, passages, questions))
    references, problems = None, united.problems + _unread(root, questions) + misnamed(document_ids, names)
    table = root / "CrossReferenceData.csv"
    if table.exists():
        references, repairs = read_references(table, passages)
        problems += repairs
    queries = QUERIES.check(united.queries, root)
    judgements = JUDGEMENTS.check(united.judgements, root)
    return Corpus(documents, passages, queries, judgements, references, problems, names)


def _read_questions(root: Path, passages: pl.DataFrame, questions: QuestionFiles) -> dict[str, Questions]:
    if questions == "recut":
        _require_recut(root)
    files = {}
    for name, split, collection in _RECUT if questions == "recut" else _PUBLISHED:
        path = root / name
        if path.exists() and path.suffix == ".txt":
            files[name] = _read_judged_sets(path, passages, split, collection)
        elif path.exists():
            files[name] = read_questions(path, passages, split, collection)
    return files


def _unread(root: Path, questions: QuestionFiles) -> tuple[str, ...]:
    """Return a line for each file that is named almost as questions are; the re-cut leaves some out."""
    known = [name for name, _, _ in _PUBLISHED]
    return tuple(
        f"{path.name}: expected a name of {', '.join(known)}; not read"
        for path in files_in(root, ".json")
        if questions == "published" and path.name.lower().startswith("obliqa") and path.name not in known
    )


def _require_recut(root: Path) -> None:
    """Refuse a folder that lacks a file of the re-cut: overlaps with a missing file could not be dropped."""
    missing = [name for name, _, _ in _RECUT if not (root / name).exists()]
    if missing:
        raise InputError(
            root / missing[0],
            "expected this file, which prepare.questions: recut needs, found none. "
            "Run `rulerank data fetch obliqa`, or set prepare.questions to published in params.yaml.",
        )


def _read_passages(folder: Path) -> pl.DataFrame:
    """Read every passage: passage_id, document_id, section, text and position."""
    paths = sorted(files_in(folder, ".json"), key=_reading_order)
    if not paths:
        raise InputError(
            folder, "expected JSON files of passages, found none. Run `rulerank data fetch obliqa`."
        )
    rows = []
    files: dict[str, str] = {}
    positions: Counter[str] = Counter()
    for path in paths:
        records = read_list(path, _Passage, "ID")
        if not records:
            raise InputError(
                path, "expected passages, found an empty list. Remove the file or fetch it again."
            )
        for record in records:
            if record.ID in files:
                raise InputError(
                    path,
                    f"expected each passage ID once, found {record.ID} also in {files[record.ID]}. "
                    "Remove one.",
                )
            files[record.ID] = path.name
            document_id = str(record.DocumentID)
            rows.append((record.ID, document_id, record.PassageID, record.Passage, positions[document_id]))
            positions[document_id] += 1
    columns = ("passage_id", "document_id", "section", "text", "position")
    return pl.DataFrame(rows, schema={name: PASSAGES.columns[name] for name in columns}, orient="row")


def _classified(passages: pl.DataFrame, tiers: Mapping[str, int | None]) -> pl.DataFrame:
    """Return the passages table with the tier of each document and the kind of each passage."""
    rows = passages.select("document_id", "section", "text").iter_rows()
    kinds = [kind_of(section, text, tiers[document_id]) for document_id, section, text in rows]
    return passages.with_columns(
        title=pl.lit(""),
        tier=pl.col("document_id").replace_strict(tiers, return_dtype=PASSAGES.columns["tier"]),
        kind=pl.Series(kinds, dtype=pl.String()),
        effective_from=pl.lit(None, PASSAGES.columns["effective_from"]),
        scope=pl.lit(None, PASSAGES.columns["scope"]),
    ).select(list(PASSAGES.columns))


def _read_judged_sets(path: Path, passages: pl.DataFrame, split: str, collection: str) -> Questions:
    """Read judged sets published without their questions: queries without text."""
    judgements = read_qrels(path)
    queries = judgements.select(
        pl.col("query_id").unique(maintain_order=True),
        text=pl.lit(None, pl.String),
        split=pl.lit(split),
        collection=pl.lit(collection),
        level=pl.lit(None, pl.String),
        group=pl.lit(None, pl.String),
    )
    return keep_judged(queries, judgements, passages, path.name)


def _reading_order(path: Path) -> tuple[bool, int, str]:
    number = int(path.stem) if path.stem.isdecimal() else 0
    return not path.stem.isdecimal(), number, path.stem
