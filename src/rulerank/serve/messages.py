"""The content of requests and responses, for the server, its OpenAPI document and the client."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from rulerank.corpora.keys import Day
from rulerank.text import SEEN

MOST_PASSAGES, MOST_CHARACTERS, MOST_REASONS = 1000, 4000, 50
"""Most passages of a result, characters of a question and reasons of a passage."""


def _number(value: Any) -> Any:
    """Refuse values that would be converted: 2.0 is a whole number in JSON, "2" and true are not."""
    if isinstance(value, str | bool):
        raise ValueError("expected a whole number")
    return value


Whole = BeforeValidator(_number)
Identifier = Annotated[str, Field(min_length=1, max_length=1000)]
Question = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MOST_CHARACTERS,
        pattern=SEEN,
        description="In plain words.",
        examples=["Who must keep the register?"],
    ),
]
Depth = Annotated[int, Field(ge=1, le=MOST_PASSAGES, description="Passages to return, at most."), Whole]
ModelName = Annotated[
    Literal["ranker", "ranker_on_new_rules", "ranker_with_judgement", "ranker_without_judgement"],
    Field(description="The model of the ranker that orders the passages."),
]


class Request(BaseModel):
    """A question about the law of a given day."""

    model_config = ConfigDict(extra="forbid")

    question: Question
    model: ModelName = "ranker"
    as_of: Day | None = Field(
        default=None, description="The day whose law applies, YYYY-MM-DD; by default today."
    )


class RankRequest(Request):
    """Rank the passages that govern a question."""

    k: Depth = 10
    reasons: Annotated[
        int, Field(ge=0, le=MOST_REASONS, description="Features to name with each passage."), Whole
    ] = 0


class AnswerRequest(Request):
    """Answer a question from the rules in force."""

    k: Depth = 10


class ExplainRequest(Request):
    """Explain the score of a passage, alone or compared with another."""

    passage_id: Identifier
    against: Identifier | None = None


class Document(BaseModel):
    """A document as an object, as older clients send it."""

    text: Annotated[str, Field(min_length=1)]


def _form(given: object) -> str:
    return "object" if isinstance(given, dict | Document) else "text"


Given = Annotated[
    Annotated[str, Field(min_length=1), Tag("text")] | Annotated[Document, Tag("object")],
    Discriminator(_form),
]
"""A document as a text or as an object; an error is about the form that was sent, not about both."""


class RerankRequest(BaseModel):
    """Order given passages, in Cohere's format; fields that other services know are ignored."""

    model: Annotated[str, Field(max_length=1000, description="Any name: there is one ranker.")] = "ranker"
    query: Question
    documents: Annotated[
        list[Given],
        Field(min_length=1, max_length=MOST_PASSAGES, description="Ids or texts of passages of the corpus."),
    ]
    top_n: Depth | None = None


class FeedbackRequest(BaseModel):
    """Say whether a passage answers a question."""

    model_config = ConfigDict(extra="forbid")

    question: Question
    passage_id: Identifier
    accepted: Annotated[bool, Field(strict=True)]


class Reason(BaseModel):
    """One feature's value, null if it is missing, and its share in a score."""

    feature: str
    value: float | None
    contribution: float


class Difference(BaseModel):
    """What one feature does for a passage, minus what it does for another."""

    feature: str
    value: float | None
    other: float | None
    contribution: float


class Passage(BaseModel):
    """A passage of the corpus, and what has voided it by the day."""

    passage_id: str
    document_id: str
    document: str
    section: str
    text: str
    voided_by: list[str]


class RankedPassage(Passage):
    """A passage with its place in a ranking."""

    rank: int
    score: float
    probability: float | None
    reasons: list[Reason] = []


class Reply(BaseModel):
    """A response, which names the generation of the ranker that made it."""

    generation: str


class RankReply(Reply):
    """Passages, best first."""

    passages: list[RankedPassage]


class Quote(BaseModel):
    """A verbatim part of a passage, in characters."""

    passage_id: str
    start: int
    end: int


class Claim(BaseModel):
    """A statement of an answer, linked to its passages."""

    text: str
    modality: str | None
    passages: list[str]
    quotes: list[Quote]
    changed_by: list[str]


class AnswerReply(Reply):
    """An answer, or why there is none, with the passages that it rests on."""

    answered: bool
    as_of: date
    claims: list[Claim]
    abstained_because: str | None
    passages: list[Passage]


class Result(BaseModel):
    """A document by its place in the request, from 0."""

    index: int
    relevance_score: float


class RerankReply(Reply):
    """Documents, best first."""

    results: list[Result]


class ExplainReply(Reply):
    """Every feature's share in a score, and in a difference of scores, greatest first."""

    passage: RankedPassage
    contributions: list[Reason]
    against: RankedPassage | None
    differences: list[Difference]


class FeedbackReply(Reply):
    """The judgement was kept."""

    kept: Literal[True] = True


class State(Reply):
    """The state of the server."""

    status: str


class Fault(BaseModel):
    """What was wrong with a request; `request_id` finds it in the server's log."""

    code: str
    message: str
    request_id: str


class FaultReply(BaseModel):
    """The body of every error response."""

    error: Fault
