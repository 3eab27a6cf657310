"""A file server for the tests of downloads."""

from __future__ import annotations

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONTENT = bytes(range(256)) * 2000


class Host(ThreadingHTTPServer):
    """Serves `contents` by path, remembers requests, and can misbehave on request."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.contents: dict[str, bytes] = {}
        self.requests: list[tuple[str, str | None]] = []
        self.resumes = True
        self.breaks_after: int | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Host

    def do_GET(self) -> None:
        wanted = self.headers["Range"]
        self.server.requests.append((self.path, wanted))
        content = self.server.contents.get(self.path)
        if content is None:
            self.send_error(404)
            return
        start = int(re.fullmatch(r"bytes=(\d+)-", wanted)[1]) if wanted and self.server.resumes else 0
        if start and start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        end = len(content) if self.server.breaks_after is None else start + self.server.breaks_after
        self.wfile.write(content[start:end])

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""
