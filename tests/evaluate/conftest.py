from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest


@pytest.fixture
def tiny_classifier(tiny_encoder: Path) -> Callable[[Path, Sequence[str]], str]:
    """Write a classifier with random weights and these labels to a folder, and return its name."""
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    def write(folder: Path, labels: Sequence[str]) -> str:
        config = BertConfig.from_pretrained(tiny_encoder)
        config.id2label = dict(enumerate(labels))
        config.label2id = {label: place for place, label in enumerate(labels)}
        BertForSequenceClassification(config).save_pretrained(folder)
        AutoTokenizer.from_pretrained(tiny_encoder).save_pretrained(folder)
        return str(folder)

    return write
