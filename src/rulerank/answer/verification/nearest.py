"""The statements of a passage that say most of what a claim says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rulerank.answer.claims import Quote
from rulerank.answer.verification.figures import Figure, figures
from rulerank.answer.verification.force import disagreement, modals, stems
from rulerank.obligations import Span, statements
from rulerank.passages import Passage

NEARLY = 0.8
"""A statement supports a claim too if it shares this much of what the best one shares with the claim."""


class Nearest(NamedTuple):
    """A statement of a passage: its parts, lead-in first, and its words."""

    parts: tuple[Span, ...]
    words: str


def nearest_statements(claim: str, text: str) -> list[Nearest]:
    """Return the statements of a passage that share the most content with a claim, the best first.

    Among equally good ones, the shorter comes first, then the earlier. All of them share a stem with the
    claim.
    """
    wanted = stems(claim)
    scored = [(len(wanted & said), len(said), nearest) for nearest, said in _read(text)]
    best = max((score for score, *_ in scored), default=0)
    near = sorted(
        (row for row in scored if row[0] and row[0] >= NEARLY * best), key=lambda row: (-row[0], row[1])
    )
    return [nearest for *_, nearest in near]


class _Shared(NamedTuple):
    """What a statement has of a claim."""

    stems: frozenset[str]
    acts: frozenset[str]
    """Those that both rule on, the claim once."""
    figures: frozenset[Figure]
    """All of the statement's."""


def outdone(claim: str, said: Iterable[str]) -> set[str]:
    """Return the statements that share less with a claim than another that rules on the same act of it.

    "May keep the log for a year" of one rule is no support of "an inspector must keep the log for a year" if
    another rule says for how long an inspector must keep it. A statement with a figure of the claim counts
    if the other does not have another figure of that unit instead.
    """
    wanted, stated = stems(claim), figures(claim)
    ruled = Counter(modal.act for modal in modals(claim))
    known = {
        words: _Shared(
            wanted & stems(words),
            frozenset(modal.act for modal in modals(words) if ruled[modal.act] == 1),
            figures(words),
        )
        for words in dict.fromkeys(said)
    }
    distinct = set(known.values())

    def beaten(less: _Shared, more: _Shared) -> bool:
        better = less.stems < more.stems and less.acts & more.acts
        return bool(better) and not _adds(less.figures, more.figures, stated)

    return {words for words, less in known.items() if any(beaten(less, more) for more in distinct)}


def _adds(these: frozenset[Figure], others: frozenset[Figure], stated: frozenset[Figure]) -> bool:
    """Return whether some figures have one of those stated that others neither have nor contradict."""
    contradicted = {each.unit for each in others - stated}
    return any(each.unit not in contradicted for each in (these & stated) - others)


def closest_words(claim: str, text: str) -> list[str]:
    """Return the words of the nearest statement of a passage, and of others that are as near and as long."""
    near = [each.words for each in nearest_statements(claim, text)]
    wanted = stems(claim)
    measured = [(len(wanted & said), len(said)) for said in map(stems, near)]
    return [words for words, measure in zip(near, measured, strict=True) if measure == measured[0]]


def quotes_for(claim: str, passage: Passage) -> tuple[Quote, ...]:
    """Return the parts of a passage that support a claim best; none if they share no content.

    Among statements that are about equally near, one that the claim does not contradict is preferred.
    """
    near = nearest_statements(claim, passage.text)
    beaten = outdone(claim, [each.words for each in near])
    agreeing = (each for each in near if each.words not in beaten and disagreement(claim, each.words) is None)
    found = next(agreeing, near[0] if near else None)
    return tuple(Quote(passage.passage_id, part.start, part.end) for part in found.parts) if found else ()


@lru_cache(maxsize=256)
def _read(text: str) -> list[tuple[Nearest, frozenset[str]]]:
    """Return each statement of a passage, and each enumeration as a whole, with its stems."""
    found = []
    whole: dict[Span, Span] = {}
    for statement in statements(text):
        first, last = statement.spans[0], statement.spans[-1]
        found.append(Nearest(statement.spans, _words(statement.spans, text)))
        if first != last:
            whole[first] = Span(first.start, last.end)
    found.extend(Nearest((span,), _words((span,), text)) for span in whole.values())
    return [(nearest, stems(nearest.words)) for nearest in found]


def _words(spans: Sequence[Span], text: str) -> str:
    return " ".join(text[span.start : span.end] for span in spans)
