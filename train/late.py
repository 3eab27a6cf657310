"""Stage late: tokens of passages and questions, and the maps of late interaction, fold by fold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import torch
from safetensors.numpy import save_file

from rulerank.console import reported
from rulerank.files import replacing_folder, write_json
from rulerank.learn.adapters.late import train_late_maps
from rulerank.learn.adapters.storage import save_maps
from rulerank.learn.encoder.plan import BASE
from rulerank.learn.workspace import ENCODERS, LATE_MAPS, TOKENS, Workspace
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.token_cache import TokenCache, principal_axes
from rulerank.settings import Settings, load_settings
from rulerank.timing import timed

CACHE = Path(".cache/tokens")


def main() -> None:
    """Write `outputs/late`; without epochs it stays empty."""
    settings = load_settings()
    torch.set_num_threads(settings.threads)
    with timed("late"), replacing_folder(LATE_MAPS.parent) as folder:
        figures = _train(settings, folder) if settings.late.epochs else {}
    write_json(Path("outputs/figures/late.json"), {"maps": 0, **figures})


def _train(settings: Settings, folder: Path) -> dict[str, int]:
    workspace = Workspace()
    encoder = Encoder(ENCODERS / BASE, settings.threads)
    texts = workspace.passages["text"].to_list()
    axes = principal_axes(encoder, texts, settings.late.width, settings.seed)
    cache = TokenCache(CACHE, encoder, axes)
    passages = cache.encode(texts, "passage")
    asked = workspace.queries.filter(pl.col("text").is_not_null())
    queries = cache.encode(asked["text"].to_list(), "query")
    arrays: dict[str, np.ndarray] = {
        "passages": passages.vectors,
        "passages.starts": passages.starts,
        "queries": queries.vectors,
        "queries.starts": queries.starts,
        "axes": axes,
    }
    save_file(arrays, folder / TOKENS.name)
    training = workspace.asked("train")
    candidates = pl.read_parquet("outputs/candidates.parquet")
    maps = train_late_maps(
        queries.take(training["row"].to_numpy().astype(np.int64)),
        passages,
        workspace.relevant(training),
        workspace.marked(candidates.filter(pl.col("rank") <= settings.late.pool), training),
        training["fold"].to_numpy().astype(np.int64),
        settings.late,
        settings.seed,
    )
    save_maps(maps, folder / LATE_MAPS.name)
    return {"maps": len(maps), "passage_tokens": len(passages.vectors), "query_tokens": len(queries.vectors)}


if __name__ == "__main__":
    with reported():
        main()
