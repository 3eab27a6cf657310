from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.refwalk.atoms import Atoms
from rulerank.text import analyse

TEXTS = pl.Series(
    [
        "A pilot keeps the log. Fees are paid in June.",
        "The tug shows lights.",
        "A pilot signs. The log is kept for years.",
        "",
    ]
)


def test_parts_take_turns_and_each_takes_the_passage_of_its_nearest_sentence() -> None:
    atoms = Atoms.build(TEXTS, analyse)
    parts = analyse(["Which lights does the tug show?", "Who keeps the log, a pilot?"])
    scores = atoms.rank(parts, np.array([0, 1, 2, 3]))
    # The second part is nearest to a sentence of 0; then the first takes 1; then all are open again.
    assert sorted(scores.tolist()) == [1, 2, 3, 4]
    assert {int(np.argmax(scores)), int(np.argsort(-scores)[1])} == {0, 1}
    assert np.argsort(-scores).tolist()[2:] == [2, 3]


def test_passages_left_out_of_the_pool_are_not_looked_at() -> None:
    scores = Atoms.build(TEXTS, analyse).rank(analyse(["Who pays fees?"]), np.array([1, 2]))
    assert scores.tolist() == [2, 1]
