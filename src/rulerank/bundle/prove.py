"""A bundle proved in full, which takes longer than loading it."""

from __future__ import annotations

from pathlib import Path

from rulerank.bundle.golden import check_questions
from rulerank.bundle.load import read_bundle


def verify_bundle(folder: Path) -> None:
    """Prove a bundle: every hash and value, the golden rows of every model, and the golden questions.

    Raises
    ------
    BundleError
        Something is not as it was when the bundle was written; the message says what.

    """
    check_questions(read_bundle(folder, 1, largest=None), folder)
