"""Stage encoder: export the pretrained encoder; fine-tune it on all folds, and on all but each part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import torch
from scipy import sparse

from rulerank.arrays import IntArray
from rulerank.features.extract import batches
from rulerank.features.index import build_generators
from rulerank.files import read_json, replacing_folder
from rulerank.learn.adapters.dense import Embedded
from rulerank.learn.encoder.export import export_encoder, load_model
from rulerank.learn.encoder.fit import FIGURES, WEIGHTS, keep_fitted
from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.learn.encoder.losses import load_loss
from rulerank.learn.encoder.plan import BASE, FULL, EncoderPlan
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import EDGE_TABLE, ENCODERS, TABLES
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Workspace
from rulerank.retrieve.embedded import Adapter, EmbeddedPassages
from rulerank.retrieve.embedding_cache import EmbeddingCache
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.queries import prepare_queries
from rulerank.retrieve.search import retrieve
from rulerank.settings import Settings

EMBEDDING_CACHE, TUNED = Path(".cache/embeddings"), Path(".cache/encoders")

DEPTH = 50
"""First ranks from which hard negatives are drawn."""


@stage(
    "encoder",
    reads=[TABLES, EDGE_TABLE],
    writes=[ENCODERS],
    params=["device", "encoder", "finetune", "adapter", "candidates", "seed", "text", "threads"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/encoder`."""
    torch.set_num_threads(settings.threads)
    Outputs().require_training()
    tuning = settings.finetune
    plan = EncoderPlan(tuning.parts if tuning.epochs else 0, both_sides=load_loss(tuning).both_sides)
    with replacing_folder(ENCODERS) as folder:
        export_encoder(load_model(settings.encoder.name, "cpu"), settings.encoder, folder / BASE)
        figures = _fine_tune(plan, settings, folder) if plan.trained else {}
        plan.write(folder)
    return Outcome({"encoder": settings.encoder.name, **figures})


def _fine_tune(plan: EncoderPlan, settings: Settings, folder: Path) -> dict[str, dict[str, float]]:
    """Train every encoder of the plan; each finished one is kept, so an interrupted run resumes."""
    workspace = Workspace(settings)
    base = Encoder(folder / BASE, settings.threads, settings.device)
    training = workspace.asked("train")
    folds = [training[name].to_numpy().astype(np.int64) for name in ("fold", "served_by")]
    training_set, validation_set = (
        _judged(workspace, base, asked, settings) for asked in (training, workspace.asked("validation"))
    )
    figures = {}
    for name in plan.trained:
        shown = np.logical_and.reduce([plan.training_questions(name, each) for each in folds])
        held_out = validation_set if name == FULL else training_set.only(~shown)
        kept = keep_fitted(base.fingerprint, training_set.only(shown), held_out, settings, TUNED)
        # From the saved weights: whatever training left on the model in memory cannot spoil the export.
        export_encoder(load_model(str(kept / WEIGHTS), "cpu"), settings.encoder, folder / name)
        figures[name] = read_json(kept / FIGURES)
    return figures


def _judged(workspace: Workspace, base: Encoder, asked: pl.DataFrame, settings: Settings) -> JudgedQuestions:
    cache = EmbeddingCache(EMBEDDING_CACHE, base)
    candidates = np.flatnonzero(workspace.has_text)
    texts, questions = workspace.passages["text"].to_list(), asked["text"].to_list()
    frozen = Embedded(cache.encode(questions, "query"), cache.encode(texts, "passage"))
    return JudgedQuestions(
        [base.prefixes["query"] + each for each in questions],
        [base.prefixes["passage"] + texts[column] for column in candidates],
        sparse.csr_array(workspace.relevant(asked)[:, candidates]),
        Embedded(frozen.queries, frozen.passages[candidates]),
        _ranked(workspace, asked, frozen, settings),
    )


def _ranked(workspace: Workspace, asked: pl.DataFrame, frozen: Embedded, settings: Settings) -> IntArray:
    """Return the first passages by BM25 and the pretrained encoder, as places among the candidates."""
    mined = load_loss(settings.finetune).mines_negatives and settings.finetune.negatives
    if not mined or not asked.height:
        return np.empty((asked.height, 0), np.int64)
    size = frozen.passages.shape[1]
    identity = Adapter(np.zeros((size, size), np.float32), np.zeros((size, size), np.float32))
    material = replace(workspace.material, embedded=EmbeddedPassages(frozen.passages, identity, None))
    candidates = settings.candidates
    generators = build_generators(material, candidates.runs, candidates)
    ids, texts = asked["query_id"].to_list(), asked["text"].to_list()
    queries = prepare_queries(ids, texts, frozen.queries, analyser=workspace.analyser)
    ranked = np.full((asked.height, DEPTH), -1, np.int64)
    for start, batch in batches(queries, candidates):
        hits = retrieve(list(generators.values()), batch, candidates).fused(DEPTH)
        ranked[start + hits.rows, hits.ranks - 1] = hits.columns
    place = np.cumsum(workspace.has_text) - 1
    return np.where(ranked >= 0, place[ranked], -1)


if __name__ == "__main__":
    main.run()
