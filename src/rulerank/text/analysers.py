"""Analysers for any language, or loaded by dotted name: from texts to the terms that are matched."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TypeVar

from rulerank.errors import SettingsError
from rulerank.text.plain import normalise, tokens

Analyser = Callable[[Sequence[str]], list[list[str]]]
"""From texts to the terms of each, in reading order, repeats kept."""

Function = TypeVar("Function", bound=Analyser)

_MARKED: list[Analyser] = []

_WORD = re.compile(r"[^\W_]+")


def analyser(function: Function) -> Function:
    """Mark a function as an analyser, so that params.yaml, and a bundle, may name it.

    Without the mark, a bundle could name any function of any installed package, and choose what it is called
    with.

    Examples
    --------
    >>> @analyser
    ... def words(texts: Sequence[str]) -> list[list[str]]:
    ...     return [text.split() for text in texts]

    """
    _MARKED.append(function)
    return function


@analyser
def syllables(texts: Sequence[str]) -> list[list[str]]:
    """Return the words of each text; unspaced scripts and Hangul give pairs of adjacent characters."""
    return [tokens(text) for text in texts]


@analyser
def whole_words(texts: Sequence[str]) -> list[list[str]]:
    """Return the strings between spaces and punctuation in each text, whatever its script."""
    return [_WORD.findall(normalise(text)) for text in texts]


def load_analyser(target: str) -> Analyser:
    """Return the analyser with a dotted name, `package.module:function`.

    Raises
    ------
    SettingsError
        The function does not exist, or `analyser` does not mark it as an analyser.

    """
    module, _, name = target.partition(":")
    try:
        found: Analyser = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise SettingsError(
            f"text.analyser: expected an analyser's name or package.module:function, found {target!r} "
            f"({error}). Correct the name, or install its package."
        ) from error
    # Not by equality, which an object of another package may define.
    if not any(each is found for each in _MARKED):
        raise SettingsError(
            f"text.analyser: expected an analyser, found {target!r}, which is not marked as one. Correct the "
            "name, or put @analyser of rulerank.text above the function."
        )
    return found
