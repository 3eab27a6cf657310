"""A language model behind an OpenAI-compatible HTTP endpoint, if one is configured."""

from rulerank.llm.client import LanguageModel, Message
from rulerank.llm.environment import configured
from rulerank.llm.ledger import Ledger, Usage
from rulerank.llm.names import KEY, MODEL, URL
from rulerank.llm.schemas import SchemaSupport, schema_support

__all__ = [
    "KEY",
    "MODEL",
    "URL",
    "LanguageModel",
    "Ledger",
    "Message",
    "SchemaSupport",
    "Usage",
    "configured",
    "schema_support",
]
