"""Stage dense: embed passages and questions, by encoder and by terms; train the adapters fold by fold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import torch
from safetensors.numpy import save_file
from scipy import sparse

from rulerank.arrays import FloatArray
from rulerank.console import reported
from rulerank.files import replacing, write_json
from rulerank.learn.adapters.dense import Embedded, train_adapters
from rulerank.learn.adapters.storage import save_maps
from rulerank.learn.folds import FULL, without_fold
from rulerank.learn.latent import fit_latent
from rulerank.learn.workspace import ADAPTERS, EMBEDDINGS, ENCODERS, LATENT, Workspace
from rulerank.retrieve.embedding_cache import EmbeddingCache
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.latent import LatentSpace, beside
from rulerank.settings import load_settings
from rulerank.text import analyse
from rulerank.timing import timed

CACHE = Path(".cache/embeddings")


def main() -> None:
    """Write `outputs/dense`."""
    settings = load_settings()
    torch.set_num_threads(settings.threads)
    with timed("dense"):
        workspace = Workspace()
        training = workspace.asked("train")
        folds = training["fold"].to_numpy().astype(np.int64)
        names = [*map(without_fold, np.unique(folds).tolist()), FULL]
        terms = analyse(workspace.passages["text"].to_list())
        latent = fit_latent(terms, settings.latent.dimension, settings.seed)
        embeddings = _embed(workspace, latent, names, settings.threads)
        if latent is None:
            LATENT.unlink(missing_ok=True)
        else:
            latent.save(LATENT)
        with replacing(EMBEDDINGS) as temporary:
            save_file(embeddings, temporary)
        candidates = np.flatnonzero(workspace.has_text)
        rows = training["row"].to_numpy()
        embedded = {
            name: Embedded(workspace.queries_by(name)[rows], workspace.passages_by(name)[candidates])
            for name in names
        }
        relevant = sparse.csr_array(workspace.relevant(training)[:, candidates])
        adapters = train_adapters(embedded, relevant, folds, settings.adapter, settings.seed)
        save_maps(adapters, ADAPTERS)
    write_json(
        Path("outputs/figures/dense.json"),
        {
            "dimension": embedded[FULL].queries.shape[1],
            "training_queries": training.height,
            "adapters": len(adapters),
        },
    )


def _embed(
    workspace: Workspace, latent: LatentSpace | None, adapters: list[str], threads: int
) -> dict[str, FloatArray]:
    """Embed the questions and the passages by each encoder that an adapter needs, terms beside."""
    plan = workspace.encoders
    asked = workspace.queries.filter(pl.col("text").is_not_null())["text"].to_list()
    passages = workspace.passages["text"].to_list()

    def embedded(cache: EmbeddingCache, texts: list[str], kind: str) -> FloatArray:
        return beside(cache.encode(texts, kind), texts, latent)

    embeddings = {}
    for name in dict.fromkeys([*map(plan.of_queries, adapters), *map(plan.of_passages, adapters)]):
        cache = EmbeddingCache(CACHE, Encoder(ENCODERS / name, threads))
        if name in map(plan.of_queries, adapters):
            embeddings[f"queries.{name}"] = embedded(cache, asked, "query")
        if name in map(plan.of_passages, adapters):
            embeddings[f"passages.{name}"] = embedded(cache, passages, "passage")
    return embeddings


if __name__ == "__main__":
    with reported():
        main()
