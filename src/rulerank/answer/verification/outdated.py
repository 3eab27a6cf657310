"""Whether a claim states words that a change it cites has replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulerank.answer.changes import Substitution, limited, repeals, substitutions, tells_of_repeal
from rulerank.answer.readings import stands
from rulerank.answer.verification.figures import figures
from rulerank.obligations import statements
from rulerank.passages import Passage


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
        if changed and _only_repeals(change.text) and not tells_of_repeal(claim):
            return changed[0].place
        for said in substitutions(change.text):
            # Two changes may replace the same words: the claim states the new words of one of them.
            if said in stated or any(said.old and said.old == each.old for each in stated):
                continue
            if found := next((words for words in _before(said, changed) if _states(claim, words)), None):
                return found
    return None


def _only_repeals(text: str) -> bool:
    """Return whether a text repeals rules and states none of its own, which a claim could rest on."""
    return repeals(text) and not limited(text) and not any(each.modality for each in statements(text))


def _before(said: Substitution, changed: Sequence[Passage]) -> Iterator[str]:
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
