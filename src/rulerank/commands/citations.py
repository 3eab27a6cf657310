"""The commands `rulerank citations`: read the citations of a corpus, and measure them."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulerank.commands.output import print_json
from rulerank.errors import DataWarning, InputError
from rulerank.files import replacing, require_outputs

if TYPE_CHECKING:
    from rulerank.corpora import Corpus
    from rulerank.graph.citations import Extraction

citations = typer.Typer(no_args_is_help=True, help="Read citations from regulatory text.")

Data = Annotated[Path, typer.Option("--data", metavar="FOLDER", help="Folder of a corpus.")]
GrammarName = Annotated[
    str,
    typer.Option(
        "--grammar", metavar="NAME", help="english_rulebook, us_cfr, korean, or the path of a YAML file."
    ),
]


@citations.command()
def evaluate(
    data: Data,
    gold: Annotated[
        Path, typer.Option("--gold", metavar="TABLE.csv", help="SourceID, ReferenceText, TargetID.")
    ],
    grammar: GrammarName = "english_rulebook",
    errors: Annotated[
        Path | None, typer.Option("--errors", metavar="FILE", help="Also write every miss and extra as CSV.")
    ] = None,
) -> None:
    """Compare the citations read from the text with a table, and print one JSON object.

    Only passages that the table lists as sources are compared, and only edges
    between passages of the corpus. Keys: precision, recall, f1; found, gold
    and right, the numbers of edges; precision_of_listed_kinds, which leaves
    out kinds that the table lacks: if it lists for a passage only citations
    within its document, or only citations of other documents, the other kind
    is left out; unresolved, by reason, over the whole corpus; seconds, the
    processor time of the extraction.
    """
    from rulerank.corpora.references import read_references
    from rulerank.graph.citations import compare

    require_outputs(errors, inputs=[data, gold, Path(grammar)])
    corpus, extraction, seconds = _extracted(data, grammar)
    table, problems = read_references(gold, corpus.passages)
    for problem in problems:
        warnings.warn(problem, DataWarning, stacklevel=1)
    if not table.height:
        raise InputError(gold, f"expected an edge between passages of {data}, found none. Check both paths.")
    result = compare(extraction.edges, table, corpus.passages)
    if errors is not None:
        with replacing(errors) as temporary:
            result.errors.write_csv(temporary)
    measured = {
        "precision": round(result.precision, 4),
        "recall": round(result.recall, 4),
        "f1": round(result.f1, 4),
        "found": result.found,
        "gold": result.gold,
        "right": result.right,
        "precision_of_listed_kinds": round(result.reachable_precision, 4),
        "unresolved": extraction.reasons(),
        "seconds": round(seconds, 2),
    }
    print_json(measured)


@citations.command()
def extract(
    data: Data,
    out: Annotated[Path, typer.Option("--out", metavar="edges.parquet", help="The edges, with their spans.")],
    grammar: GrammarName = "english_rulebook",
    unresolved: Annotated[
        Path | None,
        typer.Option("--unresolved", metavar="FILE", help="Also write citations that lead nowhere as CSV."),
    ] = None,
) -> None:
    """Write the citation edges of a corpus with the spans of their evidence, and print their numbers."""
    require_outputs(out, unresolved, inputs=[data, Path(grammar)])
    _, extraction, seconds = _extracted(data, grammar)
    with replacing(out) as temporary:
        extraction.edges.write_parquet(temporary)
    if unresolved is not None:
        with replacing(unresolved) as temporary:
            extraction.unresolved.write_csv(temporary)
    types = dict(extraction.edges["type"].value_counts().sort("type").iter_rows())
    counts = {"edges": types, "unresolved": extraction.reasons(), "seconds": round(seconds, 2)}
    print_json(counts)


def _extracted(data: Path, grammar: str) -> tuple[Corpus, Extraction, float]:
    """Return the corpus, the citations read from it, and the seconds of processor time that took."""
    from rulerank.corpora import read_corpus
    from rulerank.graph.citations import extract as read
    from rulerank.graph.citations import load_grammar

    rules = load_grammar(grammar)
    corpus = read_corpus(data)
    start = time.process_time()
    extraction = read(corpus.passages, corpus.documents, rules)
    return corpus, extraction, time.process_time() - start
