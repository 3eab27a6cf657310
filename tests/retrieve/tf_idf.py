"""A generator as another package might provide it: cosines of TF-IDF vectors, named by its dotted name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from scipy import sparse

from rulerank.arrays import FloatArray, IntArray, load_arrays, save_arrays
from rulerank.files import read_json, write_json
from rulerank.ragged import Ragged, ragged_from
from rulerank.retrieve.generator import Material
from rulerank.retrieve.hits import Found, Hits, best_hits
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.term_weights import Terms, count_terms
from rulerank.settings import Candidates
from rulerank.sparse import as_matrix


@dataclass(frozen=True, eq=False)
class TfIdf:
    name: ClassVar[str] = "tf_idf"
    floor: ClassVar[float] = 0.0

    vocabulary: Mapping[str, int]
    idf: FloatArray
    passages: sparse.csr_array

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:
        words = sorted({term for terms in material.terms for term in terms})
        vocabulary = {word: row for row, word in enumerate(words)}
        counts = as_matrix(count_terms(material.terms, vocabulary), len(words))
        idf = np.log((1 + counts.shape[0]) / (1 + np.bincount(counts.indices, minlength=len(words)))) + 1
        return cls(vocabulary, idf.astype(np.float32), _unit(counts, idf))

    def __len__(self) -> int:
        return self.passages.shape[0]

    def search(self, queries: Queries, depth: int, found: Found) -> Hits:
        rows = np.repeat(np.arange(len(queries)), len(self))
        columns = np.tile(np.arange(len(self)), len(queries))
        scores = self.score(queries, rows, columns, found)
        above = scores > self.floor
        return best_hits(rows[above], columns[above], scores[above], depth)

    def score(self, queries: Queries, rows: IntArray, columns: IntArray, found: Found) -> FloatArray:
        asked = _unit(self._counts(queries.terms), self.idf)
        scores: FloatArray = (asked[rows] * self.passages[columns]).sum(axis=1).astype(np.float32)
        return scores

    def save(self, folder: Path) -> None:
        save_arrays(
            folder,
            {
                **Ragged(self.passages.indptr, self.passages.indices, self.passages.data).arrays("passages"),
                "idf": self.idf,
            },
        )
        write_json(folder / "words.json", list(self.vocabulary))

    @classmethod
    def load(cls, folder: Path) -> Self:
        arrays, words = load_arrays(folder), read_json(folder / "words.json")
        passages = as_matrix(ragged_from(arrays, "passages"), len(words))
        return cls({word: row for row, word in enumerate(words)}, arrays["idf"], passages)

    def _counts(self, terms: Terms) -> sparse.csr_array:
        return as_matrix(count_terms(terms, self.vocabulary), len(self.vocabulary))


def _unit(counts: sparse.csr_array, idf: FloatArray) -> sparse.csr_array:
    weighed = sparse.csr_array(counts.multiply(idf[None, :]), dtype=np.float64)
    lengths = sparse.linalg.norm(weighed, axis=1)
    return sparse.csr_array(
        weighed.multiply((1 / np.where(lengths > 0, lengths, 1))[:, None]), dtype=np.float32
    )
