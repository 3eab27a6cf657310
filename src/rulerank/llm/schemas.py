"""Whether an endpoint holds a model to a JSON schema: asked once, since servers differ and some pretend."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from rulerank.errors import ModelError
from rulerank.llm.client import LanguageModel, Message

_SCHEMA = {
    "type": "object",
    "properties": {"bird": {"type": "string", "enum": ["kestrel"]}},
    "required": ["bird"],
    "additionalProperties": False,
}
_MESSAGES = (
    Message("system", "You reply with a single word and no punctuation."),
    Message("user", "Which bird dives for fish along rivers: the kingfisher or the ostrich?"),
)


class SchemaSupport(StrEnum):
    """What an endpoint does with a schema."""

    enforced = "enforced"
    ignored = "ignored"
    refused = "refused"


@lru_cache(maxsize=64)
def schema_support(model: LanguageModel) -> SchemaSupport:
    """Ask an endpoint, once per process, for what only a schema could make it say.

    The question asks for another word than the one the schema allows, so that the reply shows which of them
    was followed.

    Raises
    ------
    ModelError
        The endpoint cannot be used without a schema either.

    """
    try:
        said = model.converse(_MESSAGES, max_tokens=40, schema=_SCHEMA, purpose="probe").text
    except ModelError:
        model.converse(_MESSAGES, max_tokens=40, purpose="probe")
        return SchemaSupport.refused
    return SchemaSupport.enforced if "kestrel" in said else SchemaSupport.ignored
