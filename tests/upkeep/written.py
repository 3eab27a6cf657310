"""Files that tests of whole bundles write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RULES = (
    {"_id": "a1", "text": "A carrier must keep a log.", "metadata": {"document_id": "CAR", "section": "1"}},
    {
        "_id": "a2",
        "text": "The log is kept for five years.",
        "metadata": {"document_id": "CAR", "section": "2"},
    },
)


def write_lines(path: Path, *records: dict[str, Any]) -> Path:
    """Write JSON Lines, and return their file."""
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path
