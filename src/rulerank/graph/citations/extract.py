"""The citing edges of a corpus, read from the text of its passages."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import polars as pl

from rulerank.errors import GrammarWarning
from rulerank.graph.citations.announced import Announced
from rulerank.graph.citations.collect import Collector, Row
from rulerank.graph.citations.exceptions import Exceptions
from rulerank.graph.citations.extraction import Extraction
from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.instruments import Instruments
from rulerank.graph.citations.names import Names
from rulerank.graph.citations.numbering import Numbering
from rulerank.graph.citations.patterns import Patterns
from rulerank.graph.citations.reader import Reader
from rulerank.graph.citations.register import Documents
from rulerank.graph.citations.relations import Relations
from rulerank.graph.citations.resolve import Resolver, usage_of
from rulerank.graph.citations.spans import Visible
from rulerank.graph.hierarchy import in_reading_order, parent_of
from rulerank.tables import EDGES
from rulerank.text import visible

_LEADING = ":—–"
"""The last characters of a passage that leads in the ones beneath it."""

_MARKER = 16
"""How many characters at the beginning of a text its marker, such as "(1)", can take."""
_ENOUGH, _NEXT_TO_NOTHING = 20, 0.05
"""How many citations decide whether a grammar fits, and the resolved share below which it does not."""


def extract(passages: pl.DataFrame, documents: pl.DataFrame, grammar: Grammar) -> Extraction:
    """Return the citing edges between the passages of a corpus.

    A number that no passage, or several passages, of the named document carry is left unresolved and gives no
    edge. No passage has an edge to itself.

    Parameters
    ----------
    passages, documents : polars.DataFrame
        The two tables.
    grammar : Grammar
        How the corpus cites.

    Returns
    -------
    Extraction
        REFERENCES and REQUIRES_FORM edges, one per cited passage; SPECIFIES and DELEGATES_TO, always in
        pairs; and SUPERSEDES, if the text says so. They are in the order of the passages and their text.

    Warns
    -----
    GrammarWarning
        Next to none of the citations leads to a passage, because the sections of the corpus are not written
        as the grammar expects.

    """
    patterns = Patterns(grammar)
    rows = list(_rows(passages))
    names = Names(documents, grammar)
    names.learn((row.document, row.text.text) for row in rows)
    reader = Reader(patterns, names)
    relations = Relations(grammar)
    numberings = _numberings(passages, patterns)
    mentions, reworded = Announced(patterns, names, relations).applied(
        rows,
        [reader.read(row.text.text, row.document) for row in rows],
        {document: numbering.paths for document, numbering in numberings.items()},
    )
    usage = usage_of(
        ((row.document, mention) for row, found in zip(rows, mentions, strict=True) for mention in found),
        _conventions(rows, names, patterns),
    )
    resolver = Resolver(numberings, usage)
    instruments = Instruments(documents, grammar)
    collector = Collector(rows, resolver, grammar, relations, instruments, Exceptions(grammar))
    extraction = collector.collect(mentions, reworded)
    if misfit := _misfit(extraction, passages, grammar):
        warnings.warn(misfit, GrammarWarning, stacklevel=2)
    return extraction


def _misfit(extraction: Extraction, passages: pl.DataFrame, grammar: Grammar) -> str | None:
    """Return the warning if next to none of the citations within the corpus resolves, else None."""
    lost = extraction.unresolved.filter(pl.col("reason") != "unknown document")
    cited = extraction.resolved + lost.height
    if cited < _ENOUGH or extraction.resolved >= _NEXT_TO_NOTHING * cited:
        return None
    source, evidence = lost.select("source_id", "evidence").row(0)
    section = passages.row(by_predicate=pl.col("passage_id") == source, named=True)["section"]
    return (
        f"the grammar {grammar.name} found {cited} citations of sections and resolved {extraction.resolved}: "
        f"{' '.join(evidence.split())!r:.60} in {source}, whose own section is {section!r}. "
        "Write sections as they are cited, or choose another grammar (graph.grammar in params.yaml, "
        "--grammar of the commands)."
    )


def references_in(passages: pl.DataFrame, documents: pl.DataFrame, grammar: Grammar) -> pl.DataFrame:
    """Return the edges of `extract` as an edges table."""
    return extract(passages, documents, grammar).edges.select(list(EDGES.columns))


def _rows(passages: pl.DataFrame) -> Iterator[Row]:
    place = pl.int_range(pl.len()).over("document_id").alias("place")
    columns = in_reading_order(passages).select("passage_id", "document_id", place, "tier", "kind", "text")
    parents = dict(parent_of(passages).select("target_id", "source_id").iter_rows())
    above: dict[str, str] = {}
    for passage_id, document, place, tier, kind, text in columns.iter_rows():
        lead = above.get(parents.get(passage_id, ""), "")
        seen = Visible(text)
        if seen.text.rstrip()[-1:] in tuple(_LEADING):
            above[passage_id] = f"{lead} {seen.text.rstrip()}".lstrip()
        yield Row(passage_id, document, place, tier, kind != "guidance", seen, lead)


def _numberings(passages: pl.DataFrame, patterns: Patterns) -> dict[str, Numbering]:
    sections = in_reading_order(passages).group_by("document_id", maintain_order=True).agg("section", "text")
    return {
        document: Numbering(found, patterns.style, [visible(text[:_MARKER]) for text in texts])
        for document, found, texts in sections.iter_rows()
    }


def _conventions(rows: list[Row], names: Names, patterns: Patterns) -> dict[tuple[str, str], Documents]:
    """Return the documents whose sections are always meant, as stated in the texts."""
    found: dict[tuple[str, str], Documents] = {}
    for row in rows:
        for pattern in patterns.conventions:
            for match in pattern.finditer(row.text.text):
                named = names.starting_at(row.text.text, match.end(), row.document)
                if named and (kind := patterns.kind(match["kind"])):
                    found.setdefault((row.document, kind), named[2])
    return found
