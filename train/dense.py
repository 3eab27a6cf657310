"""Stage dense: embed passages and questions, by encoder and by terms; train the adapters fold by fold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import torch
from safetensors.numpy import save_file
from scipy import sparse

from rulerank.arrays import FloatArray
from rulerank.files import replacing_folder
from rulerank.learn.adapters.dense import Embedded, train_adapters
from rulerank.learn.adapters.storage import write_maps
from rulerank.learn.latent import fit_latent
from rulerank.learn.out_of_fold import Fold, Folds
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import ADAPTERS, DENSE, EMBEDDINGS, ENCODERS, LATENT, TABLES
from rulerank.pipeline.stage import Outcome, stage
from rulerank.retrieve.embedding_cache import EmbeddingCache
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.latent import LatentSpace, append_latent
from rulerank.settings import Settings
from rulerank.text import load_analyser

CACHE = Path(".cache/embeddings")


@stage(
    "dense",
    reads=[TABLES, ENCODERS],
    writes=[DENSE],
    params=["adapter", "device", "latent", "seed", "text", "threads"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/dense`."""
    torch.set_num_threads(settings.threads)
    outputs = Outputs()
    training = outputs.asked("train")
    folds = Folds.of(training)
    served: list[Fold] = [*folds.served, None]
    plan = outputs.encoders
    terms = load_analyser(settings.text.target)(outputs.passages["text"].to_list())
    latent = fit_latent(terms, settings.latent.dimension, settings.seed)
    embeddings = _embed(outputs, latent, served, settings)
    candidates = np.flatnonzero(outputs.has_text)
    rows = training["row"].to_numpy()
    relevant = sparse.csr_array(outputs.relevant(training)[:, candidates])

    def embedded(fold: Fold) -> Embedded:
        return Embedded(
            embeddings[f"queries.{plan.of_queries(fold)}"][rows],
            embeddings[f"passages.{plan.of_passages(fold)}"][candidates],
        )

    adapters = train_adapters(embedded, relevant, folds, settings.adapter, settings.seed)
    with replacing_folder(DENSE) as folder:
        save_file(embeddings, folder / EMBEDDINGS.name)
        adapters.save(folder / ADAPTERS.name, write_maps)
        if latent is not None:
            latent.save(folder / LATENT.name)
    return Outcome(
        {
            "dimension": embeddings[f"queries.{plan.of_queries(None)}"].shape[1],
            "training_queries": training.height,
            "adapters": len(served),
        }
    )


def _embed(
    outputs: Outputs, latent: LatentSpace | None, folds: list[Fold], settings: Settings
) -> dict[str, FloatArray]:
    """Embed the questions and the passages with each encoder that serves a fold, and append their terms."""
    plan = outputs.encoders
    asked = outputs.queries.filter(pl.col("text").is_not_null())["text"].to_list()
    passages = outputs.passages["text"].to_list()
    analyser = load_analyser(settings.text.target)

    def embedded(cache: EmbeddingCache, texts: list[str], kind: str) -> FloatArray:
        return append_latent(cache.encode(texts, kind), texts, latent, analyser)

    embeddings = {}
    for name in dict.fromkeys([*map(plan.of_queries, folds), *map(plan.of_passages, folds)]):
        encoder = Encoder(ENCODERS / name, settings.threads, settings.device)
        cache = EmbeddingCache(CACHE, encoder)
        if name in map(plan.of_queries, folds):
            embeddings[f"queries.{name}"] = embedded(cache, asked, "query")
        if name in map(plan.of_passages, folds):
            embeddings[f"passages.{name}"] = embedded(cache, passages, "passage")
    return embeddings


if __name__ == "__main__":
    main.run()
