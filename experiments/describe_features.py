"""Write docs/features.md: every registered feature with its group, version and definition."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from rulerank.features.feature_set import Feature, FeatureSet
from rulerank.features.registry import registered
from rulerank.files import write_text

PAGE = Path("docs/features.md")

_PASSES = {1: "", 2: ", second pass"}

_INTRODUCTION = """\
# Features

`python experiments/describe_features.py` writes this page from the registry, and a test compares the two.
There are {count} features, in the order of the matrix.

A feature is identified by its name, group, pass, version and constants; the definition only documents it. A
missing value is NaN, in training and at run time. Features of the second pass use the list that the first
pass made. The first 20 passages of that list are the *leaders*.
"""


def page(features: FeatureSet) -> str:
    """Return the page in Markdown, one table per group."""
    groups = groupby(features, key=lambda each: (each.in_pass, each.group))
    tables = [_table(f"{group}{_PASSES[in_pass]}", list(members)) for (in_pass, group), members in groups]
    return "\n".join([_INTRODUCTION.format(count=len(features)), *tables])


def _table(heading: str, features: list[Feature]) -> str:
    rows = [f"| `{each.name}` | {each.version} | {each.definition} |" for each in features]
    return "\n".join([f"## {heading}\n", "| feature | version | definition |", "|---|---|---|", *rows, ""])


def main() -> None:
    """Write the page."""
    write_text(PAGE, page(registered()))


if __name__ == "__main__":
    main()
