"""Fine-tuning of an encoder with the trainer of sentence-transformers."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer
from sentence_transformers.base.evaluation import BaseEvaluator
from sentence_transformers.base.sampler import BatchSamplers
from sentence_transformers.sentence_transformer.losses import (
    CachedMultipleNegativesRankingLoss,
    MultipleNegativesRankingLoss,
)
from sentence_transformers.sentence_transformer.model_card import SentenceTransformerModelCardCallback
from sentence_transformers.sentence_transformer.modules import Dense, Normalize
from sentence_transformers.sentence_transformer.training_args import SentenceTransformerTrainingArguments
from transformers.trainer_callback import PrinterCallback
from transformers.trainer_utils import get_last_checkpoint

from rulerank.learn.encoder.batches import LengthSampler
from rulerank.settings import Finetune


def fine_tune(
    model: SentenceTransformer,
    rows: Mapping[str, Sequence[Any]],
    loss: torch.nn.Module,
    settings: Finetune,
    evaluator: BaseEvaluator | None,
    checkpoints: Path,
    seed: int,
) -> None:
    """Train an encoder in place; an interrupted training goes on from its last finished epoch.

    Parameters
    ----------
    model : SentenceTransformer
        The encoder.
    rows : mapping of str to sequence
        Columns of the data set: texts in the order in which the loss takes them, and perhaps `label`.
    loss : Module
        Holds the model.
    settings : Finetune
        The section `finetune` of params.yaml.
    evaluator : BaseEvaluator, optional
        Run after every epoch; its figures go to the trainer's log.
    checkpoints : Path
        Where the state after each epoch is kept until the training ends.
    seed : int
        Orders the batches.

    """
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = settings.dropout
    longest = model.max_seq_length
    model.max_seq_length = min(settings.max_tokens, longest or settings.max_tokens)
    trainer = SentenceTransformerTrainer(
        model=model,
        args=_arguments(settings, checkpoints, seed, evaluator is not None, "label" in rows),
        train_dataset=Dataset.from_dict({name: list(values) for name, values in rows.items()}),
        loss=loss,
        evaluator=evaluator,
    )
    # The encoder is exported without a model card, and a log that nobody watches stays quiet.
    trainer.remove_callback(SentenceTransformerModelCardCallback)
    if not sys.stderr.isatty():
        trainer.remove_callback(PrinterCallback)
    checkpoints.mkdir(parents=True, exist_ok=True)
    trainer.train(resume_from_checkpoint=get_last_checkpoint(str(checkpoints)))  # type: ignore[no-untyped-call]
    model.max_seq_length = longest
    model.eval()
    shutil.rmtree(checkpoints, ignore_errors=True)


def contrastive_loss(model: SentenceTransformer, settings: Finetune) -> torch.nn.Module:
    """Return the multiple-negatives ranking loss that `settings` asks for."""
    if settings.loss == "multiple_negatives":
        return MultipleNegativesRankingLoss(model, scale=settings.scale)
    return CachedMultipleNegativesRankingLoss(
        model, scale=settings.scale, mini_batch_size=settings.mini_batch_size
    )


def widen(model: SentenceTransformer, width: int, seed: int) -> None:
    """Add an embedding layer of another width (the hybrid paper takes 512), to be trained.

    Parameters
    ----------
    model : SentenceTransformer
        Gets the layer after its pooling.
    width : int
        Dimensions of the new embedding.
    seed : int
        Of the layer's first weights: orthonormal, so that cosines start as they were in a layer no narrower.

    """
    torch.manual_seed(seed)
    size = model.encode("").shape[0]
    layer = Dense(in_features=size, out_features=width, bias=False, activation_function=torch.nn.Identity())
    torch.nn.init.orthogonal_(layer.linear.weight)
    place = 1 + max(place for place, module in enumerate(model) if not _normalises(module))
    model.insert(place, layer)


def _normalises(module: torch.nn.Module) -> bool:
    return isinstance(module, Normalize)


def _arguments(
    settings: Finetune, checkpoints: Path, seed: int, evaluated: bool, labelled: bool
) -> SentenceTransformerTrainingArguments:
    return SentenceTransformerTrainingArguments(
        output_dir=str(checkpoints),
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=settings.batch_size,
        learning_rate=settings.learning_rate,
        warmup_steps=settings.warmup,
        # A duplicate in a batch would be its own negative; with labels there are no negatives to sample.
        batch_sampler=LengthSampler if labelled else BatchSamplers.NO_DUPLICATES,
        bf16=_has_bf16(),
        save_strategy="epoch",
        save_total_limit=1,
        eval_strategy="epoch" if evaluated else "no",
        logging_strategy="epoch",
        report_to="none",
        seed=seed,
        use_cpu=not torch.cuda.is_available(),
        disable_tqdm=not sys.stderr.isatty(),
    )


def _has_bf16() -> bool:
    """Return whether the processor multiplies bfloat16 in hardware: elsewhere it is slower than float32."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())
