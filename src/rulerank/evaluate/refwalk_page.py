"""What RefWalk is worth beside the exported ranker, as one page and one JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from rulerank.bundle import RANKER
from rulerank.evaluate.measures import average
from rulerank.evaluate.report import COMPARED, markdown_table, with_holm
from rulerank.evaluate.significance import compare
from rulerank.files import write_json, write_text
from rulerank.retrieve.refwalk.walk import Pool
from rulerank.settings import RefWalk, Settings

BESIDE = (RANKER, "rrf")
"""Runs of the exported ranker that the walks are shown beside."""
MEASURED = ("nDCG@10", "Recall@10", "FullCov@10")
_SHOWN = ("run", "queries", *MEASURED)

_PAGE = """\
# RefWalk

{questions} validation questions, anchors by {anchors}, scored by {scorer};
{settings}. A pool holds
{size:.1f} passages on average, {cited:.1f} of them by citations alone. It holds {pool:.4f} of the relevant
passages, the ranker's candidates {candidates:.4f}. `refwalk <fusion>` fuses the views, weights {weights}
where it weighs; `refwalk only <view>` is the order under one view. A passage of tier {low_tier} or lower has
{tier_decay} of its fused score, but in `tiers alike`.

## All questions

{means}
{levels}## {ranker} against the walks

{compared}
{comparisons}"""


def write_refwalk(
    folder: Path,
    settings: Settings,
    about: Mapping[str, object],
    pools: Mapping[str, Pool],
    found: Mapping[str, float],
    scores: pl.DataFrame,
) -> None:
    """Write `metrics.json` and `report.md`.

    Parameters
    ----------
    folder : Path
        Where.
    settings : Settings
        The params.
    about : mapping
        `anchors` and `scorer` by name, and the number of `questions`.
    pools : mapping of str to Pool
        The pool of each question.
    found : mapping of str to float
        Recall of the `pool` and of the ranker's `candidates`.
    scores : polars.DataFrame
        From `measures.per_query`, with each question's `level`; the runs of `BESIDE` and the walks.

    """
    walks = [run for run in scores["run"].unique(maintain_order=True) if run not in BESIDE]
    rounds, seed = settings.evaluate.permutations, settings.seed
    compared = pl.concat([compare(scores, RANKER, walks, measure, rounds, seed) for measure in MEASURED])
    means = average(scores)
    levels = average(scores.drop_nulls("level"), ["level"]).sort("level", maintain_order=True)
    shape = {
        "size": float(np.mean([len(pool.passages) for pool in pools.values()])),
        "cited": float(np.mean([pool.reached.sum() for pool in pools.values()])),
    }
    metrics = {
        **about,
        "settings": settings.refwalk.model_dump(mode="json"),
        "pool": shape,
        "recall": dict(found),
        "runs": _by_run(means),
        "levels": {
            str(level): _by_run(part) for (level,), part in levels.group_by("level", maintain_order=True)
        },
    }
    write_json(folder / "metrics.json", metrics)
    page = _PAGE.format(
        **about,
        **shape,
        **found,
        **_said(settings.refwalk),
        means=markdown_table(means.select(_SHOWN)),
        levels=_level_section(levels),
        ranker=RANKER,
        compared=COMPARED,
        comparisons=markdown_table(with_holm(compared)),
    )
    write_text(folder / "report.md", page)


def _said(settings: RefWalk) -> dict[str, object]:
    """Return what the page says of the settings."""
    plain = settings.model_dump(include={"pool", "seeds", "hops", "decay", "rrf_k"})
    return {
        "settings": ", ".join(f"{key} {value}" for key, value in plain.items()),
        "weights": list(settings.weights),
        "low_tier": settings.low_tier,
        "tier_decay": settings.tier_decay,
    }


def _level_section(levels: pl.DataFrame) -> str:
    """Return the table by level under its heading, nothing where no question has a level."""
    return f"## By level\n\n{markdown_table(levels.select('level', *_SHOWN))}\n" if levels.height else ""


def _by_run(means: pl.DataFrame) -> dict[str, dict[str, float]]:
    measures: Sequence[str] = ("queries", *MEASURED)
    return {str(row["run"]): {name: row[name] for name in measures} for row in means.iter_rows(named=True)}
