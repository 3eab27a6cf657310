"""Removal of secrets from what is shown, logged or stored."""

from __future__ import annotations

import re

HIDDEN = "***"

_USER = re.compile(r"(?<=://)[^\s'\"<>]*@")
"""User and password of a URL, up to the last @: a password may hold an unescaped one."""
_PARAMETER = re.compile(
    r"(?i)([?&;](?:password|passwd|pwd|secret|token|access_token|api_?key|signature|sig)=)[^\s&;'\"<>]*"
)
"""A secret among the parameters of a URL."""


def redacted(text: str) -> str:
    """Return `text` without the users, passwords and tokens of its URLs.

    Examples
    --------
    >>> redacted("postgresql://ann:s3cret@db/mlflow?password=s3cret")
    'postgresql://***@db/mlflow?password=***'

    """
    return _PARAMETER.sub(rf"\1{HIDDEN}", _USER.sub(f"{HIDDEN}@", text))
