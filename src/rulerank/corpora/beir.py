"""BEIR folders: corpus.jsonl, queries.jsonl and qrels/, read and written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import polars as pl
from pydantic import Field

from rulerank.corpora.corpus import Corpus, Questions, keep_judged, misnamed, name_documents, unite
from rulerank.corpora.fields import read_fields
from rulerank.corpora.keys import Day, DocumentKey, Key, Kind, Label, PassageKey
from rulerank.corpora.records import Record, read_lines, read_names
from rulerank.corpora.references import collect_references
from rulerank.corpora.trec import to_judgements
from rulerank.errors import InputError
from rulerank.files import write_json, write_lines, write_text
from rulerank.tables import DOCUMENTS, JUDGEMENTS, PASSAGES, QUERIES, is_blank

CORPUS = "corpus.jsonl"

_FILES = {"train": "train", "dev": "validation", "test": "test"}
_HEADERS = frozenset({"id", "qid", "query", "queryid", "question", "questionid", "topic", "topicid"})
"""Names of the first column in a header, without hyphens and the like."""
_RELEVANCES = frozenset({"score", "relevance", "rel", "label", "grade", "judgement", "judgment"})
"""Names of the last one."""
_JOINTS, _NUMBER = re.compile(r"[-_\s]"), re.compile(r"[-+]?\.?\d")


class _PassageMetadata(Record):
    document_id: DocumentKey | None = None
    section: str = ""
    tier: Annotated[int, Field(ge=1, le=5, strict=True)] | None = None
    kind: Kind | None = None
    position: Annotated[int, Field(ge=0, lt=2**31, strict=True)] | None = None
    effective_from: Day | None = None
    scope: Label = None
    cites: list[str] | None = None


class _Passage(Record):
    id: Annotated[PassageKey, Field(alias="_id")]
    title: str = ""
    text: str
    metadata: _PassageMetadata = _PassageMetadata()


class _QueryMetadata(Record):
    level: Label = None
    group: Label = None


class _Query(Record):
    id: Annotated[Key, Field(alias="_id")]
    text: str
    metadata: _QueryMetadata = _QueryMetadata()


def read_beir(root: Path) -> Corpus:
    """Read a BEIR folder; `dev` is the validation split.

    Without `metadata` each entry of the corpus is a document of its own, of kind "text". An entry with a
    blank text is kept as a heading. The collection is the folder's name. If any entry says what it `cites`,
    these lists are the curated cross-references.

    Raises
    ------
    InputError
        corpus.jsonl is missing or empty, or a file is malformed; the line is named.

    """
    passages, cites = _read_passages(root / CORPUS)
    names = read_names(root / "documents.json")
    document_ids = passages["document_id"].unique(maintain_order=True).to_list()
    documents = DOCUMENTS.check(name_documents(document_ids, names), root)
    asked = _read_queries(root / "queries.jsonl", root.resolve().name)
    files: dict[str, Questions] = {}
    judged: set[str] = set()
    for name, split in _FILES.items():
        path = root / "qrels" / f"{name}.tsv"
        if not path.exists():
            continue
        judgements = _read_judgements(path)
        ids = judgements["query_id"].unique(maintain_order=True)
        judged.update(ids)
        queries = asked.filter(pl.col("query_id").is_in(ids.implode())).with_columns(split=pl.lit(split))
        files[f"qrels/{path.name}"] = keep_judged(queries, judgements, passages, f"qrels/{path.name}")
    questions = unite(files)
    unjudged = tuple(
        f"queries.jsonl: question {query_id}: has no judgement; left out"
        for query_id in asked["query_id"]
        if query_id not in judged
    )
    references, repairs = collect_references(cites, passages, root / CORPUS)
    queries = QUERIES.check(questions.queries, root)
    judgements = JUDGEMENTS.check(questions.judgements, root)
    unread = tuple(
        f"qrels/{path.name}: expected a name of {', '.join(_FILES)}; not read"
        for path in sorted(root.glob("qrels/*.tsv"))
        if path.stem not in _FILES
    )
    problems = questions.problems + unread + unjudged + misnamed(document_ids, names) + repairs
    return Corpus(documents, passages, queries, judgements, references, problems, names)


def write_beir(corpus: Corpus, root: Path) -> None:
    """Write a corpus as a BEIR folder that `read_beir` reads back.

    Cross-references lose their citing words, which have no place in this format. Queries without text are not
    written.
    """
    cites = _cited_by(corpus.references)
    columns = ("document_id", "section", "tier", "kind", "position", "effective_from", "scope")
    passages = corpus.passages.with_columns(pl.col("effective_from").cast(pl.String))
    write_lines(
        root / CORPUS,
        [
            {
                "_id": row["passage_id"],
                "title": row["title"],
                "text": row["text"],
                "metadata": {column: row[column] for column in columns if row[column] is not None}
                | cites.get(row["passage_id"], {}),
            }
            for row in passages.iter_rows(named=True)
        ],
    )
    queries = corpus.queries.filter(pl.col("text").is_not_null())
    write_lines(
        root / "queries.jsonl",
        [
            {
                "_id": row["query_id"],
                "text": row["text"],
                "metadata": {column: row[column] for column in ("level", "group") if row[column]},
            }
            for row in queries.iter_rows(named=True)
        ],
    )
    for name, split in _FILES.items():
        ids = queries.filter(pl.col("split") == split)["query_id"]
        judgements = corpus.judgements.filter(pl.col("query_id").is_in(ids.implode()))
        if judgements.height:
            body = judgements.write_csv(separator="\t", include_header=False, quote_style="never")
            write_text(root / "qrels" / f"{name}.tsv", f"query-id\tcorpus-id\tscore\n{body}")
    names = corpus.documents.select("document_id", "aliases").iter_rows()
    write_json(root / "documents.json", dict(names))


def _cited_by(references: pl.DataFrame | None) -> dict[str, dict[str, list[str]]]:
    """Return what each passage cites, in the form of its metadata."""
    if references is None:
        return {}
    listed = references.group_by("source_id", maintain_order=True).agg("target_id").iter_rows()
    return {source: {"cites": targets} for source, targets in listed}


def _read_passages(path: Path) -> tuple[pl.DataFrame, list[tuple[str, str, str]]]:
    """Return the passages table, and source and target of every citation that the metadata list."""
    cites: list[tuple[str, str, str]] = []
    rows: list[dict[str, Any]] = []
    lines: dict[str, int] = {}
    for line, record in read_lines(path, _Passage):
        _require_new(record.id, lines, line, path)
        metadata = record.metadata
        cites += [(record.id, target, "") for target in metadata.cites or ()]
        rows.append(
            {
                "passage_id": record.id,
                "document_id": metadata.document_id or record.id,
                "section": metadata.section,
                "title": record.title,
                "text": record.text,
                "tier": metadata.tier,
                "kind": "heading" if is_blank(record.text) else metadata.kind or "text",
                "position": len(rows) if metadata.position is None else metadata.position,
                "effective_from": metadata.effective_from,
                "scope": metadata.scope,
            }
        )
    if not rows:
        raise InputError(path, "expected passages, found an empty file. Add passages, or check the path.")
    return PASSAGES.check(pl.DataFrame(rows, schema=dict(PASSAGES.columns)), path), cites


def _read_queries(path: Path, collection: str) -> pl.DataFrame:
    rows = []
    lines: dict[str, int] = {}
    for line, record in read_lines(path, _Query) if path.exists() else ():
        _require_new(record.id, lines, line, path)
        metadata = record.metadata
        rows.append((record.id, record.text, "", collection, metadata.level, metadata.group))
    return pl.DataFrame(rows, schema=dict(QUERIES.columns), orient="row")


def _read_judgements(path: Path) -> pl.DataFrame:
    frame = read_fields(path, ("query_id", "passage_id", "relevance"), "\t")
    if not _has_header(frame):
        return to_judgements(frame, path)
    line, *named = frame.row(0)
    if _JOINTS.sub("", named[1].lower()) in _RELEVANCES:
        raise InputError(
            path,
            f"expected the columns query-id, corpus-id and score in this order, found {', '.join(named)}. "
            "Reorder them.",
            line=line,
        )
    return to_judgements(frame[1:], path)


def _has_header(frame: pl.DataFrame) -> bool:
    """Return whether the first line names the columns: a judgement with a misprint is not a header."""
    if not frame.height:
        return False
    first, second, last = (_JOINTS.sub("", name.lower()) for name in frame.row(0)[1:])
    return first in _HEADERS and (second in _RELEVANCES or not _NUMBER.match(last))


def _require_new(key: str, lines: dict[str, int], line: int, path: Path) -> None:
    earlier = lines.setdefault(key, line)
    if earlier != line:
        raise InputError(
            path, f"expected each _id once, found {key} also on line {earlier}. Remove one.", line=line
        )
