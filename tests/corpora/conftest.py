"""A small regulator's folder in the ObliQA format."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.corpora import PublishedFile, read_obliqa
from tests.corpora.host import CONTENT, Host

DOCUMENTS = {
    "10": [
        {"ID": "p10", "DocumentID": 10, "PassageID": "1.", "Passage": "RECORDS"},
        {"ID": "p11", "DocumentID": 10, "PassageID": "1.1", "Passage": ""},
        {"ID": "p12", "DocumentID": 10, "PassageID": "1.1.1", "Passage": "A Firm must keep its ledgers."},
        {"ID": "p13", "DocumentID": 10, "PassageID": "2.", "Passage": "The first of two."},
        {"ID": "p14", "DocumentID": 10, "PassageID": "2.", "Passage": "The second  of two."},
    ],
    "9": [
        {"ID": "p90", "DocumentID": 9, "PassageID": "1", "Passage": '"Ledger" means a book of accounts.'},
        {"ID": "p91", "DocumentID": 9, "PassageID": "2.Guidance", "Passage": "A Firm may wish to plan."},
    ],
}


@pytest.fixture
def item() -> Callable[..., dict[str, Any]]:
    """Return a question on the passages given."""

    def _item(query_id: str, *passages: dict[str, Any], text: str = "Which ledgers?") -> dict[str, Any]:
        return {"QuestionID": query_id, "Question": text, "Passages": list(passages)}

    return _item


@pytest.fixture
def listed() -> Callable[..., dict[str, Any]]:
    """Return a passage as a question lists it."""

    def _listed(document_id: int, section: str, text: str = "", **more: str) -> dict[str, Any]:
        return {"DocumentID": document_id, "PassageID": section, "Passage": text, **more}

    return _listed


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Any], Path]:
    """Write JSON, or text unchanged, to a file in the folder and return its path."""

    def _write(name: str, value: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return path

    return _write


@pytest.fixture
def folder(tmp_path: Path, write: Callable[[str, Any], Path]) -> Path:
    for name, passages in DOCUMENTS.items():
        write(f"StructuredRegulatoryDocuments/{name}.json", passages)
    return tmp_path


@pytest.fixture
def passages(folder: Path) -> pl.DataFrame:
    return read_obliqa(folder).passages


@pytest.fixture
def host() -> Iterator[Host]:
    with Host() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def publish(host):
    """Serve a file and return its pin."""

    def _publish(path: str = "data/rules.json", content: bytes = CONTENT) -> PublishedFile:
        blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        file = PublishedFile("owner/name", "abc", path, blob)
        host.contents[f"/owner/name/abc/{path}"] = content
        return file

    return _publish


@pytest.fixture
def beir(tmp_path: Path, write: Callable[[str, Any], Path]) -> Path:
    """Write three entries, two questions and their judgements in the BEIR format."""
    entries = (
        {"_id": "a", "title": "Ledgers", "text": "Keep them."},
        {"_id": "b", "title": "Part 2", "text": " "},
        {"_id": "c", "text": "Show them."},
    )
    asked = ({"_id": "q1", "text": "Keep what?"}, {"_id": "q2", "text": "Show what?"})
    write("corpus.jsonl", "\n".join(map(json.dumps, entries)))
    write("queries.jsonl", "\n".join(map(json.dumps, asked)))
    write("qrels/train.tsv", "query-id\tcorpus-id\tscore\nq1\ta\t1\n")
    write("qrels/dev.tsv", "q2\tc\t2\nq2\ta\t0\n")
    return tmp_path
