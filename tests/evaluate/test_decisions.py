from __future__ import annotations

from functools import reduce
from pathlib import Path

import polars as pl
import pytest
import yaml

from rulerank.errors import InputError
from rulerank.evaluate.decisions import Decision, decision_table, read_decisions

PROJECT = Path(__file__).parents[2]
DECISIONS = read_decisions(PROJECT / "experiments/decisions.yaml")


@pytest.mark.parametrize("name", DECISIONS)
def test_default_of_a_decision_is_what_params_yaml_has(name) -> None:
    params = yaml.safe_load((PROJECT / "params.yaml").read_text())
    decision = DECISIONS[name]
    assert reduce(lambda section, key: section[key], decision.key.split("."), params) == decision.values[0]


def _measured(value: str, *scores: float, relevant: int = 2, run: str = "ranker") -> pl.DataFrame:
    return pl.DataFrame(
        {
            "decision": "depth",
            "value": value,
            "on": "fast",
            "measured": "folds",
            "run": run,
            "query_id": [f"q{number}" for number in range(len(scores))],
            "relevant": relevant,
            "nDCG@10": scores,
        }
    )


DEPTH = {"depth": Decision(about="how deep", key="ranker.depth", values=(100, 50))}


def test_values_are_compared_with_the_default_question_by_question() -> None:
    table = decision_table(
        pl.concat([_measured("50", 0.5, 0.75, 1.0, 0.75), _measured("100", 0.25, 0.5, 0.75, 0.5)]), DEPTH, 100
    )
    assert table.select("value", "questions", "nDCG@10", "difference", "low", "high").rows() == [
        ("100", 4, 0.5, None, None, None),
        ("50", 4, 0.75, 0.25, 0.25, 0.25),
    ]


def test_a_question_measured_at_several_points_of_a_grid_counts_once_with_their_mean() -> None:
    default, other = (0.25, 0.5, 0.75, 0.5), (0.5, 0.75, 1.0, 0.75)
    once = decision_table(pl.concat([_measured("100", *default), _measured("50", *other)]), DEPTH, 100)
    points = [
        _measured(value, *(score + moved for score in scores))
        for moved in (-0.125, 0.0, 0.125)
        for value, scores in (("100", default), ("50", other))
    ]
    assert once["questions"].to_list() == [4, 4]
    assert decision_table(pl.concat(points), DEPTH, 100).equals(once)


def test_p_values_are_corrected_for_the_rows_of_a_decision_on_one_experiment() -> None:
    default, other = (0.0,) * 30, (0.5,) * 30
    parts = [
        _measured(value, *scores, relevant=relevant)
        for value, scores in (("100", default), ("50", other))
        for relevant in (1, 2)
    ]
    table = decision_table(pl.concat(parts), DEPTH, 999)
    assert table["p_value"].to_list() == [None, 0.001, None, 0.001]
    assert table["p_holm"].to_list() == [None, 0.002, None, 0.002]


def test_questions_with_one_relevant_passage_are_apart_and_other_runs_left_out() -> None:
    parts = [
        _measured("100", 0.5, relevant=1),
        _measured("100", 0.25, relevant=3),
        _measured("100", 1.0, run="rrf"),
    ]
    table = decision_table(pl.concat(parts), DEPTH, 100)
    assert table.select("run", "relevant", "nDCG@10").rows() == [
        ("ranker", "one", 0.5),
        ("ranker", "several", 0.25),
    ]


def test_a_value_without_the_default_has_nothing_to_be_compared_with() -> None:
    assert decision_table(_measured("50", 0.5), DEPTH, 100).is_empty()


def test_a_decision_of_one_value_is_an_error(tmp_path) -> None:
    (tmp_path / "decisions.yaml").write_text("depth: {about: how deep, key: ranker.depth, values: [1]}\n")
    with pytest.raises(InputError, match=r"decisions\.yaml: values: .*Correct the file"):
        read_decisions(tmp_path / "decisions.yaml")
