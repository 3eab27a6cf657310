"""Trading pre-clearances and what becomes of them, as published, to documents and questions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from rulerank.corpora.authority import write_authority
from rulerank.corpora.records import read_lines
from rulerank.errors import InputError

EXAMPLES = "finsuperqa_v1.jsonl"
PER_EXAMPLE = 10
SEED = 42

_DAY = re.compile(r"[A-Z][a-z]+ \d{1,2}, \d{4}")


class _Event(BaseModel):
    event_id: str
    text: str
    timestamp: str
    event_type: str


class _Step(BaseModel):
    event_id: str


class _Example(BaseModel):
    example_id: str
    hop_type: str
    query: str
    answer: str
    employee: str
    ticker: str
    provenance: list[_Step] = Field(min_length=1)
    kb: list[_Event] = Field(min_length=1)


def convert_finance(folder: Path, to: Path) -> None:
    """Write the examples of `folder` in the generic format: every event of every example, then distractors.

    Each question is judged by the last event of its provenance. Events of an example carry its employee and
    ticker as scope. Distractors, ten an example, are about pairs of employee and ticker that no example is
    about; their type, sentence and timestamp are drawn independently, so they contradict one another. The
    sentences are those of the examples with another employee, ticker and day in them. The seed is fixed.

    Raises
    ------
    InputError
        The file is missing or malformed.

    """
    examples = [example for _, example in read_lines(folder / EXAMPLES, _Example)]
    if not examples:
        raise InputError(folder / EXAMPLES, "expected an example a line, found none. Check the file.")
    documents = [
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
    queries = [
        {
            "id": example.example_id,
            "text": example.query,
            "gold": [example.provenance[-1].event_id],
            "group": example.hop_type,
            "answer": example.answer,
        }
        for example in examples
    ]
    write_authority(to, [*documents, *_distractors(examples)], queries)


def _distractors(examples: Sequence[_Example]) -> Iterator[dict[str, Any]]:
    chance = random.Random(SEED)  # noqa: S311
    taken = {(example.employee, example.ticker) for example in examples}
    sides = (sorted({pair[side] for pair in taken}) for side in (0, 1))
    free = [pair for pair in product(*sides) if pair not in taken]
    kinds = sorted({event.event_type for example in examples for event in example.kb})
    sentences = sorted({_sentence(event, example) for example in examples for event in example.kb})
    for number in range(PER_EXAMPLE * len(examples) if free else 0):
        employee, ticker = chance.choice(free)
        kind, sentence = chance.choice(kinds), chance.choice(sentences)
        day = f"January {chance.randint(1, 28):02d}, 2024"
        yield {
            "id": f"distractor_{number:06d}",
            "type": kind,
            "text": sentence.format(employee=employee, ticker=ticker, day=day),
            "timestamp": f"2024-01-{chance.randint(1, 28):02d}T09:00:00",
            "scope": {"employee": employee, "ticker": ticker},
        }


def _sentence(event: _Event, example: _Example) -> str:
    """Return what an event says with its employee, ticker and day left open."""
    open_ended = _DAY.sub("{day}", event.text.replace("{", "{{").replace("}", "}}"))
    for name in ("employee", "ticker"):
        open_ended = re.sub(rf"\b{re.escape(getattr(example, name))}\b", f"{{{name}}}", open_ended)
    return open_ended
