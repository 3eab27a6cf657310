"""Curated citations in the metadata of a BEIR folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.corpora import read_beir, write_beir


@pytest.fixture
def beir(write: Callable[[str, Any], Path]) -> Path:
    entries = [
        {"_id": "a", "text": "Keep them.", "metadata": {"cites": ["c", "gone", "b"]}},
        {"_id": "b", "text": "Hold them.", "metadata": {"cites": []}},
        {"_id": "c", "text": "Show them."},
    ]
    return write("corpus.jsonl", "".join(json.dumps(entry) + "\n" for entry in entries)).parent


def test_what_entries_cite_is_the_curated_table(beir: Path) -> None:
    corpus = read_beir(beir)

    assert corpus.references is not None
    assert corpus.references.rows() == [("a", key, "REFERENCES", "") for key in ("c", "gone", "b")]
    assert corpus.problems == ("corpus.jsonl: 1 rows to an unknown passage give no edge",)


def test_written_citations_are_read_back(beir: Path, tmp_path: Path) -> None:
    corpus = read_beir(beir)

    write_beir(corpus, tmp_path / "again")

    again = read_beir(tmp_path / "again").references
    assert isinstance(again, pl.DataFrame)
    assert again.equals(corpus.references)


def test_without_citations_there_is_no_table(write: Callable[[str, Any], Path]) -> None:
    root = write("corpus.jsonl", '{"_id": "a", "text": "Keep them."}\n').parent

    assert read_beir(root).references is None
