"""Removal of secrets from what is shown, logged or stored."""

from __future__ import annotations

import re

HIDDEN = "***"

_PASSWORD = re.compile(r"(?<=://)[^\s/@:]{0,128}:(?!\d{1,5}(?:[\s/:,;.?#'\")\]>]|\Z))[^@\n/]{1,128}@")
"""A user and a password with a space or a quotation mark in it; what is a port is no password."""

_ADDRESS = re.compile(r"(?<=://)[^\s'\"<>]+")
"""What follows the scheme of a URL."""

_NAMES = (
    r"(?:uid|user(?:name)?|odbc_connect"
    r"|[\w.-]*(?:password|passwd|passphrase|pwd|secret|token|(?:api|access|account|subscription)[_-]?key|signature|sig))"
)
"""The names of what must not be shown. An ODBC string is hidden whole, since it may quote a password."""

_PARAMETER = re.compile(rf"([?&;=#]{_NAMES}=)(?:\{{[^{{}}\n]*\}}|[^\s&;'\"<>]*)", re.IGNORECASE)
"""A secret among the parameters of a URL or of an ODBC string, where braces may quote it."""

_ENCODED = re.compile(
    rf"((?:%[0-9a-f]{{2}}|(?<![\w.%-])){_NAMES}%3D)(?:(?!%3B|%26)[^\s&;'\"<>])*", re.IGNORECASE
)
"""The same among parameters that are one percent-encoded value."""


def redacted(text: str) -> str:
    """Return `text` without the users, passwords and tokens of its URLs.

    Examples
    --------
    >>> redacted("postgresql://ann:s3cret@db/mlflow?password=s3cret")
    'postgresql://***@db/mlflow?password=***'

    """
    shown = _ADDRESS.sub(_without_user, _PASSWORD.sub(f"{HIDDEN}@", text))
    for secret in (_ENCODED, _PARAMETER):
        shown = secret.sub(rf"\1{HIDDEN}", shown)
    return shown


def _without_user(address: re.Match[str]) -> str:
    """Return an address without user and password, up to the last @: a password may hold an unescaped one."""
    _, at, rest = address[0].rpartition("@")
    return f"{HIDDEN}@{rest}" if at else rest
