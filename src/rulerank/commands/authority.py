"""The commands about controlling authority: convert published files, and evaluate a domain."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

from rulerank.console import say
from rulerank.errors import DataWarning, InputError
from rulerank.files import require_outputs

authority = typer.Typer(
    no_args_is_help=True, help="Find the documents that control: later ones void earlier ones."
)


@authority.command()
def convert(
    domain: Annotated[
        str,
        typer.Option(
            "--domain",
            help="security_advisories, finance_events, contaminated_finance_events, drug_labels or "
            "court_opinions.",
        ),
    ],
    data: Annotated[Path, typer.Option("--data", help="Folder of the published files.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for documents.jsonl and queries.jsonl.")],
) -> None:
    """Turn the published files of a data set into the generic format, with distractors."""
    from rulerank.corpora.advisories import convert_advisories
    from rulerank.corpora.authority import DOCUMENTS, QUERIES
    from rulerank.corpora.drugs import convert_drugs
    from rulerank.corpora.finance import convert_contaminated_finance, convert_finance
    from rulerank.corpora.opinions import convert_opinions

    converters = {
        "security_advisories": convert_advisories,
        "finance_events": convert_finance,
        "contaminated_finance_events": convert_contaminated_finance,
        "drug_labels": convert_drugs,
        "court_opinions": convert_opinions,
    }
    if domain not in converters:
        raise InputError(
            "--domain", f"expected one of {', '.join(converters)}, found {domain!r}. Check the name."
        )
    require_outputs(out / DOCUMENTS, out / QUERIES)
    converters[domain](data, out)
    say(f"documents.jsonl and queries.jsonl in {out}")


@authority.command()
def evaluate(
    domain: Annotated[
        list[str],
        typer.Option(
            "--domain", help="A domain of the package by name, or a YAML file; repeat for each authority."
        ),
    ],
    data: Annotated[Path, typer.Option("--data", help="Folder of documents.jsonl and queries.jsonl.")],
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder", help="Encoder, by hub name or folder; by default MiniLM if it can be loaded."
        ),
    ] = None,
    dense: Annotated[
        bool, typer.Option(help="Embed the texts: adds the run dense, and finds anchors by meaning too.")
    ] = True,
    names: Annotated[bool, typer.Option(help="Look up scope values in the text of questions.")] = True,
    anchors: Annotated[int, typer.Option("--anchors", min=1, help="Anchors per question.")] = 10,
    k1: Annotated[float, typer.Option("--k1", min=0, max=10, help="BM25's k1.")] = 1.5,
    b: Annotated[float, typer.Option("--b", min=0, max=1, help="BM25's b.")] = 0.75,
    out: Annotated[Path | None, typer.Option("--out", help="Also write everything as JSON.")] = None,
) -> None:
    """Measure BM25, dense, two-stage, and two-stage with rules on a folder of documents and questions.

    Example: rulerank authority evaluate --domain finance_events --data runs/finance --out finance.json
    """
    from rulerank.authority.fit import check_fit, unread_keys
    from rulerank.authority.index import index_domain
    from rulerank.authority.loading import load_domain
    from rulerank.authority.search import search
    from rulerank.corpora.authority import DOCUMENTS, QUERIES, read_authority
    from rulerank.evaluate.authority import DomainEvaluation, embed
    from rulerank.evaluate.authority_tables import show
    from rulerank.files import write_json
    from rulerank.settings import Bm25

    require_outputs(out, inputs=[data / DOCUMENTS, data / QUERIES, *map(Path, domain)])
    authorities = [load_domain(each) for each in domain]
    folder = read_authority(data)
    problems = [
        *(problem for each in authorities for problem in check_fit(folder.documents, each, data / DOCUMENTS)),
        *unread_keys(folder.queries, authorities),
    ]
    for problem in problems:
        warnings.warn(problem, DataWarning, stacklevel=1)
    index = index_domain(folder.documents, authorities, data / DOCUMENTS, Bm25(k1=k1, b=b))
    vectors = embed(folder.documents, folder.queries, encoder) if dense else None
    retrievals = list(search(index, folder.queries, vectors, anchors, read_names=names))
    evaluation = DomainEvaluation(index, folder.queries, retrievals)
    show(evaluation.systems, evaluation.groups, evaluation.gap)
    if out is not None:
        settings = {
            "anchors": anchors,
            "bm25": {"k1": k1, "b": b},
            "names": names,
            "dense": vectors is not None,
        }
        about = {
            "domain": domain[0] if len(domain) == 1 else domain,
            "settings": settings,
            "problems": problems,
        }
        write_json(out, {**about, **evaluation.as_json()})
        say(f"everything in {out}")
