"""Worked examples that a language model may be shown before the question (few-shot prompting)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

from rulerank.passages import Passage
from rulerank.settings import AnswerStyle
from rulerank.yaml_files import parse_yaml

EXAMPLES = "examples.yaml"


@dataclass(frozen=True)
class Example:
    """A question with its sources, and the reply that a model should give.

    Parameters
    ----------
    question, as_of : str
        The question, and the day whose law is asked about.
    sources : tuple of Passage
        In ranked order; the first is P1.
    replies : mapping of style to str
        The reply in each style.

    """

    question: str
    as_of: str
    sources: tuple[Passage, ...]
    replies: Mapping[AnswerStyle, str]


@dataclass(frozen=True)
class Examples:
    """The examples of a file.

    Parameters
    ----------
    digest : str
        SHA-256 of the file, in hexadecimal. A kept reply is bound to it.
    all : tuple of Example
        In the order in which they are shown.

    """

    digest: str
    all: tuple[Example, ...]


def read_examples(folder: Traversable) -> Examples:
    """Return the examples in the file `EXAMPLES` of a folder."""
    text = (folder / EXAMPLES).read_text(encoding="utf-8")
    said = parse_yaml(text, EXAMPLES)
    return Examples(hashlib.sha256(text.encode()).hexdigest(), tuple(map(_example, said["examples"])))


def _example(said: Mapping[str, Any]) -> Example:
    return Example(
        said["question"],
        said["as_of"],
        tuple(map(_source, said["sources"])),
        {"list": said["list"].strip(), "per-rule": json.dumps(said["per-rule"], ensure_ascii=False)},
    )


def _source(said: Mapping[str, Any]) -> Passage:
    return Passage(
        passage_id=said["id"],
        document_id=said["document"],
        document=said["document"],
        section=said["section"],
        text=said["text"],
        voided_by=tuple(said.get("voided_by", ())),
    )
