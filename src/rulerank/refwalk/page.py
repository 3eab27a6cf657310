"""RefWalk compared with the exported ranker, as one page and one JSON."""

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
from rulerank.refwalk.trial import IDEAL, NOISE, Trial
from rulerank.settings import RefWalkSettings, Settings

BASELINES = (RANKER, "rrf")
"""Runs of the exported ranker that RefWalk is compared with."""
MEASURED = ("nDCG@10", "Recall@10", "FullCov@10")
_SHOWN = ("run", "queries", *MEASURED)

_PAGE = """\
# RefWalk

{questions} validation questions, anchors by {anchors}, scored by {scorer};
{settings}. A pool holds {size:.1f} passages on average,
{cited:.1f} of them through citations alone. It holds {pool:.4f} of the relevant passages;
the ranker's candidates hold {candidates:.4f}. `refwalk <fusion>` fuses the views, with weights {weights}
if it is weighted; `refwalk only <view>` is the order under one view. The fused score of a passage of tier
{low_tier} or of less authority is multiplied by {tier_decay}, except in `tiers alike`.

The passages of all pools of a question are scored together, once under each view. Citations and the hierarchy
part the passages into {communities} communities, the largest of {largest}, with modularity {modularity:.3f}.

## All questions

{means}
{levels}## {ranker} compared with RefWalk

{compared}
{comparisons}
## RefWalk without a part, or with a part changed

All of them are fused by {fusion}, and compared with `{walk}`. Edges are dropped or rewired only among those
that are followed.

{ablations}
## Other orders of the same passages

Compared with `{alike}`, on its pools: none of them uses tiers. `oracle of the pool` has the
most relevant passages of a pool first: no order of the pool can do better. `oracle with noise` orders the
relevant passages and others, ten in all, by the views; its Recall is 1 by construction if there are no
more than ten.

{orders}
## By article

The passages of one article count as one, in the judgements and in the runs.

{articles}
{article_comparisons}"""


def write_refwalk(
    folder: Path,
    settings: Settings,
    about: Mapping[str, object],
    trial: Trial,
    recall: Mapping[str, float],
    scores: pl.DataFrame,
    articles: pl.DataFrame,
) -> None:
    """Write `metrics.json` and `report.md`.

    Parameters
    ----------
    folder : Path
        The folder to write to.
    settings : Settings
        The params.
    about : mapping
        The names of `anchors` and `scorer`, and the number of `questions`.
    trial : Trial
        The results of all questions.
    recall : mapping of str to float
        Share of the relevant passages in the `pool` and among the ranker's `candidates`.
    scores : polars.DataFrame
        From `measures.per_query`, with each question's `level`; the runs of `BASELINES` and of the trial.
    articles : polars.DataFrame
        The same by article, without the level.

    """
    pool, parts = _pool(trial), _parts(trial)
    metrics = {
        **about,
        "settings": settings.refwalk.model_dump(mode="json"),
        "pool": pool,
        "communities": parts,
        "recall": dict(recall),
        **_metrics(scores, articles),
    }
    write_json(folder / "metrics.json", metrics)
    facts = {**about, **pool, **parts, **recall}
    write_text(folder / "report.md", _page(settings, facts, trial, scores, articles))


def _pool(trial: Trial) -> dict[str, float]:
    """Return how many passages a pool holds on average, and how many of them through citations alone."""
    pools = trial.pools.values()
    return {
        "size": float(np.mean([len(pool.passages) for pool in pools])),
        "cited": float(np.mean([pool.by_citation.sum() for pool in pools])),
    }


def _parts(trial: Trial) -> dict[str, float]:
    """Return what the page says about the communities of the passages."""
    sizes = trial.communities.sizes
    return {
        "communities": len(sizes),
        "largest": int(sizes.max(initial=0)),
        "modularity": trial.communities.modularity,
    }


def _metrics(scores: pl.DataFrame, articles: pl.DataFrame) -> dict[str, object]:
    """Return the means of every run: over all questions, by level and by article."""
    levels = _by_level(scores).group_by("level", maintain_order=True)
    return {
        "runs": _by_run(average(scores)),
        "levels": {str(level): _by_run(part) for (level,), part in levels},
        "articles": _by_run(average(articles)),
    }


def _page(
    settings: Settings,
    facts: Mapping[str, object],
    trial: Trial,
    scores: pl.DataFrame,
    articles: pl.DataFrame,
) -> str:
    """Return the report; `facts` are the values that its text states."""

    def paired(measured: pl.DataFrame, run: str, others: Sequence[str]) -> str:
        rounds, seed = settings.evaluate.permutations, settings.seed
        rows = [compare(measured, run, others, measure, rounds, seed) for measure in MEASURED]
        return markdown_table(with_holm(pl.concat(rows)))

    orders = [*trial.baseline_names, IDEAL, NOISE]
    apart = {*BASELINES, *trial.changed_names, *orders}
    walks = [run for run in scores["run"].unique(maintain_order=True) if run not in apart]
    return _PAGE.format(
        **facts,
        **_described(settings.refwalk),
        means=markdown_table(average(scores).select(_SHOWN)),
        levels=_level_section(_by_level(scores)),
        ranker=RANKER,
        walk=trial.name,
        alike=trial.alike,
        compared=COMPARED,
        comparisons=paired(scores, RANKER, walks),
        ablations=paired(scores, trial.name, [*trial.changed_names, trial.alike]),
        orders=paired(scores, trial.alike, orders),
        articles=markdown_table(average(articles).select(_SHOWN)),
        article_comparisons=paired(articles, trial.alike, [*BASELINES, *orders]),
    )


def _by_level(scores: pl.DataFrame) -> pl.DataFrame:
    """Return the means of every run by level, without the questions that have none."""
    return average(scores.drop_nulls("level"), ["level"]).sort("level", maintain_order=True)


def _described(settings: RefWalkSettings) -> dict[str, object]:
    """Return what the page says about the settings."""
    plain = settings.model_dump(include={"pool", "seeds", "hops", "decay", "rrf_k"})
    return {
        "settings": ", ".join(f"{key} {value}" for key, value in plain.items()),
        "fusion": settings.fusion,
        "weights": list(settings.weights),
        "low_tier": settings.low_tier,
        "tier_decay": settings.tier_decay,
    }


def _level_section(levels: pl.DataFrame) -> str:
    """Return the table by level under its heading, or nothing if no question has a level."""
    return f"## By level\n\n{markdown_table(levels.select('level', *_SHOWN))}\n" if levels.height else ""


def _by_run(means: pl.DataFrame) -> dict[str, dict[str, float]]:
    measures: Sequence[str] = ("queries", *MEASURED)
    return {str(row["run"]): {name: row[name] for name in measures} for row in means.iter_rows(named=True)}
