"""Fine-tuning of an encoder on a training set, and where the fitted encoder is kept."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
from sentence_transformers import SentenceTransformer

from rulerank.files import replacing_folder, write_json
from rulerank.learn.encoder.export import load_model
from rulerank.learn.encoder.finetune import fine_tune, widen
from rulerank.learn.encoder.held_out import HeldOutRanking
from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.learn.encoder.losses import load_loss
from rulerank.settings import Settings

WEIGHTS, FIGURES = "model", "figures.json"
"""What is kept of a fitted encoder: a sentence-transformers folder, and its measures."""


def keep_fitted(
    base: str,
    training_set: JudgedQuestions,
    validation_set: JudgedQuestions,
    settings: Settings,
    cache: Path,
) -> Path:
    """Fit an encoder unless the cache holds it, and return its folder there.

    An interrupted training resumes where it was last saved. The checkpoints are deleted once the weights are
    saved, so no later failure costs the training.

    Parameters
    ----------
    base : str
        Fingerprint of the pretrained encoder.
    training_set, validation_set, settings
        As for `fit_encoder`.
    cache : Path
        Holds one folder per training, with `WEIGHTS` and `FIGURES`.

    """
    kept = cache / training_digest(base, training_set, validation_set, settings)
    if not kept.is_dir():
        checkpoints = kept.with_suffix(".checkpoints")
        model = load_model(settings.encoder.name, settings.device)
        figures = fit_encoder(model, training_set, validation_set, settings, checkpoints)
        with replacing_folder(kept) as temporary:
            model.save(str(temporary / WEIGHTS), create_model_card=False)
            write_json(temporary / FIGURES, figures)
        shutil.rmtree(checkpoints, ignore_errors=True)
    return kept


def fit_encoder(
    model: SentenceTransformer,
    training_set: JudgedQuestions,
    validation_set: JudgedQuestions,
    settings: Settings,
    checkpoints: Path,
) -> dict[str, float]:
    """Fine-tune an encoder according to the section `finetune`.

    Parameters
    ----------
    model : SentenceTransformer
        Trained in place, on its current device.
    training_set : JudgedQuestions
        What it learns from.
    validation_set : JudgedQuestions
        What it is measured on after every epoch; it decides nothing. It may contain no questions.
    settings : Settings
        All of params.yaml.
    checkpoints : Path
        Where the last state is kept.

    Returns
    -------
    dict of str to float
        Measures on the validation set after the last epoch; empty if it contains no questions.

    """
    loss_class = load_loss(settings.finetune)
    if settings.finetune.head:
        widen(model, settings.finetune.head, settings.seed)
    loss = loss_class(model, training_set, settings)
    evaluator = None
    if validation_set.questions:
        evaluator = HeldOutRanking(validation_set, loss, settings.seed)
    fine_tune(model, loss, settings.finetune, evaluator, checkpoints, settings.seed)
    return evaluator(model) if evaluator else {}


def training_digest(
    base: str, training_set: JudgedQuestions, validation_set: JudgedQuestions, settings: Settings
) -> str:
    """Name a training by everything that its weights and measures depend on.

    The number of parts and the later embedding of texts change neither. The device changes at most their last
    digits.

    Parameters
    ----------
    base : str
        Fingerprint of the pretrained encoder.
    training_set, validation_set, settings
        As for `fit_encoder`.

    """
    loss = load_loss(settings.finetune)
    said = [base, settings.finetune.model_dump_json(exclude={"parts"}), str(loss.version), str(settings.seed)]
    said += [getattr(settings, section).model_dump_json() for section in loss.sections]
    digest = hashlib.sha256("\0".join([*said, *training_set.passages]).encode())
    for judged in (training_set, validation_set):
        digest.update("\0".join(["", str(len(judged.questions)), *judged.questions]).encode())
        relevant = judged.relevant
        for array in (relevant.indptr, relevant.indices, relevant.data):
            digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(np.ascontiguousarray(training_set.ranked).tobytes())
    return digest.hexdigest()[:16]
