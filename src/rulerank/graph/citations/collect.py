"""From mentions to edges, and the list of mentions that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

import polars as pl

from rulerank.graph.citations.exceptions import Exceptions, Exempt
from rulerank.graph.citations.extraction import READ_EDGES, UNRESOLVED, Extraction
from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.instruments import Instruments, spared_targets
from rulerank.graph.citations.mention import Mention
from rulerank.graph.citations.register import Documents
from rulerank.graph.citations.relating import Citing
from rulerank.graph.citations.relations import Relations
from rulerank.graph.citations.resolve import Resolver
from rulerank.graph.citations.spans import Visible
from rulerank.graph.citations.throughout import Rewording

_OPPOSITE: dict[str, Citing] = {"SPECIFIES": "DELEGATES_TO", "DELEGATES_TO": "SPECIFIES"}


@dataclass(frozen=True)
class Row:
    """One passage in the form in which it is read."""

    passage_id: str
    document: str
    place: int
    tier: int | None
    binding: bool
    """Whether it states rules, rather than explaining them."""
    text: Visible
    lead: str
    """The lead-in that it is an item of, with its own; empty if it is none."""


class Collector:
    """Turns resolved mentions into edges."""

    def __init__(
        self,
        rows: list[Row],
        resolver: Resolver,
        grammar: Grammar,
        relations: Relations,
        instruments: Instruments,
        exceptions: Exceptions,
    ) -> None:
        self._rows = rows
        self._resolver = resolver
        self._instruments = instruments
        self._relations = relations
        self._exceptions = exceptions
        self._grammar = grammar
        self._at = {(row.document, row.place): row for row in rows}
        self._within: dict[str, list[Row]] = {}
        for row in rows:
            self._within.setdefault(row.document, []).append(row)
        self._delegating: dict[str, bool] = {}
        self._edges: dict[tuple[str, str, str], tuple[str, int, int]] = {}
        self._named: set[tuple[str, str, str]] = set()
        self._ended: dict[str, set[str]] = {}
        self._resolved = 0
        self._unresolved: list[tuple[str, str, int, int, str]] = []

    def collect(self, mentions: list[list[Mention]], reworded: list[list[Rewording]]) -> Extraction:
        """Return the edges of all rows; the mentions, and what is reworded, come in the same order."""
        for row, found, words in zip(self._rows, mentions, reworded, strict=True):
            cited = [self._cite(row, mention) for mention in found]
            exempt = self._exceptions.read(row.text.text, found)
            self._state(row, found, cited, exempt)
            self._reword(row, found, exempt, words)
            self._end(row, found, exempt)
        superseding = [(source, target) for source, target, kind in self._edges if kind == "SUPERSEDES"]
        for ending, spared in spared_targets(superseding, self._ended):
            del self._edges[ending, spared, "SUPERSEDES"]
        edges = [(*key, *said, key not in self._named) for key, said in self._edges.items()]
        return Extraction(
            pl.DataFrame(edges, schema=READ_EDGES, orient="row"),
            pl.DataFrame(self._unresolved, schema=UNRESOLVED, orient="row"),
            self._resolved,
        )

    def _state(
        self, row: Row, found: Sequence[Mention], cited: Sequence[Sequence[Row]], exempt: Sequence[Exempt]
    ) -> None:
        """Add what a text states of the passages that it cites."""
        excepted = {place for each in exempt for place in each.places}
        for place, mention in enumerate(found):
            for target in cited[place]:
                ranked = row.tier is not None and target.tier is not None
                if row.binding and ranked and self._delegates(target):
                    self._relate(row, row, target, "SPECIFIES", mention.start, mention.end)
            if place in excepted:
                continue
            for said in self._relations.around(row.text.text, found, place, row.lead):
                subjects = [row] if said.subject is None else cited[said.subject]
                spared = self._spared(row, found, exempt, mention.documents, said.start, said.end)
                targets = [each for each in cited[place] if each.passage_id not in spared]
                for subject, target in product(subjects, targets):
                    ends = (target, subject) if said.reverse else (subject, target)
                    self._relate(row, *ends, said.type, said.start, said.end)

    def _reword(
        self, row: Row, found: Sequence[Mention], exempt: Sequence[Exempt], reworded: Iterable[Rewording]
    ) -> None:
        """Add the passages in which a text replaces words wherever they occur."""
        for each in reworded:
            spared = self._spared(row, found, exempt, (each.document,), each.start, each.end)
            for target in self._within.get(each.document, ()):
                if target.passage_id not in spared and each.words.search(target.text.text):
                    self._relate(row, row, target, "SUPERSEDES", each.start, each.end)

    def _end(self, row: Row, found: Sequence[Mention], exempt: Sequence[Exempt]) -> None:
        """Add the passages of the documents that a text takes out of force, unless it changes them itself."""
        following = (each.text.text for each in islice(self._within[row.document], row.place + 1, None))
        ended = list(self._instruments.ended_documents(row.text.text, row.document, following))
        named = {document for document, _, _ in ended}
        for document, start, end in ended:
            # Each document of a list may have exceptions: "the Tug Rules (except rule 2) and the Sea Rules".
            own = [each for each in exempt if _last_named(found, each) & named <= {document}]
            spared = self._spared(row, found, own, (document,), start, end)
            for target in self._within.get(document, ()):
                key = row.passage_id, target.passage_id, "SUPERSEDES"
                if target is not row and key not in self._edges and target.passage_id not in spared:
                    self._ended.setdefault(row.passage_id, set()).add(target.passage_id)
                    self._relate(row, row, target, "SUPERSEDES", start, end)

    def _delegates(self, row: Row) -> bool:
        """Return whether a rule delegates to subordinate ones; only cited rules are read for this."""
        if row.passage_id not in self._delegating:
            said = row.binding and self._relations.delegates(row.text.text)
            self._delegating[row.passage_id] = said
        return self._delegating[row.passage_id]

    def _cite(self, row: Row, mention: Mention) -> list[Row]:
        """Add the edges of one mention and return the passages it cites."""
        targets = []
        for found, between in self._resolver.resolve(mention, (row.document, row.place)):
            if isinstance(found, str):
                start, end = row.text.span(mention.start, mention.end)
                self._unresolved.append((row.passage_id, row.text.raw[start:end], start, end, found))
            else:
                target = self._at[found]
                self._resolved += not between
                targets.append(target)
                cited = self._type(row, target, mention.kind)
                self._add(row, row, target, cited, mention.start, mention.end, between=between)
        return targets

    def _spared(
        self,
        row: Row,
        found: Sequence[Mention],
        exempt: Iterable[Exempt],
        documents: Documents | None,
        start: int,
        end: int,
    ) -> set[str]:
        """Return the passages that a text excepts from what it says of documents between two places."""
        spared: set[str] = set()
        meant = (each for each in exempt if each.complete and start <= each.start <= end)
        for mention in (found[place] for each in meant for place in each.places):
            if mention.documents is None:
                mention = replace(mention, documents=documents)
            resolved = self._resolver.resolve(mention, (row.document, row.place))
            spared |= {self._at[target].passage_id for target, _ in resolved if not isinstance(target, str)}
        return spared

    def _type(self, row: Row, target: Row, kind: str) -> str:
        """Return the type of a plain citation of a division."""
        citing: str = self._grammar.divisions[kind].edge if kind else "REFERENCES"
        own = row.document == target.document and row.tier in self._grammar.narrative_tiers
        return "MENTIONS" if own and citing == "REFERENCES" else citing

    def _relate(self, said_by: Row, source: Row, target: Row, kind: Citing, start: int, end: int) -> None:
        """Add a relation; relations of rank hold only between documents, from the lower to the higher."""
        if kind in _OPPOSITE:
            lower, higher = (source, target) if kind == "SPECIFIES" else (target, source)
            upwards = lower.tier is None or higher.tier is None or higher.tier < lower.tier
            if lower.document == higher.document or not upwards:
                return
            self._add(said_by, target, source, _OPPOSITE[kind], start, end)
        self._add(said_by, source, target, kind, start, end)

    def _add(
        self,
        said_by: Row,
        source: Row,
        target: Row,
        kind: str,
        start: int,
        end: int,
        *,
        between: bool = False,
    ) -> None:
        key = source.passage_id, target.passage_id, kind
        if not between:
            self._named.add(key)
        if source is not target and key not in self._edges:
            start, end = said_by.text.span(start, end)
            self._edges[key] = said_by.text.raw[start:end], start, end


def _last_named(found: Sequence[Mention], exempt: Exempt) -> set[str]:
    """Return the documents of the last name before the citations that a text excepts."""
    return {document for place in exempt.places[:1] for document in found[place].named.before(exempt.start)}
