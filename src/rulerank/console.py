"""What a person at a terminal reads: results, one message per error, one line per warning, progress."""

from __future__ import annotations

import io
import json
import re
import signal
import sys
import threading
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, TypeVar

from rich.console import Console
from rich.progress import track

from rulerank.errors import RulerankError, RulerankWarning
from rulerank.files import FULL

Item = TypeVar("Item")

_ESCAPE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours, the cursor
    r"|(?:\x1b[\]P^_X]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # titles, links
    r"|\x1b[ -/]*[0-~]?"
)
_JOINERS = "\u200c\u200d"
"""Format characters that some scripts cannot be written without."""


def printable(text: str) -> str:
    """Return `text` without characters that a terminal would act on or hide.

    This removes whole escape sequences, other control characters, characters that change the direction of the
    text, invisible characters, and halves of surrogate pairs. Tabs and line ends stay. Other line separators
    become line ends.
    """
    lines = _ESCAPE.sub("", re.sub(r"\r\n?|[\u2028\u2029\x0b\x0c\x85]", "\n", text))
    return "".join(sign for sign in lines if sign in "\n\t" or _shows(sign))


def _shows(sign: str) -> bool:
    return sign in _JOINERS or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def say(text: str = "") -> None:
    """Print a result without what a terminal would act on, since passages are text from outside."""
    print(printable(text), flush=True)  # noqa: T201


def say_json(value: Any) -> None:
    """Print one JSON value; characters that a terminal would act on are escaped, so nothing is lost."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    say("".join(sign if sign == "\n" or _shows(sign) else json.dumps(sign)[1:-1] for sign in text))


def progress(items: Iterable[Item], doing: str) -> Iterator[Item]:
    """Yield the items while showing a progress bar; without a terminal there is no bar."""
    yield from track(items, doing, disable=not sys.stderr.isatty())


@contextmanager
def reported() -> Iterator[None]:
    """Run a command or a stage; rulerank's own errors and file errors give one message and exit code 1.

    SIGTERM ends it as Ctrl-C would: half-written files are removed.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Passages may hold characters that the terminal's encoding lacks.
            stream.reconfigure(errors="backslashreplace")
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
            stderr.print(printable(f"warning: {message}"))
        else:
            others(message, category, filename, lineno, file, line)

    with warnings.catch_warnings(), _ended_by_signals():
        warnings.showwarning = show
        warnings.simplefilter("always", RulerankWarning)
        try:
            yield
        except RulerankError as error:
            stderr.print(printable(f"error: {error}"))
            sys.exit(1)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "rulerank":
                raise
            stderr.print(f"error: expected the package {error.name}, found none. Install rulerank[train].")
            sys.exit(1)
        except FileNotFoundError as error:
            # Readers of arrays and tables name the file in their message alone.
            stderr.print(
                printable(f"error: {error}. Check the path; outputs of a stage come from `dvc repro`.")
            )
            sys.exit(1)
        except OSError as error:
            # Without a file name, a full disk is the only error that the user can fix.
            if error.filename is None and error.errno not in FULL:
                raise
            place = f"{error.filename}: " if error.filename else ""
            stderr.print(printable(f"error: {place}{error.strerror}. Check path, permissions and space."))
            sys.exit(1)


ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""The signals of a supervisor that stops a process, and of a terminal that is closed."""


class _Ended(SystemExit):
    """A signal to terminate the process."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__()


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let a signal end the process only after the block has cleaned up."""
    main = threading.current_thread() is threading.main_thread()
    # Only the main thread can set a handler, and one that is already set stays.
    heard = [each for each in ENDING if main and signal.getsignal(each) is signal.SIG_DFL]

    def end(number: int, _: object) -> None:
        # A second signal must not interrupt the cleanup.
        for each in heard:
            signal.signal(each, signal.SIG_IGN)
        raise _Ended(number)

    for each in heard:
        signal.signal(each, end)
    try:
        yield
    except _Ended as ended:
        # A supervisor would take an exit code for a failure; it expects the process to die of its signal.
        signal.signal(ended.number, signal.SIG_DFL)
        signal.raise_signal(ended.number)
    finally:
        for each in heard:
            signal.signal(each, signal.SIG_DFL)
