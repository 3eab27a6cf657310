"""Sentences labelled as obligation or not, without repeated texts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import BaseModel, Field

from rulerank.arrays import BoolArray
from rulerank.corpora.records import read_list
from rulerank.errors import InputError
from rulerank.text import tokens

LEAST = 50
"""The fewest distinct sentences with each label that suffice to learn from."""


class _Record(BaseModel):
    text: str = Field(alias="Text")
    obligation: bool = Field(alias="Obligation", strict=True)


@dataclass(frozen=True, eq=False)
class Labelled:
    """Distinct labelled sentences.

    Parameters
    ----------
    sentences : tuple of str
        N sentences, no two with the same words.
    obligations : array of shape (N,), bool
        Which of them are obligations.
    repeats : int
        Records left out because an earlier one has the same words and the same label.
    conflicts : int
        Texts left out because their records disagree, with as many votes for as against.

    """

    sentences: tuple[str, ...]
    obligations: BoolArray
    repeats: int
    conflicts: int


def read_labelled(path: Path) -> Labelled:
    """Read a JSON list of records {"Text": string, "Obligation": true or false}.

    Texts with the same words, whatever their case, white space and punctuation, count as one. If their labels
    differ, the majority decides. A text with an equal number of both labels is left out.

    Raises
    ------
    InputError
        The file is not such a list, or has too few sentences of either kind to learn from.

    """
    labels: dict[tuple[str, ...], list[bool]] = defaultdict(list)
    texts: dict[tuple[str, ...], str] = {}
    records = read_list(path, _Record, "Text")
    for record in records:
        words = tuple(tokens(record.text))
        labels[words].append(record.obligation)
        texts.setdefault(words, record.text)
    kept = {words: sum(votes) * 2 - len(votes) for words, votes in labels.items()}
    decided = [words for words, balance in kept.items() if balance]
    obligations = np.array([kept[words] > 0 for words in decided], np.bool_)
    least = min(int(obligations.sum()), int((~obligations).sum()))
    if least < LEAST:
        raise InputError(
            path, f"expected {LEAST} distinct sentences with each label, found {least}. Label more sentences."
        )
    return Labelled(
        tuple(texts[words] for words in decided),
        obligations,
        repeats=len(records) - len(labels),
        conflicts=len(kept) - len(decided),
    )
