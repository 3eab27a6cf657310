"""What grammars are made of: regular expressions, each used, often repeatedly, inside larger ones."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict


def _regular(pattern: str) -> str:
    """Return a regular expression that compiles, even inside another one."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"is no regular expression: {error}") from error
    try:
        re.compile(f"(?:{pattern})")
    except re.error as error:
        raise ValueError("has a flag for the whole pattern; write (?i:...) around what it is for") from error
    return pattern


def _plain(pattern: str) -> str:
    """Return a pattern without groups, whose names would clash if it is used twice."""
    compiled = re.compile(pattern)
    if compiled.groups > len(compiled.groupindex):
        raise ValueError("has a group without a name; write (?:...)")
    if compiled.groups:
        raise ValueError(
            f"has the group {next(iter(compiled.groupindex))!r}, which is not asked for; write (?:...)"
        )
    return pattern


def _filled(pattern: str) -> str:
    """Return a pattern that does not match the empty text, as it would then match everywhere."""
    if re.compile(pattern).match(""):
        raise ValueError("matches the empty text; name at least one character that must occur")
    return pattern


def _having(group: str) -> AfterValidator:
    def check(pattern: str) -> str:
        if list(re.compile(pattern).groupindex) != [group] or re.compile(pattern).groups != 1:
            raise ValueError(f"expected (?P<{group}>...) as its only group; write the others (?:...)")
        return pattern

    return AfterValidator(check)


Regular = Annotated[str, AfterValidator(_regular)]
OptionalPattern = Annotated[Regular, AfterValidator(_plain)]
"""What may or may not be there."""
Pattern = Annotated[OptionalPattern, AfterValidator(_filled)]
Patterns = tuple[Pattern, ...]
Name = Annotated[Regular, _having("name")]
Names = tuple[Name, ...]
Shorts = tuple[Annotated[Regular, _having("short")], ...]
Terms = tuple[Annotated[Regular, _having("term")], ...]
Kind = Annotated[Regular, _having("kind")]
Kinds = tuple[Kind, ...]


class Part(BaseModel):
    """A part of a grammar, from which nothing is taken that it does not name."""

    model_config = ConfigDict(frozen=True, extra="forbid")
