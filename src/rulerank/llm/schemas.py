"""Whether an endpoint enforces a JSON schema: checked once, since servers differ and some only pretend."""

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
    """Ask an endpoint, once per process, for an answer that only a schema could produce.

    The question asks for another word than the one that the schema allows, so the reply shows which of them
    was followed.

    Raises
    ------
    ModelError
        The endpoint does not work without a schema either.

    """
    try:
        said = model.converse(_MESSAGES, max_tokens=40, schema=_SCHEMA, purpose="probe").text
    except ModelError:
        model.converse(_MESSAGES, max_tokens=40, purpose="probe")
        return SchemaSupport.refused
    return SchemaSupport.enforced if "kestrel" in said else SchemaSupport.ignored
