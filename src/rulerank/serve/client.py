"""A client of the server, with the types of its requests and responses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from threading import TIMEOUT_MAX
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2
from pydantic import BaseModel, ValidationError

import rulerank
from rulerank.bundle import RANKER
from rulerank.errors import RulerankError
from rulerank.serve.replies import (
    AnswerReply,
    ExplainReply,
    FaultReply,
    FeedbackReply,
    RankReply,
    RerankReply,
    State,
)

Answered = TypeVar("Answered", bound=BaseModel)

JSON = {"content-type": "application/json"}

RETRIES = 1
"""Retries of connecting, at once; a request that was sent is never sent again."""


class ServiceError(RulerankError):
    """A server that cannot be reached, or that refuses a request.

    Parameters
    ----------
    message : str
        What went wrong.
    status : int, optional
        Status of the response, 0 if there was none.
    code : str, optional
        The server's name for the fault: `unknown_passage`, `invalid_request`, `busy` and others.

    """

    def __init__(self, message: str, status: int = 0, code: str = "") -> None:
        self.status, self.code = status, code
        super().__init__(message)


class Client:
    """Asks a server that `rulerank serve` has started; threads may share it.

    Parameters
    ----------
    address : str, optional
        Where the server listens. A name and a password in it are sent as basic authentication.
    timeout : float or None, optional (default=30)
        Seconds to wait for each part of a response; None waits for ever.

    Raises
    ------
    ServiceError
        The address or the timeout is none. Every method raises it if the server cannot be reached or refuses
        the request; `status` and `code` then say why.

    """

    def __init__(self, address: str = "http://127.0.0.1:8080", timeout: float | None = 30) -> None:
        if timeout is not None and not (isinstance(timeout, int | float) and 0 < timeout <= TIMEOUT_MAX):
            raise ServiceError(f"timeout: expected seconds above 0, or None for ever, found {timeout!r}.")
        try:
            url = httpx2.URL(address)
            if url.scheme not in ("http", "https") or not url.host:
                raise httpx2.InvalidURL(address)
            # Errors name the server, and never the password before it.
            self._server = str(url.copy_with(username=None, password=None, path="/", query=None))
            self._http = httpx2.Client(
                base_url=url, timeout=timeout, transport=httpx2.HTTPTransport(retries=RETRIES)
            )
        except (httpx2.InvalidURL, TypeError):
            raise ServiceError("expected the address of a server, like http://127.0.0.1:8080.") from None

    def rank(
        self,
        question: str,
        k: int = 10,
        *,
        reasons: int = 0,
        model: str = RANKER,
        as_of: date | None = None,
    ) -> RankReply:
        """Return the passages that govern a question; see `Ranker.rank`."""
        return self._post(
            "rank", RankReply, question=question, k=k, reasons=reasons, model=model, as_of=_day(as_of)
        )

    def answer(
        self, question: str, k: int = 10, *, model: str = RANKER, as_of: date | None = None
    ) -> AnswerReply:
        """Return an answer from the rules in force; see `Ranker.answer`."""
        return self._post("answer", AnswerReply, question=question, k=k, model=model, as_of=_day(as_of))

    def rerank(self, query: str, documents: Sequence[str], top_n: int | None = None) -> RerankReply:
        """Return given passages, by their ids or texts, in order; see `Ranker.rerank`."""
        if isinstance(documents, str | bytes) or not isinstance(documents, Iterable):
            raise ServiceError(
                f"documents: expected a list of ids or texts, found {type(documents).__name__}. Give a list."
            )
        return self._post("rerank", RerankReply, query=query, documents=list(documents), top_n=top_n)

    def explain(
        self,
        question: str,
        passage_id: str,
        against: str | None = None,
        *,
        model: str = RANKER,
        as_of: date | None = None,
    ) -> ExplainReply:
        """Return what every feature adds to a passage's score; see `Ranker.explain`."""
        about = {"question": question, "passage_id": passage_id, "against": against}
        return self._post("explain", ExplainReply, **about, model=model, as_of=_day(as_of))

    def feedback(self, question: str, passage_id: str, *, accepted: bool) -> FeedbackReply:
        """Send a judgement: whether a passage answers a question."""
        return self._post(
            "feedback", FeedbackReply, question=question, passage_id=passage_id, accepted=accepted
        )

    def ready(self) -> State:
        """Return which generation of the ranker is served."""
        return self._asked(State, "GET", "readyz")

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        """Return the client, which closes at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _post(self, route: str, reply: type[Answered], **body: Any) -> Answered:
        return self._asked(reply, "POST", f"v1/{route}", body)

    def _asked(self, reply: type[Answered], method: str, path: str, body: Any = None) -> Answered:
        """Return a response as one of the messages.

        Raises
        ------
        ServiceError
            There is no response, or an unexpected one.

        """
        try:
            content = None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise ServiceError(f"expected what JSON can hold, found something else: {error}.") from error
        try:
            response = self._http.request(method, path, content=content, headers=JSON)
        except UnicodeError:
            raise ServiceError(f"{self._server}: expected the name of a server. Check the address.") from None
        except RuntimeError as error:
            raise ServiceError(f"expected an open client: {error}. Open another.") from None
        except httpx2.RequestError as error:
            raise ServiceError(
                f"{self._server}: expected a response, found none: "
                f"{str(error).rstrip('.') or type(error).__name__}. Is the server running?"
            ) from None
        try:
            if response.is_success:
                return reply.model_validate_json(response.content)
            fault = FaultReply.model_validate_json(response.content).error
        except ValidationError:
            raise ServiceError(
                f"{self._server}: expected a response of rulerank {rulerank.__version__}, found status "
                f"{response.status_code} from another version, a proxy or another server. Check the address.",
                response.status_code,
            ) from None
        raise ServiceError(f"{self._server}: {fault.message}", response.status_code, fault.code)


def _day(as_of: date | None) -> str | None:
    if as_of is None:
        return None
    if not isinstance(as_of, date) or isinstance(as_of, datetime):
        raise ServiceError(f"as_of: expected a date, found {as_of!r}.")
    return as_of.isoformat()
