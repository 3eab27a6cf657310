"""A chat model behind an OpenAI-compatible endpoint, through the `openai` client."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from rulerank.errors import ModelError, UnansweredError
from rulerank.llm.ledger import Ledger, Usage
from rulerank.llm.names import KEY, MODEL, URL, require_http, require_sendable, require_trimmed
from rulerank.llm.refusals import RefusedError, UnspentError, kind_of
from rulerank.llm.thoughts import without_thoughts
from rulerank.redact import HIDDEN

if TYPE_CHECKING:
    from openai import OpenAI


class Message(NamedTuple):
    """One turn of a conversation; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True)
class Completion:
    """A model's answer.

    Parameters
    ----------
    text : str
        The answer, without the reasoning before it.
    cut : bool, optional (default=False)
        Whether the answer was cut off at its maximum length.

    """

    text: str
    cut: bool = False


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
        Seconds to wait for a whole answer.
    retries : int, optional (default=2)
        How often a request is sent again if it was refused for want of capacity or never arrived. The pauses
        double, or the endpoint sets them.
    ledger : Ledger, optional
        The account of all requests.

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
    retries: int = 2
    ledger: Ledger = field(default_factory=Ledger, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_sendable(URL, self.url)
        require_http(self.url)
        require_trimmed(MODEL, self.name)
        if self.key:
            require_sendable(KEY, self.key)

    def complete(self, system: str, user: str, max_tokens: int = 600, purpose: str = "") -> str:
        """Return the model's answer at temperature 0 to a system and a user message; see `converse`."""
        messages = (Message("system", system), Message("user", user))
        return self.converse(messages, max_tokens=max_tokens, purpose=purpose).text

    def converse(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
        purpose: str = "",
    ) -> Completion:
        """Return the model's next turn.

        Parameters
        ----------
        messages : sequence of Message
            The turns so far.
        max_tokens : int
            Maximum length of the answer.
        temperature : float, optional (default=0)
            0 takes the likeliest answer.
        schema : mapping, optional
            The JSON schema that the endpoint is asked to enforce on the answer; see `schema_support`.
        purpose : str, optional
            The ledger's name for the request.

        Raises
        ------
        UnansweredError
            The endpoint refuses what is asked, or answers with something other than a chat completion.
        ModelError
            The token budget is spent, or the endpoint cannot be reached, denies access or takes too long.

        """
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [message._asdict() for message in messages],
            "temperature": temperature,
            "max_tokens": max_tokens,
        }
        if schema is not None:
            request["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": schema},
            }
        asked = sum(len(message.content) for message in messages)
        reserved = self.ledger.reserve(asked, max_tokens)
        start = time.perf_counter()
        # Unless it is known what a request cost, it may have cost all that was set aside for it.
        outcome, usage = "failed", None
        try:
            body = self._send(request)
            completion, usage = self._read(body)
            outcome = "cut" if completion.cut else "answered"
        except UnspentError:
            usage = Usage(0, 0)
            raise
        finally:
            seconds = time.perf_counter() - start
            self.ledger.settle(reserved, usage, seconds, model=self.name, purpose=purpose, outcome=outcome)
        return completion

    @cached_property
    def _client(self) -> OpenAI:
        try:
            from openai import OpenAI

            from rulerank.llm.deadline import PunctualClient
        except ImportError as error:
            raise UnspentError(
                "a language model: expected the package openai, found none. Install rulerank[llm]."
            ) from error
        # Without a key the client would take one from its own environment variable.
        client = OpenAI(
            base_url=self.url,
            api_key=self.key or "none",
            timeout=self.timeout,
            max_retries=self.retries,
            http_client=PunctualClient(self.timeout),
        )
        # Identifiers of an account elsewhere are not meant for this endpoint either.
        client.organization = client.project = None
        return client

    def _send(self, request: Mapping[str, Any]) -> str:
        client = self._client
        from openai import APIConnectionError, APIStatusError, APITimeoutError, Omit, OpenAIError

        headers = {} if self.key else {"Authorization": Omit()}
        try:
            return client.chat.completions.with_raw_response.create(**request, extra_headers=headers).text
        # Not chained, because a traceback would show the key if the endpoint repeats it.
        except APIStatusError as error:
            expected = f"expected status 200, found {error.status_code}: "
            raise self._broken(expected, error.response.text, kind_of(error.status_code)) from None
        except APITimeoutError:
            raise ModelError(
                f"{self.url} ({self.name}): expected a whole answer within {self.timeout:g} seconds, found "
                f"none. Raise answer.model.timeout, lower answer.model.max_tokens, or check {URL}."
            ) from None
        except APIConnectionError as error:
            raise self._broken("expected an answer, found ", str(error.__cause__ or error)) from None
        except OpenAIError as error:
            raise self._broken("expected an answer, found ", str(error)) from None

    def _read(self, body: str) -> tuple[Completion, Usage | None]:
        try:
            said = json.loads(body)
            choice = said["choices"][0]
            content = choice["message"]["content"]
        except (ValueError, KeyError, IndexError, TypeError, RecursionError):
            expected = "expected JSON with choices[0].message.content, found "
            raise self._broken(expected, body, UnansweredError) from None
        text = _text(content)
        if text is None:
            expected = "expected choices[0].message.content to be text, found "
            raise self._broken(expected, repr(content), UnansweredError)
        cut = choice.get("finish_reason") == "length"
        return Completion(without_thoughts(text), cut), _usage(said.get("usage"))

    def _broken(self, expected: str, found: str, kind: type[ModelError] = ModelError) -> ModelError:
        """Return an error with the beginning of what came, which may repeat the key."""
        if self.key:
            found = found.replace(self.key, HIDDEN)
        step = f"Check {URL} and {MODEL}."
        if kind is RefusedError:
            step = f"{step} If the prompt is too long, lower --k or answer.model.passage_characters."
        return kind(f"{self.url} ({self.name}): {expected}{found[:200]}. {step}")


def _text(content: Any) -> str | None:
    """Return the text of a message, None if it is something else; one that only refuses has none: ""."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list) or not all(isinstance(part, Mapping) for part in content):
        return None
    texts = (part.get("text") for part in content)
    return "".join(text for text in texts if isinstance(text, str))


def _usage(said: Any) -> Usage | None:
    """Return the tokens of prompt and answer, None if they were not counted: every prompt has some."""
    counts = said if isinstance(said, Mapping) else {}
    prompt, completion = (counts.get(name) for name in ("prompt_tokens", "completion_tokens"))
    if isinstance(prompt, int) and isinstance(completion, int) and prompt > 0 and completion >= 0:
        return Usage(prompt, completion)
    return None
