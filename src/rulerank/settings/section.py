"""What every part of params.yaml has in common."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict


class Section(BaseModel):
    """A part of params.yaml; unknown keys, out-of-range values, infinity and NaN are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def _stated(name: str) -> str:
    if not name.strip():
        raise ValueError(f"expected a name, found {name!r}")
    return name


Name = Annotated[str, AfterValidator(_stated)]
"""A text that says something: not blank."""

Device = Literal["auto", "cpu", "cuda"]
"""Where a neural model runs: `auto` takes a GPU if there is one; `cuda` without one is an error."""
