"""The ObliQA folder: structured regulatory documents, their names, questions and cross-references."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl
from pydantic import BaseModel, Field

from rulerank.corpora.corpus import Corpus, Questions, keep_judged, name_documents, unite
from rulerank.corpora.kinds import kind_of, tier_of
from rulerank.corpora.questions import read_questions
from rulerank.corpora.records import read_list, read_names
from rulerank.corpora.references import read_references
from rulerank.corpora.trec import read_qrels
from rulerank.errors import InputError
from rulerank.tables import DOCUMENTS, JUDGEMENTS, PASSAGES, QUERIES

DOCUMENTS_FOLDER = "StructuredRegulatoryDocuments"

# File, split, collection. Of two files of one split the later says more: graded passages, known ids.
_QUESTION_FILES = (
    ("ObliQA_train.json", "train", "ObliQA"),
    ("qrels_train.txt", "train", "ObliQA-MP"),
    ("ObliQA_MultiPassage_train.json", "train", "ObliQA-MP"),
    ("ObliQA_dev.json", "validation", "ObliQA"),
    ("ObliQA_MultiPassage_val.json", "validation", "ObliQA-MP"),
    ("ObliQA_test.json", "test", "ObliQA"),
    ("ObliQA_MultiPassage_test.json", "test", "ObliQA-MP"),
)


class _Passage(BaseModel):
    ID: str = Field(min_length=1)
    DocumentID: int | str
    PassageID: str
    Passage: str


def read_obliqa(root: Path) -> Corpus:
    """Read an ObliQA folder: whatever question files are present serve their split.

    Raises
    ------
    InputError
        There are no documents, two passages have one id, or a file is malformed.

    """
    names = read_names(root / "documents.json")
    passages = _read_passages(root / DOCUMENTS_FOLDER, names)
    document_ids = passages["document_id"].unique(maintain_order=True).to_list()
    documents = DOCUMENTS.check(name_documents(document_ids, names), root / "documents.json")
    files = {}
    for name, split, collection in _QUESTION_FILES:
        path = root / name
        if path.exists() and path.suffix == ".txt":
            files[name] = _read_judged_sets(path, passages, split, collection)
        elif path.exists():
            files[name] = read_questions(path, passages, split, collection)
    questions = unite(files)
    references, problems = None, questions.problems
    table = root / "CrossReferenceData.csv"
    if table.exists():
        references, found = read_references(table, passages)
        problems += found
    queries = QUERIES.check(questions.queries, root)
    judgements = JUDGEMENTS.check(questions.judgements, root)
    return Corpus(documents, passages, queries, judgements, references, problems)


def _read_passages(folder: Path, names: dict[str, list[str]]) -> pl.DataFrame:
    paths = sorted(folder.glob("*.json"), key=_reading_order)
    if not paths:
        raise InputError(
            folder, "expected JSON files of passages, found none. Run `rulerank data fetch obliqa`."
        )
    tiers = {document_id: tier_of(aliases) for document_id, aliases in names.items()}
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
            tier = tiers.get(document_id)
            kind = kind_of(record.PassageID, record.Passage, tier)
            position = positions[document_id]
            positions[document_id] += 1
            rows.append(
                (
                    record.ID,
                    document_id,
                    record.PassageID,
                    "",
                    record.Passage,
                    tier,
                    kind,
                    position,
                    None,
                    None,
                )
            )
    return PASSAGES.check(pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row"), folder)


def _read_judged_sets(path: Path, passages: pl.DataFrame, split: str, collection: str) -> Questions:
    """Read judged sets published without their questions: queries without text."""
    judgements = read_qrels(path)
    queries = judgements.select(
        pl.col("query_id").unique(maintain_order=True),
        text=pl.lit(None, pl.String),
        split=pl.lit(split),
        collection=pl.lit(collection),
        level=pl.lit(None, pl.String),
    )
    return keep_judged(queries, judgements, passages, path.name)


def _reading_order(path: Path) -> tuple[bool, int, str]:
    number = int(path.stem) if path.stem.isdecimal() else 0
    return not path.stem.isdecimal(), number, path.stem
