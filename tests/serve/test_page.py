"""The page that the server shows to people, in a headless Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from starlette.testclient import TestClient

from rulerank.ranker import Ranker
from rulerank.serve.app import PAGE, PAGE_FILES
from rulerank.serve.settings import ServeSettings
from tests.serve.browser import CHROMIUM, Browser

QUESTION = "Who has to keep the register, and for how long?"
HEBREW = "המנהל חייב לשמור את הפנקס"
SHOWN = "!document.getElementById('results').hidden"


def test_page_loads_nothing_from_elsewhere(http: TestClient) -> None:
    for route, name in PAGE_FILES.items():
        response = http.get(route)
        assert response.text == (PAGE / name).read_text()
        assert not re.search(r"https?:|//\w", response.text.replace("// ", ""))
        assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "innerHTML" not in (PAGE / "page.js").read_text()


@pytest.fixture(scope="module")
def address(bundle: Path, listening: Callable[..., Any]) -> Iterator[str]:
    with listening(ServeSettings(bundle=bundle)) as found:
        yield found


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"needs {CHROMIUM}")
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


def _texts(browser: Browser, selector: str) -> list[str]:
    found: list[str] = browser.value(
        f"[...document.querySelectorAll({selector!r})].map(each => each.textContent)"
    )
    return found


def test_question_is_asked_and_answered_by_the_keyboard_alone(
    browser: Browser, address: str, ranker: Ranker
) -> None:
    browser.show(address, 1200)
    assert browser.value("document.activeElement.id") == "question"
    browser.type(QUESTION)
    browser.press("Enter", control=True)
    browser.until(SHOWN)
    expected = ranker.rank(QUESTION, 10, reasons=5)
    assert _texts(browser, "#rules h3") == [f"{each.rank}. {each.place}" for each in expected]
    assert _texts(browser, "#rules .text") == [each.text for each in expected]
    assert _texts(browser, "#rules li:first-child td:first-child") == [
        reason.feature.replace("_", " ") for reason in expected[0].reasons
    ]
    assert browser.value("document.activeElement.id") == "answer-title"
    claims = ranker.answer(QUESTION).claims
    assert len(_texts(browser, "#answer .claim")) == len(claims)
    assert ("No answer is given" in _texts(browser, "#answer")[0]) is not bool(claims)
    # After the answer, Tab stops at its citations, the reasons and the judgements.
    browser.press("Tab")
    assert browser.value("document.activeElement.tagName") in ("A", "SUMMARY")
    browser.value("document.querySelector('#rules summary').focus()")
    browser.press("Enter")
    assert browser.value("document.querySelector('#rules details').open")
    browser.press("Tab")
    assert browser.value("document.activeElement.textContent") == "Answers it"
    browser.press("Enter")
    browser.until("document.querySelector('.judgement .quiet').textContent")
    assert _texts(browser, ".judgement .quiet")[0] == "This server keeps no judgements."


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_fits_400_pixels_in_light_and_dark(browser: Browser, address: str, scheme: str) -> None:
    browser.show(address, 400, scheme)
    browser.type("word" * 60)
    browser.value("document.querySelector('button').click()")
    browser.until(SHOWN)
    browser.value("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert browser.value("document.documentElement.scrollWidth") <= 400
    paper = browser.value("getComputedStyle(document.body).backgroundColor")
    ink = browser.value("getComputedStyle(document.body).color")
    levels = [sum(map(int, re.findall(r"\d+", colour))) for colour in (paper, ink)]
    assert (levels[0] > levels[1]) is (scheme == "light")
    assert abs(levels[0] - levels[1]) > 500


def test_fault_is_shown_in_words_and_the_form_stays_usable(browser: Browser, address: str) -> None:
    browser.show(address, 1200)
    browser.type("   ")
    browser.press("Enter", control=True)
    browser.until("document.getElementById('status').classList.contains('wrong')")
    assert "question" in _texts(browser, "#status")[0]
    assert browser.value("document.getElementById('results').hidden")
    assert browser.value("document.querySelector('button').disabled") is False


def test_answer_to_an_earlier_question_does_not_stay_below_a_fault(browser: Browser, address: str) -> None:
    browser.show(address, 1200)
    browser.type(QUESTION)
    browser.press("Enter", control=True)
    browser.until(SHOWN)
    browser.value("byId('question').value = ' '; byId('ask').requestSubmit()")
    browser.until("document.getElementById('status').classList.contains('wrong')")
    assert browser.value("document.getElementById('results').hidden")


def test_question_is_asked_once_at_a_time(browser: Browser, address: str) -> None:
    browser.show(address, 1200)
    browser.type(QUESTION)
    browser.value("byId('ask').requestSubmit(); byId('ask').requestSubmit()")
    browser.until(SHOWN)
    asked = "performance.getEntriesByType('resource').filter(each => each.name.endsWith('/v1/answer')).length"
    assert browser.value(asked) == 1


def test_reply_of_a_proxy_is_told_in_words(browser: Browser) -> None:
    with _proxy_without_server() as address:
        browser.show(address, 1200)
        browser.type(QUESTION)
        browser.press("Enter", control=True)
        browser.until("document.getElementById('status').classList.contains('wrong')")
        assert _texts(browser, "#status") == ["No answer came (status 502). Try again."]
    browser.press("Enter", control=True)
    browser.until("document.getElementById('status').textContent.startsWith('The server cannot')")


@contextmanager
def _proxy_without_server() -> Iterator[str]:
    """Serve the page, and what a proxy says if the server behind it is gone."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say(200, (PAGE / PAGE_FILES[self.path]).read_bytes())

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self._say(502, b"<html>Bad Gateway</html>")

        def _say(self, status: int, content: bytes) -> None:
            kinds = {".js": "text/javascript", ".css": "text/css"}
            self.send_response(status)
            self.send_header("content-type", kinds.get(Path(self.path).suffix, "text/html"))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: Any) -> None:
            """Keep the tests' output quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_rule_in_hebrew_begins_at_the_right(browser: Browser, address: str) -> None:
    browser.show(address, 400)
    passage = {"passage_id": "p", "document": "Act", "section": "1", "text": HEBREW, "voided_by": []}
    ranked = passage | {"rank": 1, "score": 1, "probability": None, "reasons": []}
    claim = {"text": HEBREW, "passages": ["p"]}
    answer = {"answered": True, "as_of": "2026-01-01", "claims": [claim], "passages": [passage]}
    browser.value(f"showRules('', {json.dumps({'passages': [ranked]})}); showAnswer({json.dumps(answer)})")
    browser.value("byId('results').hidden = false; byId('question').focus()")
    for selector in ("#rules .text", "#answer .claim"):
        browser.value(f"var text = document.querySelector({selector!r}).firstChild")
        browser.value("var letter = document.createRange(); letter.setStart(text, 0); letter.setEnd(text, 1)")
        assert browser.value("letter.getBoundingClientRect().right") > 330
    assert browser.value("document.documentElement.scrollWidth") <= 400


def test_page_never_reads_text_as_markup(browser: Browser, address: str) -> None:
    browser.show(address, 1200)
    made = "element('p', { text: '<img src=x onerror=alert(1)>' })"
    assert browser.value(f"{made}.children.length") == 0
