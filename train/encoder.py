"""Stage encoder: export the encoder as it came; fine-tune it on all folds, and on all but each part."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import polars as pl
import torch
from scipy import sparse

from rulerank.arrays import IntArray
from rulerank.console import reported
from rulerank.features.extract import batches
from rulerank.files import read_json, replacing_folder, write_json
from rulerank.learn.adapters.dense import Embedded
from rulerank.learn.encoder.export import export_encoder, load_model
from rulerank.learn.encoder.lesson import Lesson, teach, training_digest
from rulerank.learn.encoder.plan import BASE, EncoderPlan
from rulerank.learn.folds import FULL
from rulerank.learn.workspace import ENCODERS, Workspace
from rulerank.retrieve.dense import Adapter, DenseIndex
from rulerank.retrieve.embedding_cache import EmbeddingCache
from rulerank.retrieve.encoder import DESCRIPTION, Encoder
from rulerank.retrieve.queries import prepare_queries
from rulerank.retrieve.search import retrieve
from rulerank.settings import Settings, load_settings
from rulerank.timing import timed

EMBEDDING_CACHE, TUNED = Path(".cache/embeddings"), Path(".cache/encoders")

DEPTH = 50
"""First ranks that hard negatives are drawn from."""


def main() -> None:
    """Write `outputs/encoder`."""
    settings = load_settings()
    torch.set_num_threads(settings.threads)
    tuning = settings.finetune
    plan = EncoderPlan(tuning.parts if tuning.epochs else 0, both_sides=tuning.loss != "corpus_softmax")
    with timed("encoder"), replacing_folder(ENCODERS) as folder:
        export_encoder(load_model(settings.encoder.name), settings.encoder, folder / BASE)
        figures = _fine_tune(plan, settings, folder) if plan.trained else {}
        plan.write(folder)
    write_json(Path("outputs/figures/encoder.json"), {"encoder": settings.encoder.name, **figures})


def _fine_tune(plan: EncoderPlan, settings: Settings, folder: Path) -> dict[str, dict[str, float]]:
    """Train every encoder of the plan; each finished one is kept, so that an interrupted run goes on."""
    workspace = Workspace()
    base = Encoder(folder / BASE, settings.threads)
    training = workspace.asked("train")
    folds = training["fold"].to_numpy().astype(np.int64)
    lesson, test = (
        _lesson(workspace, base, asked, settings) for asked in (training, workspace.asked("validation"))
    )
    figures = {}
    for name in plan.trained:
        shown = plan.shown(name, folds)
        hidden = test if name == FULL else lesson.only(~shown)
        kept = TUNED / training_digest(base.fingerprint, lesson.only(shown), hidden, settings)
        if not kept.is_dir():
            model = load_model(settings.encoder.name)
            measured = teach(model, lesson.only(shown), hidden, settings, kept.with_suffix(".checkpoints"))
            with replacing_folder(kept) as temporary:
                export_encoder(model, settings.encoder, temporary / "encoder")
                write_json(temporary / "figures.json", measured)
        shutil.copytree(kept / "encoder", folder / name)
        # How an encoder is run is what params.yaml says now, whenever its weights were trained.
        shutil.copy(folder / BASE / DESCRIPTION, folder / name / DESCRIPTION)
        figures[name] = read_json(kept / "figures.json")
    return figures


def _lesson(workspace: Workspace, base: Encoder, asked: pl.DataFrame, settings: Settings) -> Lesson:
    cache = EmbeddingCache(EMBEDDING_CACHE, base)
    candidates = np.flatnonzero(workspace.has_text)
    texts, questions = workspace.passages["text"].to_list(), asked["text"].to_list()
    frozen = Embedded(cache.encode(questions, "query"), cache.encode(texts, "passage"))
    return Lesson(
        [base.prefixes["query"] + each for each in questions],
        [base.prefixes["passage"] + texts[column] for column in candidates],
        sparse.csr_array(workspace.relevant(asked)[:, candidates]),
        Embedded(frozen.queries, frozen.passages[candidates]),
        _ranked(workspace, asked, frozen, settings),
    )


def _ranked(workspace: Workspace, asked: pl.DataFrame, frozen: Embedded, settings: Settings) -> IntArray:
    """Return what BM25 and the frozen encoder find together, as places among the candidates."""
    if not settings.finetune.negatives or not asked.height:
        return np.empty((asked.height, 0), np.int64)
    size = frozen.passages.shape[1]
    identity = Adapter(np.zeros((size, size), np.float32), np.zeros((size, size), np.float32))
    index = workspace.search_index(settings, DenseIndex(frozen.passages, identity))
    queries = prepare_queries(asked["query_id"].to_list(), asked["text"].to_list(), frozen.queries)
    walk = workspace.closure(settings)
    found = [
        retrieve(index, batch, settings.candidates, walk).best["rrf"][:, :DEPTH]
        for _, batch in batches(queries, len(workspace.has_text))
    ]
    place = np.cumsum(workspace.has_text) - 1
    return place[np.concatenate(found)]


if __name__ == "__main__":
    with reported():
        main()
