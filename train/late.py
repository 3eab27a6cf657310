"""Stage late: tokens of passages and questions, and the maps of late interaction, fold by fold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from safetensors.numpy import save_file

from rulerank.files import replacing_folder, write_json
from rulerank.learn.encoder.plan import BASE
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import CANDIDATE_TABLE, ENCODERS, LATE, LATE_MAPS, TABLES, TOKENS
from rulerank.pipeline.stage import Outcome, stage
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.token_cache import TokenCache, principal_axes
from rulerank.settings import Settings
from rulerank.tables import CANDIDATES

CACHE = Path(".cache/tokens")


@stage(
    "late",
    reads=[CANDIDATE_TABLE, TABLES, ENCODERS],
    writes=[LATE],
    params=["device", "late", "seed", "threads"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/late`; without epochs it holds the settings alone."""
    with replacing_folder(LATE) as folder:
        # DVC warns of an empty folder whenever a stage reads it.
        write_json(folder / "settings.json", settings.late.model_dump())
        figures = _train(settings, folder) if settings.late.epochs else {}
    return Outcome({"maps": 0, **figures})


def _train(settings: Settings, folder: Path) -> dict[str, int]:
    # PyTorch takes seconds to import, and without epochs nothing needs it.
    import torch

    from rulerank.learn.adapters.late import train_late_maps
    from rulerank.learn.adapters.storage import write_maps
    from rulerank.learn.out_of_fold import Folds

    torch.set_num_threads(settings.threads)
    outputs = Outputs()
    encoder = Encoder(ENCODERS / BASE, settings.threads, settings.device)
    texts = outputs.passages["text"].to_list()
    axes = principal_axes(encoder, texts, settings.late.width, settings.seed)
    cache = TokenCache(CACHE, encoder, axes)
    passages = cache.encode(texts, "passage")
    asked = outputs.queries.filter(pl.col("text").is_not_null())
    queries = cache.encode(asked["text"].to_list(), "query")
    arrays: dict[str, np.ndarray] = {
        "passages": passages.vectors,
        "passages.starts": passages.starts,
        "queries": queries.vectors,
        "queries.starts": queries.starts,
        "axes": axes,
    }
    save_file(arrays, folder / TOKENS.name)
    training = outputs.asked("train")
    candidates = CANDIDATES.read(CANDIDATE_TABLE)
    maps = train_late_maps(
        queries.take(training["row"].to_numpy().astype(np.int64)),
        passages,
        outputs.relevant(training),
        outputs.marked(candidates.filter(pl.col("rank") <= settings.late.pool), training),
        Folds.of(training),
        settings.late,
        settings.seed,
    )
    maps.save(folder / LATE_MAPS.name, write_maps)
    return {
        "maps": len(maps.without) + 1,
        "passage_tokens": len(passages.vectors),
        "query_tokens": len(queries.vectors),
    }


if __name__ == "__main__":
    main.run()
