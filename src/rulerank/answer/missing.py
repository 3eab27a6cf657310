"""Rules that passages cite and the corpus does not hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

_NUMBER = re.compile(r"[A-Z]{0,2}\d+[A-Z]?(?:\.\d+)*")
_CITED = re.compile(
    r"\b(?P<unit>[Rr]ule|[Ss]ection|[Aa]rticle|[Pp]aragraph|[Rr]egulation) "
    rf"(?P<number>{_NUMBER.pattern})"
    r"(?P<below>(?:\([0-9a-zA-Z]{1,5}\))*)(?!\w|\.\d)"
)


def missing_rules(texts: Sequence[str], known: Collection[str]) -> list[str]:
    """Return the rules that some texts cite by numbers that the corpus does not hold.

    Parameters
    ----------
    texts : sequence of str
        Passages.
    known : collection of str
        The numbers of the corpus, as `rule_numbers` returns them.

    """
    cited = {
        f"{found['unit']} {found['number']}{found['below']}": found["number"]
        for text in texts
        for found in _CITED.finditer(text)
    }
    return [name for name, number in cited.items() if number not in known]


def rule_numbers(sections: Iterable[str]) -> frozenset[str]:
    """Return the numbers that some sections may be cited by: their own and those above them."""
    numbers = {number for section in sections for number in _NUMBER.findall(section)}
    return frozenset(
        ".".join(places[: end + 1])
        for places in (number.split(".") for number in numbers)
        for end in range(len(places))
    )
