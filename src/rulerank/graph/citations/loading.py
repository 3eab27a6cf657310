"""Grammars by name or by path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rulerank.errors import InputError, nearest
from rulerank.files import read_text
from rulerank.graph.citations.grammar import Grammar, Variant
from rulerank.tables import is_blank
from rulerank.text import prevailing_language
from rulerank.yaml_files import parse_yaml, yaml_names

AUTO = "auto"
_MARKED = 0.02
"""The least share of the texts that have the marks of a variant: others may cite a U.S. regulation too."""


def grammar_names() -> list[str]:
    """Return the names of the grammars that come with the package."""
    return yaml_names(_shipped())


def fitting_grammar(grammar: str, texts: Sequence[str]) -> Grammar:
    """Read a grammar as `load_grammar` does, or with "auto" the one that fits the texts of a corpus.

    That is the one for the language of most of them, or a variant of it whose marks `_MARKED` of them have.
    """
    if grammar != AUTO:
        return load_grammar(grammar)
    usual = prevailing_language(texts).grammar
    for known in map(load_grammar, grammar_names()):
        if known.variant and known.variant.of == usual and _marked(known.variant, texts):
            return known
    return load_grammar(usual)


def _marked(variant: Variant, texts: Sequence[str]) -> bool:
    """Return whether enough of the texts that are not blank have the marks of a variant."""
    marks = re.compile(variant.marks)
    written = [text for text in texts if not is_blank(text)]
    return sum(1 for text in written if marks.search(text)) >= max(1, _MARKED * len(written))


@lru_cache(maxsize=16)
def load_grammar(grammar: str) -> Grammar:
    """Read a grammar by its name, or from the YAML file at a path.

    Raises
    ------
    InputError
        There is no such grammar or file, it is not YAML, or a key in it is unknown or invalid.

    """
    if grammar in grammar_names():
        text, source = (_shipped() / f"{grammar}.yaml").read_text(encoding="utf-8"), f"{grammar}.yaml"
    elif grammar.endswith((".yaml", ".yml")):
        text, source = read_text(Path(grammar)), grammar
    else:
        raise InputError(
            grammar,
            f"expected one of the grammars {', '.join(grammar_names())} or the path of a YAML file. "
            "Correct the name.",
        )
    try:
        return Grammar.model_validate(parse_yaml(text, source))
    except ValidationError as error:
        problems = "; ".join(_explain(problem) for problem in error.errors())
        raise InputError(source, f"{problems}. Correct these keys; docs/formats.md lists them.") from error


def _explain(problem: ErrorDetails) -> str:
    place = ".".join(map(str, problem["loc"]))
    if problem["type"] == "extra_forbidden":
        near = nearest(str(problem["loc"][-1]), _section(problem["loc"]).model_fields)
        return f"{place}: unknown key; the nearest valid key is {near}"
    if problem["type"] == "missing":
        return f"{place}: expected this key, found none"
    if problem["type"] != "value_error":
        return f"{place or 'the file'}: {problem['msg'].lower()}, found {problem['input']!r:.80}"
    found = f", found {problem['input']!r:.80}" if isinstance(problem["input"], str) else ""
    # If several keys together are wrong, the error itself names them.
    return ": ".join([*filter(None, [place]), str(problem["ctx"]["error"])]) + found


def _section(place: Sequence[int | str]) -> type[BaseModel]:
    """Return the part of a grammar that the last key of `place` belongs to."""
    section: type[BaseModel] = Grammar
    for key in place[:-1]:
        if key in section.model_fields:
            annotation = section.model_fields[str(key)].annotation
            parts = [annotation, *get_args(annotation)]
            section = next(
                (part for part in parts if isinstance(part, type) and issubclass(part, BaseModel)), section
            )
    return section


def _shipped() -> Traversable:
    return resources.files("rulerank.graph.citations") / "grammars"
