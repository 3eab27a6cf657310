"""A bundle proved in full, which takes longer than loading it."""

from __future__ import annotations

from pathlib import Path

from rulerank.bundle.golden import check_questions
from rulerank.bundle.load import load_bundle
from rulerank.bundle.verify import read_manifest


def verify_bundle(folder: Path) -> None:
    """Prove a bundle: every hash, the golden rows of every model, and the golden questions.

    Raises
    ------
    BundleError
        Something is not as it was when the bundle was written; the message says what.

    """
    read_manifest(folder, largest=None)
    check_questions(load_bundle(folder), folder)
