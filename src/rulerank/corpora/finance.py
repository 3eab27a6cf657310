"""Conversion of published trading pre-clearances and later events into documents and questions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field

from rulerank.corpora.authority import read_moment, write_authority
from rulerank.corpora.records import read_lines
from rulerank.errors import InputError

EXAMPLES = "finsuperqa_v1.jsonl"
PER_EXAMPLE = 10
SEED = 42

_REQUESTS = {
    "pre_clearance_approved": "{employee} was cleared to trade {ticker} on {day}.",
    "pre_clearance_denied": "The request of {employee} to trade {ticker} was refused on {day}.",
    "policy_acknowledged": "{employee} acknowledged the trading policy on {day}; {ticker} is on the list.",
    "conflict_disclosed": "{employee} disclosed a conflict of interest over {ticker} on {day}.",
}
"""What contaminating distractors say, by type: none of these types voids another."""

_DAY = re.compile(r"[A-Z][a-z]+ \d{1,2}, \d{4}")


def _timed(timestamp: str) -> str:
    if read_moment(timestamp) is None:
        raise ValueError("expected the time of the event")
    return timestamp


class _Event(BaseModel):
    event_id: str
    text: str
    timestamp: Annotated[str, AfterValidator(_timed)]
    event_type: str


class _Step(BaseModel):
    event_id: str


class _Example(BaseModel):
    example_id: str
    hop_type: str
    query: str
    answer: str
    employee: str = Field(min_length=1)
    ticker: str = Field(min_length=1)
    provenance: list[_Step] = Field(min_length=1)
    kb: list[_Event] = Field(min_length=1)


def convert_finance(folder: Path, to: Path) -> None:
    """Write the examples of `folder` in the generic format: every event of every example, then distractors.

    Each question is judged by the last event of its provenance. Events of an example carry its employee and
    ticker as scope. Distractors, ten per example, are about pairs of employee and ticker that no example has;
    their type, sentence and timestamp are drawn independently, so they contradict one another. Their
    sentences are those of the examples with another employee, ticker and day. The seed is fixed.

    Raises
    ------
    InputError
        The file is missing or malformed.

    """
    examples = _examples(folder)
    write_authority(to, [*_events(examples), *_distractors(examples)], _queries(examples))


def convert_contaminated_finance(folder: Path, to: Path) -> None:
    """Write the examples of `folder` with distractors that may be about the pair of an example.

    Of the ten distractors of an example, four are about its employee and any ticker, three about its ticker
    and any employee, three about any two. The pair may or may not be that of an example. Each approves
    or refuses a trade, acknowledges a policy or discloses a conflict, within five days of the first event of
    the example. So a scope may hold several chains, and its newest event need not control.

    Raises
    ------
    InputError
        The file is missing or malformed.

    """
    examples = _examples(folder)
    write_authority(to, [*_events(examples), *_contamination(examples)], _queries(examples))


def _examples(folder: Path) -> list[_Example]:
    examples = [example for _, example in read_lines(folder / EXAMPLES, _Example)]
    if not examples:
        raise InputError(folder / EXAMPLES, "expected one example per line, found none. Check the file.")
    return examples


def _events(examples: Sequence[_Example]) -> list[dict[str, Any]]:
    return [
        {
            "id": event.event_id,
            "type": event.event_type,
            "text": event.text,
            "timestamp": event.timestamp,
            "scope": {"employee": example.employee, "ticker": example.ticker},
        }
        for example in examples
        for event in example.kb
    ]


def _queries(examples: Sequence[_Example]) -> list[dict[str, Any]]:
    return [
        {
            "id": example.example_id,
            "text": example.query,
            "gold": [example.provenance[-1].event_id],
            "provenance": [step.event_id for step in example.provenance],
            "group": example.hop_type,
            "answer": example.answer,
        }
        for example in examples
    ]


def _distractors(examples: Sequence[_Example]) -> Iterator[dict[str, Any]]:
    chance = random.Random(SEED)  # noqa: S311
    taken = {(example.employee, example.ticker) for example in examples}
    employees, tickers = (sorted({pair[side] for pair in taken}) for side in (0, 1))
    free = [pair for pair in product(employees, tickers) if pair not in taken]
    kinds = sorted({event.event_type for example in examples for event in example.kb})
    sentences = sorted({_sentence(event, example) for example in examples for event in example.kb})
    for number in range(PER_EXAMPLE * len(examples) if free else 0):
        pair = chance.choice(free)
        kind, sentence = chance.choice(kinds), chance.choice(sentences)
        day = f"January {chance.randint(1, 28):02d}, 2024"
        yield _distractor(number, kind, sentence, pair, day, f"2024-01-{chance.randint(1, 28):02d}T09:00:00")


def _contamination(examples: Sequence[_Example]) -> Iterator[dict[str, Any]]:
    chance = random.Random(SEED)  # noqa: S311
    employees, tickers = (
        sorted({getattr(example, name) for example in examples}) for name in ("employee", "ticker")
    )
    for number, (example, turn) in enumerate(product(examples, range(PER_EXAMPLE))):
        employee = example.employee if turn % 3 == 0 else chance.choice(employees)
        ticker = example.ticker if turn % 3 == 1 else chance.choice(tickers)
        kind = chance.choice(sorted(_REQUESTS))
        first = min(filter(None, (read_moment(event.timestamp) for event in example.kb)))
        moment = first + timedelta(days=chance.randint(-5, 5))
        day = f"{moment:%B %d, %Y}"
        yield _distractor(number, kind, _REQUESTS[kind], (employee, ticker), day, moment.isoformat())


def _distractor(
    number: int, kind: str, sentence: str, pair: tuple[str, str], day: str, timestamp: str
) -> dict[str, Any]:
    employee, ticker = pair
    return {
        "id": f"distractor_{number:06d}",
        "type": kind,
        "text": sentence.format(employee=employee, ticker=ticker, day=day),
        "timestamp": timestamp,
        "scope": {"employee": employee, "ticker": ticker},
    }


def _sentence(event: _Event, example: _Example) -> str:
    """Return the sentence of an event with its employee, ticker and day left open."""
    open_ended = _DAY.sub("{day}", event.text.replace("{", "{{").replace("}", "}}"))
    for name in ("employee", "ticker"):
        open_ended = re.sub(rf"\b{re.escape(getattr(example, name))}\b", f"{{{name}}}", open_ended)
    return open_ended
