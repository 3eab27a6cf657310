"""Measure whether time and memory of training and extraction grow faster than the number of pairs.

    python -m experiments.scaling

Trains on one, two and four copies of the training groups (seeded, with a little noise) and extracts the
features of one, two and four copies of the validation questions, each size in its own process. Writes
outputs/scaling/scaling.csv and .md.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import polars as pl

from experiments.bench.fresh import fresh
from experiments.scaling.costs import extraction_cost, training_cost, with_peak, write_training
from rulerank.bundle import MANIFEST
from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.report import markdown_table
from rulerank.files import replacing, write_text
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import BUNDLE, FEATURE_TABLE, OUTPUTS
from rulerank.settings import Settings, load_settings
from rulerank.timing import timed

TIMES = (1, 2, 4)
ROUNDS = 30
TOLERANCE = 1.1
"""Largest ratio of the cost per pair to that at 1x that counts as equal: timings vary from run to run."""

WRITTEN = OUTPUTS / "scaling"

_PAGE = """\
# Scaling

Training: {rounds} rounds on seeded copies of the training groups, starting from the matrix in memory.
Extraction: the features of copies of the validation questions, starting from their vectors. Each size has its
own process; `peak_mib` is the peak memory of that process, including imports and input. Threads
{threads}, seed {seed}.

{verdicts}

{table}"""


def main() -> None:
    """Write the table and the page."""
    settings = load_settings()
    if not FEATURE_TABLE.is_file() or not (BUNDLE / MANIFEST).is_file():
        raise InputError(BUNDLE, "expected an exported ranker and its features, found none. Run `dvc repro`.")
    with timed("scaling"):
        costs = per_pair(pl.DataFrame(list(_costs(settings))))
        with replacing(WRITTEN / "scaling.csv") as temporary:
            costs.write_csv(temporary)
        said = verdicts(costs)
        page = _PAGE.format(
            rounds=ROUNDS,
            threads=settings.threads,
            seed=settings.seed,
            verdicts=said,
            table=markdown_table(costs, digits=2),
        )
        write_text(WRITTEN / "scaling.md", page)
    print(f"{said}\nwritten: {WRITTEN}/scaling.csv, {WRITTEN}/scaling.md")  # noqa: T201


def per_pair(costs: pl.DataFrame) -> pl.DataFrame:
    """Add seconds and memory per million pairs."""
    million = pl.col("pairs") / 1e6
    return costs.with_columns(
        seconds_per_million=pl.col("seconds") / million, mib_per_million=pl.col("peak_mib") / million
    )


def verdicts(costs: pl.DataFrame) -> str:
    """State for each step whether a pair costs more at the largest size than at the smallest."""
    said = []
    for (step,), sizes in costs.sort("times").group_by("step", maintain_order=True):
        ratios = {
            name: sizes[column][-1] / sizes[column][0]
            for name, column in (("time", "seconds_per_million"), ("memory", "mib_per_million"))
        }
        stated = ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items())
        grows = "no faster than" if max(ratios.values()) <= TOLERANCE else "FASTER than"
        said.append(
            f"- {step}: time and memory grow {grows} the pairs (a pair at {sizes['times'][-1]}x against one "
            f"at {sizes['times'][0]}x: {stated})."
        )
    return "\n".join(said)


def _costs(settings: Settings) -> Iterator[dict[str, object]]:
    # The children inherit the peak of their parent, so the parent reads nothing large.
    outputs = Outputs()
    seed, threads = settings.seed, settings.threads
    with tempfile.TemporaryDirectory() as folder:
        groups = Path(folder) / "groups.npz"
        fresh(threads, write_training, FEATURE_TABLE, outputs.training_folds, groups)
        for times in TIMES:
            trained = partial(training_cost, rounds=ROUNDS, seed=seed, threads=threads)
            yield _row("training", times, fresh(threads, with_peak, trained, groups, times, settings.ranker))
    questions = outputs.asked("validation").select("query_id", "text")
    if questions.height:
        for times in TIMES:
            described = partial(extraction_cost, threads=threads)
            yield _row("extraction", times, fresh(threads, with_peak, described, BUNDLE, questions, times))


def _row(step: str, times: int, cost: dict[str, float]) -> dict[str, object]:
    print(f"{step} {times}x: {cost['pairs']:,.0f} pairs, {cost['seconds']:.1f} s")  # noqa: T201
    return {
        "step": step,
        "times": times,
        "pairs": int(cost["pairs"]),
        "seconds": cost["seconds"],
        "peak_mib": cost["peak_memory_mib"],
    }


if __name__ == "__main__":
    with reported():
        main()
