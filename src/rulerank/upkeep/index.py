"""A trained ranker applied to another corpus, without training: no question and no judgement is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rulerank.bundle import (
    ON_NEW_RULES,
    RANKER,
    Bundle,
    Contents,
    load_bundle,
    read_upkeep,
    require_replaceable,
)
from rulerank.corpora import provenance, read_corpus
from rulerank.errors import InputError
from rulerank.features.judgement_index import JudgementIndex, build_judgement_index
from rulerank.features.surroundings import Surroundings
from rulerank.settings import Graph
from rulerank.tables import JUDGEMENTS
from rulerank.upkeep.build import Rulebook, build_index
from rulerank.upkeep.rewritten import write_again
from rulerank.upkeep.train_extra import import_train_extra

OF_TRAINING = ("data", "questions", "out_of_fold", "updates")
"""What a manifest states about the corpus that a ranker was trained on, and about its changes."""


def index_corpus(
    root: Path, ranker: Path, out: Path, *, grammar: str | None = None, threads: int = 1
) -> tuple[str, ...]:
    """Apply the ranker for rules that nobody has judged to another corpus.

    Parameters
    ----------
    root : Path
        The corpus, in any format that `rulerank.corpora.read_corpus` reads; passages alone are enough.
    ranker : Path
        The bundle.
    out : Path
        Where the new bundle is written; an existing one is replaced.
    grammar : str, optional
        How the corpus cites, as `graph.grammar` of params.yaml; by default as in the training corpus.
    threads : int, optional (default=1)
        Threads of the encoder.

    Returns
    -------
    tuple of str
        What the reader of the corpus left out or repaired.

    Raises
    ------
    BundleError
        `ranker` is not a bundle, or is one without the data for indexing new passages.
    InputError
        There is no corpus, a file of it cannot be used, or `out` is the bundle itself or holds something
        else.
    ModuleNotFoundError
        The extra `train` is not installed.

    """
    if out.resolve() == ranker.resolve():
        raise InputError(
            out, "expected a folder for the new bundle, found the ranker. Choose another folder."
        )
    require_replaceable(out, ranker, root)
    if grammar is not None and not grammar.strip():
        raise InputError("--grammar", "expected a name or the path of a YAML file, found none. Name one.")
    import_train_extra()
    source = load_bundle(ranker, threads)
    kept = read_upkeep(ranker, source.index)
    corpus = read_corpus(root)
    book = Rulebook(corpus.documents, corpus.passages, corpus.references, corpus.names)
    settings = _settings(source, grammar)
    model = ON_NEW_RULES if ON_NEW_RULES in source.models else RANKER
    nobody = _nobody(source, book.passages["passage_id"])
    graph = Graph.model_validate(settings["graph"])
    edges, index = build_index(source, kept, book, graph, nobody, source.passages.clear())
    contents = Contents(
        documents=book.documents,
        passages=book.passages,
        edges=edges,
        index=index,
        models={RANKER: replace(source.models[model], completion=None)},
        first_pass=source.first_pass,
        trust=None,
        selections={RANKER: source.selections[model]} if model in source.selections else {},
    )
    said = {key: value for key, value in source.manifest.items() if key not in OF_TRAINING}
    facts = {
        **said,
        "settings": settings,
        "feature_set": source.models[model].features.digest,
        "groups": source.models[model].features.groups,
        "data": provenance(root),
        # A ranker that was indexed before was trained before that.
        "trained": source.manifest.get(
            "trained",
            {key: source.manifest[key] for key in ("digest", *OF_TRAINING) if key in source.manifest},
        ),
    }
    upkeep = replace(kept, judged=kept.judged.clear(), references=book.references, names=book.names)
    write_again(out, ranker, contents, upkeep, facts, {RANKER: model})
    return corpus.problems


def _settings(source: Bundle, grammar: str | None) -> dict[str, Any]:
    """Return the settings of the ranker that hold without judgements and for another corpus."""
    settings = dict(source.manifest["settings"])
    settings["extract"] = {**settings["extract"], "judgement": False}
    if grammar is not None:
        settings["graph"] = {**settings.get("graph", {}), "grammar": grammar}
    return settings


def _nobody(source: Bundle, ids: pl.Series) -> Callable[[Surroundings], JudgementIndex]:
    """Return a function that builds a judgement index without any question."""
    nothing = np.empty(0, np.int64)
    unknown = source.index.dense.vectors.take(nothing)

    def judged(around: Surroundings) -> JudgementIndex:
        return build_judgement_index(
            JUDGEMENTS.empty(), ids, [], nothing, nothing, unknown, around.documents, around.sections
        )

    return judged
