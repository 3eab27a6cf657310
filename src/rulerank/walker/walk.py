"""RefWalk over an exported ranker."""

from __future__ import annotations

import numpy as np
import polars as pl
from pydantic import ValidationError

from rulerank.bundle import Bundle
from rulerank.errors import SettingsError
from rulerank.ranker import Ranker
from rulerank.retrieve.refwalk.anchor import AnchorModel
from rulerank.retrieve.refwalk.walk import Scorer, Walk
from rulerank.settings import RefWalk
from rulerank.walker.parts import citations, dense_search, learned_scorer


def walk_over(ranker: Ranker, anchors: AnchorModel, settings: RefWalk, scorer: Scorer | None = None) -> Walk:
    """Return RefWalk over the passages of an exported ranker.

    Parameters
    ----------
    ranker : Ranker
        Over N passages.
    anchors : AnchorModel
        Finds what a question is about.
    settings : RefWalk
        The section `refwalk` of params.yaml.
    scorer : Scorer, optional
        By default the ranker's own model.

    """
    bundle = ranker.bundle
    return Walk(
        anchors,
        search=dense_search(bundle),
        expand=citations(bundle.edges, bundle.passages["passage_id"], settings),
        scorer=scorer or learned_scorer(ranker),
        tiers=bundle.passages["tier"].cast(pl.Float32).fill_null(np.nan).to_numpy(),
        settings=settings,
    )


def settings_of(bundle: Bundle, **changes: object) -> RefWalk:
    """Return the section `refwalk` that a bundle was exported with, with every change that is not None.

    Raises
    ------
    SettingsError
        A changed value is out of range.

    """
    kept = bundle.manifest["settings"].get("refwalk", {})
    changed = {key: value for key, value in changes.items() if value is not None}
    try:
        return RefWalk.model_validate({**kept, **changed})
    except ValidationError as error:
        problems = "; ".join(f"{each['loc'][0]}: {each['msg'].lower()}" for each in error.errors())
        raise SettingsError(f"refwalk: {problems}. Correct these values and run again.") from error
