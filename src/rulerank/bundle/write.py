"""An exported ranker written to one folder: no pickle, every file hashed, golden rows to verify it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulerank.bundle.card import CARD, model_card
from rulerank.bundle.contents import Contents
from rulerank.bundle.corpus import order_of
from rulerank.bundle.golden import Golden, KeptGolden, write_extracted
from rulerank.bundle.load import read_bundle
from rulerank.bundle.manifest import LARGE, digest
from rulerank.bundle.model import Model
from rulerank.bundle.names import (
    AFFINITY,
    CALIBRATION,
    COMPLETION,
    DOCUMENT_TABLE,
    EDGE_TABLE,
    ENCODER,
    FEATURES,
    FORMAT,
    INDEX,
    MANIFEST,
    PASSAGE_TABLE,
    SELECTION,
    STANDING,
    TOKEN_ENCODER,
    TRUST,
)
from rulerank.bundle.reference import REFERENCE
from rulerank.bundle.upkeep import Upkeep
from rulerank.errors import BundleError
from rulerank.features.affinity import Affinity
from rulerank.features.completion import Completion
from rulerank.features.standing import Standing
from rulerank.features.storage import save_index
from rulerank.files import alone_in, read_json, replacing_folder, sha256, write_json, write_text
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES
from rulerank.trees import GRAPH
from rulerank.trees.graph import tree_graph


@dataclass(frozen=True)
class Encoders:
    """The folders of a bundle's encoders.

    Parameters
    ----------
    query : Path
        The encoder that embeds questions.
    tokens : Path
        The encoder that gives their tokens; may be the same folder.

    """

    query: Path
    tokens: Path


def write_bundle(
    folder: Path,
    contents: Contents,
    encoders: Encoders,
    golden: Golden | KeptGolden,
    facts: Mapping[str, Any],
    reference: Mapping[str, Any] | None = None,
    upkeep: Upkeep | None = None,
    replaced: str | None = None,
) -> None:
    """Write a bundle, whole or not at all: one that cannot be loaded replaces nothing.

    Parameters
    ----------
    folder : Path
        Where to write it; an older bundle there is replaced.
    contents : Contents
        The contents of the ranker.
    encoders : Encoders
        The encoders' folders.
    golden : Golden or KeptGolden
        The rows and questions that will verify the bundle.
    facts : mapping
        Other facts for the manifest: settings, versions, provenance.
    reference : mapping, optional
        How the features were distributed in training, from `reference.describe`.
    upkeep : Upkeep, optional
        Without it the corpus of the bundle cannot change.
    replaced : str, optional
        Digest of the only bundle that may be replaced; by default any bundle may.

    Raises
    ------
    BundleError
        The written bundle cannot be loaded, or a bundle other than `replaced` is there by now.

    """
    with ExitStack() as held, replacing_folder(folder) as temporary:
        DOCUMENTS.write_mapped(contents.documents, temporary / DOCUMENT_TABLE)
        PASSAGES.write_mapped(contents.passages, temporary / PASSAGE_TABLE)
        EDGES.write_mapped(contents.edges, temporary / EDGE_TABLE)
        save_index(contents.index, temporary / INDEX)
        shutil.copytree(encoders.query, temporary / ENCODER)
        if contents.index.late is not None and encoders.tokens != encoders.query:
            shutil.copytree(encoders.tokens, temporary / TOKEN_ENCODER)
        trained = contents.trained
        for name, trees in contents.forests.items():
            write_text(temporary / f"{name}.txt", trees.text)
            (temporary / f"{name}{GRAPH}").write_bytes(tree_graph(trees))
        write_json(temporary / FEATURES, {name: model.features.describe() for name, model in trained.items()})
        write_json(temporary / CALIBRATION, {name: dict(model.curve) for name, model in trained.items()})
        write_added(temporary, contents.models)
        write_json(temporary / TRUST, contents.trust)
        write_json(
            temporary / SELECTION, {name: each.as_json() for name, each in contents.selections.items()}
        )
        if reference is not None:
            write_json(temporary / REFERENCE, reference)
        golden.write(contents, temporary)
        if upkeep is not None:
            upkeep.write(temporary)
        write_text(temporary / CARD, model_card(contents, facts))
        said = {**facts, "passages": order_of(contents.passages)}
        seal(temporary, said)
        # The features of the golden questions are those that this bundle gives once it is loaded.
        write_extracted(read_bundle(temporary, 1, largest=LARGE), temporary)
        seal(temporary, said)
        if replaced is not None:
            # Held until the folders are exchanged, so that no other update comes between.
            held.enter_context(alone_in(folder.parent))
            _require_same(folder, replaced)


def _require_same(folder: Path, expected: str) -> None:
    """Refuse to replace another bundle than the one with a digest."""
    if read_json(folder / MANIFEST).get("digest") != expected:
        raise BundleError(
            f"{folder}: expected the ranker that the update began with, found another: something else "
            "has replaced it meanwhile. Run the update again."
        )


def write_added(folder: Path, models: Mapping[str, Model]) -> None:
    """Write what models add to the scores of their trees, one file for each kind, by model."""
    kinds: dict[str, dict[str, Completion | Affinity | Standing | None]] = {
        COMPLETION: {name: model.completion for name, model in models.items()},
        AFFINITY: {name: model.affinity for name, model in models.items()},
        STANDING: {name: model.standing for name, model in models.items()},
    }
    for file, kind in kinds.items():
        write_json(folder / file, {name: each.as_json() for name, each in kind.items() if each is not None})


def seal(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write the manifest over the files as they are."""
    (folder / MANIFEST).unlink(missing_ok=True)
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    manifest = {
        **facts,
        "format": FORMAT,
        "files": {name: sha256(path) for name, path in names.items()},
        "sizes": {name: path.stat().st_size for name, path in names.items()},
    }
    write_json(folder / MANIFEST, {**manifest, "digest": digest(manifest)})
