"""Nested values by dotted key, such as `encoder.name`, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value that is not a mapping, with its dotted key."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def nested(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by dotted key as sections of params.yaml."""
    sections: dict[str, Any] = {}
    for key, value in point.items():
        *outer, last = key.split(".")
        section = sections
        for part in outer:
            section = section.setdefault(part, {})
        section[last] = value
    return sections
