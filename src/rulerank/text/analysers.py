"""Analysers for any language, or loaded by dotted name: from texts to the terms that are matched."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module

from rulerank.errors import SettingsError
from rulerank.text.plain import normalise, tokens

Analyser = Callable[[Sequence[str]], list[list[str]]]
"""From texts to the terms of each, in reading order, repeats kept."""

_WORD = re.compile(r"[^\W_]+")


def syllables(texts: Sequence[str]) -> list[list[str]]:
    """Return the words of each text; unspaced scripts and Hangul give pairs of adjacent characters."""
    return [tokens(text) for text in texts]


def whole_words(texts: Sequence[str]) -> list[list[str]]:
    """Return the strings between spaces and punctuation in each text, whatever its script."""
    return [_WORD.findall(normalise(text)) for text in texts]


def load_analyser(target: str) -> Analyser:
    """Return the analyser with a dotted name, `package.module:function`.

    Raises
    ------
    SettingsError
        The function does not exist.

    """
    module, _, name = target.partition(":")
    try:
        found: Analyser = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise SettingsError(
            f"text.analyser: expected an analyser's name or package.module:function, found {target!r} "
            f"({error}). Correct the name, or install its package."
        ) from error
    return found
