from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulerank.errors import InputError
from rulerank.learn.obligations.labelled import read_labelled

MANY = [
    {"Text": f"Crew {number} {verb} sign.", "Obligation": verb == "must"}
    for number in range(50)
    for verb in ("must", "may")
]


def write(folder: Path, records: Any) -> Path:
    path = folder / "labelled.json"
    path.write_text(json.dumps(records))
    return path


def test_texts_of_the_same_words_are_one(tmp_path: Path) -> None:
    again = [{"Text": "- crew 0 MUST  sign", "Obligation": True}] * 2
    labelled = read_labelled(write(tmp_path, [*MANY, *again]))
    assert (len(labelled.sentences), labelled.repeats, labelled.conflicts) == (100, 2, 0)
    assert labelled.sentences[:2] == ("Crew 0 must sign.", "Crew 0 may sign.")
    assert labelled.obligations[:2].tolist() == [True, False]


def test_majority_decides_between_labels_and_a_draw_is_left_out(tmp_path: Path) -> None:
    drawn = [{"Text": "A draw.", "Obligation": label} for label in (True, False)]
    won = [{"Text": "Won.", "Obligation": label} for label in (False, True, True)]
    labelled = read_labelled(write(tmp_path, [*MANY, *drawn, *won]))
    assert labelled.conflicts == 1
    assert "A draw." not in labelled.sentences
    assert labelled.obligations[labelled.sentences.index("Won.")]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ({}, "expected a list of records"),
        ([{"Text": "Crew must sign."}], "record 1"),
        ([{"Text": "Crew must sign.", "Obligation": "yes"}], "record 1"),
        (MANY[:20], "expected 50 distinct sentences with each label, found 10"),
    ],
)
def test_file_that_nothing_can_be_learned_from_is_refused(tmp_path: Path, records: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_labelled(write(tmp_path, records))
