"""Which files of a folder are read: for each part, the version that took effect last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rulerank.corpora.regml.elements import Element, read_elements
from rulerank.errors import InputError
from rulerank.files import files_in


@dataclass(frozen=True, eq=False)
class Regulation:
    """One version of one part of the Code of Federal Regulations.

    Parameters
    ----------
    path : Path
        Its file.
    root, body : Element
        The element `regulation`, and the element `part` in it.
    part : str
        Its number, "1005".
    effective : date
        When this version took effect.

    """

    path: Path
    root: Element
    body: Element
    part: str
    effective: date

    def _stated(self, *path: str) -> str:
        element = self.root.child(*path)
        return " ".join(element.text.split()) if element else ""

    @property
    def published(self) -> str:
        """The date of publication as written, which decides between versions of one effective date."""
        return self._stated("fdsys", "date")

    @property
    def letter(self) -> str:
        """Its short name, "Regulation E"; empty if it has no letter."""
        letter = self._stated("preamble", "regLetter")
        return f"Regulation {letter}" if letter else ""

    @property
    def names(self) -> list[str]:
        """Its names: title with letter, letter, citation."""
        title = self._stated("fdsys", "title")
        full = f"{title.title() if title.isupper() else title} ({self.letter})" if self.letter else title
        number = self._stated("preamble", "cfr", "title")
        return [name for name in (full, self.letter, f"{number} CFR Part {self.part}".strip()) if name]


def regulation_files(root: Path) -> list[Path]:
    """Return the XML files of a folder and of the folders directly in it, without hidden ones."""
    inside = (path for path in root.iterdir() if path.is_dir() and not path.name.startswith("."))
    return sorted(path for folder in (root, *inside) for path in files_in(folder, ".xml"))


def newest_regulations(root: Path) -> list[Regulation]:
    """Read a folder and return the newest version of each part, by the number of the part.

    Raises
    ------
    InputError
        A file is not RegML, or does not say which part it is or when it took effect.

    """
    found: dict[str, Regulation] = {}
    for regulation in map(read_regulation, regulation_files(root)):
        earlier = found.get(regulation.part)
        if earlier is None or _age(earlier) < _age(regulation):
            found[regulation.part] = regulation
    return sorted(found.values(), key=lambda each: (len(each.part), each.part))


def _age(regulation: Regulation) -> tuple[date, str, str]:
    return regulation.effective, regulation.published, regulation.path.name


def read_regulation(path: Path) -> Regulation:
    """Read one file.

    Raises
    ------
    InputError
        The file is not RegML, or does not say which part it is or when it took effect.

    """
    root = read_elements(path)
    if root.name != "regulation":
        raise _wrong(path, root, "the element regulation of RegML (namespace eregs)", root.name)
    body, stated = root.child("part"), root.child("preamble", "effectiveDate")
    part = body.attributes.get("label", "").strip() if body else ""
    if body is None or not part:
        raise _wrong(path, body or root, "an element part with a label", "none")
    written = stated.text.strip() if stated else "none"
    try:
        return Regulation(path, root, body, part, date.fromisoformat(written))
    except ValueError as error:
        raise _wrong(path, stated or root, "an effectiveDate such as 2018-01-01", written) from error


def _wrong(path: Path, element: Element, expected: str, found: str) -> InputError:
    return InputError(
        path,
        f"expected {expected}, found {found}. Correct the file, or take it out of the folder.",
        line=element.line,
        column=element.column,
    )
