"""The server's log: one JSON object per line, without the text of questions unless it is requested."""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

LOG = logging.getLogger("rulerank.serve")


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON.

    For an exception it writes the type and the places, not the message, which may repeat the question.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[0]:
            frames = traceback.extract_tb(record.exc_info[2])
            said["error"] = record.exc_info[0].__name__
            said["trace"] = [f"{Path(each.filename).name}:{each.lineno} {each.name}" for each in frames]
        # In ASCII: a question may contain a Unicode line separator or a terminal's escape sequence.
        return json.dumps(said)


CONFIGURATION: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "rulerank.serve.logs.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        "rulerank.serve": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "uvicorn": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "uvicorn.error": {"level": "INFO"},
        "asyncio": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
    },
}
"""For `logging.config`; uvicorn's own request log is off, because it repeats client addresses."""


def say(event: str, **fields: Any) -> None:
    """Write one line to the log."""
    LOG.info(event, extra={"fields": fields})
