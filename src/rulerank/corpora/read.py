"""Read a corpus of any known format, recognised by what its folder holds."""

from __future__ import annotations

from pathlib import Path

from rulerank.corpora.beir import read_beir
from rulerank.corpora.corpus import Corpus
from rulerank.corpora.obliqa import read_obliqa
from rulerank.errors import InputError

_READERS = {
    "StructuredRegulatoryDocuments": ("ObliQA", read_obliqa),
    "corpus.jsonl": ("BEIR", read_beir),
}


def read_corpus(root: Path) -> Corpus:
    """Read the corpus in the folder `root`.

    Raises
    ------
    InputError
        The folder is missing or empty, holds no known corpus, or a file in it cannot be used.

    """
    for name, (_, read) in _READERS.items():
        if (root / name).exists():
            return read(root)
    known = " or ".join(f"{name} ({form})" for name, (form, _) in _READERS.items())
    if not root.is_dir():
        found = "no such folder" if not root.exists() else "a file"
    else:
        content = sorted(entry.name for entry in root.iterdir())
        found = (
            f"{', '.join(content[:5])}{', ...' if len(content) > 5 else ''}" if content else "an empty folder"
        )
    raise InputError(
        root,
        f"expected a folder with {known}, found {found}. Correct data.root in params.yaml, "
        "or get a corpus with `rulerank data fetch obliqa`.",
    )
