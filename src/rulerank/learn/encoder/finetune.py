"""Fine-tuning of an encoder with the trainer of sentence-transformers."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import torch
from datasets import Dataset
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer
from sentence_transformers.base.evaluation import BaseEvaluator
from sentence_transformers.sentence_transformer.model_card import SentenceTransformerModelCardCallback
from sentence_transformers.sentence_transformer.modules import Dense, Normalize
from sentence_transformers.sentence_transformer.training_args import SentenceTransformerTrainingArguments
from transformers.trainer import TRAINER_STATE_NAME
from transformers.trainer_callback import PrinterCallback, TrainerCallback, TrainerControl, TrainerState
from transformers.trainer_utils import PREFIX_CHECKPOINT_DIR, get_last_checkpoint
from transformers.training_args import TrainingArguments

from rulerank.learn.encoder.losses import EncoderLoss
from rulerank.settings import Finetune

SAVED_EVERY = 10
"""Steps after which the state is saved, besides the end of every epoch: a step may take half a minute."""


def fine_tune(
    model: SentenceTransformer,
    loss: EncoderLoss,
    settings: Finetune,
    evaluator: BaseEvaluator | None,
    checkpoints: Path,
    seed: int,
) -> None:
    """Train an encoder in place, on its device; an interrupted training resumes where it was last saved.

    Parameters
    ----------
    model : SentenceTransformer
        The encoder.
    loss : EncoderLoss
        Holds the model, and determines what it learns from.
    settings : Finetune
        The section `finetune` of params.yaml.
    evaluator : BaseEvaluator or None
        Run after every epoch; its figures go to the trainer's log.
    checkpoints : Path
        Where the last state is kept; it is not removed.
    seed : int
        Determines the order of the batches.

    """
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = settings.dropout
    longest = model.max_seq_length
    model.max_seq_length = min(settings.max_tokens, longest or settings.max_tokens)
    trainer = SentenceTransformerTrainer(
        model=model,
        args=_arguments(model, loss, settings, evaluator is not None, checkpoints, seed),
        train_dataset=Dataset.from_dict({name: list(values) for name, values in loss.rows().items()}),
        loss=loss,
        evaluator=evaluator,
        callbacks=[_Saved()],
    )
    # The encoder is saved without a model card. Without a terminal, the log stays quiet.
    trainer.remove_callback(SentenceTransformerModelCardCallback)
    if not sys.stderr.isatty():
        trainer.remove_callback(PrinterCallback)
    checkpoints.mkdir(parents=True, exist_ok=True)
    trainer.train(resume_from_checkpoint=_last_checkpoint(checkpoints))
    # With bfloat16, accelerate wraps `forward`, and a trace of the wrapper cannot be exported.
    trainer.accelerator.unwrap_model(model, keep_fp32_wrapper=False)
    model.max_seq_length = longest
    model.eval()


def widen(model: SentenceTransformer, width: int, seed: int) -> None:
    """Add a trainable embedding layer of another width (the hybrid paper uses 512).

    Parameters
    ----------
    model : SentenceTransformer
        The layer is added after its pooling.
    width : int
        Dimensions of the new embedding.
    seed : int
        Seed of the layer's first weights. They are orthonormal, so a layer no narrower leaves cosines as they
        were at the start.

    """
    torch.manual_seed(seed)
    size = model.encode("").shape[0]
    layer = Dense(in_features=size, out_features=width, bias=False, activation_function=torch.nn.Identity())
    torch.nn.init.orthogonal_(layer.linear.weight)
    layer.to(model.device)
    place = 1 + max(place for place, module in enumerate(model) if not _normalises(module))
    model.insert(place, layer)


class _Saved(TrainerCallback):
    """Asks for checkpoints within an epoch as well."""

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: object
    ) -> None:
        """Ask for one every `SAVED_EVERY` steps."""
        del args
        control.should_save |= state.global_step % SAVED_EVERY == 0


def _normalises(module: torch.nn.Module) -> bool:
    return isinstance(module, Normalize)


def _last_checkpoint(checkpoints: Path) -> str | None:
    """Return the last checkpoint that was written completely, and delete the remains of others."""
    for folder in checkpoints.glob(f"{PREFIX_CHECKPOINT_DIR}-*"):
        if not (folder / TRAINER_STATE_NAME).is_file():  # written last
            shutil.rmtree(folder)
    last: str | None = get_last_checkpoint(str(checkpoints))  # type: ignore[no-untyped-call]
    return last


def _arguments(
    model: SentenceTransformer,
    loss: EncoderLoss,
    settings: Finetune,
    evaluated: bool,
    checkpoints: Path,
    seed: int,
) -> SentenceTransformerTrainingArguments:
    return SentenceTransformerTrainingArguments(
        output_dir=str(checkpoints),
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=settings.batch_size,
        learning_rate=settings.learning_rate,
        warmup_steps=settings.warmup,
        batch_sampler=loss.batch_sampler,
        bf16=settings.precision == "bf16",
        save_strategy="epoch",
        save_total_limit=1,
        eval_strategy="epoch" if evaluated else "no",
        logging_strategy="epoch",
        report_to="none",
        seed=seed,
        use_cpu=model.device.type == "cpu",
        disable_tqdm=not sys.stderr.isatty(),
    )
