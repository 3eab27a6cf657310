"""The checks that a question must pass to enter the benchmark."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rulerank.refwalk.benchmark.wording import FRAME
from rulerank.text import analyse, tokens

COPIED = 8
"""Number of consecutive words that a question must not share with a rule."""
SHORTEST, LONGEST = 6, 80
_NUMBERED = re.compile(
    r"\b\d+(?:\.\d+)+|\(\w{1,3}\)|제\s?\d+조|\b(?:rule|section|article|chapter)s?\s+\d", re.I
)

Gate = Callable[[str, Sequence[str]], bool]
"""Whether a question about some texts passes."""


def overlap(question: str, texts: Sequence[str]) -> float:
    """Return the share of a question's terms that are in the texts it asks about, in [0, 1].

    The terms of the templates are left out.
    """
    asked, *said = (set(terms) - FRAME for terms in analyse([question, *texts]))
    return len(asked & set().union(*said)) / len(asked) if asked else 0.0


def _of_length(question: str, texts: Sequence[str]) -> bool:  # noqa: ARG001
    return SHORTEST <= len(question.split()) <= LONGEST


def _names_each(question: str, texts: Sequence[str]) -> bool:
    asked, *said = (set(terms) - FRAME for terms in analyse([question, *texts]))
    return all(asked & terms for terms in said)


def _tells_apart(question: str, texts: Sequence[str]) -> bool:
    """Each text has a term of the question that the others lack, so no rule is superfluous."""
    asked, *said = (set(terms) - FRAME for terms in analyse([question, *texts]))
    others = (set().union(*(said[:place] + said[place + 1 :])) for place in range(len(said)))
    return all(asked & (terms - rest) for terms, rest in zip(said, others, strict=True))


def _copies_little(question: str, texts: Sequence[str]) -> bool:
    said = {tuple(run) for text in texts for run in _runs(tokens(text))}
    return not any(tuple(run) in said for run in _runs(tokens(question)))


def _cites_nothing(question: str, texts: Sequence[str]) -> bool:  # noqa: ARG001
    return not _NUMBERED.search(question)


def _runs(words: Sequence[str]) -> list[Sequence[str]]:
    return [words[start : start + COPIED] for start in range(len(words) - COPIED + 1)]


GATES: dict[str, Gate] = {
    f"{SHORTEST} to {LONGEST} words": _of_length,
    "cites no number": _cites_nothing,
    "has a term of every rule": _names_each,
    "tells its rules apart": _tells_apart,
    f"copies fewer than {COPIED} words in a row": _copies_little,
}
"""Every gate by its requirement, in the order in which they are tried."""


def fault(question: str, texts: Sequence[str]) -> str | None:
    """Return the first gate that a question fails, None if it passes all."""
    return next((name for name, passes in GATES.items() if not passes(question, texts)), None)
