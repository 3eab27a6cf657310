"""Stage dense: export the encoder, embed passages and questions, train the adapters fold by fold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import torch
from safetensors.numpy import save_file
from scipy import sparse

from rulerank.console import reported
from rulerank.files import replacing, write_json
from rulerank.learn.adapter import train_adapters
from rulerank.learn.adapters import save_adapters
from rulerank.learn.encoder import export_encoder
from rulerank.learn.workspace import ADAPTERS, EMBEDDINGS, ENCODER, Workspace
from rulerank.retrieve.dense import EmbeddingCache, Encoder
from rulerank.settings import load_settings
from rulerank.timing import timed

CACHE = Path(".cache/embeddings")


def main() -> None:
    """Write `outputs/dense`."""
    settings = load_settings()
    torch.set_num_threads(settings.threads)
    with timed("dense"):
        export_encoder(settings.encoder, ENCODER)
        workspace = Workspace()
        cache = EmbeddingCache(CACHE, Encoder(ENCODER, settings.threads))
        asked = workspace.queries.filter(pl.col("text").is_not_null())
        embeddings = {
            "passages": cache.encode(workspace.passages["text"].to_list(), "passage"),
            "queries": cache.encode(asked["text"].to_list(), "query"),
        }
        with replacing(EMBEDDINGS) as temporary:
            save_file(embeddings, temporary)
        training = workspace.asked("train")
        candidates = np.flatnonzero(workspace.has_text)
        adapters = train_adapters(
            embeddings["queries"][training["row"].to_numpy()],
            embeddings["passages"][candidates],
            sparse.csr_array(workspace.relevant(training)[:, candidates]),
            training["fold"].to_numpy().astype(np.int64),
            settings.adapter,
            settings.seed,
        )
        save_adapters(adapters, ADAPTERS)
    write_json(
        Path("outputs/figures/dense.json"),
        {
            "encoder": settings.encoder.name,
            "dimension": embeddings["passages"].shape[1],
            "training_queries": training.height,
            "adapters": len(adapters),
        },
    )


if __name__ == "__main__":
    with reported():
        main()
