"""Print how well verification distinguishes what a passage says from what it does not say.

    python experiments/verification.py DATA

The claims are the statements of a sample of passages that state a duty or a permission. Each is verified
against its own passage, with and without its quote; with one word or figure changed, also to a figure that
is elsewhere in the passage; and, unchanged, against another passage of the corpus and of its own document.
The first two must pass; nothing else should.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from rulerank.answer.claims import Claim, Quote
from rulerank.answer.verification.evidence import ClaimEvidence
from rulerank.answer.verify import fault
from rulerank.console import progress, reported
from rulerank.corpora.read import read_corpus
from rulerank.obligations import statements
from rulerank.passages import Passage
from rulerank.text import modality

SEED = 7


class Pair(NamedTuple):
    """A claim and the passage that it cites."""

    claim: Claim
    passage: Passage


def _changed(pattern: str, by: str | Callable[[re.Match[str]], str]) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, by, text, count=1)


_NUMBER = r"(?<![\w.(])\d{1,6}(?![\w.(),])"
CHANGES = {
    "must -> may": _changed(r"\b(must|shall)\b(?! not)", "may"),
    "must -> should": _changed(r"\b(must|shall)\b(?! not)", "should"),
    "must -> must not": _changed(r"\b(must|shall)\b(?! not)", r"\1 not"),
    "must not -> must": _changed(r"\b(must|shall|may) not\b", "must"),
    "may -> must": _changed(r"\bmay\b(?! not)", "must"),
    "is -> is not": _changed(r"\bis\b(?! not)", "is not"),
    "does not -> does": _changed(r"\b(does|do|is|are) not\b", r"\1"),
    "a number + 1": _changed(_NUMBER, lambda match: str(int(match[0]) + 1)),
}


def main(data: Path, passages: Annotated[int, typer.Option(min=1)] = 1000) -> None:
    """Print one row per kind of claim: its number, the share that passes, and the shares of words found."""
    with reported():
        corpus = _passages(data)
        table = Table(title=f"Claims of {passages} passages of {data.name}", pad_edge=False)
        table.add_column("claim", no_wrap=True)
        for name in ("claims", "pass", "cited: 1 %", "99 %", "together: 1 %", "99 %"):
            table.add_column(name, justify="right")
        for name, pairs in _kinds(corpus, passages).items():
            if pairs:
                table.add_row(name, *_measured(list(progress(pairs, name))))
        Console(highlight=False, width=110).print(table)


def _passages(data: Path) -> list[Passage]:
    columns = ("passage_id", "document_id", "section", "text")
    rows = read_corpus(data).passages.select(columns).iter_rows(named=True)
    return [Passage(document="", **row) for row in rows if row["text"]]


def _kinds(corpus: list[Passage], number: int) -> dict[str, list[Pair]]:
    drawn = random.Random(SEED)  # noqa: S311 - a sample, no secret
    own = [each for passage in drawn.sample(corpus, min(number, len(corpus))) for each in _stated(passage)]
    beside: dict[str, list[Passage]] = {}
    for passage in corpus:
        beside.setdefault(passage.document_id, []).append(passage)
    kinds = {
        "as it stands, quoted": own,
        "as it stands": [_citing(pair.claim.text, pair.passage) for pair in own],
    }
    for name, change in CHANGES.items():
        texts = ((change(pair.claim.text), pair) for pair in own)
        kinds[name] = [_citing(text, pair.passage) for text, pair in texts if text != pair.claim.text]
    kinds["another number of it"] = list(_exchanged(own))
    kinds["of another passage"] = _swapped(own, lambda _: drawn.choice(corpus))
    kinds["of the same document"] = _swapped(own, lambda pair: drawn.choice(beside[pair.passage.document_id]))
    return kinds


def _exchanged(own: list[Pair]) -> Iterator[Pair]:
    """Yield the claims with a number, replaced by another number from elsewhere in their passage."""
    for claim, passage in own:
        numbers = re.findall(_NUMBER, claim.text)
        others = [each for each in re.findall(_NUMBER, passage.text) if each not in numbers]
        if numbers and others:
            yield _citing(re.sub(_NUMBER, others[0], claim.text, count=1), passage)


def _swapped(own: list[Pair], other: Callable[[Pair], Passage]) -> list[Pair]:
    pairs = ((pair, other(pair)) for pair in own)
    return [_citing(pair.claim.text, passage) for pair, passage in pairs if passage.text != pair.passage.text]


def _stated(passage: Passage) -> Iterator[Pair]:
    for statement in statements(passage.text):
        if stated := modality(statement.text):
            quotes = tuple(Quote(passage.passage_id, span.start, span.end) for span in statement.spans)
            yield Pair(Claim(statement.text, stated, (passage.passage_id,), quotes), passage)


def _citing(text: str, passage: Passage) -> Pair:
    return Pair(Claim(text, None, (passage.passage_id,)), passage)


def _measured(pairs: list[Pair]) -> Iterator[str]:
    evidence = [ClaimEvidence(claim, [passage]) for claim, passage in pairs]
    faults = [fault(claim, {passage.passage_id: passage}) for claim, passage in pairs]
    yield f"{len(pairs):,}"
    yield f"{sum(each is None for each in faults) / len(pairs):.4f}"
    for shares in ([each.share for each in evidence], [each.share_together for each in evidence]):
        yield from (f"{value:.2f}" for value in np.quantile(shares, [0.01, 0.99]))


if __name__ == "__main__":
    typer.run(main)
