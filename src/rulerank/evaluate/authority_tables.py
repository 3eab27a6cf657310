"""The measures of controlling authority as tables in a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rulerank.console import printable

SHOWN = ("TCA@5", "TCA@10", "TCA@20", "anchor_recall", "hit@1", "hit@5", "hit@10", "mean_rank", "mrr")
VARIANTS = (
    "TCA_equal_text@5",
    "answer_correct@5",
    "answer_and_direct_closure@5",
    "document_hit@5",
    "equal_text_hit@5",
    "closure_violation@5",
    "ProvRec@5",
)

WIDTH = 132
"""Width of the tables in columns if the output is not a terminal."""


def show(
    systems: dict[str, dict[str, Any]],
    groups: dict[str, dict[str, dict[str, Any]]],
    gap: dict[str, Any],
) -> None:
    """Print the measures by system, TCA@5 by group, and the vocabulary gap."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    questions = next(iter(systems.values()))["queries"]
    table = _table(f"{questions} questions, 95 % Wilson intervals", "measure", systems)
    for names in (SHOWN, VARIANTS):
        for name in names:
            table.add_row(name, *(_cell(values[name]) for values in systems.values()))
        table.add_section()
    for name in next(iter(systems.values()))["failures"]:
        table.add_row(f"{name}, questions", *(str(values["failures"][name]) for values in systems.values()))
    table.add_section()
    for name in next(iter(systems.values()))["factors"]:
        table.add_row(f"factor: {name}", *(_cell(values["factors"][name]) for values in systems.values()))
    console.print(table)
    if groups:
        table = _table("TCA@5 by group", "group", systems)
        for group, values in groups.items():
            table.add_row(escape(printable(group)), *(_cell(each["TCA@5"]) for each in values.values()))
        console.print(table)
    if gap["queries"]:
        table = _table(
            f"Closeness of {gap['queries']} questions",
            "by",
            ("to what is voided", "to what controls", "share closer to what is voided"),
        )
        for name in ("jaccard", "bm25"):
            table.add_row(name, *(f"{value:.3f}" for value in gap[name].values()))
        console.print(table)


def _table(title: str, of: str, systems: Iterable[str]) -> Table:
    table = Table(title=title)
    table.add_column(of, no_wrap=True)
    for system in systems:
        table.add_column(system)
    return table


def _cell(value: float | dict[str, float] | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        return f"{value['mean']:.3f} [{value['low']:.3f}, {value['high']:.3f}]".replace("[", r"\[")
    return f"{value:.3f}" if value <= 1 else f"{value:.1f}"
