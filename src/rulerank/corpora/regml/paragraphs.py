"""The passages of a regulation: its paragraphs, and their headings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulerank.corpora.regml.elements import Element
from rulerank.corpora.regml.files import Regulation
from rulerank.corpora.regml.labels import require_label

PARAGRAPH = "paragraph"
_DIVISIONS = {
    "subpart": "title",
    "section": "subject",
    "appendix": "appendixTitle",
    "appendixSection": "subject",
}
"""The elements that contain paragraphs, and the element that holds the heading of each."""
NO_TEXT = frozenset({"graphic", "footnote"})
"""Elements in a paragraph that are not part of its text: the address of a picture, an editors' note."""


@dataclass(frozen=True, eq=False)
class Provision:
    """A paragraph, or a division that contains paragraphs.

    Parameters
    ----------
    label : str
        "1005-6-b-1", unique in the corpus.
    section : str
        The label as cited: "1005.6(b)(1)".
    title, text : str
        The heading, and the text with the heading before it; blank for a provision without text of its own.
    content : Element or None
        The element that holds references and definitions.
    stated_in : str or None, optional
        The label of the first provision with text at or below this one.

    """

    label: str
    section: str
    title: str
    text: str
    content: Element | None
    stated_in: str | None = None


def provisions(regulation: Regulation) -> list[Provision]:
    """Return the provisions of a regulation in reading order, with appendices but not interpretations.

    Raises
    ------
    InputError
        Two provisions have the same label, or a label cannot be an id; line and column are named.

    """
    found: dict[str, Provision] = {}
    inside: dict[str, list[str]] = {}
    for element, label, above in _labelled(regulation.body, regulation.part, ()):
        require_label(regulation.path, element, label, found)
        provision = _provision(element, label, regulation.part)
        found[label] = provision
        inside[label] = [*above, label]
    stated: dict[str, str] = {}
    for label, provision in found.items():
        for each in inside[label] if provision.text else ():
            stated.setdefault(each, label)
    return [replace(each, stated_in=stated.get(label)) for label, each in found.items()]


def _labelled(
    element: Element, label: str, above: tuple[str, ...]
) -> Iterator[tuple[Element, str, tuple[str, ...]]]:
    """Yield each provision within an element, with its label and the labels above it.

    A subpart is only a range of sections: it is above nothing.
    """
    place = 0
    for child in element.children:
        if child.name == "content" and element.name != PARAGRAPH:
            yield from _labelled(child, label, above)
        elif child.name in _DIVISIONS or child.name == PARAGRAPH:
            place += 1
            own = child.attributes.get("label", "").strip() or f"{label}-p{place}"
            yield child, own, above
            yield from _labelled(child, own, above if child.name == "subpart" else (*above, own))


def _provision(element: Element, label: str, part: str) -> Provision:
    headed = element.child(_DIVISIONS.get(element.name, "title"))
    title = " ".join(written(headed).split()) if headed else ""
    content = element.child("content") if element.name == PARAGRAPH else None
    said = " ".join(written(content).split()) if content else ""
    return Provision(
        label, section_of(label, part), title, f"{title} {said}".strip() if said else "", content
    )


def written(element: Element) -> str:
    """Return the text of an element without pictures and footnotes."""
    return "".join(
        part if isinstance(part, str) else written(part) for part in element.parts if not _hidden(part)
    )


def _hidden(part: str | Element) -> bool:
    return isinstance(part, Element) and part.name in NO_TEXT


def section_of(label: str, part: str) -> str:
    """Return a label as the law cites it.

    "1005-6-b-1" is 1005.6(b)(1), "1005-A-2-a" is Appendix A.2(a), "1005-Subpart-A" is Subpart A. A paragraph
    without a marker keeps the place in its label: 1005.2(p1).
    """
    first, *rest = label.removeprefix(f"{part}-").split("-")
    if first == "Subpart":
        return " ".join([first, *rest])
    if not first[:1].isdecimal():
        numbered = "".join(f".{each}" for each in rest[:1])
        return f"Appendix {first}{numbered}" + "".join(f"({each})" for each in rest[1:])
    return f"{part}.{first}" + "".join(f"({each})" for each in rest)
