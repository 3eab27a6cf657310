"""The settings with which a server is started."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

ENVIRONMENT = "RULERANK_SERVE"
"""The environment variable in which a server passes its settings to its workers, as JSON."""


class ServeSettings(BaseModel):
    """Settings of one server; each of its workers has the same.

    Parameters
    ----------
    bundle : Path
        Folder of the exported ranker, or a link to it.
    threads : int, optional (default=2)
        Requests that a worker ranks in parallel.
    waiting : int, optional (default=256)
        Requests that may wait in a worker; more are refused.
    deadline : float, optional (default=10)
        Seconds until a request is abandoned.
    body : int, optional (default=1 MiB)
        Maximum size of a request's body, in bytes.
    poll : float, optional (default=2)
        Seconds between two checks of the folder for another generation of the ranker.
    feedback, audit : Path, optional
        Files to which judgements, and answers with their grounds, are appended; without a path, neither is
        kept.
    log_questions : bool, optional (default=False)
        Whether the log repeats the questions.

    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    bundle: Path
    threads: int = Field(default=2, ge=1, le=64)
    waiting: int = Field(default=256, ge=1)
    deadline: float = Field(default=10, gt=0)
    body: int = Field(default=1 << 20, ge=1)
    poll: float = Field(default=2, gt=0)
    feedback: Path | None = None
    audit: Path | None = None
    log_questions: bool = False

    @classmethod
    def of_environment(cls) -> ServeSettings:
        """Return the settings that the server passed to this worker."""
        return cls.model_validate_json(os.environ[ENVIRONMENT])
