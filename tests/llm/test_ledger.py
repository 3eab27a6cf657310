from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulerank.errors import InputError, ModelError
from rulerank.llm import Ledger


def test_tokens_and_cost_add_up(tmp_path: Path) -> None:
    ledger = Ledger(path=tmp_path / "log.jsonl", prompt_price=1.0, completion_price=4.0)
    for _ in range(2):
        ledger.settle(ledger.reserve(30, 10), 500_000, 250_000, 1.23456, model="m", purpose="p")
    assert (ledger.requests, ledger.prompt_tokens, ledger.completion_tokens) == (2, 1_000_000, 500_000)
    assert ledger.cost == 3.0
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    expected = {"model": "m", "purpose": "p", "prompt_tokens": 500_000, "completion_tokens": 250_000}
    assert lines == [{**expected, "seconds": 1.235, "cost": 1.5}] * 2


def test_a_request_that_could_exceed_the_budget_is_refused_before_it_is_sent() -> None:
    ledger = Ledger(budget=100)
    first = ledger.reserve(90, 30)  # 30 for the prompt, 30 for the answer
    with pytest.raises(ModelError, match="expected room for 60 tokens, found 0 of 100 spent"):
        ledger.reserve(90, 30)
    ledger.settle(first, 20, 5, 0.1)
    assert ledger.reserve(90, 30) == 60


def test_a_log_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    ledger = Ledger(path=tmp_path)
    with pytest.raises(InputError, match="expected a log to write"):
        ledger.settle(ledger.reserve(1, 1), 1, 1, 0.1)
