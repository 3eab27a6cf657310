"""Print how TCA@5 changes as the documents grow to a million: security advisories among invented ones.

    python experiments/authority_scale.py --data FOLDER

FOLDER is the output of `rulerank authority convert --domain security_advisories`; its own distractors are the
first of those that are added. Anchors are found by BM25 alone. Times are processor time.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import polars as pl
import typer
from rich.console import Console
from rich.table import Table

from rulerank.authority.index import index_domain
from rulerank.authority.loading import load_domain
from rulerank.authority.search import search
from rulerank.console import reported
from rulerank.corpora.advisories import DISTRACTORS, distractors
from rulerank.corpora.authority import AuthorityData, read_authority
from rulerank.evaluate.authority_measures import per_question, summarise
from rulerank.settings import Bm25
from rulerank.text import normalise

DOMAIN = "security_advisories"
ADDED = (0, 8_000, 98_000, 998_000)
"""Distractors in addition to those of the folder."""
ANCHORS = 10


def main(
    data: Annotated[Path, typer.Option(help="Folder of documents.jsonl and queries.jsonl.")],
    most: Annotated[int, typer.Option(help="Leave out sizes that add more documents than this.")] = ADDED[-1],
) -> None:
    """Print one row per size."""
    table = Table(title="Security advisories among invented ones", pad_edge=False)
    for name in (
        "documents",
        "bm25 TCA@5",
        "bm25 hit@5",
        "two_stage_rules TCA@5",
        "index, s",
        "question, ms",
    ):
        table.add_column(name, justify="right")
    with reported():
        folder = read_authority(data)
        for added in ADDED:
            if added <= most:
                table.add_row(*_row(_grown(folder, added)))
        Console(highlight=False, width=110).print(table)


def _row(folder: AuthorityData) -> list[str]:
    start = time.process_time()
    index = index_domain(folder.documents, load_domain(DOMAIN), "generated", Bm25(k1=1.5, b=0.75))
    built = time.process_time()
    found = list(search(index, folder.queries, None, ANCHORS))
    milliseconds = 1000 * (time.process_time() - built) / len(folder.queries)
    systems = summarise(per_question(index, folder.queries, found))
    rates = (
        systems[system][measure]["mean"]
        for system, measure in (("bm25", "TCA@5"), ("bm25", "hit@5"), ("two_stage_rules", "TCA@5"))
    )
    size = f"{len(folder.documents):,}"
    return [size, *(f"{rate:.3f}" for rate in rates), f"{built - start:.1f}", f"{milliseconds:.0f}"]


def _grown(folder: AuthorityData, added: int) -> AuthorityData:
    """Return the folder with more distractors at its end."""
    more = list(distractors(DISTRACTORS + added))[DISTRACTORS:]
    rows = pl.DataFrame(
        {
            "document_id": [each["id"] for each in more],
            "type": [each["type"] for each in more],
            "text": [each["text"] for each in more],
            "timestamp": [None] * len(more),
            "scope": [{key: normalise(value) for key, value in each["scope"].items()} for each in more],
        },
        schema=folder.documents.schema,
    )
    return AuthorityData(pl.concat([folder.documents, rows]), folder.queries)


if __name__ == "__main__":
    typer.run(main)
