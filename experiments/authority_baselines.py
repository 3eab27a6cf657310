"""Measure the baselines of controlling authority on a folder of documents and questions.

    python experiments/authority_baselines.py --domain DOMAIN --data FOLDER

tf_idf: cosine of TF-IDF vectors. dense: an encoder. dense_rerank: of the first 20 of dense, those that
supersede another of them come first; it receives the true order, and cannot add what dense does not find
(DenseReRank). tuned: the encoder with a linear map on each side, trained on the questions and gold documents
of the other four of five folds. hyde: the encoder on what a language model writes in answer to the question
(Gao et al., ACL 2023), if RULERANK_LLM_URL and RULERANK_LLM_MODEL name one; its replies are kept next to the
results. two_stage_rules is included for comparison. Writes outputs/authority/baselines.json.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import polars as pl
import typer
from scipy import sparse
from sentence_transformers import SentenceTransformer
from sklearn.feature_extraction.text import TfidfVectorizer

from rulerank.arrays import FloatArray, IntArray, best_columns
from rulerank.authority.index import DomainIndex, index_domain
from rulerank.authority.loading import load_domain
from rulerank.authority.search import DEPTH, Embeddings, Retrieval, search
from rulerank.authority.supersession import Supersession
from rulerank.console import reported
from rulerank.corpora.authority import DOCUMENTS, read_authority
from rulerank.evaluate.authority import DomainEvaluation
from rulerank.evaluate.authority_tables import show
from rulerank.files import write_json
from rulerank.learn.adapters.dense import train_adapter
from rulerank.learn.encoder.export import load_model
from rulerank.llm import LanguageModel, configured
from rulerank.llm.replies import Replies, key_of
from rulerank.settings import Adapter, Bm25
from rulerank.settings.encoder import DEFAULT_ENCODER
from rulerank.text import analyse

WRITTEN = Path("outputs/authority")
RERANKED = 20
"""Documents of the dense list that DenseReRank reorders."""
ANCHORS, FOLDS, SEED = 10, 5, 42
TUNING = Adapter(epochs=40, batch_size=32, learning_rate=3e-3)
"""Smaller batches, a higher rate and more epochs than on a corpus with thousands of questions."""
SHOWN = ("bm25", "tf_idf", "dense", "dense_rerank", "tuned", "hyde", "two_stage_rules")
WORDS = 200
HYPOTHETICAL = """\
Write the document that would settle the question: the notice, decision or announcement that is in force \
today. At most five sentences, in the style of such documents, and nothing else."""


def main(
    domain: Annotated[str, typer.Option(help="The name of a shipped domain, or a YAML file.")],
    data: Annotated[Path, typer.Option(help="Folder of documents.jsonl and queries.jsonl.")],
    encoder: Annotated[str, typer.Option(help="Hub name or folder.")] = DEFAULT_ENCODER,
) -> None:
    """Print the tables and write the figures."""
    with reported():
        folder = read_authority(data)
        index = index_domain(folder.documents, load_domain(domain), data / DOCUMENTS, Bm25(k1=1.5, b=0.75))
        texts, questions = (table["text"].to_list() for table in (folder.documents, folder.queries))
        model = load_model(encoder)
        vectors = Embeddings(_embed(model, texts), _embed(model, questions))
        dense = vectors.queries @ vectors.documents.T
        ranked: dict[str, Sequence[IntArray]] = {
            "tf_idf": list(best_columns(tf_idf(texts, questions), DEPTH)),
            "dense_rerank": [dense_rerank(index.order, each) for each in best_columns(dense, DEPTH)],
            "tuned": list(best_columns(tuned(index, folder.queries, vectors), DEPTH)),
        }
        if (writer := configured()) is not None:
            written = hypothetical(questions, writer, Replies(WRITTEN / "hyde.jsonl"))
            ranked["hyde"] = list(best_columns(_embed(model, written) @ vectors.documents.T, DEPTH))
        retrievals = [
            _joined(found, {name: np.asarray(rows[row]) for name, rows in ranked.items()})
            for row, found in enumerate(search(index, folder.queries, vectors, ANCHORS))
        ]
        evaluation = DomainEvaluation(index, folder.queries, retrievals)
        show(evaluation.systems, evaluation.groups, evaluation.gap)
        about = {"domain": domain, "encoder": encoder, "folds": FOLDS, "seed": SEED}
        write_json(WRITTEN / "baselines.json", {**about, **evaluation.as_json()})


def tf_idf(documents: Sequence[str], questions: Sequence[str]) -> FloatArray:
    """Return the cosine of every question with every document, shape (questions, documents)."""
    vectoriser = TfidfVectorizer(analyzer=lambda text: analyse([text])[0], dtype=np.float32)
    by_document = vectoriser.fit_transform(documents)
    cosines: FloatArray = (vectoriser.transform(questions) @ by_document.T).toarray()
    return cosines


def dense_rerank(order: Supersession, ranked: IntArray) -> IntArray:
    """Return a list that starts with those of its first documents that supersede another of them."""
    first = ranked[:RERANKED]
    promoted = first[np.isin(first, order.superseders(first.tolist()))]
    return np.concatenate([promoted, ranked[~np.isin(ranked, promoted)]])


def tuned(index: DomainIndex, queries: pl.DataFrame, vectors: Embeddings) -> FloatArray:
    """Return the cosines under adapters that have not seen the question, shape (questions, documents)."""
    rows_of = {document: row for row, document in enumerate(index.documents["document_id"])}
    pairs = [(row, rows_of[each]) for row, gold in enumerate(queries["gold"].to_list()) for each in gold]
    rows, columns = np.array(pairs, np.int64).T
    shape = len(queries), len(index.documents)
    relevant = sparse.csr_array((np.ones(len(rows), np.float32), (rows, columns)), shape=shape)
    folds = np.random.default_rng(SEED).permutation(len(queries)) % FOLDS
    scores = np.empty(shape, np.float32)
    for fold in range(FOLDS):
        kept, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        adapter = train_adapter(vectors.queries[kept], vectors.documents, relevant[kept], TUNING, SEED)
        scores[held] = adapter.queries(vectors.queries[held]) @ adapter.passages(vectors.documents).T
    return scores


def hypothetical(questions: Sequence[str], model: LanguageModel, replies: Replies) -> list[str]:
    """Return what a language model writes in answer to each question; earlier replies are reused."""
    return [
        replies.of(
            key_of(model.name, HYPOTHETICAL, question),
            partial(model.complete, HYPOTHETICAL, question, max_tokens=WORDS),
        )
        for question in questions
    ]


def _joined(found: Retrieval, more: Mapping[str, IntArray]) -> Retrieval:
    lists = {**found.lists, **more}
    return replace(found, lists={name: lists[name] for name in SHOWN if name in lists})


def _embed(model: SentenceTransformer, texts: Sequence[str]) -> FloatArray:
    vectors: FloatArray = model.encode(
        list(texts), normalize_embeddings=True, show_progress_bar=None, batch_size=16
    )
    return vectors


if __name__ == "__main__":
    typer.run(main)
