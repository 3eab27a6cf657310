"""What an answer consists of: claims, each bound to the passages that support it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from rulerank.obligations import Modality
from rulerank.passages import Passage

ABSTENTION = "Insufficient evidence in retrieved passages."
"""The text given in place of an answer (the sentence of the ObliQA-MP paper)."""

INCOMPLETE = (
    "This answer may be incomplete: the language model's reply was cut off. Raise answer.model.max_tokens."
)
"""The text that is added to an answer whose end was never received."""


@dataclass(frozen=True)
class Quote:
    """A verbatim part of a passage: text[start:end], in characters."""

    passage_id: str
    start: int
    end: int


@dataclass(frozen=True)
class Claim:
    """One statement of an answer, bound to the passages that support it.

    Parameters
    ----------
    text : str
        The statement, without its citation.
    modality : str or None
        prohibition, obligation, recommendation, permission or definition; None for any other statement.
    passages : tuple of str
        Ids of the passages cited, in the order of the citation.
    quotes : tuple of Quote, optional
        The parts of these passages that the claim is taken from.
    changed_by : tuple of str, optional
        Ids of the passages that change or repeal what is quoted; they are among `passages` too.

    """

    text: str
    modality: Modality | None
    passages: tuple[str, ...]
    quotes: tuple[Quote, ...] = ()
    changed_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dropped:
    """A claim that verification refused, and why."""

    claim: Claim
    because: str


@dataclass(frozen=True)
class Answer:
    """The answer to a question as of a day, or the reason why there is none.

    Parameters
    ----------
    question : str
        The question as asked.
    as_of : date
        The day whose law the answer states.
    claims : tuple of Claim
        The answer.
    sources : tuple of Passage
        The passages shown to the answerer, in ranked order; the first is P1.
    abstained_because : str, optional
        Set exactly when `claims` is empty.
    dropped : tuple of Dropped, optional
        Claims that verification refused.
    incomplete : bool, optional (default=False)
        Whether claims may be missing, since a language model's reply was cut off at its maximum length.

    """

    question: str
    as_of: date
    claims: tuple[Claim, ...]
    sources: tuple[Passage, ...]
    abstained_because: str | None = None
    dropped: tuple[Dropped, ...] = ()
    incomplete: bool = False

    @property
    def text(self) -> str:
        """One line per claim, or the abstention sentence with the reason below it; a note if incomplete."""
        numbers = {passage.passage_id: number for number, passage in enumerate(self.sources, start=1)}
        claims = [
            f"- {claim.text} " + "".join(f"[P{numbers[each]}]" for each in claim.passages)
            for claim in self.claims
        ]
        none = [] if claims else [ABSTENTION, self.abstained_because]
        return "\n".join(filter(None, [*claims, *none, INCOMPLETE if self.incomplete else None]))
