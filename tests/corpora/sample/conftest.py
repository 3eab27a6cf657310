"""One sample folder for the tests of its contents."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rulerank.corpora.sample import write_sample

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class Sample:
    """The files of one sample folder, parsed."""

    corpus: dict[str, dict[str, Any]]
    queries: dict[str, dict[str, Any]]
    qrels: dict[str, dict[str, dict[str, int]]]
    documents: dict[str, list[str]]
    questions_test: list[dict[str, Any]]

    @property
    def judged(self) -> dict[str, dict[str, int]]:
        return {query: found for split in SPLITS for query, found in self.qrels[split].items()}

    def document(self, passage_id: str) -> str:
        document_id: str = self.corpus[passage_id]["metadata"]["document_id"]
        return document_id


def _read_sample(root: Path) -> Sample:
    def lines(name: str) -> dict[str, dict[str, Any]]:
        rows = [json.loads(line) for line in (root / name).read_text(encoding="utf-8").splitlines()]
        assert len({row["_id"] for row in rows}) == len(rows)
        return {row["_id"]: row for row in rows}

    qrels: dict[str, dict[str, dict[str, int]]] = {}
    for split in SPLITS:
        header, *rows = (root / "qrels" / f"{split}.tsv").read_text(encoding="utf-8").splitlines()
        assert header == "query-id\tcorpus-id\tscore"
        judged: dict[str, dict[str, int]] = {}
        for query_id, passage_id, score in (row.split("\t") for row in rows):
            judged.setdefault(query_id, {})[passage_id] = int(score)
        qrels[split] = judged
    return Sample(
        corpus=lines("corpus.jsonl"),
        queries=lines("queries.jsonl"),
        qrels=qrels,
        documents=json.loads((root / "documents.json").read_text(encoding="utf-8")),
        questions_test=json.loads((root / "questions_test.json").read_text(encoding="utf-8")),
    )


@pytest.fixture(scope="session")
def read_sample() -> Callable[[Path], Sample]:
    """Parse the files of a sample folder."""
    return _read_sample


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sample") / "sample"
    write_sample(root, seed=7, questions=960)
    return root


@pytest.fixture(scope="session")
def sample(folder: Path) -> Sample:
    return _read_sample(folder)
