from __future__ import annotations

import time

import pytest

from experiments.serving.load import paced


def test_texts_come_in_turn_at_the_rate_asked_for() -> None:
    began = time.monotonic()
    assert list(paced(["a", "b"], rate=100, seconds=0.05)) == ["a", "b", "a", "b", "a"]
    assert time.monotonic() - began >= 0.04


def test_what_is_late_is_made_up_for() -> None:
    texts = paced(["a"], rate=1000, seconds=0.1)
    next(texts)
    time.sleep(0.2)
    began = time.monotonic()
    assert len(list(texts)) == 99
    assert time.monotonic() - began == pytest.approx(0, abs=0.05)
