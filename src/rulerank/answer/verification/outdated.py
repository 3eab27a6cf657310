"""Whether a claim states words that a change it cites has replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulerank.answer.changes import Substitution, limited, repeals, substitutions, tells_of_repeal
from rulerank.answer.readings import stands
from rulerank.answer.verification.figures import Figure, figures
from rulerank.answer.verification.force import stems
from rulerank.obligations import statements
from rulerank.passages import Passage
from rulerank.text import analyse, language_of, sentences

_OF_THE_PAST = re.compile(
    r"\b(?:before|former(?:ly)?|instead of|no longer|previous(?:ly)?|until|used to|was|were)\b", re.IGNORECASE
)
"""What a claim says that tells of the past."""


def outdated(claim: str, cited: Sequence[Passage]) -> str | None:
    """Return the words, the figure or the rule of a claim that are no longer in force, or None.

    A claim that states the new words may state the old ones too: "six hours, read as twelve hours". A claim
    that cites a rule with its repeal must tell of the repeal.

    Parameters
    ----------
    claim : str
        Its text.
    cited : sequence of Passage
        The passages that it cites.

    """
    ids = {passage.passage_id for passage in cited}
    latest = [change for change in cited if not ids & set(change.voided_by)]
    stated = [said for change in latest for said in substitutions(change.text) if _states(claim, said.new)]
    for change in latest:
        changed = [passage for passage in cited if change.passage_id in passage.voided_by]
        if changed and _repealed(claim, change, changed):
            return changed[0].place
        for said in substitutions(change.text):
            # Two changes may replace the same words: the claim states the new words of one of them.
            if said in stated or any(said.old and said.old == each.old for each in stated):
                continue
            if found := next(
                (words for words in _former_words(said, changed) if _states(claim, words)), None
            ):
                return found
    return _former_figure(claim, cited)


def _former_figure(claim: str, cited: Sequence[Passage]) -> str | None:
    """Return a figure of a claim that its passages give only as what held before, unless it says so too."""
    pattern = language_of(claim).changes.former
    if pattern is None or _OF_THE_PAST.search(claim):
        return None
    gone = (
        each for passage in cited for match in pattern.finditer(passage.text) for each in figures(match[0])
    )
    current = frozenset[Figure]().union(*(figures(pattern.sub("", each.text)) for each in cited))
    return next((str(each) for each in gone if each not in current and each in figures(claim)), None)


def _repealed(claim: str, change: Passage, changed: Sequence[Passage]) -> bool:
    """Return whether a change repeals the rules that a claim rests on, and the claim does not tell of it."""
    text = change.text
    if not repeals(text) or limited(text) or _tells_of_repeal(claim, text, changed):
        return False
    # A claim may rest on what the change states of its own, if that is as near to it as the rules are.
    wanted = stems(claim)
    shared = max(len(wanted & stems(each.text)) for each in changed)
    own = any(len(wanted & stems(words)) >= shared for words in _own_rules(text))
    return not own or any(figures(claim) & figures(each.text) - figures(text) for each in changed)


def _own_rules(text: str) -> Iterator[str]:
    """Yield what a change states besides the repeal: "Rule 1 shall be omitted" states nothing."""
    repeal = language_of(text).changes.repeal
    for statement in statements(text):
        end = max((match.end() for match in repeal.finditer(statement.text)), default=0)
        yield from (each.text for each in statements(statement.text[end:]) if each.modality)


def _tells_of_repeal(claim: str, change: str, changed: Sequence[Passage]) -> bool:
    """Return whether a claim tells of a repeal in other words than those of the rules: "must not omit"."""
    if any(repeals(each) and stands(claim, each) for each in sentences(change)):
        return True
    ruled = frozenset(analyse([" ".join(each.text for each in changed)])[0])
    words = ((word, analyse([word])[0]) for word in claim.split())
    left = " ".join(word for word, terms in words if not terms or not ruled.issuperset(terms))
    return tells_of_repeal(left) or (repeals(claim) and not any(repeals(each.text) for each in changed))


def _former_words(said: Substitution, changed: Sequence[Passage]) -> Iterator[str]:
    """Yield the words that a change replaces, with those of earlier changes."""
    earlier = [each for passage in changed for each in substitutions(passage.text)]
    words = [said.old, *(each for change in earlier for each in (change.old, change.new))]
    yield from filter(None, words)
    # The rule may hold none of these words if a change between the two is not cited.
    units = {figure.unit for each in (said.old, said.new) for figure in figures(each)}
    for passage in changed:
        if not any(each and stands(passage.text, each) for each in words):
            yield from sorted(str(each) for each in figures(passage.text) if each.unit in units - {""})


def _states(text: str, words: str) -> bool:
    stated = figures(words)
    return stated <= figures(text) if stated else stands(text, words)
