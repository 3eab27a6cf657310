from __future__ import annotations

import json
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from rulerank.errors import ModelError, UnansweredError
from rulerank.llm import LanguageModel

Serve = Callable[..., LanguageModel]


class Server(ThreadingHTTPServer):
    status = 200
    body = b""
    seconds = 0.0  # before it answers
    pause = 0.0  # after each byte of a slow answer
    headers_sent: dict[str, str] = {}  # noqa: RUF012 - replaced by a test, never changed
    asked: list[tuple[str, Any, dict[str, Any]]]

    def handle_error(self, *arguments: Any) -> None:
        """Ignore a client that stopped waiting."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.path, headers, said))
        time.sleep(self.server.seconds)
        self.send_response(self.server.status)
        for name, value in self.server.headers_sent.items():
            self.send_header(name, value)
        self.end_headers()
        if not self.server.pause:
            self.wfile.write(self.server.body)
            return
        for byte in self.server.body:
            self.wfile.write(bytes([byte]))
            time.sleep(self.server.pause)

    def log_message(self, *arguments: Any) -> None:
        """Keep the tests' output quiet."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as server:
        server.asked = []
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def serve(server: Server) -> Serve:
    """Make the server send one body, and return a model there."""

    def _serve(body: str, status: int = 200, key: str | None = None) -> LanguageModel:
        server.body, server.status = body.encode(), status
        return LanguageModel(f"http://127.0.0.1:{server.server_port}/v1/", "tiny", key, timeout=5, retries=0)

    return _serve


def _completion(content: Any) -> str:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]})


def test_completion_is_the_content_of_the_first_choice(serve: Serve) -> None:
    assert serve(_completion("Aye.")).complete("Be brief.", "Ready?") == "Aye."


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),  # a refusal, or nothing but a call of a tool
        ("", ""),
        ([], ""),
        ([{"type": "text", "text": "Aye, "}, {"type": "text", "text": "aye."}], "Aye, aye."),
        ([{"type": "thinking", "thinking": []}, {"type": "text", "text": "Aye."}], "Aye."),
        ([{"type": "refusal", "refusal": "No."}], ""),
    ],
)
def test_completion_without_text_is_empty_and_one_in_parts_is_joined(
    serve: Serve, content: Any, text: str
) -> None:
    assert serve(_completion(content)).complete("", "") == text


def test_completion_is_without_what_the_model_thought(serve: Serve) -> None:
    assert serve(_completion("<think>Nay?</think>Aye.")).complete("", "") == "Aye."


def test_request_holds_both_messages_at_temperature_zero(serve: Serve, server: Server) -> None:
    serve(_completion("Aye."), key="secret").complete("Be brief.", "Ready?", max_tokens=7)
    ((path, headers, said),) = server.asked
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == "Bearer secret"
    assert said == {
        "model": "tiny",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Ready?"}],
        "temperature": 0,
        "max_tokens": 7,
    }


def test_key_is_sent_only_where_there_is_one(serve: Serve, server: Server) -> None:
    serve(_completion("Aye.")).complete("", "")
    assert "authorization" not in server.asked[0][1]


def test_key_is_never_shown() -> None:
    assert "secret" not in repr(LanguageModel("http://localhost/v1", "tiny", "secret"))


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ("overloaded", 503, "expected status 200, found 503: overloaded"),
        ("<html>", 200, r"expected JSON with choices\[0\].message.content, found <html>"),
        ("{}", 200, r"expected JSON with choices\[0\].message.content, found {}"),
        ('{"choices": []}', 200, r"expected JSON with choices\[0\].message.content"),
        (_completion(7), 200, r"expected choices\[0\].message.content to be text, found 7"),
    ],
)
def test_answer_that_is_no_completion_is_an_error(serve: Serve, body: str, status: int, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        serve(body, status).complete("", "")


@pytest.mark.parametrize(
    ("body", "status", "other_questions"),
    [
        ("maximum context length exceeded", 400, True),
        ("too large", 413, True),
        ("no such field", 422, True),
        ("<html>", 200, True),
        (_completion(7), 200, True),
        ("who are you?", 401, False),
        ("not you", 403, False),
        ("no such model", 404, False),
        ("slower", 429, False),
        ("overloaded", 503, False),
    ],
)
def test_error_says_whether_other_questions_may_be_answered(
    serve: Serve, body: str, status: int, other_questions: bool
) -> None:
    with pytest.raises(ModelError) as caught:
        serve(body, status).complete("", "")
    assert isinstance(caught.value, UnansweredError) is other_questions


def test_refused_prompt_says_how_to_make_it_shorter(serve: Serve) -> None:
    with pytest.raises(
        UnansweredError, match=r"If the prompt is too long, lower --k or answer\.model\.passage_c"
    ):
        serve("maximum context length exceeded", 400).complete("", "")


KEY = "sk-hidden-0123456789"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (f"Invalid key: Bearer {KEY}", 401),
        (f"{'x' * 190}{KEY}", 500),  # cut within the key
        (f"<html>{KEY}", 200),
        (_completion([KEY]), 200),
    ],
)
def test_key_that_the_endpoint_repeats_is_not_shown(serve: Serve, body: str, status: int) -> None:
    with pytest.raises(ModelError, match=r"found .*\*\*\*") as caught:
        serve(body, status, KEY).complete("", "")
    assert "sk-hidden" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    ("body", "status", "uncounted"),
    [
        (_completion("Aye."), 200, 17),
        (json.dumps({**json.loads(_completion("Aye.")), "usage": {"prompt_tokens": 0}}), 200, 17),
        ("<html>", 200, 17),
        ("overloaded", 503, 17),
        ("no such model", 404, 0),
        ("too long", 400, 0),
    ],
)
def test_request_that_nobody_counted_costs_what_was_set_aside_for_it(
    serve: Serve, body: str, status: int, uncounted: int
) -> None:
    model = serve(body, status)
    with suppress(ModelError):
        model.complete("123", "456789" * 3, max_tokens=10)  # 21 characters
    assert model.ledger.uncounted_tokens == uncounted
    assert (model.ledger.prompt_tokens, model.ledger.completion_tokens, model.ledger.requests) == (0, 0, 1)


def test_endpoint_out_of_reach_is_an_error(serve: Serve, server: Server) -> None:
    model = serve(_completion("Aye."))
    server.shutdown()
    server.server_close()
    with pytest.raises(ModelError, match=r"expected an answer, found .*Check RULERANK_LLM_URL"):
        model.complete("", "")


def test_a_request_that_finds_no_room_is_sent_again(serve: Serve, server: Server) -> None:
    model = replace(serve("overloaded", 503), retries=2)
    server.headers_sent = {"Retry-After-Ms": "1"}
    with pytest.raises(ModelError, match="expected status 200, found 503"):
        model.complete("", "")
    assert len(server.asked) == 3


def test_a_request_that_is_wrong_is_not(serve: Serve, server: Server) -> None:
    with pytest.raises(ModelError, match="expected status 200, found 400"):
        replace(serve("too long", 400), retries=2).complete("", "")
    assert len(server.asked) == 1


def test_an_endpoint_that_is_too_slow_is_an_error(serve: Serve, server: Server) -> None:
    model = replace(serve(_completion("Aye.")), timeout=0.05)
    server.seconds = 0.3
    with pytest.raises(ModelError, match=r"expected a whole answer within 0\.05 seconds, found none\. Raise"):
        model.complete("", "")


@pytest.mark.parametrize("status", [200, 400])
def test_an_answer_that_comes_byte_by_byte_is_given_up_in_time_and_not_asked_for_again(
    serve: Serve, server: Server, status: int
) -> None:
    model = replace(serve(_completion("Aye." * 100), status), timeout=0.3, retries=2)
    server.pause = 0.05
    start = time.monotonic()
    with pytest.raises(ModelError, match=r"expected a whole answer within 0\.3 seconds, found none\. Raise"):
        model.complete("", "")
    assert 0.3 <= time.monotonic() - start < 2
    assert len(server.asked) == 1


def test_an_answer_that_comes_slowly_and_in_time_is_whole(serve: Serve, server: Server) -> None:
    model = serve(_completion("Aye."))
    server.pause = 0.001
    assert model.complete("", "") == "Aye."


def test_nothing_that_identifies_another_account_is_sent(
    serve: Serve, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "elsewhere")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere.invalid/v1")
    serve(_completion("Aye.")).complete("", "")
    assert "elsewhere" not in str(server.asked)
