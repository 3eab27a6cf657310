"""Read a corpus of any known format, recognised by the content of its folder."""

from __future__ import annotations

from collections.abc import Iterator, Set
from pathlib import Path

from rulerank.corpora.beir import CORPUS, read_beir
from rulerank.corpora.corpus import Corpus
from rulerank.corpora.fire_safety import ARTICLES, read_fire_safety
from rulerank.corpora.obliqa import DOCUMENTS_FOLDER, QuestionFiles, read_obliqa
from rulerank.corpora.regml import read_regml, regulation_files
from rulerank.errors import InputError
from rulerank.files import sha256

_FORMATS = {
    DOCUMENTS_FOLDER: "ObliQA",
    CORPUS: "BEIR",
    ARTICLES: "SearchFireSafety",
    "<part>/<document>.xml": "RegML",
}
_READERS = {"BEIR": read_beir, "SearchFireSafety": read_fire_safety, "RegML": read_regml}


def read_corpus(root: Path, questions: QuestionFiles = "published") -> Corpus:
    """Read the corpus in the folder `root`.

    Parameters
    ----------
    root : Path
        The folder.
    questions : {"published", "recut"}, optional (default="published")
        Which question files of an ObliQA folder serve which split; see `read_obliqa`. Other formats have
        no re-cut.

    Raises
    ------
    InputError
        The folder is missing or empty, has no known corpus or none that can be re-cut, or a file in it cannot
        be used.

    """
    if (root / DOCUMENTS_FOLDER).exists():
        return read_obliqa(root, questions)
    form = _form(root)
    if form and questions != "published":
        raise InputError(
            root,
            f"expected an ObliQA folder, which alone has a re-cut, found {form}. "
            "Set prepare.questions to published in params.yaml.",
        )
    if form:
        return _READERS[form](root)
    known = " or ".join(f"{name} ({form})" for name, form in _FORMATS.items())
    if not root.is_dir():
        found = "no such folder" if not root.exists() else "a file"
    else:
        content = sorted(entry.name for entry in root.iterdir())
        found = (
            f"{', '.join(content[:5])}{', ...' if len(content) > 5 else ''}" if content else "an empty folder"
        )
    raise InputError(
        root,
        f"expected a folder with {known}, found {found}. Correct the path, which is data.root in params.yaml "
        "for the pipeline, or get a corpus with `rulerank data fetch obliqa`.",
    )


def _form(root: Path) -> str | None:
    """Return the format of a folder other than ObliQA's, or None if it holds no corpus."""
    for name in (CORPUS, ARTICLES):
        if (root / name).exists():
            return _FORMATS[name]
    return "RegML" if root.is_dir() and regulation_files(root) else None


def provenance(root: Path) -> dict[str, object]:
    """Return the name of a corpus's folder, and the SHA-256 of every file in it that is not hidden."""
    return {
        "name": root.name,
        "files": {path.relative_to(root).as_posix(): sha256(path) for path in sorted(_files(root, set()))},
    }


def _files(folder: Path, above: Set[Path]) -> Iterator[Path]:
    """Yield the files in a folder and below it, also in linked folders; a link back up is not followed."""
    above = above | {folder.resolve()}
    for path in folder.iterdir():
        if path.name.startswith("."):
            continue
        if path.is_file():
            yield path
        elif path.is_dir() and path.resolve() not in above:
            yield from _files(path, above)
