"""The index of a generated corpus, in a bundle with the models and the encoder of a trained ranker."""

from __future__ import annotations

import resource
from pathlib import Path
from time import perf_counter
from typing import cast

import numpy as np
import polars as pl

from experiments.million.corpus import DIMENSION, Corpus, near, read_corpus
from rulerank.bundle import Bundle, Contents, Encoders, Golden, load_bundle, write_bundle
from rulerank.bundle.golden import EXTRACTED
from rulerank.bundle.names import ENCODER, GOLDEN
from rulerank.errors import InputError
from rulerank.features.index import DESCRIBED, RankingIndex, build_generators, ranking_index
from rulerank.features.judgement_index import JudgementIndex, build_judgement_index
from rulerank.features.surroundings import Surroundings, build_surroundings
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.embedded import Adapter, EmbeddedPassages
from rulerank.retrieve.generator import Material
from rulerank.retrieve.quantized import QuantizedVectors
from rulerank.retrieve.translation_table import TranslationTable
from rulerank.settings import Candidates, Extract
from rulerank.tables import JUDGEMENTS

TRAINING_QUESTIONS, RELEVANT, LIKENESS = 7_362, 3, 0.7
"""Training questions, as many as ObliQA has; relevant passages per question, at most, which are adjacent; and
the approximate cosine of a question and the first of these."""

GOLDEN_QUESTIONS = 4


def build_index(
    corpus: Corpus, candidates: Candidates, table: TranslationTable | None, extract: Extract
) -> RankingIndex:
    """Index a corpus under an adapter that changes nothing, with judgements of generated questions."""
    unchanged = np.zeros((DIMENSION, DIMENSION), np.float32)
    embedded = EmbeddedPassages(corpus.vectors, Adapter(unchanged, unchanged), None)
    material = Material(corpus.passages, corpus.documents, corpus.edges, embedded)
    # Dense first: while it is built, the terms of the passages do not yet take memory.
    generators = build_generators(material, ["dense", *DESCRIBED, *candidates.runs], candidates)
    around = build_surroundings(material, corpus.centrality, cast("Bm25", generators["bm25"]), extract)
    judgements = _judgements(corpus, around)
    return ranking_index(corpus.passages["passage_id"], generators, around, judgements, table, extract)


def _judgements(corpus: Corpus, around: Surroundings) -> JudgementIndex:
    """Draw training questions; a passage, and up to `RELEVANT` - 1 after it, are relevant to each."""
    generator, with_text = np.random.default_rng(11), np.flatnonzero(around.has_text)
    first = generator.integers(0, len(with_text), TRAINING_QUESTIONS)
    sizes = generator.integers(1, RELEVANT + 1, TRAINING_QUESTIONS)
    question = np.repeat(np.arange(TRAINING_QUESTIONS), sizes)
    step = np.arange(len(question)) - np.searchsorted(question, question)
    relevant = with_text[(first[question] + step) % len(with_text)]
    ids = pl.Series([f"t{number}" for number in range(TRAINING_QUESTIONS)])
    table = pl.DataFrame(
        {
            "query_id": ids.gather(question),
            "passage_id": corpus.passages["passage_id"].gather(relevant),
            "relevance": pl.repeat(1, len(question), dtype=JUDGEMENTS.columns["relevance"], eager=True),
        }
    )
    every = np.arange(TRAINING_QUESTIONS)
    vectors = near(generator, corpus.vectors[with_text[first]], LIKENESS)
    questions = ids.to_list(), every, every, QuantizedVectors.of(vectors)
    passage_ids = corpus.passages["passage_id"]
    return build_judgement_index(table, passage_ids, *questions, around.documents, around.sections)


def build(corpus_folder: Path, ranker: Path, folder: Path) -> dict[str, float]:
    """Write a bundle of a generated corpus.

    Parameters
    ----------
    corpus_folder : Path
        The corpus.
    ranker : Path
        The trained ranker whose settings, models and encoder the bundle has. Its features are the same
        columns on any corpus.
    folder : Path
        Where the bundle goes.

    Returns
    -------
    dict
        Seconds to build the index and to write the bundle, and the peak of resident memory in GiB.

    Raises
    ------
    InputError
        The ranker has features that the generated corpus lacks.

    """
    trained, corpus = load_bundle(ranker), read_corpus(corpus_folder)
    _require_fit(trained, ranker)
    start = perf_counter()
    index = build_index(corpus, trained.candidates, trained.index.translation_table, trained.index.settings)
    built = perf_counter()
    contents = Contents(
        documents=corpus.documents,
        passages=corpus.passages,
        edges=corpus.edges,
        index=index,
        models=trained.models,
        first_pass=trained.first_pass,
        trust=trained.trust,
        selections=trained.selections,
    )
    golden = Golden(pl.read_ipc(ranker / GOLDEN / EXTRACTED), corpus.queries.head(GOLDEN_QUESTIONS))
    facts = {"settings": trained.manifest["settings"]}
    write_bundle(folder, contents, Encoders(ranker / ENCODER, ranker / ENCODER), golden, facts)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "build the index": built - start,
        "write the bundle": perf_counter() - built,
        "peak memory of both": peak / 2**20,
    }


def _require_fit(trained: Bundle, folder: Path) -> None:
    if trained.index.late is not None or trained.index.plugged_in:
        raise InputError(
            folder,
            "expected a ranker without late interaction and without generators from outside the package. "
            "Export one of `make experiment NAME=fast`.",
        )
