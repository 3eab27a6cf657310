"""Texts for the tiny encoder: empty, long, with unknown words, and in other scripts."""

from __future__ import annotations

TEXTS = [
    "pilot",
    "must pilot fee tug",
    "",
    "규정",
    "查询 fee",
    "unknown words only",
    "fee " * 40,
    "tug pilot",
]
