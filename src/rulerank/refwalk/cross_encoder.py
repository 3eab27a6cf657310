"""A reranker that reads question and passage together and scores how well the passage answers."""

from __future__ import annotations

import numpy as np
import polars as pl
from sentence_transformers import CrossEncoder

from rulerank.arrays import FloatArray, IntArray
from rulerank.errors import InputError
from rulerank.learn.device import torch_device
from rulerank.learn.hub import local_only
from rulerank.refwalk.yes_no import template_of
from rulerank.settings import Device


class CrossEncoderScorer:
    """Scores passages with any cross-encoder, or any causal language model that says "yes" or "no".

    A language model reads the template of `rulerank.refwalk.yes_no`, and its scores are the softmax of "yes"
    over "yes" and "no".

    Parameters
    ----------
    name : str
        A hub name or a folder.
    texts : polars.Series of N str
        The text of each passage.
    batch_size : int, optional (default=32)
        Pairs scored at once.
    device : {"auto", "cpu", "cuda"}, optional (default="auto")
        Where the model runs.

    Raises
    ------
    InputError
        The model does not exist, or it does not give one score per pair.
    SettingsError
        `device` is "cuda" and PyTorch cannot use a GPU.

    """

    def __init__(self, name: str, texts: pl.Series, batch_size: int = 32, device: Device = "auto") -> None:
        place = torch_device(device)
        try:
            self._model = CrossEncoder(
                name, device=place, local_files_only=local_only(name), processor_kwargs=template_of(name)
            )
        except (OSError, ValueError) as error:
            raise InputError(
                name,
                f"expected a cross-encoder, by hub name or folder: {str(error).partition(chr(10))[0]} "
                "Check the name and the network.",
            ) from error
        if self._model.num_labels != 1:
            raise InputError(
                name,
                f"expected a model with one score per pair, found {self._model.num_labels} labels. "
                "Use a cross-encoder trained to rank.",
            )
        self._texts = texts
        self._batch_size = batch_size

    def __call__(self, text: str, passages: IntArray) -> FloatArray:
        """Return the score of each passage for a text, shape (passages,); higher is better."""
        pairs = [(text, passage) for passage in self._texts.gather(passages)]
        if not pairs:
            return np.empty(0, np.float32)
        scores = self._model.predict(pairs, batch_size=self._batch_size, show_progress_bar=False)
        return np.asarray(scores, np.float32)
