"""Print how long an update of a bundle takes, compared with a full build over the same passages.

    python experiments/update_speed.py outputs/bundle

A share of the passages is changed: a third of them is withdrawn, a third amended, and as many are added. The
full build embeds every text of the changed corpus and is otherwise the same. Seconds are processor time,
which other programs disturb less than the clock; loading and writing are included. Both rankers are then
asked for passages by the passages' own first words, and the questions that they rank differently are counted.
"""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numpy as np
import polars as pl
import typer

import rulerank
from rulerank.bundle import load_bundle, read_upkeep
from rulerank.console import reported, say
from rulerank.files import write_lines
from rulerank.tables import PASSAGES, has_text
from rulerank.upkeep import read_changes, update_bundle
from rulerank.upkeep.rewritten import write_again
from rulerank.upkeep.update import changed

SEED, QUESTIONS, WORDS, DEPTH = 7, 200, 12, 20


def main(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE")] = Path("outputs/bundle"),
    share: Annotated[float, typer.Option(help="Share of the passages that are changed.")] = 0.01,
) -> None:
    """Update, build in full, compare."""
    with TemporaryDirectory() as folder:
        changes, updated, built = (Path(folder) / name for name in ("changes.jsonl", "updated", "built"))
        passages = load_bundle(bundle).passages
        write_lines(changes, _drawn(passages, share))
        start = time.process_time()
        done = update_bundle(bundle, changes, updated)
        update = time.process_time() - start
        start = time.process_time()
        _build(bundle, changes, built)
        full = time.process_time() - start
        counts = ", ".join(f"{count} {name}" for name, count in done.changes.counts.items())
        say(f"{passages.height:,} passages: {counts}")
        say(f"update {update:.1f} s, full build {full:.1f} s of processor time: {full / update:.1f} x")
        say(f"{_differing(updated, built)} of {QUESTIONS} questions ranked differently")


def _build(bundle: Path, changes: Path, out: Path) -> None:
    """Build in full: as an update, but with every text encoded."""
    source = load_bundle(bundle)
    kept = read_upkeep(bundle, source.index)
    asked = read_changes(changes, source.passages)
    contents, left = changed(source, kept, asked, source.passages.clear())
    write_again(out, bundle, contents, left, source.manifest, {})


def _drawn(passages: pl.DataFrame, share: float) -> list[dict[str, Any]]:
    """Return changes to a share of the passages; amended ones also take the words of another passage."""
    with_text = passages.filter(has_text(passages))
    size = max(1, round(share * passages.height / 3))
    drawn = np.random.default_rng(SEED).permutation(with_text.height)[: 4 * size].reshape(4, size)
    withdrawn, amended, models, others = (with_text[rows].rows(named=True) for rows in drawn)
    mixed = [f"{row['text']} {other['text']}" for row, other in zip(amended, others, strict=True)]
    columns = [name for name in PASSAGES.columns if name not in ("passage_id", "position", "effective_from")]
    return [
        *({"op": "withdraw", "passage_id": row["passage_id"]} for row in withdrawn),
        *(
            {"op": "amend", "passage_id": row["passage_id"], "text": text}
            for row, text in zip(amended, mixed, strict=True)
        ),
        *(
            {
                "op": "add",
                "passage_id": f"new-{number}",
                **{name: row[name] for name in columns},
                "text": f"From now on: {row['text']}",
            }
            for number, row in enumerate(models)
        ),
    ]


def _differing(updated: Path, built: Path) -> int:
    """Return the number of questions for which two bundles rank other passages, or in another order."""
    rankers = rulerank.load(updated), rulerank.load(built)
    texts = rankers[0].bundle.passages["text"]
    rows = np.random.default_rng(SEED).permutation(len(texts))
    asked = [text for text in texts.gather(rows) if text.strip()][:QUESTIONS]
    questions = [" ".join(text.split()[:WORDS]) for text in asked]
    ranked = [
        [[each.passage_id for each in ranker.rank(question, DEPTH)] for question in questions]
        for ranker in rankers
    ]
    return sum(one != other for one, other in zip(*ranked, strict=True))


if __name__ == "__main__":
    with reported():
        typer.run(main)
