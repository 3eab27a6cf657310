"""What a person at a terminal reads: one message per error, one line per warning, progress."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeVar

from rich.console import Console
from rich.progress import track

from rulerank.errors import RulerankError, RulerankWarning
from rulerank.files import FULL

Item = TypeVar("Item")


def progress(items: Iterable[Item], doing: str) -> Iterator[Item]:
    """Yield the items beside a progress bar; at no terminal there is none."""
    yield from track(items, doing, disable=not sys.stderr.isatty())


@contextmanager
def reported() -> Iterator[None]:
    """Run a command or a stage: an error of rulerank's own, or of a file, is one message and exit code 1."""
    stderr = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    others = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, RulerankWarning):
            stderr.print(f"warning: {message}")
        else:
            others(message, category, filename, lineno, file, line)

    with warnings.catch_warnings():
        warnings.showwarning = show
        warnings.simplefilter("always", RulerankWarning)
        try:
            yield
        except RulerankError as error:
            stderr.print(f"error: {error}")
            sys.exit(1)
        except FileNotFoundError as error:
            # Readers of arrays and tables name the file in their message alone.
            stderr.print(f"error: {error}. Check the path; what a stage writes comes with `dvc repro`.")
            sys.exit(1)
        except OSError as error:
            # Without a file name, only a full disk is something that the user can mend.
            if error.filename is None and error.errno not in FULL:
                raise
            place = f"{error.filename}: " if error.filename else ""
            stderr.print(f"error: {place}{error.strerror}. Check path, permissions and space.")
            sys.exit(1)
