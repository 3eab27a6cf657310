"""Builds RefWalk over an exported ranker."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import polars as pl
from pydantic import ValidationError

from rulerank import llm
from rulerank.bundle import Bundle
from rulerank.errors import InputError, SettingsError
from rulerank.ranker import Ranker
from rulerank.refwalk.anchor import AnchorModel, AnchorSource
from rulerank.refwalk.decomposition import Decompose, PromptedParts, rule_parts
from rulerank.refwalk.parts import citation_expansion, dense_search, passage_texts, ranker_scorer
from rulerank.refwalk.prompted import PromptedAnchors
from rulerank.refwalk.rules import rule_anchor
from rulerank.refwalk.walk import RefWalk, Scorer
from rulerank.settings import Device, RefWalkSettings


def build_refwalk(
    ranker: Ranker, anchors: AnchorModel, settings: RefWalkSettings, scorer: Scorer | None = None
) -> RefWalk:
    """Return RefWalk over the passages of an exported ranker.

    Parameters
    ----------
    ranker : Ranker
        The ranker of N passages.
    anchors : AnchorModel
        Extracts the anchor of a question.
    settings : RefWalkSettings
        The section `refwalk` of params.yaml.
    scorer : Scorer, optional
        By default the ranker's own model.

    """
    bundle = ranker.bundle
    return RefWalk(
        anchors,
        search=dense_search(bundle),
        expand=citation_expansion(bundle.edges, bundle.passages["passage_id"], settings),
        scorer=scorer or ranker_scorer(bundle),
        tiers=bundle.passages["tier"].cast(pl.Float32).fill_null(np.nan).to_numpy(),
        settings=settings,
    )


def settings_of(bundle: Bundle, **changes: object) -> RefWalkSettings:
    """Return the section `refwalk` that a bundle was exported with, with every change that is not None.

    Raises
    ------
    SettingsError
        A changed value is out of range.

    """
    exported = bundle.manifest["settings"].get("refwalk", {})
    given = {key: value for key, value in changes.items() if value is not None}
    try:
        return RefWalkSettings.model_validate({**exported, **given})
    except ValidationError as error:
        problems = "; ".join(f"{each['loc'][0]}: {each['msg'].lower()}" for each in error.errors())
        raise SettingsError(f"refwalk: {problems}. Correct these values and run again.") from error


def anchor_model(source: AnchorSource) -> AnchorModel:
    """Return the extractor of anchors; `auto` is the configured language model, or the rules without one.

    Raises
    ------
    SettingsError
        `llm` was chosen and no language model is configured.

    """
    return anchors_by(source, model_for(source))


def anchors_by(source: AnchorSource, model: llm.LanguageModel | None) -> AnchorModel:
    """Return the extractor of anchors: a language model if there is one and the rules were not requested."""
    return rule_anchor if model is None or source is AnchorSource.rules else PromptedAnchors(model)


def decomposer(source: AnchorSource) -> Decompose:
    """Return what splits questions into parts; sources and errors are those of `anchor_model`."""
    model = model_for(source)
    return rule_parts if model is None else PromptedParts(model)


def model_for(source: AnchorSource) -> llm.LanguageModel | None:
    """Return the configured language model if a source uses one; errors as in `anchor_model`."""
    model = None if source is AnchorSource.rules else llm.configured()
    if model is None and source is AnchorSource.llm:
        raise SettingsError(f"{llm.URL}: expected a language model, found none. Set it, and {llm.MODEL}.")
    return model


def require_cross_encoder(name: str) -> None:
    """Raise InputError, before anything is loaded, if a cross-encoder is not available."""
    if find_spec("sentence_transformers") is None:
        raise InputError(
            name, "expected the package sentence-transformers, found none. Install rulerank[train]."
        )
    from rulerank.learn.hub import require_model

    require_model(name, "cross-encoder")


def cross_encoder(name: str, bundle: Bundle, device: Device = "auto") -> Scorer:
    """Return a scorer of a bundle's passages that uses a cross-encoder.

    Parameters
    ----------
    name : str
        A hub name or a folder.
    bundle : Bundle
        Holds the passages that the cross-encoder reads.
    device : {"auto", "cpu", "cuda"}, optional (default="auto")
        Where it runs.

    Raises
    ------
    InputError
        sentence-transformers is not installed, or the cross-encoder does not exist.

    """
    require_cross_encoder(name)
    from rulerank.refwalk.cross_encoder import CrossEncoderScorer

    return CrossEncoderScorer(name, passage_texts(bundle), device=device)
