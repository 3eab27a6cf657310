from __future__ import annotations

import numpy as np
import pytest

from rulerank.evaluate.free_answers import bert_score
from rulerank.retrieve.tokens import Tokens

SPECIAL = [0.0, 0.0, 1.0]
EAST, NORTH, BETWEEN = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, 0.8, 0.0]


def tokens(*texts: list[list[float]]) -> Tokens:
    framed = [[SPECIAL, *text, SPECIAL] for text in texts]
    starts = np.cumsum([0, *map(len, framed)])
    return Tokens(np.array([row for text in framed for row in text], np.float16), starts)


def test_each_token_is_compared_with_the_likest_of_the_other_side() -> None:
    scores = bert_score(tokens([EAST, NORTH], [EAST]), tokens([BETWEEN], [EAST, NORTH]))

    precision, recall = 0.7, 0.8
    f1 = 2 * precision * recall / (precision + recall)
    np.testing.assert_allclose(scores[0], [precision, recall, f1], atol=1e-3)
    np.testing.assert_allclose(scores[1], [1, 0.5, 2 / 3], atol=1e-3)


@pytest.mark.parametrize("sides", [([], [EAST]), ([EAST], []), ([], []), ([EAST], [NORTH])])
def test_a_text_without_tokens_or_likeness_scores_0(
    sides: tuple[list[list[float]], list[list[float]]],
) -> None:
    answer, expected = sides

    assert bert_score(tokens(answer), tokens(expected)).tolist() == [[0, 0, 0]]
