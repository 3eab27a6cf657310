"""Results of several pipeline runs, compared with each other if they have the same questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import polars as pl

from rulerank.evaluate.measures import MEASURE, MEASURES
from rulerank.evaluate.report import COMPARED, markdown_table, with_holm
from rulerank.evaluate.significance import bootstrap_interval, compare
from rulerank.evaluate.slices import SLICINGS, by_slice

WORST = 20

ASKED = ("text", "judged")
"""The facts by which questions with one id are distinguished; older evaluations lack `judged`."""


@dataclass(frozen=True, eq=False)
class Result:
    """The results of one run on the questions of one split.

    Parameters
    ----------
    label : str
        Its name on the page.
    run : str
        Its name in the evaluation that it comes from, such as `ranker` or `rrf`.
    data, protocol : str
        Name of the corpus, and how the questions were split.
    scores : frame of `measures.per_query`
        With `label` as the run.
    facts : frame of `slices.query_facts`, optional
        Absent if the evaluation wrote none.
    recall : frame with columns run, depth and recall, optional
        With `label` as the run.

    """

    label: str
    run: str
    data: str
    protocol: str
    scores: pl.DataFrame
    facts: pl.DataFrame | None = None
    recall: pl.DataFrame | None = None


def comparable(results: Sequence[Result]) -> list[list[Result]]:
    """Group the results that can be paired, in the given order: same corpus, protocol and questions.

    Questions with the same id count as different if their texts or relevant passages differ, where both
    results state them.
    """
    groups: list[list[Result]] = []
    for result in results:
        alike = (group for group in groups if all(_same_questions(result, each) for each in group))
        group = next(alike, None)
        if group is None:
            groups.append([result])
        else:
            group.append(result)
    return groups


def _same_questions(one: Result, other: Result) -> bool:
    first, second = ((each.data, each.protocol, frozenset(each.scores["query_id"])) for each in (one, other))
    if first != second:
        return False
    if one.facts is None or other.facts is None:
        return True
    known = [name for name in ASKED if name in one.facts.columns and name in other.facts.columns]
    stated = [each.select("query_id", *known).sort("query_id") for each in (one.facts, other.facts)]
    return stated[0].equals(stated[1])


def overview(results: Sequence[Result], seed: int) -> pl.DataFrame:
    """Return one row per result: the mean of each measure with its 95 % bootstrap interval, as text."""
    return pl.DataFrame(
        [
            {
                "result": result.label,
                "run": result.run,
                "data": result.data,
                "protocol": result.protocol,
                "questions": result.scores.height,
                **{name: _with_interval(result.scores[name], seed) for name in MEASURES},
            }
            for result in results
        ]
    )


def pairwise(results: Sequence[Result], permutations: int, seed: int) -> pl.DataFrame:
    """Compare each result with each later one by every measure, with the rows of `significance.compare`."""
    scores = pl.concat([result.scores for result in results])
    labels = [result.label for result in results]
    return pl.concat(
        [
            compare(scores, label, labels[place + 1 :], measure, permutations, seed)
            for measure in MEASURES
            for place, label in enumerate(labels[:-1])
        ]
    )


def differences(first: Result, baseline: Result) -> pl.DataFrame:
    """Return query_id, nDCG@10 of each result under its label, and `difference`, the worst loss first."""
    scores = [
        result.scores.select("query_id", pl.col(MEASURE).alias(result.label)) for result in (first, baseline)
    ]
    return (
        scores[0]
        .join(scores[1], on="query_id", maintain_order="left")
        .with_columns(difference=pl.col(first.label) - pl.col(baseline.label))
        .sort("difference", maintain_order=True)
    )


def group_markdown(
    results: Sequence[Result], baseline: Result, pictures: Sequence[str], permutations: int, seed: int
) -> str:
    """Return the part of the page on results that answered the same questions.

    Parameters
    ----------
    results : sequence of Result
        One group of `comparable`, at least two.
    baseline : Result
        The result of this group that the first result's losses are listed against.
    pictures : sequence of str
        Markdown that shows the pictures of this group.
    permutations, seed : int
        For the randomisation tests; the seed also serves the intervals.

    """
    first = results[0]
    parts = [
        f"## {first.data}, protocol {first.protocol}: {first.scores.height} questions\n",
        *pictures,
        "### Paired comparisons\n",
        COMPARED,
        markdown_table(with_holm(pairwise(results, permutations, seed))),
    ]
    facts = next((result.facts for result in results if result.facts is not None), None)
    if facts is None:
        parts.append("No facts of the questions came with these results, so there are no slices.\n")
    else:
        parts += _slices(results, facts)
    return "\n".join(chain(parts, _worst(first, baseline, facts)))


def _slices(results: Sequence[Result], facts: pl.DataFrame) -> Iterator[str]:
    for slicing, table in by_slice(pl.concat([result.scores for result in results]), facts).items():
        yield f"### By {slicing}: {SLICINGS[slicing]}\n"
        yield markdown_table(table)


def _worst(first: Result, baseline: Result, facts: pl.DataFrame | None) -> Iterator[str]:
    paired = differences(first, baseline)
    lost = paired.filter(pl.col("difference") < 0)
    for heading, rows in (
        (f"The {WORST} worst questions of {first.label}", paired.sort(first.label, maintain_order=True)),
        (f"Where {first.label} loses most against {baseline.label}", lost),
    ):
        shown = rows.head(WORST)
        if facts is not None:
            known = ["text", "level", "relevant", "documents", "evidence"]
            shown = shown.join(facts.select("query_id", *known), on="query_id", maintain_order="left")
            stated = [column for column in known if shown[column].null_count() < shown.height]
            shown = shown.select(*stated, pl.exclude(*known))
        yield f"### {heading}, by {MEASURE}\n"
        yield markdown_table(shown) if shown.height else "None.\n"


def _with_interval(values: pl.Series, seed: int) -> str:
    scores = values.to_numpy()
    low, high = bootstrap_interval(scores, seed)
    return f"{scores.mean():.4f} ({low:.4f} to {high:.4f})"
