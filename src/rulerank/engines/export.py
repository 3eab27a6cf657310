"""An exported ranker in the format of a search engine, verified before it is put in place."""

from __future__ import annotations

from pathlib import Path

from rulerank.bundle import RANKER, Bundle, load_bundle, require_replaceable
from rulerank.bundle.golden import QUESTIONS
from rulerank.bundle.golden_rows import golden_path
from rulerank.bundle.names import GOLDEN
from rulerank.engines import elasticsearch, onnx_graph, opensearch, solr, vespa, xgboost_json
from rulerank.engines.columns import Portable, portable
from rulerank.engines.formats import Format
from rulerank.engines.passages import SPACE, passage_fields, question_parameters
from rulerank.engines.verify import Verification, verify
from rulerank.errors import InputError, nearest
from rulerank.files import replacing_folder, write_json, write_text
from rulerank.tables import GOLDEN_ROWS
from rulerank.tables.arrow_file import read_arrow

FORMATS: dict[str, Format] = {
    "onnx": onnx_graph.FORMAT,
    "elasticsearch": elasticsearch.FORMAT,
    "opensearch": opensearch.FORMAT,
    "solr": solr.FORMAT,
    "vespa": vespa.FORMAT,
    "xgboost-json": xgboost_json.FORMAT,
}
"""Every format by the name that `rulerank export --to` takes."""

PASSAGES, QUESTION, README = "passages.parquet", "question.json", "README.md"
EXPORT = "export.json"
"""The list of the files of an export, by which a later one knows what it may replace."""
KINDS = {
    "words": "BM25 of the question's terms in this field",
    "cosine": "cosine of the question's vector and this field",
    "fact": "the number in this field",
}

PAGE = """\
# The ranker {digest} for {to}

Written by `rulerank export`. {trees} trees over {columns} features; a score orders the passages of one
question. {rows} rows, with {near} values on or just beside a threshold and {missing} missing ones, took
the same path as in LightGBM through every tree; scores differ by {difference:.1g} at most.

{about}
## Features

| feature | what it is | field |
|---|---|---|
{table}

`{passages}` has the passages with these fields. `terms` and `context_terms` are analysed already: split
them only at white space; `{space}` in them is a space within a term. Passages whose `has_text` is false are
headings: they count in the statistics of BM25 (k1 {k1}, b {b}) but are not candidates. A passage is in
force from its day `effective_from`, always if it has none: filter out those of a later day than the one
that you ask for, as the ranker does. `{question}` has the parameters of one question as an example;

    import rulerank
    from rulerank.engines import portable, question_parameters

    bundle = rulerank.load("bundle").bundle
    parameters = question_parameters(bundle, "Who must keep the register?", portable(bundle).columns)

gives those of any question. The trees are verified, the features that the engine computes are not: Lucene
keeps a passage's length in one byte, and leaves passages without terms out of N, so its BM25 scores differ
a little.
"""


def export_bundle(folder: Path, to: str, out: Path) -> Verification:
    """Write the ranker of a bundle in the format of an engine, whole or not at all.

    Parameters
    ----------
    folder : Path
        The bundle.
    to : str
        One of `FORMATS`.
    out : Path
        The folder to write; an older one there is replaced.

    Raises
    ------
    BundleError
        The folder is not a bundle, or an engine cannot run its ranker.
    InputError
        There is no such format, or `out` has files that an export did not write.
    RulerankError
        The written files do not score as the ranker does.

    """
    if to not in FORMATS:
        raise InputError(
            "--to",
            f"expected one of {', '.join(FORMATS)}, found {to!r}; the nearest is {nearest(to, FORMATS)}. "
            "Choose one of them.",
        )
    require_replaceable(out, folder, listing=EXPORT)
    bundle, form = load_bundle(folder), FORMATS[to]
    ranker = portable(bundle)
    names = [column.name for column in ranker.columns]
    given = GOLDEN_ROWS.map(golden_path(folder, RANKER)).select(names).to_numpy()
    question = read_arrow(folder / GOLDEN / QUESTIONS)["text"][0]
    with replacing_folder(out.resolve()) as temporary:
        form.write(ranker, temporary)
        verified = verify(form, ranker, temporary, given)
        passage_fields(bundle, ranker.columns).write_parquet(temporary / PASSAGES)
        parameters = question_parameters(bundle, question, ranker.columns)
        write_json(temporary / QUESTION, {"question": question, **parameters})
        write_text(temporary / README, _page(bundle, ranker, to, verified))
        files = sorted(path for path in temporary.rglob("*") if path.is_file())
        written = [path.relative_to(temporary).as_posix() for path in files]
        write_json(temporary / EXPORT, {"digest": bundle.manifest["digest"], "to": to, "files": written})
    return verified


def _page(bundle: Bundle, ranker: Portable, to: str, verified: Verification) -> str:
    rows = (f"| `{each.name}` | {KINDS[each.kind]} | `{each.field}` |" for each in ranker.columns)
    return PAGE.format(
        digest=bundle.manifest["digest"][:12],
        to=to,
        trees=verified.trees,
        columns=len(ranker.columns),
        rows=verified.rows,
        near=verified.on_thresholds,
        missing=verified.missing,
        difference=verified.difference,
        about=FORMATS[to].about,
        table="\n".join(rows),
        passages=PASSAGES,
        question=QUESTION,
        space=SPACE,
        k1=ranker.k1,
        b=ranker.b,
    )
