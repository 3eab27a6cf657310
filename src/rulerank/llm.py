"""A language model behind an OpenAI-compatible endpoint over HTTP."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from rulerank.errors import ModelError, SettingsError

URL, MODEL, KEY = "RULERANK_LLM_URL", "RULERANK_LLM_MODEL", "RULERANK_LLM_KEY"
"""Environment variables: the endpoint up to and including `/v1`, the model's name, and the key if needed."""


@dataclass(frozen=True)
class LanguageModel:
    """A chat model.

    Parameters
    ----------
    url : str
        The endpoint, such as `http://localhost:8000/v1`.
    name : str
        The model's name there.
    key : str, optional
        Sent as a bearer token.
    timeout : float, optional (default=60)
        Seconds to wait for an answer.

    Raises
    ------
    SettingsError
        One of the values cannot be sent, or the URL is not HTTP. The message names the environment variable
        and never holds the key.

    """

    url: str
    name: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 60.0

    def __post_init__(self) -> None:
        _require_sendable(URL, self.url)
        _require_http(self.url)
        _require_trimmed(MODEL, self.name)
        if self.key:
            _require_sendable(KEY, self.key)

    def complete(self, system: str, user: str, max_tokens: int = 600) -> str:
        """Return the model's answer at temperature 0.

        Parameters
        ----------
        system, user : str
            The two messages.
        max_tokens : int, optional (default=600)
            Length of the answer, at most.

        Raises
        ------
        ModelError
            The endpoint cannot be reached, refuses, or answers with something other than a chat completion.

        """
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        request = {"model": self.name, "messages": messages, "temperature": 0, "max_tokens": max_tokens}
        status, body = self._post(json.dumps(request).encode())
        if status != 200:
            raise self._broken(f"expected status 200, found {status}: {body[:200]}")
        try:
            content = json.loads(body)["choices"][0]["message"]["content"]
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise self._broken(
                f"expected JSON with choices[0].message.content, found {body[:200]}"
            ) from error
        if not isinstance(content, str):
            raise self._broken(f"expected choices[0].message.content to be text, found {content!r}")
        return content

    def _post(self, body: bytes) -> tuple[int, str]:
        parts = urlsplit(self.url)
        connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        try:
            connection = connect(parts.hostname or "", parts.port, timeout=self.timeout)
            try:
                connection.request("POST", f"{parts.path.rstrip('/')}/chat/completions", body, headers)
                response = connection.getresponse()
                return response.status, response.read().decode(errors="replace")
            finally:
                connection.close()
        except (OSError, HTTPException) as error:
            raise self._broken(f"expected an answer, found {error or type(error).__name__}") from error

    def _broken(self, message: str) -> ModelError:
        return ModelError(f"{self.url} ({self.name}): {message}. Check {URL} and {MODEL}.")


def configured(environment: Mapping[str, str] | None = None) -> LanguageModel | None:
    """Return the language model that the environment names, or None if it names none.

    Parameters
    ----------
    environment : mapping of str to str, optional
        By default that of the process; read for `RULERANK_LLM_URL`, `RULERANK_LLM_MODEL`, `RULERANK_LLM_KEY`.

    Raises
    ------
    SettingsError
        URL and model are not set together, or `LanguageModel` refuses a value.

    """
    values: Mapping[str, Any] = os.environ if environment is None else environment
    url, name = values.get(URL, ""), values.get(MODEL, "")
    if not url and not name:
        return None
    if not (url and name):
        missing, given = (URL, MODEL) if name else (MODEL, URL)
        raise SettingsError(f"{missing}: expected a value, found none beside {given}. Set both or neither.")
    return LanguageModel(url, name, values.get(KEY) or None)


def _require_trimmed(variable: str, value: str) -> None:
    if value != value.strip():
        raise SettingsError(
            f"{variable}: expected no white space around the value, found some (a .env file with Windows "
            "line ends puts a carriage return after every value). Set it again without."
        )


def _require_sendable(variable: str, value: str) -> None:
    # http.client quotes a header that it refuses in its error, which would show the key.
    _require_trimmed(variable, value)
    wrong = next((place for place, sign in enumerate(value, start=1) if not "!" <= sign <= "~"), None)
    if wrong:
        raise SettingsError(
            f"{variable}: expected printable ASCII without white space, found another character at position "
            f"{wrong}. Copy the value again."
        )


def _require_http(url: str) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port beyond 65535, brackets that do not close
        usable = False
    if not usable:
        raise SettingsError(
            f"{URL}: expected an address like http://localhost:8000/v1, found {url!r}. Correct it."
        )
