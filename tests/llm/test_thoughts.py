from __future__ import annotations

import time

import pytest

from rulerank.llm.thoughts import without_thoughts


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Aye.", "Aye."),
        ("<think>Nay?</think>Aye.", "Aye."),
        ("<thinking>Nay?\n</thinking>\nAye.", "\nAye."),
        ("Nay?</think>Aye.", "Aye."),
        ("Nay?</think>Or?</think>Aye.", "Aye."),
        ("<think>Nay?<think>Or?</think>So:</think>Aye.", "Aye."),
        ("Aye.<think>Nay?", "Aye."),
    ],
)
def test_a_reply_is_what_follows_the_thoughts(reply: str, said: str) -> None:
    assert without_thoughts(reply) == said


@pytest.mark.parametrize("piece", ["<think>", "</think>", "<think></think>", "<"])
def test_time_is_linear(piece: str) -> None:
    start = time.process_time()
    without_thoughts(piece * (100_000 // len(piece)))
    assert time.process_time() - start < 2
