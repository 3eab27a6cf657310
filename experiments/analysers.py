"""Print how well BM25 finds each question's own answer among all answers, with every analyser.

    python experiments/analysers.py --data FILE.jsonl [--analyser package.module:function]

Each line of the file has a `question` and an `answer`, as the Korean fire-safety enquiries of
SearchFireSafety do. The measure is the mean reciprocal rank of the question's own answer; ties are ordered as
in the file. Every analyser is compared with the first: a bootstrap interval, and a paired randomisation test,
also after Holm's correction for their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from pydantic import BaseModel, StringConstraints
from rich.console import Console
from rich.table import Table

from rulerank.arrays import DoubleArray
from rulerank.console import printable, reported
from rulerank.corpora.records import read_lines
from rulerank.errors import InputError
from rulerank.evaluate.significance import bootstrap_interval, holm, paired_randomisation
from rulerank.retrieve.term_weights import term_weights
from rulerank.settings import ANALYSERS, Bm25, Text
from rulerank.text import Analyser, load_analyser


class Enquiry(BaseModel):
    """A question, and the authority's answer."""

    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
    answer: str


def main(
    data: Annotated[Path, typer.Option("--data", help="JSON Lines with `question` and `answer`.")],
    analyser: Annotated[
        list[str] | None, typer.Option("--analyser", help="Another, by its dotted name; may be repeated.")
    ] = None,
    k1: Annotated[float, typer.Option("--k1", min=0, max=10, help="BM25's k1.")] = 1.2,
    b: Annotated[float, typer.Option("--b", min=0, max=1, help="BM25's b.")] = 0.75,
) -> None:
    """Print one row per analyser, those of the package first."""
    with reported():
        enquiries = read_answered(data)
        measured = {
            name: reciprocal_ranks(enquiries, load_analyser(Text(analyser=name).target), Bm25(k1=k1, b=b))
            for name in (*ANALYSERS, *(analyser or ()))
        }
        title = f"{len(enquiries)} questions of {printable(data.name)}, BM25 {k1} / {b}"
        Console(highlight=False, width=110).print(_table(measured, title))


def read_answered(data: Path) -> list[Enquiry]:
    """Read a file of JSON Lines; raise InputError if a line is malformed or there is none."""
    enquiries = [record for _, record in read_lines(data, Enquiry)]
    if not enquiries:
        raise InputError(data, "expected lines with a question and an answer, found none. Check the file.")
    return enquiries


def reciprocal_ranks(enquiries: Sequence[Enquiry], analyser: Analyser, settings: Bm25) -> DoubleArray:
    """Return the reciprocal rank of each question's own answer among the answers, shape (enquiries,)."""
    weights = term_weights(analyser([each.answer for each in enquiries]), settings)
    scores = weights.scores(analyser([each.question for each in enquiries]))
    order = np.argsort(-scores, axis=1, kind="stable")
    own = np.arange(len(enquiries))[:, None]
    ranks: DoubleArray = 1 / (1 + np.argmax(order == own, axis=1))
    return ranks


def _table(measured: dict[str, DoubleArray], title: str) -> Table:
    table = Table(title=title, pad_edge=False)
    table.add_column("analyser", no_wrap=True)
    for name in ("MRR", "first", "difference, 95 % interval", "p", "p (Holm)"):
        table.add_column(name, justify="right")
    first, *others = measured.values()
    p_values = [paired_randomisation(ranks, first) for ranks in others]
    tested = [()] + [
        (_interval(ranks - first), f"{p_value:.4f}", f"{p_holm:.4f}")
        for ranks, p_value, p_holm in zip(others, p_values, holm(p_values), strict=True)
    ]
    for (name, ranks), against in zip(measured.items(), tested, strict=True):
        table.add_row(name, f"{ranks.mean():.4f}", f"{(ranks == 1).mean():.3f}", *against)
    return table


def _interval(differences: DoubleArray) -> str:
    low, high = bootstrap_interval(differences)
    return f"{differences.mean():+.4f}, {low:+.4f} to {high:+.4f}"


if __name__ == "__main__":
    typer.run(main)
