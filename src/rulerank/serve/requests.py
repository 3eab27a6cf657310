"""The content of requests, for the server and its OpenAPI document."""

from __future__ import annotations

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
Identifier = Annotated[str, Field(min_length=1, max_length=1000, description="The id of a passage.")]
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
    against: Annotated[
        Identifier | None, Field(description="The id of a passage to compare the first with.")
    ] = None


class Document(BaseModel):
    """A document as an object, as older clients send it."""

    text: Annotated[str, Field(min_length=1, description="The id or the text of a passage of the corpus.")]


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
    top_n: Annotated[Depth | None, Field(description="Results to return, at most; by default all.")] = None


class FeedbackRequest(BaseModel):
    """Say whether a passage answers a question."""

    model_config = ConfigDict(extra="forbid")

    question: Question
    passage_id: Identifier
    accepted: Annotated[bool, Field(strict=True, description="Whether the passage answers the question.")]
