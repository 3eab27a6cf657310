"""The published models of RePASs, each by a hub name or a folder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rulerank.arrays import BoolArray, FloatArray
from rulerank.errors import InputError
from rulerank.evaluate.repass.formula import Covers, Infer, Obliges, Parts, Split
from rulerank.obligations.classifier import DESCRIPTION, are_obligations, load_classifier
from rulerank.settings import Device

CONFIDENCE = 0.7
"""Probability of entailment above which an obligation is covered."""
BATCH = 16


def parts_of(
    classifier: str,
    nli: str,
    coverage_nli: str,
    split: Split | None = None,
    device: Device = "auto",
) -> Parts:
    """Load the models of RePASs.

    Parameters
    ----------
    classifier : str
        A model with two classes, of which 1 is an obligation, or the folder that the stage obligations
        writes, where the rules of modality decide if nothing was trained. The published classifier was never
        released: each group trains its own (LegalBERT on the obligation data set), and only results with one
        classifier are comparable.
    nli : str
        A cross-encoder with the classes contradiction, entailment and neutral, told apart by their names.
    coverage_nli : str
        A classifier with the class entailment. It reads both sentences as one text around "[SEP]".
    split : Split, optional
        By default NLTK's English sentence tokeniser (punkt).
    device : {"auto", "cpu", "cuda"}, optional (default="auto")
        Where the models run.

    Raises
    ------
    InputError
        A model or NLTK's data is missing, or a model has other classes.

    """
    return Parts(
        split or punkt(), _infer(nli, device), _obliges(classifier, device), _covers(coverage_nli, device)
    )


def punkt() -> Split:
    """Return NLTK's English sentence tokeniser.

    Raises
    ------
    InputError
        NLTK or its data is not installed.

    """
    try:
        from nltk.tokenize import sent_tokenize

        sent_tokenize("One. Two.")
    except (ImportError, LookupError) as error:
        raise InputError(
            "punkt",
            "expected NLTK with the data punkt_tab, found none. "
            "Run `pip install nltk` and `python -m nltk.downloader punkt_tab`.",
        ) from error
    return lambda text: list(sent_tokenize(text))


class _Classifier:
    """Class probabilities of a transformer, in batches; each text is cut at the model's own limit."""

    def __init__(self, name: str, device: Device) -> None:
        import torch
        from transformers.models.auto import AutoModelForSequenceClassification, AutoTokenizer

        from rulerank.learn.device import torch_device

        try:
            self._tokenizer = AutoTokenizer.from_pretrained(name)
            self._model = AutoModelForSequenceClassification.from_pretrained(name)
        except (OSError, ValueError) as error:
            raise InputError(
                name,
                f"expected a classifier, by hub name or folder: {str(error).partition(chr(10))[0]}. "
                "Check the name.",
            ) from error
        self._name = name
        self._torch = torch
        self._device = torch_device(device)
        self._model.to(self._device).eval()
        self.labels = [str(label).lower() for _, label in sorted(self._model.config.id2label.items())]
        self._most = min(self._tokenizer.model_max_length, self._model.config.max_position_embeddings)

    def place(self, label: str) -> int:
        """Return the place of a class by its label in small letters; raise InputError if there is none."""
        if label not in self.labels:
            raise InputError(
                self._name, f"expected a class {label}, found {', '.join(self.labels)}. Use another model."
            )
        return self.labels.index(label)

    def __call__(self, texts: Sequence[Any]) -> FloatArray:
        """Return the class probabilities, shape (texts, classes); a text may be a pair."""
        found = []
        for start in range(0, len(texts), BATCH):
            batch = texts[start : start + BATCH]
            firsts, seconds = list(zip(*batch, strict=True)) if isinstance(batch[0], tuple) else (batch, None)
            read = self._tokenizer(
                list(firsts),
                list(seconds) if seconds else None,
                padding=True,
                truncation=True,
                max_length=self._most,
                return_tensors="pt",
            )
            with self._torch.inference_mode():
                logits = self._model(**read.to(self._device)).logits
            found.append(self._torch.softmax(logits.float(), dim=-1).cpu().numpy())
        return np.concatenate(found) if found else np.zeros((0, len(self.labels)), np.float32)


def _infer(name: str, device: Device) -> Infer:
    model = _Classifier(name, device)
    if len(model.labels) != 3:
        raise InputError(
            name, f"expected three classes, found {len(model.labels)}. Use a cross-encoder for inference."
        )
    places = [model.place("contradiction"), model.place("entailment")]
    return lambda pairs: model(pairs)[:, places]


def _obliges(name: str, device: Device) -> Obliges:
    if (Path(name) / DESCRIPTION).is_file():
        return partial(are_obligations, classifier=load_classifier(Path(name)))
    model = _Classifier(name, device)
    if len(model.labels) != 2:
        raise InputError(
            name, f"expected two classes, found {len(model.labels)}. Use a classifier of obligations."
        )
    return lambda sentences: np.asarray(model(sentences).argmax(axis=1) == 1)


def _covers(name: str, device: Device) -> Covers:
    model = _Classifier(name, device)
    place = model.place("entailment")

    def covers(pairs: Sequence[tuple[str, str]]) -> BoolArray:
        chances = model([f"{sentence} [SEP] {obligation}" for sentence, obligation in pairs])
        return np.asarray((chances.argmax(axis=1) == place) & (chances[:, place] > CONFIDENCE))

    return covers
