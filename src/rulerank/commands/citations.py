"""The commands `rulerank citations`: read the citations of a corpus, and measure them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from rulerank.commands.output import print_json
from rulerank.files import replacing, require_outputs

citations = typer.Typer(no_args_is_help=True, help="Read citations from regulatory text.")

Data = Annotated[Path, typer.Option("--data", metavar="FOLDER", help="Folder of a corpus.")]
GrammarName = Annotated[
    str,
    typer.Option(
        "--grammar",
        metavar="NAME",
        help="english_rulebook, us_cfr, korean, or the path of a YAML file; auto chooses by the texts.",
    ),
]


@citations.command()
def evaluate(
    data: Annotated[
        Path,
        typer.Option(
            "--data", metavar="PATH", help="Folder of a corpus, RegML file, or JSON Lines file of enquiries."
        ),
    ],
    gold: Annotated[
        Path | None,
        typer.Option(
            "--gold", metavar="TABLE.csv", help="A table with the columns SourceID, ReferenceText, TargetID."
        ),
    ] = None,
    grammar: Annotated[
        str | None,
        typer.Option("--grammar", metavar="NAME", help="As for extract; by default the one that fits."),
    ] = None,
    errors: Annotated[
        Path | None,
        typer.Option("--errors", metavar="FILE", help="Also write all misses and extras, as CSV."),
    ] = None,
) -> None:
    """Compare the citations read from the text with those that people listed; print one JSON object.

    With --gold, citations are compared with a table, only from the passages that it lists as sources (grammar
    english_rulebook). Without --gold, RegML is compared with the markup of its authors (us_cfr), and a JSON
    Lines file of enquiries with its law_references (korean).

    Keys: precision, recall; found, gold and right, the numbers of citations; seconds, the processor time of
    the extraction. With --gold also f1; precision_of_listed_kinds, which leaves out what the table does not
    list: for a passage, citations within its document or citations of others, and the inside of ranges; and
    unresolved, by reason, over the whole corpus. For RegML also f1; definitions and uses_of_terms, for the
    defined terms; interpretations, for the citations of the official interpretations; and unresolved. For
    enquiries also precision_of_all, which includes enquiries without a list.
    """
    from rulerank.evaluate.citations import against_lists, against_marks, against_table
    from rulerank.graph.citations import load_grammar

    require_outputs(errors, inputs=[data, gold, Path(grammar) if grammar else None])
    if gold is not None:
        measured = against_table(data, gold, load_grammar(grammar or "english_rulebook"))
    elif data.suffix == ".jsonl":
        measured = against_lists(data, load_grammar(grammar or "korean"))
    else:
        measured = against_marks(data, load_grammar(grammar or "us_cfr"))
    if errors is not None:
        with replacing(errors) as temporary:
            measured.errors.write_csv(temporary)
    print_json(measured.figures)


@citations.command()
def extract(
    data: Data,
    out: Annotated[Path, typer.Option("--out", metavar="edges.parquet", help="The edges, with their spans.")],
    grammar: GrammarName = "auto",
    unresolved: Annotated[
        Path | None,
        typer.Option(
            "--unresolved", metavar="FILE", help="Also write the citations that lead nowhere, as CSV."
        ),
    ] = None,
) -> None:
    """Write the citation edges of a corpus with the spans of their evidence, and print their numbers."""
    from rulerank.corpora import read_corpus
    from rulerank.graph.citations import extract as read
    from rulerank.graph.citations import fitting_grammar

    require_outputs(out, unresolved, inputs=[data, Path(grammar)])
    corpus = read_corpus(data)
    rules = fitting_grammar(grammar, corpus.passages["text"].to_list())
    start = time.process_time()
    extraction = read(corpus.passages, corpus.documents, rules)
    seconds = time.process_time() - start
    with replacing(out) as temporary:
        extraction.edges.write_parquet(temporary)
    if unresolved is not None:
        with replacing(unresolved) as temporary:
            extraction.unresolved.write_csv(temporary)
    types = dict(extraction.edges["type"].value_counts().sort("type").iter_rows())
    counts = {"edges": types, "unresolved": extraction.reasons(), "seconds": round(seconds, 2)}
    print_json(counts)
