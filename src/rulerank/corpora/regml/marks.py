"""The authors' markup in the text of a regulation: citations, definitions and uses of defined terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from rulerank.corpora.corpus import name_documents
from rulerank.corpora.regml.comments import COMMENT
from rulerank.corpora.regml.elements import Element
from rulerank.corpora.regml.files import Regulation, newest_regulations, read_regulation
from rulerank.corpora.regml.paragraphs import NO_TEXT, provisions, written
from rulerank.corpora.regml.read import TIER
from rulerank.errors import InputError
from rulerank.tables import DOCUMENTS, PASSAGES

_MARKS = {"source_id": pl.String(), "target_id": pl.String(), "words": pl.String()}
_DEFINED = {"passage_id": pl.String(), "term": pl.String()}


@dataclass(frozen=True, eq=False)
class Marks:
    """A regulation's texts and the marks in them.

    Parameters
    ----------
    passages, documents : polars.DataFrame
        The two tables. The text is the part that may hold marks: a paragraph without its heading. Paragraphs
        of the official interpretations are passages too, of kind guidance; their sections are written as they
        are cited: "Comment 6(b)-1.ii". Subparts, which are never marked, are not passages.
    citations : polars.DataFrame
        source_id, target_id and words of every citation within the corpus, in reading order.
    uses : polars.DataFrame
        The same for uses of defined terms; the target is the paragraph that defines the term.
    definitions : polars.DataFrame
        passage_id and term.
    misplaced : frozenset of str
        Passages with a mark that begins or ends within a word: there the marks have slipped, and do not show
        which words cite.

    """

    passages: pl.DataFrame
    documents: pl.DataFrame
    citations: pl.DataFrame
    uses: pl.DataFrame
    definitions: pl.DataFrame
    misplaced: frozenset[str]


@dataclass(frozen=True, eq=False)
class _Text:
    """One text that may hold marks."""

    label: str
    document: str
    section: str
    kind: str
    content: Element | None


def read_marks(path: Path) -> Marks:
    """Read a file of RegML, or the newest version of each part in a folder of such files.

    Raises
    ------
    InputError
        A file is malformed or is not RegML; line and column are named. Or there is no paragraph.

    """
    regulations = newest_regulations(path) if path.is_dir() else [read_regulation(path)]
    texts = [text for regulation in regulations for text in _texts(regulation)]
    if not texts:
        raise InputError(
            path,
            "expected paragraphs of RegML, found none. Check the path; the citations of a corpus in another "
            "format are compared with a table of them, given with --gold.",
        )
    names = {regulation.part: regulation.names for regulation in regulations}
    rows = [
        (
            text.label,
            text.document,
            text.section,
            "",
            " ".join(written(text.content).split()) if text.content else "",
            TIER,
            text.kind,
            position,
            None,
            None,
        )
        for position, text in enumerate(texts)
    ]
    passages = PASSAGES.check(pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row"), path)
    marks = {
        kind: pl.DataFrame(
            [row for text in texts for row in _references(text, kind)], schema=_MARKS, orient="row"
        )
        for kind in ("internal", "term")
    }
    defined = [
        (text.label, " ".join((each.attributes.get("term") or each.text).split()))
        for text in texts
        for each in _elements(text, "def")
    ]
    return Marks(
        passages,
        DOCUMENTS.check(name_documents(list(names), names), path),
        marks["internal"],
        marks["term"],
        pl.DataFrame(defined, schema=_DEFINED, orient="row"),
        frozenset(text.label for text in texts if text.content and _slipped(text.content)),
    )


def _texts(regulation: Regulation) -> Iterator[_Text]:
    for each in provisions(regulation):
        if each.section.startswith("Subpart"):
            continue
        kind = "rule" if each.content else "heading"
        yield _Text(each.label, regulation.part, each.section, kind, each.content)
    for element in regulation.body.walk():
        label = element.attributes.get("label", "")
        if element.name == "interpParagraph" and COMMENT in label:
            section = comment_of(label, regulation.part)
            yield _Text(label, regulation.part, section, "guidance", element.child("content"))


def comment_of(label: str, part: str) -> str:
    """Return the label of a comment as it is cited: "1005-6-b-Interp-1-ii" is Comment 6(b)-1.ii."""
    explained, _, number = label.removeprefix(f"{part}-").partition(COMMENT)
    section, *below = explained.split("-")
    cited = section + "".join(f"({each})" for each in below)
    items = [each for each in number.split("-") if each]
    return f"Comment {cited}" + (f"-{'.'.join(items)}" if items else "")


def _elements(text: _Text, name: str) -> Iterator[Element]:
    yield from (each for each in (text.content.walk() if text.content else ()) if each.name == name)


def _references(text: _Text, kind: str) -> Iterator[tuple[str, str, str]]:
    for each in _elements(text, "ref"):
        if each.attributes.get("reftype") == kind:
            yield text.label, each.attributes.get("target", ""), " ".join(each.text.split())


def _slipped(content: Element) -> bool:
    """Return whether a citation's mark begins or ends within a word."""
    parts = [part for part in content.parts if isinstance(part, str) or part.name not in NO_TEXT]
    for place, part in enumerate(parts):
        if isinstance(part, Element) and part.attributes.get("reftype") == "internal":
            before = parts[place - 1] if place else ""
            after = parts[place + 1] if place + 1 < len(parts) else ""
            left = before if isinstance(before, str) else before.text
            right = after if isinstance(after, str) else after.text
            words = part.text
            if _joined(left, words) or _joined(words, right):
                return True
    return False


def _joined(left: str, right: str) -> bool:
    return left[-1:].isalpha() and right[:1].isalpha()
