from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from rulerank.answer import Answer, Claim, Quote
from rulerank.answer.claims import Dropped
from rulerank.evaluate.answer_page import answer_page
from rulerank.passages import Passage
from rulerank.tables import PASSAGES

RULE = "Pilots must rest six hours. Tides vary."
CHANGES = (
    "In rule 1, “ten hours” is replaced by “twelve hours”.",
    "In rule 1, “six hours” is replaced by “ten hours”.",
)


def _sources(texts: dict[str, str], **voided_by: str) -> tuple[Passage, ...]:
    """Return passages by their texts, some of them changed by another."""
    return tuple(
        Passage(
            passage_id=name,
            document_id="d",
            document="Harbour <Act>",
            section="1",
            text=text,
            voided_by=(voided_by[name],) if name in voided_by else (),
        )
        for name, text in texts.items()
    )


def _page(question: str = "How long must pilots rest?", rule: str = RULE) -> str:
    texts = {"last": CHANGES[0], "first": CHANGES[1], "rule": rule}
    sources = _sources(texts, rule="last")
    claim = Claim(
        "Pilots must rest six hours.", "obligation", tuple(texts), (Quote("rule", 0, 27),), ("last", "first")
    )
    rows = [("rule", "d", "1", "", rule, 3, "rule", 1, None, None)]
    passages = pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row")
    return answer_page(Answer(question, date(2024, 5, 1), (claim,), sources), passages)


def test_quoted_words_are_marked_and_changed_ones_struck_out_and_replaced() -> None:
    page = _page()
    assert (
        "<mark>Pilots must rest </mark><del>six hours</del> <ins>twelve hours</ins><mark>.</mark> Tides"
        in page
    )
    assert "[P3] Harbour &lt;Act&gt; 1<span> · tier 3, rules · changed</span>" in page
    assert "As the rules stand on 1 May 2024. 1 claim, from 3 passages." in page


def test_a_page_says_whether_its_answer_may_be_incomplete() -> None:
    whole = Answer("?", date(2024, 5, 1), (), ())
    note = "<strong>This answer may be incomplete: the language model&#x27;s reply was cut off."
    assert note in answer_page(replace(whole, incomplete=True), PASSAGES.empty())
    assert note not in answer_page(whole, PASSAGES.empty())


def _of_list(said: str, change: str, item: str = "she has six ropes.") -> str:
    """Return the page of a claim that joins a lead-in and an item, of which only the item is changed."""
    texts = {"change": change, "item": item, "lead": "In six ports she must call if:"}
    sources = _sources(texts, item="change")
    quotes = (Quote("lead", 0, 30), Quote("change", 0, len(change)), Quote("item", 0, len(item)))
    claim = Claim(f"{texts['lead']} {said}", "obligation", ("change", "item", "lead"), quotes, ("change",))
    return answer_page(Answer("?", date(2024, 5, 1), (claim,), sources), PASSAGES.empty())


def test_words_of_a_lead_in_are_not_struck_out_for_a_change_of_its_item() -> None:
    page = _of_list("she has six [read as “ten”] ropes.", "In rule 1, “six” is replaced by “ten”.")
    assert "<mark>In six ports she must call if:</mark>" in page
    assert "<mark>she has </mark><del>six</del> <ins>ten</ins><mark> ropes.</mark>" in page
    assert [page.index(text) for text in ("In six ports", "<mark>she has", "In rule 1")] == sorted(
        page.index(text) for text in ("In six ports", "<mark>she has", "In rule 1")
    )


def test_words_that_stand_twice_are_struck_out_if_the_claim_reads_them_so() -> None:
    change, item = "In paragraph (b), “six” is replaced by “ten”.", "(a) six ropes; (b) six bells."
    assert "<del>" not in _of_list(f"{item} [{change}]", change, item)
    read = _of_list("(a) six [read as “ten”] ropes; (b) six [read as “ten”] bells.", change, item)
    assert read.count("<del>six</del> <ins>ten</ins>") == 2


def test_nothing_of_a_passage_or_question_becomes_markup() -> None:
    page = _page("<script>alert(1)</script>", "Pilots must rest six hours. <img src=x onerror=alert(1)>")
    assert "<script" not in page
    assert "<img" not in page


def test_nothing_of_a_passage_or_question_is_hidden_or_turned_round() -> None:
    plain = "Pilots must rest six hours. Tides\nvary."
    page = _page("How \u202elong\x00?", "Pilots must rest six hours. Tid\u202ees\n\x1b[31mvary\x08.")
    assert page == _page("How long?", plain)


def test_the_number_of_dropped_claims_is_shown() -> None:
    dropped = (Dropped(Claim("Rest.", None, ()), "citation: none"),)
    page = answer_page(Answer("?", date(2024, 5, 1), (), (), "nothing", dropped), PASSAGES.empty())
    assert "No answer (1 not borne out and dropped), from 0 passages." in page


def test_abstention_is_said_with_its_reason() -> None:
    page = answer_page(Answer("?", date(2024, 5, 1), (), (), "nothing <found>"), PASSAGES.empty())
    assert "Insufficient evidence in retrieved passages." in page
    assert "nothing &lt;found&gt;" in page


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
@pytest.mark.parametrize("width", [400, 1200])
def test_page_is_no_wider_than_the_window(tmp_path: Path, width: int) -> None:
    script = "<script>document.title = document.documentElement.scrollWidth</script></body>"
    # The page forbids scripts. The copy that measures itself may run one.
    page = _page(rule=f"{RULE} {'x' * 300}").replace("default-src 'none'; ", "").replace("</body>", script)
    (tmp_path / "page.html").write_text(page)
    shown = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={max(width, 500)},900",
         "--dump-dom", f"file://{tmp_path}/page.html"],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    measured = int(shown.stdout.split("<title>")[1].split("</title>")[0])
    assert measured <= max(width, 500)
