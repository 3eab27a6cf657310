"""How much of ObliQA's rulebooks the statements cover."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulerank.obligations import DUTIES, statements
from rulerank.text import modality, sentences

ENDS = 60
"""Letters at either end of a sentence by which it is found again."""

BINDING = re.compile(r"\b(?:must|shall)\b")
"""The words that nearly always state a duty; "need to" and "may not" often do not."""


@pytest.mark.real
def test_passages_whose_duties_are_all_stated(obliqa: Path) -> None:
    covered = []
    for path in sorted((obliqa / "StructuredRegulatoryDocuments").glob("*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            parts = (part for part in sentences(row["Passage"]) if BINDING.search(part))
            found = [_letters(part) for part in parts if modality(part) in DUTIES]
            if found:
                stated = [each.text for each in statements(row["Passage"]) if each.modality in DUTIES]
                duties = _letters(" ".join(stated))
                covered.append(all(part[:ENDS] in duties or part[-ENDS:] in duties for part in found))
    assert len(covered) > 4_000
    assert sum(covered) / len(covered) >= 0.97


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()
