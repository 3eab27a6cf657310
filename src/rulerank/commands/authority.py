"""The commands about controlling authority: convert published files, and evaluate a domain."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulerank.errors import DataWarning, InputError

if TYPE_CHECKING:
    import polars as pl

    from rulerank.evaluate.authority import Embeddings, Found

DEFAULT_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"

LISTED = 20
"""Documents of each list that the JSON names."""
_NAMES = ("system", "query_id", "group")

authority = typer.Typer(
    no_args_is_help=True, help="Find what controls: later documents that void earlier ones."
)


@authority.command()
def convert(
    domain: Annotated[str, typer.Option("--domain", help="security_advisories or finance_events.")],
    data: Annotated[Path, typer.Option("--data", help="Folder of the published files.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for documents.jsonl and queries.jsonl.")],
) -> None:
    """Turn the published files of a shipped domain into the generic format, distractors included."""
    from rulerank.corpora.advisories import convert_advisories
    from rulerank.corpora.finance import convert_finance

    converters = {"security_advisories": convert_advisories, "finance_events": convert_finance}
    if domain not in converters:
        raise InputError(
            "--domain", f"expected one of {', '.join(converters)}, found {domain!r}. Check the name."
        )
    converters[domain](data, out)
    typer.echo(f"documents.jsonl and queries.jsonl in {out}")


@authority.command()
def evaluate(
    adapter: Annotated[str, typer.Option("--adapter", help="A YAML file, or the name of a shipped adapter.")],
    data: Annotated[Path, typer.Option("--data", help="Folder of documents.jsonl and queries.jsonl.")],
    encoder: Annotated[
        str | None,
        typer.Option("--encoder", help="Hub name or folder; by default MiniLM where it can be loaded."),
    ] = None,
    dense: Annotated[bool, typer.Option(help="Embed the texts: the run dense, and better anchors.")] = True,
    names: Annotated[bool, typer.Option(help="Look for scope values in the text of questions.")] = True,
    anchors: Annotated[int, typer.Option("--anchors", min=1, help="Anchors a question.")] = 10,
    k1: Annotated[float, typer.Option("--k1", min=0, max=10, help="BM25's k1.")] = 1.5,
    b: Annotated[float, typer.Option("--b", min=0, max=1, help="BM25's b.")] = 0.75,
    out: Annotated[Path | None, typer.Option("--out", help="Also write everything as JSON.")] = None,
) -> None:
    """Measure BM25, dense, two-stage, and two-stage with rules on a folder of documents and questions.

    Example: rulerank authority evaluate --adapter finance_events --data runs/finance --out finance.json
    """
    from rulerank.authority.loading import load_adapter
    from rulerank.authority.rules import check_fit
    from rulerank.corpora.authority import DOCUMENTS, read_authority
    from rulerank.evaluate.authority import index_corpus, search
    from rulerank.evaluate.authority_measures import by_group, chains, per_question, summarise
    from rulerank.evaluate.authority_tables import show
    from rulerank.files import require_outputs, write_json
    from rulerank.settings import Bm25

    require_outputs(out)
    rules = load_adapter(adapter)
    folder = read_authority(data)
    problems = check_fit(folder.documents, rules, data / DOCUMENTS)
    for problem in problems:
        warnings.warn(problem, DataWarning, stacklevel=1)
    corpus = index_corpus(folder.documents, rules, data / DOCUMENTS, Bm25(k1=k1, b=b))
    vectors = _embed(folder.documents, folder.queries, encoder) if dense else None
    found = list(search(corpus, folder.queries, vectors, anchors, read_names=names))
    rows = per_question(corpus, folder.queries, found)
    systems, groups = summarise(rows), by_group(rows)
    show(systems, groups)
    if out is not None:
        ids = folder.documents["document_id"]
        settings = {
            "anchors": anchors,
            "bm25": {"k1": k1, "b": b},
            "names": names,
            "dense": vectors is not None,
        }
        result = {
            "adapter": adapter,
            "documents": len(ids),
            "queries": len(folder.queries),
            "superseded": int(corpus.order.superseded.sum()),
            "settings": settings,
            "problems": problems,
            "chains_per_scope": chains(corpus, folder.queries),
            "systems": systems,
            "groups": groups,
            "per_query": _listed(rows, found, ids),
        }
        write_json(out, result)
        typer.echo(f"everything in {out}")


def _embed(documents: pl.DataFrame, queries: pl.DataFrame, name: str | None) -> Embeddings | None:
    """Embed every text; None where no encoder is named and the usual one cannot be loaded."""
    from rulerank.evaluate.authority import Embeddings

    try:
        from rulerank.learn.encoder.export import load_model

        model = load_model(name or DEFAULT_ENCODER)
    except (InputError, ImportError) as error:
        if name is not None:
            raise InputError(
                "--encoder",
                f"expected a folder or a model of the hub, found {name!r}. Check name and network.",
            ) from error
        warnings.warn(
            "no encoder can be loaded: no dense run, anchors by BM25 alone", DataWarning, stacklevel=1
        )
        return None
    return Embeddings(
        *(
            model.encode(texts.to_list(), normalize_embeddings=True, show_progress_bar=None, batch_size=16)
            for texts in (documents["text"], queries["text"])
        )
    )


def _listed(rows: pl.DataFrame, found: Sequence[Found], ids: pl.Series) -> list[dict[str, Any]]:
    """Return each question's measures beside the ids of its anchors and of the first documents listed."""
    listed = []
    measured = rows.partition_by("query_id", maintain_order=True)
    for own, each in zip(measured, found, strict=True):
        systems = {
            row["system"]: {
                "measures": {name: value for name, value in row.items() if name not in _NAMES},
                "documents": ids.gather(each.lists[row["system"]][:LISTED]).to_list(),
            }
            for row in own.iter_rows(named=True)
        }
        query = own.row(0, named=True)
        listed.append(
            {
                "query_id": query["query_id"],
                "group": query["group"],
                "anchors": ids.gather(each.anchors).to_list(),
                "systems": systems,
            }
        )
    return listed
