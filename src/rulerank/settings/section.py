"""What every part of params.yaml has in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A part of params.yaml; unknown keys and out-of-range values are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")
