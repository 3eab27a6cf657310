from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulerank.errors import InputError, ModelError
from rulerank.llm import Ledger, Usage


def test_tokens_and_cost_add_up(tmp_path: Path) -> None:
    ledger = Ledger(path=tmp_path / "log.jsonl", prompt_price=1.0, completion_price=4.0)
    for _ in range(2):
        ledger.settle(ledger.reserve(30, 10), Usage(500_000, 250_000), 1.23456, model="m", purpose="p")
    assert (ledger.requests, ledger.prompt_tokens, ledger.completion_tokens) == (2, 1_000_000, 500_000)
    assert ledger.cost == 3.0
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    expected = {"model": "m", "purpose": "p", "prompt_tokens": 500_000, "completion_tokens": 250_000}
    assert lines == [{**expected, "seconds": 1.235, "cost": 1.5}] * 2


def test_a_request_that_could_exceed_the_budget_is_refused_before_it_is_sent() -> None:
    ledger = Ledger(budget=100)
    first = ledger.reserve(90, 30)  # 30 for the prompt, 30 for the answer
    ledger.settle(first, Usage(40, 5), 0.1)
    open_still = ledger.reserve(0, 10)
    with pytest.raises(
        ModelError, match=r"expected room for 60 tokens, found 45 of 100 spent and 10 reserved\. Raise"
    ):
        ledger.reserve(90, 30)
    ledger.settle(open_still, Usage(0, 0), 0.1)
    assert ledger.reserve(75, 30) == 55


@pytest.mark.parametrize(("used", "refused"), [(5, False), (45, True)])
def test_a_request_waits_for_what_is_set_aside_for_others(used: int, refused: bool) -> None:
    ledger = Ledger(budget=100)
    first = ledger.reserve(90, 30)
    with ThreadPoolExecutor(1) as pool:
        second = pool.submit(ledger.reserve, 90, 30)
        with pytest.raises(TimeoutError):
            second.result(timeout=0.1)
        ledger.settle(first, Usage(used, 0), 0.1)
        if refused:
            with pytest.raises(ModelError, match="found 45 of 100 spent and 0 reserved"):
                second.result(timeout=10)
        else:
            assert second.result(timeout=10) == 60


def test_tokens_that_nobody_counted_are_those_set_aside() -> None:
    ledger = Ledger(budget=100)
    ledger.settle(ledger.reserve(90, 30), None, 0.1)
    assert (ledger.prompt_tokens, ledger.completion_tokens, ledger.uncounted_tokens) == (0, 0, 60)
    with pytest.raises(ModelError, match="expected room for 60 tokens, found 60 of 100 spent"):
        ledger.reserve(90, 30)


def test_a_log_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    ledger = Ledger(path=tmp_path)
    with pytest.raises(InputError, match="expected a log to write"):
        ledger.settle(ledger.reserve(1, 1), Usage(1, 1), 0.1)
