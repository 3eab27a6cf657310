"""The passage in results: ranking, answer, RefWalk and the MLflow model share these types."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Passage:
    """One passage of the corpus.

    Parameters
    ----------
    passage_id, document_id, document, section, text : str
        The passage; `document` is the title of its document.
    voided_by : tuple of str, optional
        The ids of the passages that supersede this one and are themselves in force; empty while it is in
        force.

    """

    passage_id: str
    document_id: str
    document: str
    section: str
    text: str
    voided_by: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where the passage stands: its document's title and its section, on one line."""
        return " ".join(f"{self.document} {self.section}".split())


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
        Its shares of the first pass's score and of the final score, summed along the paths through the trees.
        The part of the final score that is due to the first pass's own score and rank is left out, since the
        features of the first pass account for it. Shares explain a score, not an order: to compare two
        passages, compare their shares.

    """

    feature: str
    value: float
    contribution: float


@dataclass(frozen=True, kw_only=True)
class RankedPassage(Passage):
    """One passage of a ranking.

    Parameters
    ----------
    rank : int
        From 1.
    score : float
        Orders the passages of one question; scores of different questions are not comparable.
    probability : float, optional
        Calibrated probability of relevance, comparable across questions; NaN if scores are not calibrated
        (RefWalk).
    reasons : tuple of Reason, optional
        The features that mattered most, greatest share first.

    """

    rank: int
    score: float
    probability: float = float("nan")
    reasons: tuple[Reason, ...] = ()
