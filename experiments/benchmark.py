"""Generate a benchmark from the graph of an exported ranker's corpus, and measure its axes' independence.

    python experiments/benchmark.py [--bundle outputs/bundle] [--count 300] [--words llm]

Writes outputs/benchmark: a BEIR folder, and report.md, which it prints.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from rulerank.bundle import load_bundle
from rulerank.console import reported
from rulerank.corpora.beir import write_beir
from rulerank.corpora.corpus import Corpus
from rulerank.evaluate.report import markdown_table
from rulerank.files import write_text
from rulerank.refwalk.anchor import AnchorSource
from rulerank.refwalk.benchmark.generate import Benchmark, Item, coupling, generate
from rulerank.refwalk.benchmark.relations import RELATIONS
from rulerank.refwalk.benchmark.rewording import rewriter
from rulerank.settings import load_settings
from rulerank.tables import JUDGEMENTS, QUERIES
from rulerank.timing import timed

OUTPUT = Path("outputs/benchmark")
SHOWN = 3
"""Questions per relation that the page shows."""

_PAGE = """\
# A benchmark from the graph

{count} questions over {passages} passages, with reference sets drawn with seed {seed}. R1 asks about one
rule, R2 about a rule and one that it cites, R3 about a chain of three, R4 about two rules that citations
connect to a third one. Hops: the longest of the shortest paths between two of its rules. Overlap: the share
of a question's terms that are in its rules, without the words of the templates.

{relations}
## Overlap and hops

Spearman's rank correlation with its 95 % bootstrap interval: for all questions that passed the gates, and for
the benchmark, where questions of every number of hops fill the bins of overlap in the same proportions.

{axes}
## Gates

How many questions failed each; every question counts for the first gate that it fails.

{gates}
## Levels

{levels}
## Examples

{examples}"""


def main(
    bundle: Annotated[Path, typer.Option(help="An exported ranker; its corpus is asked about.")] = Path(
        "outputs/bundle"
    ),
    count: Annotated[int, typer.Option(min=1, help="Reference sets to draw for each relation.")] = 300,
    words: Annotated[
        AnchorSource, typer.Option(help="rules: templates; llm: reworded.")
    ] = AnchorSource.rules,
) -> None:
    """Generate, measure, print."""
    settings = load_settings()
    with timed("benchmark"):
        contents = load_bundle(bundle)
        made = generate(
            contents.passages, contents.documents, contents.edges, count, settings.seed, rewriter(words)
        )
        write_beir(_corpus(contents.passages, contents.documents, made.items), OUTPUT)
        page = _page(made, contents.passages.height, settings.seed)
        write_text(OUTPUT / "report.md", page)
    typer.echo(f"{page}\nwritten: {OUTPUT}")


def _corpus(passages: pl.DataFrame, documents: pl.DataFrame, items: tuple[Item, ...]) -> Corpus:
    names = [f"{item.evidence.relation}-{place}" for place, item in enumerate(items, start=1)]
    ids = passages["passage_id"]
    queries = [
        (name, item.text, "test", "generated", item.level, None)
        for name, item in zip(names, items, strict=True)
    ]
    judged = [
        (name, ids[row], 1) for name, item in zip(names, items, strict=True) for row in item.evidence.passages
    ]
    return Corpus(
        documents,
        passages,
        pl.DataFrame(queries, schema=dict(QUERIES.columns), orient="row"),
        pl.DataFrame(judged, schema=dict(JUDGEMENTS.columns), orient="row"),
        None,
    )


def _page(made: Benchmark, passages: int, seed: int) -> str:
    items = pl.DataFrame(
        [(item.evidence.relation, item.hops, item.overlap, item.level) for item in made.items],
        schema={"relation": pl.String, "hops": pl.Int64, "overlap": pl.Float64, "level": pl.String},
        orient="row",
    )
    axes = [
        {"questions": name, **vars(coupling(each, seed))}
        for name, each in (("that passed the gates", made.passed), ("of the benchmark", made.items))
    ]
    gates = Counter(made.refused)
    examples = [
        f"- {relation}: {item.text}"
        for relation in RELATIONS
        for item in [each for each in made.items if each.evidence.relation == relation][:SHOWN]
    ]
    relations = items.group_by("relation").agg(
        pl.len().alias("questions"),
        pl.col("hops").mean(),
        pl.col("overlap").mean(),
        pl.col("overlap").min().alias("least"),
        pl.col("overlap").max().alias("greatest"),
    )
    return _PAGE.format(
        count=len(made.items),
        passages=passages,
        seed=seed,
        relations=markdown_table(relations.sort("relation")),
        axes=markdown_table(pl.DataFrame(axes)),
        gates=markdown_table(pl.DataFrame({"gate": list(gates), "stopped": list(gates.values())})),
        levels=markdown_table(items["level"].value_counts().sort("level")),
        examples="\n".join(examples) + "\n",
    )


if __name__ == "__main__":
    with reported():
        typer.run(main)
