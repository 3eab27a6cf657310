"""SearchFireSafety: Korean fire-safety law with its links, real enquiries and two-hop questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pydantic

from rulerank.corpora.corpus import Corpus, Questions, keep_judged, name_documents, unite
from rulerank.corpora.kinds import kind_of, tier_of
from rulerank.corpora.records import read_lines
from rulerank.corpora.references import collect_references
from rulerank.errors import InputError
from rulerank.tables import DOCUMENTS, JUDGEMENTS, PASSAGES, QUERIES

ARTICLES = "legal_docs.jsonl"
REAL, MULTIHOP = "realworld_qa.jsonl", "multihop_qa_mcq.jsonl"

_QUESTIONS = ((MULTIHOP, "train", "multihop"), (REAL, "test", "realworld"))
"""File, split and collection: the paper measures the real enquiries, so nothing learns from them."""


class _Article(pydantic.BaseModel):
    doc_id: int
    semantic_id: str = ""
    law_level: str = ""
    law_name: str
    chapter: str = ""
    chapter_description: str | None = None
    text: str
    related_doc_ids: list[int | None] | None = None

    @property
    def section(self) -> str:
        """Its place in its law: the part of its semantic id after the law's name."""
        return self.semantic_id.partition("_")[2] or " ".join(self.chapter.split())


class _Question(pydantic.BaseModel):
    question_id: int
    question: str
    related_doc_ids: list[int | None] | None = None


def read_fire_safety(root: Path) -> Corpus:
    """Read the published files of SearchFireSafety.

    Every article is a passage of its law, which is the document; `related_doc_ids` are the curated
    cross-references. The two-hop questions are training questions and the real enquiries test questions;
    their ids are prefixed with their collection, since both files use the same numbers. Either file may be
    missing.

    Parameters
    ----------
    root : Path
        The folder of `legal_docs.jsonl`.

    Raises
    ------
    InputError
        There are no articles, two have the same id, or a line is malformed; the line is named.

    """
    path = root / ARTICLES
    articles = _articles(path)
    passages = PASSAGES.check(_passages(articles), path)
    names = {article.law_name: [article.law_name] for article in articles}
    documents = DOCUMENTS.check(name_documents(list(names), names), path)
    asked = {
        name: _questions(root / name, passages, split, collection)
        for name, split, collection in _QUESTIONS
        if (root / name).exists()
    }
    questions = unite(asked)
    references, repairs = collect_references(_links(articles), passages, path)
    return Corpus(
        documents,
        passages,
        QUERIES.check(questions.queries, root),
        JUDGEMENTS.check(questions.judgements, root),
        references,
        questions.problems + repairs,
    )


def _articles(path: Path) -> list[_Article]:
    found: dict[int, tuple[int, _Article]] = {}
    for line, article in read_lines(path, _Article):
        earlier, _ = found.setdefault(article.doc_id, (line, article))
        if earlier != line:
            raise _repeated(path, "doc_id", article.doc_id, earlier, line)
    if not found:
        raise InputError(path, "expected articles, found an empty file. Fetch it again.")
    return [article for _, (_, article) in sorted(found.items())]


def _passages(articles: Sequence[_Article]) -> pl.DataFrame:
    positions: Counter[str] = Counter()
    rows = []
    for article in articles:
        tier = tier_of([article.law_level]) or tier_of([article.law_name])
        rows.append(
            {
                "passage_id": str(article.doc_id),
                "document_id": article.law_name,
                "section": article.section,
                "title": article.chapter_description or "",
                "text": article.text,
                "tier": tier,
                "kind": kind_of(article.section, article.text, tier),
                "position": positions[article.law_name],
                "effective_from": None,
                "scope": None,
            }
        )
        positions[article.law_name] += 1
    return pl.DataFrame(rows, schema=dict(PASSAGES.columns))


def _links(articles: Sequence[_Article]) -> Iterator[tuple[str, str, str]]:
    """Yield the source and target of every link; the files do not state the citing words."""
    for article in articles:
        for target in article.related_doc_ids or ():
            if target is not None:
                yield str(article.doc_id), str(target), ""


def _questions(path: Path, passages: pl.DataFrame, split: str, collection: str) -> Questions:
    lines: dict[int, int] = {}
    queries, judgements = [], []
    for line, question in read_lines(path, _Question):
        earlier = lines.setdefault(question.question_id, line)
        if earlier != line:
            raise _repeated(path, "question_id", question.question_id, earlier, line)
        query_id = f"{collection}-{question.question_id}"
        queries.append((query_id, question.question, split, collection, None, None))
        listed = dict.fromkeys(each for each in question.related_doc_ids or () if each is not None)
        judgements += [(query_id, str(doc_id), 1) for doc_id in listed]
    return keep_judged(
        pl.DataFrame(queries, schema=dict(QUERIES.columns), orient="row"),
        pl.DataFrame(judgements, schema=dict(JUDGEMENTS.columns), orient="row"),
        passages,
        path.name,
    )


def _repeated(path: Path, key: str, value: int, earlier: int, line: int) -> InputError:
    return InputError(
        path, f"expected each {key} once, found {value} also on line {earlier}. Remove one.", line=line
    )
