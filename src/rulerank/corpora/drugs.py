"""Conversion of published drug labels and recalls into documents and questions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator

from rulerank.corpora.authority import write_authority
from rulerank.corpora.voided import VoidedPair, documents_of, read_pairs

PAIRS = "fda_recall_pairs.json"
DISTRACTORS = 2000
SEED = 42

_DRUGS = (
    "Alvoretin",
    "Bexalimine",
    "Corvadrol",
    "Dintazole",
    "Elmoprist",
    "Fentolast",
    "Gravidine",
    "Hexopram",
)
_CONDITIONS = ("high blood pressure", "seasonal allergy", "acid reflux", "joint pain", "insomnia")
_REASONS = ("Subpotent tablets", "Foreign particles", "Failed stability test", "Wrong label on the bottle")


def _recalled(written: Any) -> date | None:
    """Return the day as enforcement records write it, 20240131, or in the usual form; a blank one is none."""
    text = written.strip() if isinstance(written, str) else ""
    if written in (None, "") or (isinstance(written, str) and not text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError("expected a date such as 20240131 or 2024-01-31") from None


class _Pair(BaseModel):
    id: str
    norm_name: str
    query: str
    anchor_text: str
    superseder_text: str
    recall_date: Annotated[date | None, BeforeValidator(_recalled)] = None


def convert_drugs(folder: Path, to: Path) -> None:
    """Write the pairs of `folder` in the generic format: the label and the recall of each, then distractors.

    The scope is the normalised generic name. Labels have no date, so a recall is the later one. The
    distractors are labels and recalls of invented drugs, each with its own scope. The seed is fixed.

    Raises
    ------
    InputError
        The file is missing or malformed, or has no pair.

    """
    records = read_pairs(folder / PAIRS, _Pair)
    pairs = [
        VoidedPair(
            id=record.id,
            texts={"label": record.anchor_text, "recall": record.superseder_text},
            scope={"drug": record.norm_name},
            since=record.recall_date.isoformat() if record.recall_date else None,
        )
        for record in records
    ]
    queries = [pair.question(record.query) for pair, record in zip(pairs, records, strict=True)]
    write_authority(to, [*documents_of(pairs), *_distractors()], queries)


def _distractors() -> Iterator[dict[str, Any]]:
    chance = random.Random(SEED)  # noqa: S311
    for number in range(DISTRACTORS):
        drug, condition, reason = (chance.choice(each) for each in (_DRUGS, _CONDITIONS, _REASONS))
        dose, kind = chance.randint(5, 500), chance.choice(("label", "recall"))
        text = {
            "label": f"{drug} {dose} mg tablets are indicated for the treatment of {condition} in adults.",
            "recall": f"Enforcement report. Product: {drug} {dose} mg tablets. Reason for recall: {reason}.",
        }[kind]
        yield {
            "id": f"distractor_{number:06d}",
            "type": kind,
            "text": text,
            "timestamp": None,
            "scope": {"drug": f"{drug} {number}"},
        }
