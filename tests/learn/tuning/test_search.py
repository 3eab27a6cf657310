from __future__ import annotations

import statistics
from pathlib import Path
from threading import Lock

import optuna
import pytest
from lightgbm.basic import LightGBMError
from optuna.distributions import IntDistribution
from optuna.trial import TrialState

from rulerank.errors import InputError
from rulerank.learn.tuning.search import COUNTED, counted, open_study, repeat, search
from rulerank.learn.tuning.trials import best_trial

X = IntDistribution(0, 100)
DONE, PRUNED, FAILED = TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL


def _measure(drawn: dict[str, int], fold: int) -> float:
    return -abs(drawn["x"] - 70) / 100 + fold / 1000


def _search(study: optuna.Study, **more) -> None:
    options = {"measure": _measure, "folds": [0, 1], "trials": 8, "workers": 1, "seed": 7, **more}
    search(study, {"x": X}, {"x": 50}, options.pop("measure"), **options)


def _outcome(study: optuna.Study) -> list[tuple[dict[str, int], float | None, TrialState]]:
    trials = study.get_trials(states=COUNTED)
    return [(trial.params, trial.value, trial.state) for trial in trials]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> optuna.Study:
    """A search that nothing has interrupted."""
    study = open_study(tmp_path_factory.mktemp("whole") / "study.db")
    _search(study)
    return study


@pytest.mark.parametrize("place", [0, 2, 5])
def test_search_finds_the_best_trial_wherever_it_stands(tmp_path: Path, place: int) -> None:
    study, order = open_study(tmp_path / "study.db"), iter(range(6))
    _search(study, trials=6, folds=[0], measure=lambda drawn, fold: float(next(order) == place))
    assert best_trial(study.trials).number == place


def test_search_tries_the_present_settings_first_and_is_the_same_twice(
    tmp_path: Path, whole: optuna.Study
) -> None:
    again = open_study(tmp_path / "study.db")
    _search(again)
    assert _outcome(again) == _outcome(whole)
    assert len(_outcome(whole)) == 8
    assert _outcome(whole)[0][0] == {"x": 50}
    assert len({params["x"] for params, _, _ in _outcome(whole)}) > 4


def test_shorter_search_after_a_longer_one_is_as_if_there_had_been_no_longer_one(
    tmp_path: Path, whole: optuna.Study
) -> None:
    study, failing = open_study(tmp_path / "study.db"), iter([True])

    def measure(drawn: dict[str, int], fold: int) -> float:
        if next(failing, False):
            raise LightGBMError("no such setting")
        return _measure(drawn, fold)

    _search(study, trials=1, measure=measure)
    _search(study, trials=8)
    shorter = [(trial.number, trial.params, trial.value) for trial in counted(study, 3)]
    fresh = [(trial.number, trial.params, trial.value) for trial in counted(whole, 3)]
    assert shorter == fresh
    assert [number for number, _, _ in fresh] == [0, 1, 2]


def test_search_values_are_mean_and_spread_of_the_folds(tmp_path: Path) -> None:
    study = open_study(tmp_path / "study.db")
    _search(study, trials=1, folds=[0, 4])
    assert study.trials[0].value == pytest.approx(-0.2 + 0.002)
    assert study.trials[0].user_attrs["spread"] == pytest.approx(statistics.stdev([0, 0.004]))


@pytest.mark.parametrize("killed_at", [0, 1, 5, 9])
def test_search_killed_and_resumed_ends_as_if_never_killed(
    tmp_path: Path, whole: optuna.Study, killed_at: int
) -> None:
    calls = 0

    def measure(drawn: dict[str, int], fold: int) -> float:
        nonlocal calls
        calls += 1
        if calls == killed_at + 1:
            raise KeyboardInterrupt
        return _measure(drawn, fold)

    with pytest.raises(KeyboardInterrupt):
        _search(open_study(tmp_path / "killed.db"), measure=measure)
    resumed = open_study(tmp_path / "killed.db")
    _search(resumed)
    assert _outcome(resumed) == _outcome(whole)


def test_search_does_not_count_what_a_killed_search_left_under_way(tmp_path: Path) -> None:
    killed = open_study(tmp_path / "study.db")
    _search(killed, trials=2)
    killed.ask({"x": X})  # and nobody tells
    study = open_study(tmp_path / "study.db")
    assert [trial.state for trial in study.trials] == [DONE, DONE, FAILED]
    _search(study, trials=4)
    assert len(_outcome(study)) == 4


def test_search_that_is_complete_measures_nothing(tmp_path: Path) -> None:
    study = open_study(tmp_path / "study.db")
    _search(study)
    _search(study, measure=None)
    assert len(study.trials) == 8


def test_search_prunes_a_trial_that_lags_after_the_first_fold(tmp_path: Path) -> None:
    study, measured = open_study(tmp_path / "study.db"), []

    def measure(drawn: dict[str, int], fold: int) -> float:
        measured.append(fold)
        return float(len(measured) < 9) + fold

    _search(study, trials=5, measure=measure)
    assert [trial.state for trial in study.trials] == [DONE] * 4 + [PRUNED]
    assert measured == [0, 1] * 4 + [0]
    assert study.trials[4].value == 0.0


def test_search_goes_on_after_a_trial_that_lightgbm_refuses(tmp_path: Path) -> None:
    study, calls = open_study(tmp_path / "study.db"), iter(range(100))

    def measure(drawn: dict[str, int], fold: int) -> float:
        if next(calls) == 2:
            raise LightGBMError("refused")
        return _measure(drawn, fold)

    _search(study, trials=4, measure=measure)
    assert [trial.state for trial in study.trials] == [DONE, FAILED, DONE, DONE]
    _search(study, trials=4)
    assert [trial.number for trial in counted(study, 4)] == [0, 1, 2, 3]
    # The failed trial is measured last.
    assert [trial.datetime_start for trial in counted(study, 4)][1] == study.trials[-1].datetime_start


def test_search_ends_with_any_other_error(tmp_path: Path) -> None:
    study = open_study(tmp_path / "study.db")

    def measure(drawn: dict[str, int], fold: int) -> float:
        raise InputError("features", "spoilt")

    with pytest.raises(InputError, match="spoilt"):
        _search(study, measure=measure)
    assert not _outcome(study)


def test_search_with_workers_counts_each_trial_once(tmp_path: Path) -> None:
    study, finished = open_study(tmp_path / "study.db"), []
    _search(study, workers=3, trials=9, finished=lambda: finished.append(1))
    assert sorted(trial.number for trial in study.trials) == list(range(9))
    assert all(trial.state in COUNTED for trial in study.trials)
    assert len(finished) == 9


def test_repeat_gives_means_by_seed_and_measures_nothing_twice(tmp_path: Path) -> None:
    study, lock, jobs = open_study(tmp_path / "study.db"), Lock(), []

    def measure(choice: str, fold: int, seed: int) -> float:
        with lock:
            jobs.append((choice, fold, seed))
        return len(choice) + fold / 10 + seed / 100

    options = {"choices": ["a", "bb"], "folds": [0, 1], "workers": 2}
    repeat(study, measure, seeds=[8], **options)
    means = repeat(study, measure, seeds=[8, 9], **options)
    assert means == {"a": pytest.approx([1.13, 1.14]), "bb": pytest.approx([2.13, 2.14])}
    assert len(jobs) == len(set(jobs)) == 8
