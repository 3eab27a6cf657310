"""The content of a bundle as plain data."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from rulerank.bundle.damage import expecting
from rulerank.bundle.manifest import LARGE, read_manifest
from rulerank.bundle.names import (
    CALIBRATION,
    DOCUMENT_TABLE,
    EDGE_TABLE,
    FEATURES,
    MANIFEST,
    PASSAGE_TABLE,
    TRUST,
)
from rulerank.files import read_json
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES

FACTS = ("format", "digest", "rulerank", "versions", "data", "questions", "groups", "out_of_fold", "settings")
"""Keys of a manifest that are described unchanged."""

TABLES = {
    "documents": (DOCUMENTS, DOCUMENT_TABLE),
    "passages": (PASSAGES, PASSAGE_TABLE),
    "edges": (EDGES, EDGE_TABLE),
}


def describe_bundle(folder: Path) -> dict[str, Any]:
    """Return the content of a bundle whose files match their hashes.

    Returns
    -------
    dict
        The facts of the manifest that `FACTS` names, if present; `bytes` by file or folder;
        `rows` of the tables; `models` by name with `trees`, `features` by group, `slope` and `intercept`;
        `trust` as in trust.json.

    Raises
    ------
    BundleError
        The folder is not a bundle, or one of its files is damaged.

    """
    manifest = read_manifest(folder, largest=LARGE)
    sizes: Counter[str] = Counter()
    for name, size in manifest["sizes"].items():
        sizes[name.partition("/")[0]] += size
    with expecting("the files of a bundle", folder):
        models = _models(folder)
        return {
            **{name: manifest[name] for name in FACTS if name in manifest},
            "bytes": dict(sizes.most_common()) | {MANIFEST: (folder / MANIFEST).stat().st_size},
            "rows": {name: table.map(folder / path).height for name, (table, path) in TABLES.items()},
            "models": models,
            "trust": read_json(folder / TRUST),
        }


def _models(folder: Path) -> dict[str, Any]:
    curves = read_json(folder / CALIBRATION)
    return {
        name: {
            "trees": (folder / f"{name}.txt").read_text(encoding="utf-8").count("\nTree="),
            "features": dict(Counter(each["group"] for each in features)),
            **curves[name],
        }
        for name, features in read_json(folder / FEATURES).items()
    }
