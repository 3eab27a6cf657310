"""Grammars by name or by path."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import ValidationError

from rulerank.errors import InputError
from rulerank.files import read_text
from rulerank.graph.citations.grammar import Grammar
from rulerank.yaml_files import parse_yaml


def grammar_names() -> list[str]:
    """Return the names of the grammars that come with the package."""
    return sorted(
        path.name.removesuffix(".yaml") for path in _shipped().iterdir() if path.name.endswith(".yaml")
    )


@lru_cache(maxsize=16)
def load_grammar(grammar: str) -> Grammar:
    """Read a grammar by its name, or from the YAML file at a path.

    Raises
    ------
    InputError
        There is no such grammar or file, it is not YAML, or a key in it is unknown or of no use.

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
        problems = "; ".join(
            f"{'.'.join(map(str, found['loc'])) or 'the file'}: {found['msg'].removeprefix('Value error, ')}"
            for found in error.errors()
        )
        raise InputError(source, f"{problems}. Correct these keys; docs/formats.md lists them.") from error


def _shipped() -> Traversable:
    return resources.files("rulerank.graph.citations") / "grammars"
