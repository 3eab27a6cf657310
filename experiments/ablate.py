"""What each feature group is worth: rankers retrained without it, and with it alone.

    python experiments/ablate.py [ranker | ranker_without_judgement] [without | only | named ...]

Every variant is compared with the exported model of that name and trained in the same way: on the same folds,
with the same settings and seed, and its number of rounds chosen by the same rule. Finished variants are kept
in outputs/ablation/variants, so an interrupted run continues where it stopped. Writes
outputs/ablation/ablation.csv, .md and .png. For a model other than `ranker` the files are called
ablation.<model>.csv and so on. If kinds are named, they are called ablation.<kind>.csv, which keeps the full
table.
"""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Annotated

import polars as pl
import typer
from rich.progress import track

from rulerank.bundle import RANKER
from rulerank.console import reported
from rulerank.errors import DataWarning, InputError
from rulerank.evaluate.figures import ablation_figure, png
from rulerank.evaluate.measures import MEASURE, MEASURES, per_query
from rulerank.evaluate.report import markdown_table
from rulerank.evaluate.significance import compare, corrected
from rulerank.files import read_json, replacing, sha256, write_json, write_text
from rulerank.learn.ranker.ablation import Variant, rank, variants
from rulerank.learn.ranker.choice import read_choice
from rulerank.learn.ranker.recipe import fit, training_rows
from rulerank.learn.ranker.saved import load_trees
from rulerank.learn.ranker.separate_process import SeparateProcess, TrainingError
from rulerank.pipeline.chosen import known_features
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import CHOICE, FEATURE_TABLE, OUTPUTS, RANKERS, TABLES
from rulerank.settings import Settings, load_settings
from rulerank.tables import FEATURES
from rulerank.timing import timed
from rulerank.trees import Trees

WRITTEN = OUTPUTS / "ablation"
KINDS = ("without", "only", "named")
"""Kinds of variants that can be requested separately; the baseline of each is always included."""

_PAGE = """\
# Ablation of {base}

{queries} validation questions; seed {seed}, threads {threads}; ideal from all judgements. Each variant is
retrained by the recipe of the stage ranker, and its number of rounds is chosen on the training folds: with
the rounds of the full model a variant of few features would also lose by overfitting. If {base} has two
passes, groups are left out of a ranker of one pass and compared with that ranker, because the second pass
sees every group through the list of the first. All other rows are compared with {base}. `difference` is the
variant minus its baseline, with its 95 % bootstrap interval; two-sided p-value of the paired randomisation
test ({permutations} rounds), and the same after Holm's correction for the {count} variants of one measure.

{base}: {values}

![{drawn} without each group, and with it alone]({name}.png)

{table}"""


def main(
    base: Annotated[str, typer.Argument(metavar="MODEL", help="An exported model.")] = RANKER,
    kinds: Annotated[
        list[str] | None, typer.Argument(metavar="KIND", help="without, only or named; all by default.")
    ] = None,
) -> None:
    """Write the table and the page of one exported model, for all kinds of variants or for those named."""
    with reported():
        _write(base, kinds or [])


def _write(base: str, kinds: Sequence[str]) -> None:
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise InputError(unknown[0], f"expected a kind of variants, one of: {', '.join(KINDS)}.")
    settings = load_settings()
    trees = load_trees(RANKERS, base)
    with timed("ablate"):
        scores, parts = _scores(base, trees, kinds, settings)
        compared = _compared(scores, parts, base, settings)
        of_model = [] if base == RANKER else [base]
        name = ".".join(["ablation", *of_model, *(kind for kind in KINDS if kind in kinds)])
        with replacing(WRITTEN / f"{name}.csv") as temporary:
            compared.write_csv(temporary)
        questions = scores["query_id"].n_unique()
        drawn = png(
            ablation_figure(compared.filter(pl.col("measure") == MEASURE), f"{base}, {questions} questions")
        )
        with replacing(WRITTEN / f"{name}.png") as temporary:
            temporary.write_bytes(drawn)
        write_text(WRITTEN / f"{name}.md", _page(scores, compared, base, name, settings))
    print(f"written: {WRITTEN / name}.csv, {WRITTEN / name}.md, {WRITTEN / name}.png")  # noqa: T201


def _scores(
    base: str, trees: Trees, kinds: Sequence[str], settings: Settings
) -> tuple[pl.DataFrame, dict[str, Variant]]:
    """Return the per-query measures of the exported model and of every variant, and the variants by run."""
    choice = read_choice(CHOICE)
    if choice.ranker.others:
        raise InputError(
            "ranker.others",
            "expected a ranker that has learned from its own corpus alone, found others. Take them out of "
            "params.yaml and run `dvc repro ranker`.",
        )
    made_of = [
        sha256(FEATURE_TABLE),
        sha256(TABLES / "judgements.parquet"),
        choice.model_dump(),
        settings.seed,
    ]
    parts = {
        f"{part.kind} {part.name}": part
        for part in variants(known_features(settings).named(trees.names))
        if not kinds or part.kind in (*kinds, "one pass")
    }
    frames, trained = [_measured(trees, base)], {}
    with SeparateProcess() as process:
        for place, (run, part) in enumerate(
            track(parts.items(), "variants", disable=not sys.stderr.isatty())
        ):
            print(f"{place + 1}/{len(parts)} {run}: {len(part.features)} features", file=sys.stderr)  # noqa: T201
            kept = WRITTEN / "variants" / f"{_digest(part, made_of)}.json"
            try:
                frames.append(_once(kept, partial(process.call, _retrained, part.features.names, run)))
                trained[run] = part
            except TrainingError as error:
                warnings.warn(f"{run}: left out, LightGBM fails on it: {error}", DataWarning, stacklevel=2)
    return pl.concat(frames), trained


@cache
def _data() -> tuple[Outputs, pl.DataFrame]:
    """Return the outputs of the run and its features table, which each process reads once."""
    return Outputs(), FEATURES.read(FEATURE_TABLE)


def _measured(model: Trees, run: str) -> pl.DataFrame:
    outputs, table = _data()
    asked = outputs.validation()["query_id"]
    judged = outputs.judgements_of(asked)
    ranked = rank(
        model, table.filter(pl.col("query_id").is_in(asked.implode())), run, load_settings().threads
    )
    return per_query(judged, ranked)


def _retrained(names: list[str], run: str) -> pl.DataFrame:
    """Train a ranker on some features and measure it."""
    (outputs, table), settings = _data(), load_settings()
    known = known_features(settings)
    features = known.named(names)
    training = training_rows(table, outputs.training_folds)
    if not len(features.of_pass(2)):
        # Without a second pass there is no list in which a pair could have a depth.
        every = known.named(FEATURES.further(table.columns))
        training = training.drop(every.of_pass(2).names)
    found = fit(training, features, read_choice(CHOICE), settings.seed, settings.threads)
    return _measured(found.models.full, run)


def _once(path: Path, make: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """Return the frame kept in a file; make it first if there is none."""
    if not path.is_file():
        write_json(path, make().to_dict(as_series=False))
    return pl.DataFrame(read_json(path)).select("run", "query_id", *MEASURES)


def _digest(part: Variant, made_of: list[object]) -> str:
    """Name a variant by everything that its figures depend on."""
    said = json.dumps([part.name, part.kind, part.features.identities, *made_of], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:32]


def _whole(part: Variant, parts: dict[str, Variant], base: str) -> str:
    """Return the run that a variant is compared with."""
    one_pass = next((run for run, each in parts.items() if each.kind == "one pass"), base)
    return one_pass if part.kind in ("without", "only") else base


def _compared(scores: pl.DataFrame, parts: dict[str, Variant], base: str, settings: Settings) -> pl.DataFrame:
    rows = [
        compare(
            scores, run, [_whole(part, parts, base)], measure, settings.evaluate.permutations, settings.seed
        ).select(
            variant=pl.lit(part.name),
            kind=pl.lit(part.kind),
            measure="measure",
            value=pl.lit(scores.filter(pl.col("run") == run)[measure].mean()),
            difference="difference",
            low="low",
            high="high",
            p_value="p_value",
        )
        for run, part in parts.items()
        for measure in MEASURES
    ]
    return corrected(pl.concat(rows), by=["measure"])


def _page(scores: pl.DataFrame, compared: pl.DataFrame, base: str, name: str, settings: Settings) -> str:
    own = scores.filter(pl.col("run") == base)
    return _PAGE.format(
        base=base,
        drawn=MEASURE,
        name=name,
        queries=own.height,
        seed=settings.seed,
        threads=settings.threads,
        permutations=settings.evaluate.permutations,
        count=compared.select("variant", "kind").n_unique(),
        values=", ".join(f"{measure} {own[measure].to_numpy().mean():.4f}" for measure in MEASURES),
        table=markdown_table(compared),
    )


if __name__ == "__main__":
    typer.run(main)
