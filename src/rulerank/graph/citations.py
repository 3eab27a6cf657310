"""Citations in the text: "Rules 4.3.2 to 4.3.5 and 4.4", "section 58(1) of the FSMR", "COBS 3.4"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from rulerank.graph.aliases import document_names, lookup, name_pattern
from rulerank.graph.sections import LABELS, Numbering, Path, parse
from rulerank.tables import EDGES
from rulerank.text import visible

_NUMBER = r"[A-Z]{0,2}\d+[A-Z]{0,2}(?:\.\d+[A-Z]{0,2})*(?:\s?\([0-9a-zA-Z]{1,5}\)){0,8}(?![\w%])"
_KIND = (
    r"(?i:rules?|sections?|chapters?|parts?|paragraphs?|articles?|appendix|appendices|app\.?|schedules?"
    r"|regulations?|clauses?)"
)
_LOOK_BACK = 120
_MEASURE = r"(?!\s*(?i:per\s?cent|(?:business |calendar )?(?:days?|months?|years?|hours?)\b))"
_JOIN = r"\s*(?:,\s*and\b|,\s*or\b|,|;|\band\b|\bor\b|\bto\b|[-–—])"
_DIVISION = rf"(?P<within>(?P<division>{_KIND})\s*(?P<of>{_NUMBER}))"
_RANGE = re.compile(rf"({_NUMBER})(?:\s*(?:\bto\b|[-–—])\s*(?:{_KIND}\s+)?({_NUMBER}))?")


def _list(again: str) -> str:
    """Return the pattern of numbers one after the other, each of which may repeat the word `again`."""
    return rf"{_NUMBER}(?:{_JOIN}\s*(?:{again})?{_NUMBER}{_MEASURE})*"


@dataclass(frozen=True)
class Citation:
    """One mention of one or more sections, as it stands in the text."""

    document: str | None
    """The document it names, None for the passage's own."""
    kind: str
    """One of `LABELS`, or the word used (rule, section, paragraph)."""
    numbers: tuple[tuple[str, str], ...]
    """First and last of each range; the last is empty for a single number."""
    within: Path
    """The schedule or appendix that the numbers are counted within."""
    evidence: str


class Reader:
    """Finds citations in a text, given what the documents of the corpus are called.

    Parameters
    ----------
    documents : polars.DataFrame
        The documents table.

    """

    def __init__(self, documents: pl.DataFrame) -> None:
        self._names = document_names(documents)
        name = name_pattern(self._names)
        code = name_pattern(name for name in self._names if " " not in name and not re.fullmatch(_KIND, name))
        self._citation = re.compile(
            rf"(?<![\w.])(?<!\b[Tt]his )(?:(?P<kind>{_KIND})\s*(?P<list>{_list(r'(?i:(?P=kind))s?')})"
            rf"|(?P<code>{code})\s+(?P<bare>{_list(r'(?!)')}))"
        )
        self._before = re.compile(rf"(?<!\w)(?P<name>{name})[”\"’']?\)?,?\s+$")
        of = r"\s*,?\s*(?:of|in|to|under)\s+(?:the\s+|its\s+)?"
        self._within = re.compile(rf"{of}{_DIVISION}")
        titled = rf"[A-Z][^.;:()\d]{{0,80}}\([“\"‘']?(?P<code>{code})[”\"’']?\)"
        self._after = re.compile(rf"{of}(?:(?P<name>{name})|{titled})")
        self._foreign = re.compile(r"\s*,?\s*of\s+(?:the\s+)?[A-Z]")

    def read(self, text: str) -> Iterator[Citation]:
        """Yield the citations in `text`; those of documents outside the corpus are left out."""
        match = self._citation.search(text)
        while match:
            within = self._within.match(text, match.end())
            end = within.end() if within else match.end()
            after = self._after.match(text, end)
            before = self._before.search(text, max(0, match.start() - _LOOK_BACK), match.start())
            if before:
                start, name = before.start(), before["name"]
            elif after:
                start, name, end = match.start(), after["name"] or after["code"], after.end()
            else:
                start, name = match.start(), None
            name = match["code"] or name
            if name or not self._foreign.match(text, end):
                yield Citation(
                    document=lookup(self._names, name) if name else None,
                    kind=_kind(match["kind"] or ""),
                    numbers=tuple(_RANGE.findall(match["list"] or match["bare"])),
                    within=_division(within, match["kind"] or "") if within else (),
                    evidence=text[start:end],
                )
            match = self._citation.search(text, end)


def references_in(passages: pl.DataFrame, documents: pl.DataFrame) -> pl.DataFrame:
    """Return REFERENCES edges from each passage to what its text cites within the corpus.

    A sub-paragraph that is no passage rolls up to the closest that is one. A number that no passage of the
    named document carries, or several do, is left unresolved: no edge. Nor has a passage one to itself.

    Parameters
    ----------
    passages, documents : polars.DataFrame
        The two tables.

    Returns
    -------
    polars.DataFrame
        The edges table, in the order of the passages and their text; the evidence is the matched text.

    """
    reader = Reader(documents)
    rows = passages.sort("position", maintain_order=True).partition_by("document_id", maintain_order=True)
    numberings = {part["document_id"][0]: Numbering(part["section"].to_list()) for part in rows}
    identifiers = {part["document_id"][0]: part["passage_id"].to_list() for part in rows}
    edges: list[tuple[str, str, str, str]] = []
    for part in rows:
        own, sources = part["document_id"][0], part["passage_id"].to_list()
        for place, text in enumerate(map(visible, part["text"])):
            for citation in reader.read(text):
                document = citation.document or own
                if document in numberings:
                    found = _resolve(citation, numberings[document], place if document == own else None)
                    ends = ((sources[place], identifiers[document][target]) for target in found)
                    edges.extend((*end, "REFERENCES", citation.evidence) for end in ends)
    frame = pl.DataFrame(edges, schema=dict(EDGES.columns), orient="row")
    return frame.filter(pl.col("source_id") != pl.col("target_id")).unique(
        EDGES.key, keep="first", maintain_order=True
    )


def _resolve(citation: Citation, numbering: Numbering, source: int | None) -> Iterator[int]:
    """Yield the places of what `citation` names; `source` is the citing passage's place in that document."""
    beside = () if source is None else numbering.divisions(source)
    if citation.kind == "section" and beside and beside[0].startswith("schedule"):
        beside = ()  # a statute has sections in its body and paragraphs in its schedules
    for first, last in citation.numbers:
        start = numbering.resolve(citation.kind, first, citation.within, beside)
        end = numbering.resolve(citation.kind, last, citation.within, beside) if last else None
        if start is not None and end is not None and start < end:
            yield from numbering.between(start, end)
        else:
            yield from (place for place in (start, end) if place is not None)


def _division(match: re.Match[str], kind: str) -> Path:
    """Return the division that a citation counts its numbers in.

    Rules and sections are numbered through a document's chapters, so theirs says nothing; a schedule or an
    appendix starts anew.
    """
    division = _kind(match["division"])
    counts = division in ("schedule", "app") or (division in LABELS and _kind(kind) in LABELS)
    return (division + parse(match["of"])[0],) if counts else ()


def _kind(word: str) -> str:
    return re.sub(r"^app.*", "app", word.lower().rstrip("s."))
