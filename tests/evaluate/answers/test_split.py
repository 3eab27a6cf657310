from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rulerank.answer.linear import Linear
from rulerank.evaluate.answers.filters import CALIBRATED
from rulerank.evaluate.answers.protocols import JudgedQuestion, Protocols, judged_questions
from rulerank.evaluate.answers.split import MeasuredSplit, measure_split
from rulerank.obligations import DUTIES, statements
from rulerank.ranker import Ranker
from rulerank.settings import Evaluate


@pytest.fixture(scope="module")
def questions(pipeline: Path) -> list[JudgedQuestion]:
    """A few judged questions."""
    queries, judged = (
        pl.read_parquet(pipeline / f"outputs/tables/{name}.parquet") for name in ("queries", "judgements")
    )
    return judged_questions(queries.filter(split="test"), judged)[:6]


def _measured(ranker: Ranker, least: float, questions: list[JudgedQuestion]) -> MeasuredSplit:
    """Measure the ranker as it answers from a probability on that the rulebook holds the answer."""
    near = Linear((), (), 0.0, ())
    selections = {
        name: replace(each, least=least, near=near) for name, each in ranker.bundle.selections.items()
    }
    bundle = replace(ranker.bundle, selections=selections)
    protocols = Protocols(Ranker(bundle), date(2024, 5, 1), seed=7)
    of_hybrid = {each.query_id: [] for each in questions}
    return measure_split(protocols, questions, of_hybrid, lambda served, oracle: {}, threads=1)


def test_risk_is_of_the_answers_as_if_none_were_declined(
    ranker: Ranker, questions: list[JudgedQuestion]
) -> None:
    given, declined = (_measured(ranker, least, questions) for least in (0.0, 1.0))
    assert (given.figures["declined"]["served"], declined.figures["declined"]["served"]) == (0, 1)
    served = given.scores.filter(protocol="served")["f1"]
    assert given.curve["risk"][-1] == pytest.approx(1 - served.mean())
    assert given.curve["risk"][-1] < 1
    assert declined.curve.equals(given.curve)


def test_with_noise_ten_passages_can_be_found_and_the_judged_ones_are_among_them(
    ranker: Ranker, questions: list[JudgedQuestion]
) -> None:
    protocols = Protocols(ranker, date(2024, 5, 1), seed=7)
    for question in questions:
        found = protocols.rankings(question)["noise"]
        ids = set(ranker.bundle.passages["passage_id"][found.rows])
        assert len(ids) == 10
        assert ids >= set(question.relevant)


def test_coverage_of_passages_without_duties_is_no_number(ranker: Ranker) -> None:
    idle = next(
        passage_id
        for passage_id, text in ranker.bundle.passages.select("passage_id", "text").iter_rows()
        if text and not any(each.modality in DUTIES for each in statements(text))
    )
    measured = _measured(ranker, 0.0, [JudgedQuestion("q", "What does it say?", (idle,))])
    assert [each["coverage"] for each in measured.figures["protocols"].values()] == [None] * 5


def test_filter_is_tested_against_every_other_and_p_values_are_corrected_for_their_number() -> None:
    better = np.arange(20) % 4 > 0
    f1 = {CALIBRATED: np.ones(20), "first 1": np.where(better, 0.5, 1.0), "first 2": np.ones(20)}
    kept = pl.concat(pl.DataFrame({"run": [run] * 20, "f1": values}) for run, values in f1.items())
    tests = MeasuredSplit({}, pl.DataFrame(), pl.DataFrame(), kept, []).against(Evaluate(), seed=7)
    assert tests["against"].to_list() == ["first 1", "first 2"]
    assert tests["F1"].to_list() == pytest.approx([0.625, 1])
    assert tests["difference"].to_list() == pytest.approx([0.375, 0])
    assert tests["p_value"][0] < 0.01
    # The smaller of two is doubled.
    assert tests["p_holm"].to_list() == pytest.approx([2 * tests["p_value"][0], 1])
