"""What a person at a terminal reads: one message an error, one line a warning."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console

from rulerank.errors import RulerankError, RulerankWarning
from rulerank.files import FULL


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
            # One about no file is none that a path given by the user can cause, unless there is no room.
            if error.filename is None and error.errno not in FULL:
                raise
            place = f"{error.filename}: " if error.filename else ""
            stderr.print(f"error: {place}{error.strerror}. Check path, permissions and space.")
            sys.exit(1)
