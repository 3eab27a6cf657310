"""The content of responses, for the server, its OpenAPI document and the client."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict


class Message(BaseModel):
    """A part of a response; the OpenAPI document describes each field by the text below it."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Reason(Message):
    """What one feature did for a passage."""

    feature: str
    """Its name."""
    value: float | None
    """Its value, null if it is missing."""
    contribution: float
    """Its share in the score."""


class Difference(Message):
    """What one feature did for a passage, minus what it did for another."""

    feature: str
    """Its name."""
    value: float | None
    """Its value for the passage, null if it is missing."""
    other: float | None
    """Its value for the other passage, null if it is missing."""
    contribution: float
    """Its share in the difference of the scores."""


class Passage(Message):
    """A passage of the corpus, and what has voided it by the day."""

    passage_id: str
    """Its id."""
    document_id: str
    """The id of its document."""
    document: str
    """The title of its document."""
    section: str
    """Where in the document it stands."""
    text: str
    """Its text."""
    voided_by: list[str]
    """Ids of the passages that change or repeal it; empty while it is in force."""


class RankedPassage(Passage):
    """A passage with its place in a ranking."""

    rank: int
    """Its place, from 1."""
    score: float
    """Orders the passages of one question; scores of different questions are not comparable."""
    probability: float | None
    """The calibrated probability that it governs the question, null if the ranker has none."""
    reasons: list[Reason] = []
    """The features that moved it most, as many as were requested."""


class Reply(Message):
    """A response, which names the generation of the ranker that made it."""

    generation: str
    """The beginning of the digest in the manifest of the ranker."""


class RankReply(Reply):
    """The passages that govern a question."""

    passages: list[RankedPassage]
    """Passages, best first."""


class Quote(Message):
    """A verbatim part of a passage."""

    passage_id: str
    """The id of the passage."""
    start: int
    """The first character of the part, from 0, counted in Unicode code points."""
    end: int
    """The character after the part."""


class Claim(Message):
    """A statement of an answer, linked to its passages."""

    text: str
    """The statement, without its citation."""
    modality: str | None
    """prohibition, obligation, recommendation, permission or definition; null for any other statement."""
    passages: list[str]
    """Ids of the passages cited."""
    quotes: list[Quote]
    """The parts of these passages that the claim is taken from."""
    changed_by: list[str]
    """Ids of the passages that change or repeal what is quoted."""


class AnswerReply(Reply):
    """An answer, or why there is none, with the passages that it rests on."""

    answered: bool
    """Whether there is an answer."""
    as_of: date
    """The day whose law the answer states."""
    claims: list[Claim]
    """The statements of the answer; empty if there is none."""
    abstained_because: str | None
    """Why there is no answer; null if there is one."""
    passages: list[Passage]
    """The passages from which an answer was sought, best first."""


class Result(Message):
    """A document by its place in the request."""

    index: int
    """The place, from 0."""
    relevance_score: float
    """The probability computed from the score alone."""


class RerankReply(Reply):
    """The given documents in order."""

    results: list[Result]
    """Documents, best first."""


class ExplainReply(Reply):
    """Every feature's share in a score, and in a difference of scores."""

    passage: RankedPassage
    """The passage."""
    contributions: list[Reason]
    """Every feature's share in its score, greatest first."""
    against: RankedPassage | None
    """The passage that it was compared with; null without one."""
    differences: list[Difference]
    """Every feature's share in the difference of the scores, greatest first; empty without a comparison."""


class FeedbackReply(Reply):
    """The judgement was kept."""

    kept: Literal[True] = True
    """True: a judgement that could not be kept is an error."""


class State(Reply):
    """The state of the server."""

    status: str
    """alive or ready."""


class Fault(Message):
    """What was wrong with a request."""

    code: str
    """For programs, such as invalid_request."""
    message: str
    """For people: what was expected, what was found, what to do."""
    request_id: str
    """Finds the request in the server's log."""


class FaultReply(Message):
    """The body of every error response."""

    error: Fault
    """What was wrong."""
