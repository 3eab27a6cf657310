"""Whether a claim states words that a change it cites has replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulerank.answer.changes import Substitution, position, substitution
from rulerank.answer.verification.figures import figures
from rulerank.passages import Passage


def outdated(claim: str, cited: Sequence[Passage]) -> str | None:
    """Return the words or the figure of a claim that are no longer in force, or None.

    A claim that states the new words may state the old ones too: "six hours, read as twelve hours".

    Parameters
    ----------
    claim : str
        Its text.
    cited : sequence of Passage
        The passages that it cites.

    """
    ids = {passage.passage_id for passage in cited}
    for change in cited:
        said = substitution(change.text)
        if said is None or ids & set(change.voided_by) or _states(claim, said.new):
            continue
        changed = [passage for passage in cited if change.passage_id in passage.voided_by]
        if found := next((words for words in _before(said, changed) if _states(claim, words)), None):
            return found
    return None


def _before(said: Substitution, changed: Sequence[Passage]) -> Iterator[str]:
    """Yield the words that a change replaces, with those of earlier changes."""
    earlier = [each for passage in changed if (each := substitution(passage.text))]
    words = [said.old, *(each for change in earlier for each in (change.old, change.new))]
    yield from filter(None, words)
    # The rule may hold none of these words if a change between the two is not cited.
    units = {figure.unit for each in (said.old, said.new) for figure in figures(each)}
    for passage in changed:
        if not any(each and position(passage.text, each) for each in words):
            yield from sorted(str(each) for each in figures(passage.text) if each.unit in units - {""})


def _states(text: str, words: str) -> bool:
    stated = figures(words)
    return stated <= figures(text) if stated else position(text, words) is not None
