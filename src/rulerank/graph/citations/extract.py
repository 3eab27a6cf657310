"""The citing edges of a corpus, read from the text of its passages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from rulerank.graph.citations.grammar import Citing, Grammar
from rulerank.graph.citations.names import Documents, Names
from rulerank.graph.citations.numbering import Numbering
from rulerank.graph.citations.patterns import Patterns
from rulerank.graph.citations.reader import Mention, Reader
from rulerank.graph.citations.relations import Relations
from rulerank.graph.citations.resolve import Passage, Resolver, usage_of
from rulerank.graph.citations.spans import Visible
from rulerank.tables import EDGES

_OPPOSITE: dict[str, Citing] = {"SPECIFIES": "DELEGATES_TO", "DELEGATES_TO": "SPECIFIES"}
_SPAN = {"evidence": pl.String(), "start": pl.Int32(), "end": pl.Int32()}
_EDGES = {**EDGES.columns, "start": pl.Int32(), "end": pl.Int32()}
_UNRESOLVED = {"source_id": pl.String(), **_SPAN, "reason": pl.String()}


@dataclass(frozen=True, eq=False)
class Extraction:
    """What was read out of a corpus.

    Parameters
    ----------
    edges : polars.DataFrame
        The columns of `rulerank.tables.EDGES`, and `start` and `end` (int32): the evidence is
        `text[start:end]` of the passage that says it. That is the source, save of DELEGATES_TO edges read
        from a target that says what it specifies, and SUPERSEDES edges read from a third passage.
    unresolved : polars.DataFrame
        source_id, evidence, start, end, and the reason: "unknown document", "no such section" or "ambiguous";
        one row a number that leads nowhere.

    """

    edges: pl.DataFrame
    unresolved: pl.DataFrame

    def reasons(self) -> dict[str, int]:
        """Return how many references are unresolved, by reason."""
        return dict(self.unresolved["reason"].value_counts().sort("reason").iter_rows())


@dataclass(frozen=True)
class _Row:
    """One passage as it is read."""

    passage_id: str
    document: str
    place: int
    tier: int | None
    text: Visible


def extract(passages: pl.DataFrame, documents: pl.DataFrame, grammar: Grammar) -> Extraction:
    """Return the citing edges between the passages of a corpus.

    A number that no passage of the named document carries, or several do, is left unresolved: no edge. Nor
    has a passage one to itself.

    Parameters
    ----------
    passages, documents : polars.DataFrame
        The two tables.
    grammar : Grammar
        How the corpus cites.

    Returns
    -------
    Extraction
        REFERENCES and REQUIRES_FORM edges, one a passage cited; SPECIFIES and DELEGATES_TO, always in pairs,
        and SUPERSEDES, where the text says so. In the order of the passages and their text.

    """
    patterns = Patterns(grammar)
    rows = list(_rows(passages))
    names = Names(documents, grammar)
    names.learn((row.document, row.text.text) for row in rows)
    reader = Reader(patterns, names)
    mentions = [reader.read(row.text.text, row.document) for row in rows]
    usage = usage_of(
        ((row.document, mention) for row, found in zip(rows, mentions, strict=True) for mention in found),
        _conventions(rows, names, patterns),
    )
    resolver = Resolver(_numberings(passages, patterns), usage)
    return _Collector(rows, resolver, grammar).collect(mentions)


def references_in(passages: pl.DataFrame, documents: pl.DataFrame, grammar: Grammar) -> pl.DataFrame:
    """Return the edges of `extract` as an edges table."""
    return extract(passages, documents, grammar).edges.select(list(EDGES.columns))


class _Collector:
    """Turns resolved mentions into edges."""

    def __init__(self, rows: list[_Row], resolver: Resolver, grammar: Grammar) -> None:
        self._rows = rows
        self._resolver = resolver
        self._relations = Relations(grammar)
        self._forms = {kind: division.edge for kind, division in grammar.divisions.items()}
        self._at = {(row.document, row.place): row for row in rows}
        self._edges: list[tuple[str, str, str, str, int, int]] = []
        self._unresolved: list[tuple[str, str, int, int, str]] = []

    def collect(self, mentions: list[list[Mention]]) -> Extraction:
        delegating = {row.passage_id for row in self._rows if self._relations.delegates(row.text.text)}
        for row, found in zip(self._rows, mentions, strict=True):
            cited = [self._cite(row, mention) for mention in found]
            for place, mention in enumerate(found):
                for target in cited[place]:
                    if target.passage_id in delegating and row.tier is not None and target.tier is not None:
                        self._relate(row, row, target, "SPECIFIES", mention.start, mention.end)
                for said in self._relations.around(row.text.text, found, place):
                    subjects = [row] if said.subject is None else cited[said.subject]
                    for subject in subjects:
                        for target in cited[place]:
                            ends = (target, subject) if said.reverse else (subject, target)
                            self._relate(row, *ends, said.type, said.start, said.end)
        edges = pl.DataFrame(self._edges, schema=_EDGES, orient="row")
        return Extraction(
            edges.filter(pl.col("source_id") != pl.col("target_id")).unique(
                EDGES.key, keep="first", maintain_order=True
            ),
            pl.DataFrame(self._unresolved, schema=_UNRESOLVED, orient="row"),
        )

    def _cite(self, row: _Row, mention: Mention) -> list[_Row]:
        """Add the edges of one mention and return the passages it cites."""
        targets = []
        for found in self._resolver.resolve(mention, (row.document, row.place)):
            if isinstance(found, str):
                start, end = row.text.span(mention.start, mention.end)
                self._unresolved.append((row.passage_id, row.text.raw[start:end], start, end, found))
            else:
                target = self._at[found]
                targets.append(target)
                self._add(row, row, target, self._forms.get(mention.kind, "REFERENCES"), mention.start, mention.end)
        return targets

    def _relate(self, said_by: _Row, source: _Row, target: _Row, kind: Citing, start: int, end: int) -> None:
        """Add a relation; one of rank holds between documents only, from the lower to the higher."""
        if kind in _OPPOSITE:
            lower, higher = (source, target) if kind == "SPECIFIES" else (target, source)
            ranked = lower.tier is not None and higher.tier is not None
            if lower.document == higher.document or (ranked and not higher.tier < lower.tier):
                return
            self._add(said_by, target, source, _OPPOSITE[kind], start, end)
        self._add(said_by, source, target, kind, start, end)

    def _add(self, said_by: _Row, source: _Row, target: _Row, kind: Citing, start: int, end: int) -> None:
        start, end = said_by.text.span(start, end)
        evidence = said_by.text.raw[start:end]
        self._edges.append((source.passage_id, target.passage_id, kind, evidence, start, end))


def _ordered(passages: pl.DataFrame) -> pl.DataFrame:
    """Return the passages by document, in the order of the documents' first passages, and position."""
    return (
        passages.with_columns(first=pl.int_range(pl.len()).min().over("document_id"))
        .sort("first", "position", maintain_order=True)
        .with_columns(place=pl.int_range(pl.len()).over("document_id"))
    )


def _rows(passages: pl.DataFrame) -> Iterator[_Row]:
    columns = _ordered(passages).select("passage_id", "document_id", "place", "tier", "text")
    for passage_id, document, place, tier, text in columns.iter_rows():
        yield _Row(passage_id, document, place, tier, Visible(text))


def _numberings(passages: pl.DataFrame, patterns: Patterns) -> dict[str, Numbering]:
    sections = _ordered(passages).group_by("document_id", maintain_order=True).agg("section")
    return {document: Numbering(found, patterns.style) for document, found in sections.iter_rows()}


def _conventions(rows: list[_Row], names: Names, patterns: Patterns) -> dict[tuple[str, str], Documents]:
    """Return the documents whose sections are always meant, as the texts state."""
    found: dict[tuple[str, str], Documents] = {}
    for row in rows:
        for pattern in patterns.conventions:
            for match in pattern.finditer(row.text.text):
                named = names.starting_at(row.text.text, match.end(), row.document)
                if named and (kind := patterns.kind(match["kind"])):
                    found.setdefault((row.document, kind), named[2])
    return found
