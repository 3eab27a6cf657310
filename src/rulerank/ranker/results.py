"""What a question is answered with: ranked passages, each with its reasons."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reason:
    """What one feature added to a passage's score.

    Parameters
    ----------
    feature : str
        Its name.
    value : float
        Its value, NaN when missing.
    contribution : float
        Its shares of the score by the first pass and of the final score, summed (SHAP values of the trees).
        What the final score owes to the first pass's own score and rank is left out: the features of the
        first pass stand for it. Shares explain a score, not an order: compare two passages by the
        difference of their shares.

    """

    feature: str
    value: float
    contribution: float


@dataclass(frozen=True)
class RankedPassage:
    """One passage of an answer list.

    Parameters
    ----------
    rank : int
        From 1.
    passage_id, document_id, document, section, text : str
        The passage; `document` is the title of the document it stands in.
    score : float
        Orders the passages of one question; scores of two questions do not compare.
    probability : float
        The score on the calibrated scale of relevance, which does.
    reasons : tuple of Reason
        The features that mattered most, greatest share first.
    voided_by : tuple of str
        The passages that supersede this one and are themselves in force; none where it is in force.

    """

    rank: int
    passage_id: str
    document_id: str
    document: str
    section: str
    text: str
    score: float
    probability: float
    reasons: tuple[Reason, ...]
    voided_by: tuple[str, ...] = ()
