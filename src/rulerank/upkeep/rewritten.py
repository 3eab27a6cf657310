"""A bundle rewritten: the models of one, over passages of another day or another corpus, or a copy."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulerank.bundle import Contents, Encoders, KeptGolden, Upkeep, write_bundle
from rulerank.bundle.manifest import FACTS_OF_FILES, read_manifest
from rulerank.bundle.names import ENCODER, TOKEN_ENCODER
from rulerank.bundle.reference import REFERENCE
from rulerank.files import read_json, replacing_folder


def write_again(
    folder: Path,
    source: Path,
    contents: Contents,
    upkeep: Upkeep,
    facts: Mapping[str, Any],
    names: Mapping[str, str],
) -> None:
    """Write a bundle with the encoders, the golden rows and the feature reference of another.

    Parameters
    ----------
    folder, source : Path
        The new bundle and the other; they may be the same.
    contents, upkeep
        What is in the new one.
    facts : mapping
        Its manifest; entries about a manifest's files are left out.
    names : mapping of str to str
        The name of a model in `source`, if it differs.

    """
    encoder, tokens = source / ENCODER, source / TOKEN_ENCODER
    encoders = Encoders(encoder, tokens if tokens.is_dir() else encoder)
    said = {key: value for key, value in facts.items() if key not in FACTS_OF_FILES}
    trained = source / REFERENCE
    reference = read_json(trained) if trained.is_file() else None
    # The bundle is where a link points; the link stays.
    place = folder.resolve()
    replaced = facts["digest"] if place == source.resolve() else None
    write_bundle(place, contents, encoders, KeptGolden(source, names), said, reference, upkeep, replaced)


def write_copy(folder: Path, source: Path) -> None:
    """Write the same bundle to another folder, whole or not at all; its own folder stays as it is.

    Raises
    ------
    BundleError
        The copy is not whole: something has replaced the source meanwhile.

    """
    place = folder.resolve()
    if place == source.resolve():
        return
    with replacing_folder(place) as temporary:
        shutil.copytree(source, temporary, dirs_exist_ok=True)
        read_manifest(temporary, largest=None)
