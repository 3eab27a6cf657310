"""What every part of params.yaml has in common."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from rulerank.errors import nearest


class Section(BaseModel):
    """A part of params.yaml; unknown keys, out-of-range values, infinity and NaN are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)


def _stated(name: str) -> str:
    if not name.strip():
        raise ValueError(f"expected a name, found {name!r}")
    return name


def _written(path: object) -> object:
    if isinstance(path, str) and not path.strip():
        raise ValueError(f"expected a path, found {path!r}")
    return path


Place = Annotated[Path, BeforeValidator(_written)]
"""A path that is not blank: blank text would be the current folder."""

Name = Annotated[str, AfterValidator(_stated)]
"""A text that is not blank."""

DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def known_or_dotted(name: str, known: Collection[str], form: str) -> str:
    """Return the name of a class or function: one of `known`, or an importable one in the given form.

    Raises
    ------
    ValueError
        It is neither; the message gives the nearest known name.

    """
    if name not in known and not DOTTED.fullmatch(name):
        raise ValueError(
            f"expected one of {', '.join(known)}, or {form}, found {name!r}; "
            f"the nearest name is {nearest(name, known)}"
        )
    return name


Device = Literal["auto", "cpu", "cuda"]
"""Where a neural model runs: `auto` uses a GPU if there is one; `cuda` without one is an error."""
