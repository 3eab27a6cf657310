"""Measure SearchFireSafety's retrieval on a corpus with questions: every run of the paper, untrained.

    python experiments/searchfiresafety.py --data FOLDER [--encoder FOLDER] [--analyser jamo] [--hyde]

The corpus is read from its folder, in any format. Texts are prefixed with their metadata. Prints a table, and
writes every measure to outputs/searchfiresafety/measures.csv. With --hyde a language model
(RULERANK_LLM_URL, RULERANK_LLM_MODEL) writes the provision that would answer each question, and these texts
are searched too; its replies are kept in .cache/hyde.jsonl.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl
import typer
from rich.console import Console
from rich.table import Table

from rulerank.console import printable, reported
from rulerank.corpora import read_corpus
from rulerank.errors import InputError, SettingsError
from rulerank.evaluate.search_measures import SEARCH_MEASURES, search_measures
from rulerank.evaluate.significance import compare, corrected
from rulerank.evaluate.statute_search import StatuteSearch, links_of
from rulerank.files import replacing
from rulerank.llm import MODEL, URL, configured
from rulerank.llm.replies import Replies
from rulerank.retrieve.context import prefixed
from rulerank.retrieve.embedding_cache import EmbeddingCache
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.hyde import Hypothetical
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.retrieve.search import tabulate
from rulerank.settings import Text, load_settings
from rulerank.tables import has_text
from rulerank.text import Analyser, load_analyser

CACHE, REPLIES = Path(".cache/embeddings"), Path(".cache/hyde.jsonl")
OUTPUT = Path("outputs/searchfiresafety/measures.csv")
SHOWN = ("R@1", "R@5", "R@10", "R@100", "All@10", "MRR", "nDCG@20")
BASELINE, TESTED = "dense", "nDCG@20"


def main(
    data: Annotated[Path, typer.Option("--data", help="A folder of regulations and questions.")],
    encoder: Annotated[Path, typer.Option("--encoder", help="An encoder that the pipeline exported.")] = Path(
        "outputs/encoder/base"
    ),
    analyser: Annotated[str, typer.Option("--analyser", help="As text.analyser of params.yaml.")] = "jamo",
    split: Annotated[str, typer.Option("--split", help="The split whose questions are measured.")] = "test",
    *,
    hyde: Annotated[bool, typer.Option("--hyde", help="Search for hypothetical provisions too.")] = False,
) -> None:
    """Print and write the measures of every run."""
    with reported():
        settings = load_settings()
        corpus = read_corpus(data)
        asked = corpus.queries.filter(pl.col("split") == split, pl.col("text").is_not_null())
        if not asked.height:
            raise InputError(
                data, f"expected {split} questions with a text, found none. Choose another split."
            )
        cache = EmbeddingCache(CACHE, Encoder(encoder, settings.threads, settings.device))
        terms = load_analyser(Text(analyser=analyser).target)
        texts = prefixed(corpus.passages, corpus.documents)
        ids = corpus.passages["passage_id"]
        search = StatuteSearch.build(
            terms(texts),
            cache.encode(texts, "passage"),
            has_text(corpus.passages).to_numpy(),
            links_of(corpus.passages, corpus.documents, corpus.references),
            ids,
        )
        questions = asked["text"].to_list()
        found = search.runs(_queries(asked["query_id"].to_list(), questions, cache, terms))
        if hyde:
            written = _queries(asked["query_id"].to_list(), _hypothetical(questions), cache, terms)
            found |= {f"HyDE {run}": hits for run, hits in search.runs(written).items() if "+" not in run}
        runs = tabulate(found, asked["query_id"].to_list(), ids)
        judged = corpus.judgements.join(asked.select("query_id"), on="query_id", how="semi")
        measured = search_measures(judged, runs)
        means = measured.group_by("run", maintain_order=True).agg(pl.col(SEARCH_MEASURES).mean())
        with replacing(OUTPUT) as temporary:
            means.write_csv(temporary)
        title = f"{asked.height} {split} questions of {printable(data.name)}, {analyser}, {encoder.name}"
        Console(highlight=False, width=160).print(_table(measured, means, title))


def _queries(ids: list[str], texts: list[str], cache: EmbeddingCache, analyser: Analyser) -> Queries:
    return prepare_queries(ids, texts, cache.encode(texts, "query"), analyser=analyser)


def _hypothetical(questions: list[str]) -> list[str]:
    model = configured()
    if model is None:
        raise SettingsError(f"--hyde: expected a language model in {URL} and {MODEL}, found none. Set both.")
    return Hypothetical(model, Replies(REPLIES))(questions)


def _table(measured: pl.DataFrame, means: pl.DataFrame, title: str) -> Table:
    table = Table(title=title, pad_edge=False)
    table.add_column("run", no_wrap=True)
    for name in (*SHOWN, f"{TESTED} over {BASELINE}", "p", "p (Holm)"):
        table.add_column(name, justify="right")
    others = [run for run in means["run"] if run != BASELINE]
    compared = corrected(pl.concat(compare(measured, run, [BASELINE], TESTED) for run in others))
    tested = {
        row["run"]: (
            f"{row['difference']:+.4f}, {row['low']:+.4f} to {row['high']:+.4f}",
            f"{row['p_value']:.4f}",
            f"{row['p_holm']:.4f}",
        )
        for row in compared.iter_rows(named=True)
    }
    for row in means.iter_rows(named=True):
        table.add_row(row["run"], *(f"{row[name]:.4f}" for name in SHOWN), *tested.get(row["run"], ()))
    return table


if __name__ == "__main__":
    typer.run(main)
