"""The errors that a damaged bundle causes in the readers of its files, as one error that names the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from rulerank.errors import BundleError, InputError, RulerankError

REMEDY = "Copy the bundle again, or export the ranker again."


class MismatchError(ValueError):
    """A check found something else than it expected."""


def require(holds: bool, found: str) -> None:
    """Raise MismatchError unless a condition holds."""
    if not holds:
        raise MismatchError(found)


@contextmanager
def expecting(what: str, path: Path, remedy: str = REMEDY) -> Iterator[None]:
    """Turn any error of the block into a BundleError: `path`, what was expected there, and the cause.

    The readers of a dozen formats, several of them compiled, raise all kinds of errors on a damaged file.
    Panics of those written in Rust are not an `Exception`.
    """
    try:
        yield
    except (BundleError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise BundleError(_message(what, path, error, remedy)) from error


def _message(what: str, path: Path, error: BaseException, remedy: str) -> str:
    if isinstance(error, InputError) and error.source.startswith(str(path)):
        return str(error)
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return f"{path}: expected {what}: {place}: {first['msg']}. {remedy}"
    said = str(error).strip().split("\n")[0][:300].rstrip(". ")
    if isinstance(error, MismatchError):
        return f"{path}: expected {what}, found {said}. {remedy}"
    if isinstance(error, RulerankError):
        return f"{path}: expected {what}: {said}. {remedy}"
    return f"{path}: expected {what}, found damage ({type(error).__name__}: {said}). {remedy}"
