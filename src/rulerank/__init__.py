"""Learning to rank regulatory text.

>>> import rulerank
>>> ranker = rulerank.load("outputs/bundle")
>>> ranker.rank("Who must keep the register?", k=10)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulerank.ranker import Ranker

__version__ = "0.1.0"
__all__ = ["__version__", "load"]


def load(path: Path | str, *, threads: int = 1) -> Ranker:
    """Load an exported ranker from its folder.

    Load bundles that you trust: hashes prove that the files are whole, not who wrote them.

    Parameters
    ----------
    path : path or str
        The bundle's folder, e.g. `outputs/bundle`.
    threads : int, optional (default=1)
        As in `Ranker.load`.

    Returns
    -------
    Ranker
        `Ranker.rank(question, k)` returns the passages that govern a question.

    Raises
    ------
    BundleError
        The folder is no bundle, or was changed since it was written.
    InputError
        As in `Ranker.load`.

    """
    from rulerank.ranker import Ranker

    return Ranker.load(path, threads=threads)
