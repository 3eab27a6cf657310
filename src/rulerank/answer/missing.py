"""Rules that passages cite and the corpus does not hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_CITED = re.compile(
    r"\b(?P<unit>[Rr]ule|[Ss]ection|[Aa]rticle|[Pp]aragraph|[Rr]egulation) "
    r"(?P<number>[A-Z]{0,2}\d+[A-Z]?(?:\.\d+)*)"
    r"(?P<below>(?:\([0-9a-zA-Z]{1,5}\))*)(?!\w|\.\d)"
)


def missing_rules(texts: Sequence[str], sections: Collection[str]) -> list[str]:
    """Return the rules that some texts cite by numbers that no section of the corpus has.

    Parameters
    ----------
    texts : sequence of str
        Passages.
    sections : collection of str
        The section numbers of the corpus, as its readers give them.

    """
    known = {number for section in sections for number in _numbers(section)}
    cited = {
        f"{found['unit']} {found['number']}{found['below']}": found["number"]
        for text in texts
        for found in _CITED.finditer(text)
    }
    return [name for name, number in cited.items() if number not in known]


def _numbers(section: str) -> set[str]:
    """Return the numbers that a section may be cited by: its own and those above it."""
    found = set()
    for part in re.findall(r"[A-Z]{0,2}\d+[A-Z]?(?:\.\d+)*", section):
        places = part.split(".")
        found |= {".".join(places[: end + 1]) for end in range(len(places))}
    return found
