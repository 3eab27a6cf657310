"""A language model behind HTTP that replies with what a test wrote for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from rulerank.llm import LanguageModel, schema_support


@dataclass
class Chat:
    """A language model over HTTP that replies with what a test wrote for it."""

    model: LanguageModel
    asked: list[dict[str, Any]] = field(default_factory=list)
    """The requests, the schema probe aside."""
    says: Callable[[dict[str, Any]], str] = field(default=lambda request: "")
    cuts: Callable[[dict[str, Any]], bool] = field(default=lambda request: False)
    """Whether a reply is said to be cut off at its maximum length."""
    refuses: Callable[[dict[str, Any]], int | None] = field(default=lambda request: None)
    """The status with which a request is refused; None if it is answered."""
    schema: str = "enforced"


@pytest.fixture
def chat() -> Iterator[Chat]:
    """Serve chat completions; `chat.says` maps the request to the reply."""

    # The port may be that of an earlier server, which handled schemas differently.
    schema_support.cache_clear()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            form = request.get("response_format", {}).get("json_schema", {}).get("schema", {})
            ended = "stop"
            probe = "bird" in form.get("properties", {}) or "Which bird" in str(request["messages"])
            if form and served.schema == "refused":
                self._send(400, {"error": {"message": "no schemas here"}})
                return
            if probe:
                content = '{"bird": "kestrel"}' if form and served.schema == "enforced" else "Kingfisher"
            else:
                served.asked.append(request)
                if status := served.refuses(request):
                    self._send(status, {"error": {"message": "not this one"}})
                    return
                content = served.says(request)
                ended = "length" if served.cuts(request) else "stop"
            usage = {"prompt_tokens": 100, "completion_tokens": 10}
            choice = {"message": {"role": "assistant", "content": content}, "finish_reason": ended}
            self._send(200, {"choices": [choice], "usage": usage})

        def _send(self, status: int, body: dict[str, Any]) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *arguments: Any) -> None:
            """Keep the tests' output quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        url = f"http://127.0.0.1:{server.server_port}/v1"
        served = Chat(LanguageModel(url, "written", timeout=10, retries=0))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield served
        server.shutdown()
        thread.join()
