"""The language model that the environment names."""

from __future__ import annotations

import traceback

import pytest

from rulerank.errors import SettingsError
from rulerank.llm import LanguageModel, configured


def test_environment_without_a_model_gives_none() -> None:
    assert configured({}) is None


def test_environment_names_the_model() -> None:
    names = {
        "RULERANK_LLM_URL": "https://host/v1",
        "RULERANK_LLM_MODEL": "tiny",
        "RULERANK_LLM_KEY": "secret",
    }
    assert configured(names) == LanguageModel("https://host/v1", "tiny", "secret")


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"RULERANK_LLM_URL": "http://host/v1"}, "RULERANK_LLM_MODEL: expected a value, found none beside"),
        ({"RULERANK_LLM_MODEL": "tiny"}, "RULERANK_LLM_URL: expected a value, found none beside"),
        ({"RULERANK_LLM_URL": "file:///etc", "RULERANK_LLM_MODEL": "tiny"}, "found 'file:///etc'"),
        ({"RULERANK_LLM_URL": "localhost:8000", "RULERANK_LLM_MODEL": "tiny"}, "found 'localhost:8000'"),
        ({"RULERANK_LLM_URL": "http://h:99999", "RULERANK_LLM_MODEL": "tiny"}, "URL: .*http://h:99999"),
        ({"RULERANK_LLM_URL": "http://h:abc/v1", "RULERANK_LLM_MODEL": "tiny"}, "URL: .*http://h:abc"),
        ({"RULERANK_LLM_URL": "http://[::1", "RULERANK_LLM_MODEL": "tiny"}, r"URL: .*http://\[::1"),
        ({"RULERANK_LLM_URL": "http://h/é", "RULERANK_LLM_MODEL": "tiny"}, "URL: .*character at position 10"),
        ({"RULERANK_LLM_URL": "http://h\r", "RULERANK_LLM_MODEL": "tiny"}, "URL: .*no white space around"),
        ({"RULERANK_LLM_URL": "http://h", "RULERANK_LLM_MODEL": "tiny\r"}, "MODEL: .*no white space around"),
    ],
)
def test_environment_that_cannot_be_meant_is_an_error(environment: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        configured(environment)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("sk-hidden\r", "RULERANK_LLM_KEY: expected no white space around the value, .*Windows line ends"),
        ("sk-hidden\n", "RULERANK_LLM_KEY: expected no white space around"),
        ("sk-€hidden", "RULERANK_LLM_KEY: expected printable ASCII .* at position 4"),
        ("sk-\x00hidden", "RULERANK_LLM_KEY: expected printable ASCII .* at position 4"),
        ("sk-\nhidden", "RULERANK_LLM_KEY: expected printable ASCII .* at position 4"),
        ("sk-éhidden", "RULERANK_LLM_KEY: expected printable ASCII .* at position 4"),
    ],
)
def test_key_that_cannot_be_sent_is_an_error_that_does_not_show_it(key: str, message: str) -> None:
    names = {"RULERANK_LLM_URL": "http://host/v1", "RULERANK_LLM_MODEL": "tiny", "RULERANK_LLM_KEY": key}
    with pytest.raises(SettingsError, match=message) as caught:
        configured(names)
    assert "hidden" not in "".join(traceback.format_exception(caught.value))
