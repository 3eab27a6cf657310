"""The environment variables that name a language model, and which of their values can be sent."""

from __future__ import annotations

from urllib.parse import urlsplit

from rulerank.errors import SettingsError

URL, MODEL, KEY = "RULERANK_LLM_URL", "RULERANK_LLM_MODEL", "RULERANK_LLM_KEY"
"""The endpoint up to and including `/v1`, the model's name, and the key if needed."""


def require_trimmed(variable: str, value: str) -> None:
    """Raise SettingsError for a value with white space around it."""
    if value != value.strip():
        raise SettingsError(
            f"{variable}: expected no white space around the value, found some (a .env file with Windows "
            "line ends puts a carriage return after every value). Set it again without."
        )


def require_sendable(variable: str, value: str) -> None:
    """Raise SettingsError, which never shows the value, for a value that no HTTP header can contain."""
    # An HTTP client's error quotes the header that it refuses, which would show the key.
    require_trimmed(variable, value)
    wrong = next((place for place, sign in enumerate(value, start=1) if not "!" <= sign <= "~"), None)
    if wrong:
        raise SettingsError(
            f"{variable}: expected printable ASCII without white space, found another character at position "
            f"{wrong}. Copy the value again."
        )


def require_http(url: str) -> None:
    """Raise SettingsError for a URL that is not HTTP."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port beyond 65535, brackets that do not close
        usable = False
    if not usable:
        raise SettingsError(
            f"{URL}: expected an address like http://localhost:8000/v1, found {url!r}. Correct it."
        )
