"""What holds for any text: its own statements pass, and time grows with its length."""

from __future__ import annotations

import re
import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.answer.claims import Answer, Claim, Quote
from rulerank.answer.verify import verified
from rulerank.obligations import statements
from rulerank.passages import Passage

WORDS = st.sampled_from(
    re.split("_", "must_may_should_not_no_person_except_24_hours_six_%_(_)_:_;_._,_(a)_(1)_“_”_\u200e_The_\n")
)
TEXT = st.lists(WORDS, max_size=60).map(" ".join) | st.text(max_size=80)


@given(TEXT)
def test_every_statement_quoted_as_it_stands_passes(text: str) -> None:
    source = Passage(passage_id="p", document_id="d", document="", section="", text=text)
    quoted = (
        tuple(Quote("p", span.start, span.end) for span in each.spans)
        for each in statements(text)
        if "[P" not in text
    )
    claims = tuple(
        Claim(
            " ".join(" ".join(text[quote.start : quote.end] for quote in quotes).split()),
            None,
            ("p",),
            quotes,
        )
        for quotes in quoted
    )
    answer = verified(Answer("?", date(2026, 1, 1), claims, (source,)))
    assert answer.dropped == ()


@pytest.mark.parametrize(
    "piece",
    ["The master must report. ", "(a) ", "1,", "not ", "“", "six and ", "no x x ", "-", "must not ", "9"],
)
def test_time_is_linear_in_the_length_of_a_passage(piece: str) -> None:
    def seconds(copies: int) -> float:
        text = piece * copies
        source = Passage(passage_id="p", document_id="d", document="", section="", text=text)
        claim = Claim(f"{text[:200]} pilot", None, ("p",))
        start = time.process_time()
        verified(Answer("?", date(2026, 1, 1), (claim,), (source,)))
        return time.process_time() - start

    seconds(100)
    short, long = (min(seconds(copies + repeat) for repeat in range(3)) for copies in (2_000, 16_000))
    assert long < 24 * short + 0.05
