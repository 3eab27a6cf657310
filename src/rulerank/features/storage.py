"""A ranking index on disk: arrays as safetensors, vocabularies as JSON; loading computes nothing again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from scipy import sparse

from rulerank.authority.supersession import Supersession
from rulerank.features.evidence import JudgementIndex
from rulerank.features.index import RankingIndex
from rulerank.features.terms import TermIndex
from rulerank.files import read_json, replacing, write_json
from rulerank.graph.closure import Closure
from rulerank.retrieve.bm25 import Bm25Index
from rulerank.retrieve.dense import Adapter, DenseIndex
from rulerank.retrieve.late import LateIndex
from rulerank.retrieve.latent import load_latent
from rulerank.retrieve.search import SearchIndex
from rulerank.retrieve.tokens import Tokens
from rulerank.settings import Extract

Arrays = Mapping[str, NDArray[np.generic]]

INDEX, EMBEDDINGS, ADAPTER, LATENT, LATE, VOCABULARY = (
    "index.safetensors",
    "embeddings.safetensors",
    "adapter.safetensors",
    "latent.safetensors",
    "late.safetensors",
    "vocabulary.json",
)


def save_index(index: RankingIndex, folder: Path) -> None:
    """Write an index into a folder."""
    search, judgements = index.search, index.judgements
    matrices = {
        "bm25": search.bm25.weights,
        "bm25_context": search.bm25_context.weights,
        "bigrams": index.bigrams.presence,
        "neighbours": index.neighbours,
        "closure": index.closure.adjacency,
        "authority": index.authority.above,
        "relevant": judgements.relevant,
    }
    arrays = {
        "has_text": search.has_text,
        "parents": index.parents,
        "adjacent": index.adjacent,
        "clusters": judgements.clusters,
        "asked": judgements.with_text,
        **{f"static.{name}": values for name, values in index.static.items()},
    }
    for name, matrix in matrices.items():
        arrays |= _unpack(name, matrix)
    _write(arrays, folder / INDEX)
    _write({"passages": search.dense.passages, "asked": judgements.embeddings}, folder / EMBEDDINGS)
    _write({"query": search.dense.adapter.query, "passage": search.dense.adapter.passage}, folder / ADAPTER)
    if search.dense.latent is not None:
        search.dense.latent.save(folder / LATENT)
    if index.late is not None:
        tokens = index.late.passages
        late: Arrays = {"tokens": tokens.vectors, "starts": tokens.starts}
        _write({**late, "query_map": index.late.query_map, "axes": index.late.axes}, folder / LATE)
    vocabularies = {
        "bm25": search.bm25.vocabulary,
        "bm25_context": search.bm25_context.vocabulary,
        "bigrams": index.bigrams.vocabulary,
    }
    write_json(folder / VOCABULARY, {name: list(words) for name, words in vocabularies.items()})


def load_index(folder: Path, passage_ids: pl.Series, settings: Extract) -> RankingIndex:
    """Read the index that `save_index` wrote."""
    arrays, embeddings, maps = (load_file(folder / name) for name in (INDEX, EMBEDDINGS, ADAPTER))
    words = {
        name: {word: row for row, word in enumerate(listed)}
        for name, listed in read_json(folder / VOCABULARY).items()
    }
    adapter = Adapter(maps["query"], maps["passage"])
    dense = DenseIndex(embeddings["passages"], adapter, load_latent(folder / LATENT))
    return RankingIndex(
        passage_ids=passage_ids,
        search=SearchIndex(
            arrays["has_text"],
            Bm25Index(words["bm25"], _pack("bm25", arrays)),
            Bm25Index(words["bm25_context"], _pack("bm25_context", arrays)),
            dense,
        ),
        bigrams=TermIndex(words["bigrams"], _pack("bigrams", arrays)),
        parents=arrays["parents"],
        adjacent=arrays["adjacent"],
        neighbours=_pack("neighbours", arrays),
        closure=Closure(_pack("closure", arrays)),
        authority=Supersession(
            len(passage_ids), _pack("authority", arrays), arrays["static.chain_length"].astype(np.int64)
        ),
        static={
            name.removeprefix("static."): values
            for name, values in arrays.items()
            if name.startswith("static.")
        },
        judgements=JudgementIndex(
            _pack("relevant", arrays), arrays["clusters"], arrays["asked"], embeddings["asked"]
        ),
        late=_late(folder / LATE),
        settings=settings,
    )


def _late(path: Path) -> LateIndex | None:
    if not path.is_file():
        return None
    stored = load_file(path)
    tokens = Tokens(stored["tokens"], stored["starts"])
    return LateIndex(tokens, stored["query_map"], stored["axes"])


def _write(arrays: Arrays, path: Path) -> None:
    # `save_file` alone leaves a file that only its owner can read.
    with replacing(path) as temporary:
        save_file({name: np.ascontiguousarray(values) for name, values in arrays.items()}, temporary)


def _unpack(name: str, matrix: sparse.csr_array) -> dict[str, NDArray[np.generic]]:
    return {
        f"{name}.data": matrix.data,
        f"{name}.indices": matrix.indices.astype(np.int32),
        f"{name}.indptr": matrix.indptr.astype(np.int64),
        f"{name}.shape": np.array(matrix.shape, np.int64),
    }


def _pack(name: str, arrays: Arrays) -> sparse.csr_array:
    data, indices, indptr, shape = (
        arrays[f"{name}.{part}"] for part in ("data", "indices", "indptr", "shape")
    )
    return sparse.csr_array((data, indices, indptr), shape=tuple(shape))
