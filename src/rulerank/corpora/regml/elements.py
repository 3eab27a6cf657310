"""An XML file as a tree of elements that know their place, read without entities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from rulerank.errors import InputError
from rulerank.files import read_text
from rulerank.text import composed

NAMESPACE = "eregs"
_DEEPEST = 100
"""The most levels of elements; regulations have a dozen, and walks of the tree recurse at each level."""


@dataclass(frozen=True, eq=False)
class Element:
    """One element.

    Parameters
    ----------
    name : str
        Without the namespace of RegML; another namespace comes before it, with a space.
    attributes : dict of str
        Attributes by name.
    line, column : int
        Where it begins, from 1.
    parts : list of str and Element, optional
        Its text and its elements, in order.

    """

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    parts: list[str | Element] = field(default_factory=list)

    @property
    def children(self) -> Iterator[Element]:
        """The elements directly within this one."""
        return (part for part in self.parts if isinstance(part, Element))

    def child(self, *path: str) -> Element | None:
        """Return the first element at a path of names, or None."""
        found: Element | None = self
        for name in path:
            found = next((each for each in found.children if each.name == name), None) if found else None
        return found

    def walk(self) -> Iterator[Element]:
        """Yield this element and all within it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def text(self) -> str:
        """All text within, unchanged."""
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)


def read_elements(path: Path) -> Element:
    """Read an XML file and return its root element.

    A document type declaration is refused, and with it every entity except the five of XML itself. Entities
    could name other files, or grow beyond memory.

    Raises
    ------
    InputError
        The file is missing, malformed or nested too deep, or has a DOCTYPE; line and column are named.

    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    open_elements: list[Element] = []
    roots: list[Element] = []

    def refuse(message: str) -> InputError:
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        return InputError(path, message, line=line, column=column)

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(open_elements) >= _DEEPEST:
            raise refuse(f"expected at most {_DEEPEST} nested elements, found more. Correct the file.")
        short = name.removeprefix(f"{NAMESPACE} ")
        element = Element(short, attributes, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        (open_elements[-1].parts if open_elements else roots).append(element)
        open_elements.append(element)

    def declare(name: str, *_: object) -> None:
        raise refuse(f"expected no DOCTYPE, found one of {name!r}. Remove it and write out its entities.")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.CharacterDataHandler = lambda data: open_elements[-1].parts.append(data)
    parser.StartDoctypeDeclHandler = declare
    try:
        parser.Parse(composed(read_text(path)), True)
    except expat.ExpatError as error:
        raise InputError(
            path,
            f"expected well-formed XML, found: {expat.ErrorString(error.code)}. Correct the file.",
            line=error.lineno,
            column=error.offset + 1,
        ) from error
    return roots[0]
