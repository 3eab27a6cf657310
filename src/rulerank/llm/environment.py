"""The language model that the environment names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from rulerank.errors import SettingsError
from rulerank.llm.client import LanguageModel
from rulerank.llm.names import KEY, MODEL, URL


def configured(environment: Mapping[str, str] | None = None) -> LanguageModel | None:
    """Return the language model that the environment names, or None if it names none.

    Parameters
    ----------
    environment : mapping of str to str, optional
        By default that of the process; read for `RULERANK_LLM_URL`, `RULERANK_LLM_MODEL`, `RULERANK_LLM_KEY`.

    Raises
    ------
    SettingsError
        Only one of URL and model is set, or `LanguageModel` refuses a value.

    """
    values: Mapping[str, Any] = os.environ if environment is None else environment
    url, name = values.get(URL, ""), values.get(MODEL, "")
    if not url and not name:
        return None
    if not (url and name):
        missing, given = (URL, MODEL) if name else (MODEL, URL)
        raise SettingsError(f"{missing}: expected a value, found none beside {given}. Set both or neither.")
    return LanguageModel(url, name, values.get(KEY) or None)
