from __future__ import annotations

import pytest

from rulerank.errors import ModelError
from rulerank.llm import LanguageModel, SchemaSupport, schema_support


@pytest.mark.parametrize("support", SchemaSupport)
def test_an_endpoint_shows_what_it_does_with_a_schema(chat, support: SchemaSupport) -> None:
    chat.schema = support.value
    assert schema_support(chat.model) is support


def test_an_endpoint_out_of_reach_is_an_error_and_no_refusal() -> None:
    with pytest.raises(ModelError):
        schema_support(LanguageModel("http://127.0.0.1:9/v1", "none", retries=0))
