"""An HTTP client that waits for a whole response no longer than it is told."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from openai import APITimeoutError, DefaultHttpxClient

if TYPE_CHECKING:
    from httpx2 import Request, Response


class PunctualClient(DefaultHttpxClient):
    """An HTTP client whose time-out is for a whole response.

    That of other clients is for each read, so a server that sends a byte now and then is never given up.

    Parameters
    ----------
    seconds : float
        The time from sending a request to the end of its response. While the headers arrive, it is for each
        read, and a server that falls silent just before the end is given up after as long again.

    """

    def __init__(self, seconds: float) -> None:
        super().__init__(timeout=seconds)
        self._seconds = seconds

    def send(self, request: Request, **options: Any) -> Response:
        """Return the whole response to a request, streamed or not.

        Raises
        ------
        APITimeoutError
            It was still being sent when the time was over. The client of `openai` sends no request again
            after this error: the endpoint did answer, and counts the tokens.

        """
        deadline = time.monotonic() + self._seconds
        response = super().send(request, **{**options, "stream": True})
        try:
            body = b"".join(_until(deadline, response.iter_raw(), request))
        finally:
            response.close()
        return type(response)(response.status_code, headers=response.headers, content=body, request=request)


def _until(deadline: float, parts: Iterable[bytes], request: Request) -> Iterator[bytes]:
    for part in parts:
        if time.monotonic() > deadline:
            raise APITimeoutError(request=request)
        yield part
