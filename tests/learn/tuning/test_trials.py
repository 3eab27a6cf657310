from __future__ import annotations

from collections.abc import Sequence

import optuna
import pytest
from hypothesis import given
from hypothesis import strategies as st
from optuna.distributions import IntDistribution
from optuna.trial import TrialState, create_trial

from rulerank.errors import SettingsError
from rulerank.learn.tuning.trials import best_trial, trials_table

X = IntDistribution(0, 100)
DONE, PRUNED, FAILED = TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL


def _study(trials: Sequence[tuple[TrialState, float | None]]) -> optuna.Study:
    study = optuna.create_study(direction="maximize")
    for state, value in trials:
        values = {0: value} if state == PRUNED and value is not None else {}
        study.add_trial(
            create_trial(
                state=state,
                value=value if state != FAILED else None,
                params={"x": 1},
                distributions={"x": X},
                intermediate_values=values,
            )
        )
    return study


@pytest.mark.parametrize(
    ("trials", "best"),
    [
        ([(DONE, 0.9), (DONE, 0.5), (DONE, 0.7)], 0),
        ([(DONE, 0.5), (DONE, 0.9), (DONE, 0.7)], 1),
        ([(DONE, 0.5), (DONE, 0.7), (DONE, 0.9)], 2),
        ([(PRUNED, 0.95), (DONE, 0.5), (FAILED, None), (DONE, 0.6), (PRUNED, 0.99)], 3),
        ([(FAILED, None), (DONE, 0.6), (DONE, 0.8), (PRUNED, 0.9), (DONE, 0.8)], 2),
        ([(DONE, 0.8), (DONE, 0.8), (DONE, 0.8)], 0),
        ([(DONE, -0.3), (DONE, -0.2)], 1),
    ],
)
def test_best_trial_is_chosen_wherever_it_stands(
    trials: list[tuple[TrialState, float | None]], best: int
) -> None:
    assert best_trial(_study(trials).trials).number == best


@given(
    st.lists(
        st.tuples(st.sampled_from([DONE, PRUNED, FAILED]), st.sampled_from([0.1, 0.2, 0.3])), min_size=1
    ),
    st.integers(0, 100),
)
def test_best_trial_of_any_trials_is_the_greatest_completed_and_the_earliest_of_equals(
    trials: list[tuple[TrialState, float]], place: int
) -> None:
    trials.insert(place % (len(trials) + 1), (DONE, 0.25))
    finished = _study(trials).trials
    best = best_trial(finished)
    values = [value for state, value in trials if state == DONE]
    assert best.value == max(values)
    assert best.number == trials.index((DONE, max(values)))
    assert best_trial(finished[::-1]).number == best.number


def test_best_trial_without_a_completed_one_says_what_to_do() -> None:
    with pytest.raises(SettingsError, match=r"found none\. Raise tune\.trials"):
        best_trial(_study([(PRUNED, 0.9), (FAILED, None)]).trials)


def test_trials_table_has_a_row_a_trial_and_a_column_a_parameter() -> None:
    table = trials_table(_study([(DONE, 0.5), (PRUNED, 0.3), (FAILED, None)]).trials, ["x"])
    assert table.columns == ["number", "state", "value", "spread", "seconds", "x"]
    assert table["state"].to_list() == ["complete", "pruned", "fail"]
    assert table["value"].to_list() == [0.5, 0.3, None]
    assert trials_table([], ["x"]).columns == table.columns
