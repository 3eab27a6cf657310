"""Errors of requests that an endpoint did not answer, by what they cost and whom they concern."""

from __future__ import annotations

from http import HTTPStatus

from rulerank.errors import ModelError, UnansweredError

_FOR_ITS_CONTENT = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
"""The statuses by which endpoints refuse one request, such as a prompt that is too long, and serve others."""


class UnspentError(ModelError):
    """A request that the endpoint cannot have answered: it refused it, or nothing was sent."""


class RefusedError(UnansweredError, UnspentError):
    """A request that the endpoint refused because of its content."""


def kind_of(status: int) -> type[ModelError]:
    """Return the error for an HTTP status other than 200."""
    if status in _FOR_ITS_CONTENT:
        return RefusedError
    return UnspentError if status < HTTPStatus.INTERNAL_SERVER_ERROR else ModelError
