"""What holds of the statements of any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rulerank.obligations import statements

WORDS = st.sampled_from(
    """The bank must pay . ; : , ( ) (a) (b) (i) (1) 1. • if unless may not No person shall is to and or
    within 30 days means “Fee” U.S. s. 12(b) \u200e \u00ad İ e.g. $5""".split()  # noqa: SIM905
)
TEXTS = st.text() | st.lists(WORDS | st.just("\n")).map(" ".join)


@given(TEXTS)
@example("0 ;and")
@example("MUST\r0)\r;")
def test_spans_are_in_order_within_the_passage_and_make_up_the_text(passage: str) -> None:
    for statement in statements(passage):
        edges = [edge for span in statement.spans for edge in (span.start, span.end)]
        assert edges == sorted(edges)
        assert all(0 <= span.start < span.end <= len(passage) for span in statement.spans)
        parts = " ".join(passage[span.start : span.end] for span in statement.spans)
        assert statement.text == " ".join(_visible(parts).split())


@given(TEXTS)
def test_parts_lie_within_the_spans_of_their_statement(passage: str) -> None:
    for statement in statements(passage):
        for places in statement.parts.values():
            for place in places:
                assert any(span.start <= place.start < place.end <= span.end for span in statement.spans)


@given(st.lists(WORDS | st.just("\n")))
@example(["The", "bank", "must:", "\n", "(i)", "pay", "\n", "if", "\n", "(1)", "the", "person", "shall"])
def test_every_word_of_a_passage_is_in_some_statement(words: list[str]) -> None:
    found = " ".join(each.text for each in statements(" ".join(words)))
    for word in ("bank", "pay", "person", "shall", "days", "“Fee”"):
        assert found.count(word) >= words.count(word)


@pytest.mark.parametrize(
    "passage",
    [
        " " * 200_000,
        "\n" * 200_000,
        "(a)" * 100_000,
        "(a) " * 100_000,
        "(if " * 50_000,
        "if, " * 50_000,
        "“" * 200_000,
        "1," * 100_000,
        "Aa " * 70_000,
        ". " * 100_000,
        "may " * 50_000,
        "within 1 day of " * 12_000,
        "A. " * 20_000,
        "must:\n" + "(a) x;\n" * 10_000,
    ],
    ids=lambda passage: repr(passage[:8]),
)
def test_hostile_text_is_read_in_linear_time(passage: str) -> None:
    start = time.process_time()
    statements(passage)
    assert time.process_time() - start < 5


def _visible(text: str) -> str:
    return text.replace("\u200e", "").replace("\u00ad", "")
