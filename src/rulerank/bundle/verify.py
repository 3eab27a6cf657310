"""Full verification of a bundle, which takes longer than loading it."""

from __future__ import annotations

from pathlib import Path

from rulerank.bundle.golden import check_questions
from rulerank.bundle.load import read_bundle
from rulerank.bundle.reference import REFERENCE, read_reference
from rulerank.bundle.upkeep import UPKEEP, read_upkeep


def verify_bundle(folder: Path) -> None:
    """Verify a bundle: every hash and value, the golden rows of every model, golden questions, upkeep.

    Raises
    ------
    BundleError
        Something has changed since the bundle was written; the message says what.

    """
    bundle = read_bundle(folder, 1, largest=None)
    check_questions(bundle, folder)
    if (folder / REFERENCE).is_file():
        read_reference(folder)
    if (folder / UPKEEP).is_dir():
        read_upkeep(folder, bundle.index)
