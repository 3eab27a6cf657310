"""An exported ranker read from its folder."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rulerank.bundle.card import CARD
from rulerank.bundle.consistency import check_index
from rulerank.bundle.contents import Bundle, Contents
from rulerank.bundle.corpus import load_tables
from rulerank.bundle.damage import expecting, require
from rulerank.bundle.golden import check_questions
from rulerank.bundle.golden_rows import check_rows
from rulerank.bundle.load_models import REMEDY, load_models, load_selections, load_trust
from rulerank.bundle.manifest import LARGE, read_manifest
from rulerank.bundle.names import ENCODER, FIRST_PASS, INDEX, MANIFEST, TOKEN_ENCODER
from rulerank.errors import InputError
from rulerank.features import storage
from rulerank.features.first_pass import FirstPass
from rulerank.features.registry import registered
from rulerank.features.storage import load_index
from rulerank.retrieve.encoder import Encoder
from rulerank.settings import Answering, Candidates, Extract, Graph, RefWalkSettings, Text
from rulerank.text import load_analyser
from rulerank.threads import MOST_THREADS


def load_bundle(folder: Path, threads: int = 1) -> Bundle:
    """Read a bundle after checking its files, their content, and the scores and features that it computes.

    Files are checked against their hashes, or only by size if they have more than `LARGE` bytes. Arrays are
    checked against the passages and one another. Golden rows are checked against their scores. The first
    golden question is checked against the features of its candidates, unless the index has a larger file,
    since a question may read all of it. `rulerank bundle verify` leaves nothing out.

    Raises
    ------
    BundleError
        The folder is not a bundle, a file is missing, changed or damaged, the format or a feature is of
        another version, or the bundle gives different results than when it was written.
    InputError
        There are more threads than `MOST_THREADS`.

    """
    bundle = read_bundle(folder, threads, largest=LARGE)
    if all(size <= LARGE for name, size in bundle.manifest["sizes"].items() if name.startswith(INDEX)):
        check_questions(bundle, folder, questions=1)
    return bundle


def read_bundle(folder: Path, threads: int, *, largest: int | None) -> Bundle:
    """Read a bundle as `load_bundle` does, without asking anything.

    Parameters
    ----------
    folder : Path
        The bundle.
    threads : int
        Threads of the encoders.
    largest : int or None
        Bytes of a file above which only its size is checked; None checks all of every file.

    Raises
    ------
    BundleError
        The folder is not a bundle, or its content has changed since it was written.
    InputError
        There are more threads than `MOST_THREADS`.

    """
    if threads > MOST_THREADS:
        raise InputError("threads", f"expected at most {MOST_THREADS}, found {threads}. Give fewer.")
    manifest = read_manifest(folder, largest=largest)
    # onnxruntime prepares an encoder in a thread of its own, while all else is read.
    with ThreadPoolExecutor(1) as pool:
        encoders = pool.submit(_load_encoders, folder, manifest, threads)
        contents = _load_contents(folder, manifest, largest)
        check_rows(folder, contents.forests)
        encoder, token_encoder = encoders.result()
    bundle = Bundle(**vars(contents), manifest=manifest, encoder=encoder, token_encoder=token_encoder)
    _check_widths(bundle, folder)
    return bundle


def _load_encoders(folder: Path, manifest: Mapping[str, Any], threads: int) -> tuple[Encoder, Encoder]:
    """Read the encoder of questions and the encoder of their tokens; they may be the same."""
    another = any(name.startswith(f"{TOKEN_ENCODER}/") for name in manifest["files"])
    names = (ENCODER, TOKEN_ENCODER) if another else (ENCODER,)
    encoders = []
    for name in names:
        with expecting("an encoder that can be read", folder / name):
            encoders.append(Encoder(folder / name, threads))
    return encoders[0], encoders[-1]


def _check_widths(bundle: Bundle, folder: Path) -> None:
    """Check that the encoders give vectors of the index's width."""
    dense, late = bundle.index.dense, bundle.index.late
    with expecting(f"an encoder of {dense.pretrained.width} dimensions", folder / ENCODER):
        require(bundle.encoder.dimension == dense.pretrained.width, f"{bundle.encoder.dimension}")
    if late is not None:
        name = TOKEN_ENCODER if bundle.token_encoder is not bundle.encoder else ENCODER
        with expecting(f"tokens of {len(late.axes)} dimensions", folder / name):
            require(bundle.token_encoder.token_dimension == len(late.axes), "others")


def _load_contents(folder: Path, manifest: Mapping[str, Any], largest: int | None) -> Contents:
    with expecting("a file", folder / CARD):
        require(CARD in manifest["files"], "none")
    with expecting("settings of this version", folder / MANIFEST, REMEDY):
        settings = manifest["settings"]
        candidates = Candidates.model_validate(settings["candidates"])
        extract = Extract.model_validate(settings["extract"])
        RefWalkSettings.model_validate(settings.get("refwalk", {}))
        Answering.model_validate(settings.get("answer", {}))
        Graph.model_validate(settings.get("graph", {}))
        analyser = load_analyser(Text.model_validate(settings.get("text", {})).target)
    documents, passages, edges = load_tables(folder, manifest, largest)
    check_index(folder / INDEX, passages, edges, candidates, extract, analyser, largest)
    with expecting("generators as the settings name them", folder / INDEX, REMEDY):
        index = load_index(folder / INDEX, passages["passage_id"], candidates, extract)
        for name, generator in index.generators.items():
            require(len(generator) == passages.height, f"{name} of {len(generator)} passages")
    models = load_models(folder, manifest, registered(index.plugged_in))
    groups = {group for model in models.values() for group in model.features.groups}
    for group, part, place in (
        ("late", index.late, storage.GENERATORS),
        (storage.TRANSLATION, index.translation, ""),
    ):
        with expecting("what the features of its group look at", folder / INDEX / place / group):
            require(part is not None or group not in groups, "none")
    first = models.pop(FIRST_PASS, None)
    return Contents(
        documents=documents,
        passages=passages,
        edges=edges,
        index=index,
        models=models,
        first_pass=FirstPass(first.trees, first.features, first.curve) if first else None,
        trust=load_trust(folder, models, first),
        selections=load_selections(folder, models),
    )
