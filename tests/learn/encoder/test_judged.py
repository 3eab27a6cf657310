from __future__ import annotations

import numpy as np
from scipy import sparse

from rulerank.learn.adapters.dense import Embedded
from rulerank.learn.encoder.judged import JudgedQuestions

QUESTIONS = ["What must the baker keep?", "Who pays the fee?", "When does the pilot sleep?"]
PASSAGES = ["The baker keeps a ledger.", "The pilot pays a fee.", "A pilot sleeps by day.", "It is.", "Tea."]
# The first question has two relevant passages, the others one each.
RELEVANT = sparse.csr_array(np.array([[1, 1, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]], np.float32))
# After the two ranks that give no negatives: passages 3 and 4; only 4; only the relevant passage.
RANKED = np.array([[0, 1, 3, 4], [0, 1, 4, 4], [0, 1, 2, 2]])
JUDGED = JudgedQuestions(QUESTIONS, PASSAGES, RELEVANT, Embedded(np.eye(3, 5), np.eye(5)), RANKED)


def test_only_keeps_some_questions_and_every_passage() -> None:
    kept = JUDGED.only(np.array([False, True, True]))
    assert kept.questions == QUESTIONS[1:]
    assert kept.passages == PASSAGES
    assert np.array_equal(kept.relevant.toarray(), RELEVANT.toarray()[1:])
    assert np.array_equal(kept.frozen.queries, np.eye(3, 5)[1:])
    assert np.array_equal(kept.frozen.passages, np.eye(5))
    assert np.array_equal(kept.ranked, RANKED[1:])


def test_pairs_are_one_row_per_relevant_passage() -> None:
    assert JUDGED.pairs(0, seed=1) == {
        "question": [QUESTIONS[0], QUESTIONS[0], QUESTIONS[1], QUESTIONS[2]],
        "relevant": [PASSAGES[0], PASSAGES[1], PASSAGES[1], PASSAGES[2]],
    }


def test_pairs_hold_mined_negatives_and_leave_out_the_question_that_has_none() -> None:
    pairs = JUDGED.pairs(2, seed=1)
    assert pairs["question"] == [QUESTIONS[0], QUESTIONS[0], QUESTIONS[1]]
    assert pairs["relevant"] == [PASSAGES[0], PASSAGES[1], PASSAGES[1]]
    first, second = pairs["negative_0"], pairs["negative_1"]
    assert {first[0], second[0]} == {first[1], second[1]} == set(PASSAGES[3:])
    assert first[2] == second[2] == PASSAGES[4]
