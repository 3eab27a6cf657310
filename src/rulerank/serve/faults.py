"""Errors as responses: what was expected and what to do, never a path or a stack trace."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from rulerank.errors import InputError
from rulerank.ranker.given import UnknownPassageError

ARGUMENTS = frozenset(
    {"question", "k", "reasons", "model", "passages", "passage_id", "against"},
)
"""The arguments of a request that an error of a ranker may name. Any other may name a file."""

SAME: Mapping[str, str] = {}

UNREADABLE = "Expected JSON in UTF-8, found none, or some nested too deeply or with a number too long."
"""The message for a body that Python's JSON parser rejects."""

SHOWN = 3
"""Number of errors of one request that are listed."""


class RequestError(Exception):
    """A request that is answered with an error.

    Parameters
    ----------
    status : int
        Status of the response.
    code : str
        For programs.
    message : str
        For people: what was expected, what was received, what to do.

    """

    def __init__(self, status: int, code: str, message: str) -> None:
        self.status, self.code, self.message = status, code, message
        super().__init__(message)


def error_response(error: RequestError, request_id: str) -> JSONResponse:
    """Return an error as a response."""
    content = {"error": {"code": error.code, "message": error.message, "request_id": request_id}}
    headers = {"retry-after": "1"} if error.status == HTTPStatus.SERVICE_UNAVAILABLE else None
    return JSONResponse(content, error.status, headers)


def of_input(error: InputError, called: Mapping[str, str] = SAME) -> RequestError | None:
    """Return what an error of a ranker says about a request, None if it concerns something else.

    Parameters
    ----------
    error : InputError
        The error that the ranker raised.
    called : mapping of str to str, optional
        The request's name for an argument of the ranker, if it differs.

    """
    argument = error.source.partition("[")[0]
    if argument not in ARGUMENTS:
        return None
    message = str(error).replace(argument, called.get(argument, argument), 1)
    if isinstance(error, UnknownPassageError):
        return RequestError(404, "unknown_passage", message)
    return RequestError(422, "invalid_request", message)


def add_handlers(app: FastAPI) -> None:
    """Make an application answer errors before and outside its own routes in the same form."""

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        said = [_said(each) for each in error.errors()[:SHOWN]]
        return _answered(request, RequestError(422, "invalid_request", "; ".join(said)))

    async def refused(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)  # noqa: S101
        phrase = HTTPStatus(error.status_code).phrase
        code = phrase.lower().replace(" ", "_")
        message = UNREADABLE if error.status_code == HTTPStatus.BAD_REQUEST else f"{phrase}."
        response = _answered(request, RequestError(error.status_code, code, message))
        response.headers.update(error.headers or {})
        return response

    async def expected(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestError)  # noqa: S101
        return _answered(request, error)

    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(RequestError, expected)


def _answered(request: Request, error: RequestError) -> JSONResponse:
    return error_response(error, request.scope["asked"].request_id)


def _said(error: Mapping[str, Any]) -> str:
    """Return the location and kind of a fault in a request, without repeating the request."""
    if error["type"] == "json_invalid":
        said = error["ctx"]["error"].removesuffix(" at")
        return f"expected JSON: {said} at character {error['loc'][-1] + 1}"
    if error["type"] == "value_error":
        return f"{_place(error['loc'])}: {error['ctx']['error']}"
    if error["type"] == "string_pattern_mismatch":
        return f"{_place(error['loc'])}: expected words, found blank text"
    return f"{_place(error['loc'])}: {error['msg']}"


LONGEST_NAME = 60
"""Characters of a key that an error repeats."""


def _place(location: tuple[int | str, ...]) -> str:
    """Return the location of a fault in a request's body."""
    return ".".join(str(part)[:LONGEST_NAME] for part in location if part != "body") or "body"
