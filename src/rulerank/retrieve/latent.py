"""Latent semantic analysis: a text's terms as one vector, in which co-occurring terms are close.

(Deerwester et al. 1990.) A term's axis is its row of the right singular vectors of the passages' TF-IDF
matrix, times its idf. A text is the sum of its terms' axes, each weighted by 1 + ln tf. Unlike a sentence
encoder it knows every word of the given corpus, and no other. Concatenated, the two make one vector that is
better input for an adapter than either.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file

from rulerank.arrays import FloatArray, normalise_rows
from rulerank.files import replacing
from rulerank.ragged import Ragged
from rulerank.retrieve.term_weights import count_terms
from rulerank.text import Analyser, analyse


@dataclass(frozen=True, eq=False)
class LatentSpace:
    """The terms of a corpus as vectors.

    Parameters
    ----------
    vocabulary : mapping of str to int
        Row of each term in `axes`.
    axes : array of shape (terms, dimension)
        What one occurrence of a term adds to a text's vector.

    """

    vocabulary: Mapping[str, int]
    axes: FloatArray

    def embed(self, terms: Sequence[Sequence[str]]) -> FloatArray:
        """Embed analysed texts, shape (texts, dimension); unit rows, zeros for a text of unknown terms."""
        counts = count_terms(terms, self.vocabulary)
        weighed = Ragged(counts.starts, counts.items, 1 + np.log(counts.weights))
        return normalise_rows(weighed.sums(self.axes))

    def save(self, path: Path) -> None:
        """Write the space to one safetensors file, its terms as metadata."""
        with replacing(path) as temporary:
            save_file({"axes": self.axes}, temporary, {"terms": json.dumps(list(self.vocabulary))})


def append_latent(
    vectors: FloatArray, texts: Sequence[str], latent: LatentSpace | None, analyser: Analyser = analyse
) -> FloatArray:
    """Append the latent vectors of texts to their encoder vectors, with equal weight.

    Parameters
    ----------
    vectors : array of shape (texts, width)
        Unit rows: the texts' vectors from the encoder.
    texts : sequence of str
        The same texts.
    latent : LatentSpace or None
        None leaves the encoder's vectors unchanged.
    analyser : Analyser, optional
        Turns texts into terms; the space uses the same one.

    Returns
    -------
    array of shape (texts, width + dimension)
        Rows of unit length.

    """
    return vectors if latent is None else normalise_rows(np.hstack([vectors, latent.embed(analyser(texts))]))


def load_latent(path: Path) -> LatentSpace | None:
    """Read what `LatentSpace.save` wrote; None if the file does not exist."""
    if not path.is_file():
        return None
    with safe_open(path, framework="numpy") as stored:
        terms = json.loads(stored.metadata()["terms"])
        return LatentSpace({term: row for row, term in enumerate(terms)}, stored.get_tensor("axes"))
