from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import numpy as np
import optuna
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lightgbm.basic import LightGBMError
from optuna.distributions import IntDistribution
from optuna.trial import TrialState, create_trial

from rulerank.errors import InputError, SettingsError
from rulerank.evaluate.measures import per_query
from rulerank.features.registry import FeatureSet, registered
from rulerank.files import write_json
from rulerank.learn.lambdamart import Groups, to_groups
from rulerank.learn.objective import Objective, dcg, ideals, make_objective
from rulerank.learn.search_space import (
    ALWAYS,
    Choice,
    groups_of,
    read_choice,
    search_space,
    to_choice,
    to_parameters,
)
from rulerank.learn.trials import best_trial, trials_table
from rulerank.learn.tuning import COUNTED, open_study, repeat, search
from rulerank.settings import Ranker

X = IntDistribution(0, 100)
DONE, PRUNED, FAILED = TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL
NAMES = ["bm25_rank", "bm25_context_rank", "dense_rank", "dense_score", "pr", "deg", "document_share"]


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


# Which trial is chosen.


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


@pytest.mark.parametrize("place", range(6))
def test_search_finds_the_best_trial_wherever_it_stands(tmp_path: Path, place: int) -> None:
    study, order = open_study(tmp_path / "study.db"), iter(range(6))
    _search(study, trials=6, folds=[0], measure=lambda drawn, fold: float(next(order) == place))
    assert best_trial(study.trials).number == place


# The search.


def _measure(drawn: dict[str, int], fold: int) -> float:
    return -abs(drawn["x"] - 70) / 100 + fold / 1000


def _search(study: optuna.Study, **more) -> None:
    options = {"measure": _measure, "folds": [0, 1], "trials": 8, "workers": 1, "seed": 7, **more}
    search(study, {"x": X}, {"x": 50}, options.pop("measure"), **options)


def _outcome(study: optuna.Study) -> list[tuple[dict[str, int], float | None, TrialState]]:
    trials = study.get_trials(states=COUNTED)
    return [(trial.params, trial.value, trial.state) for trial in trials]


def test_search_tries_the_present_settings_first_and_is_the_same_twice(tmp_path: Path) -> None:
    outcomes = []
    for name in ("one.db", "two.db"):
        study = open_study(tmp_path / name)
        _search(study)
        outcomes.append(_outcome(study))
    assert outcomes[0] == outcomes[1]
    assert len(outcomes[0]) == 8
    assert outcomes[0][0][0] == {"x": 50}
    assert len({params["x"] for params, _, _ in outcomes[0]}) > 4


def test_search_values_are_mean_and_spread_of_the_folds(tmp_path: Path) -> None:
    study = open_study(tmp_path / "study.db")
    _search(study, trials=1, folds=[0, 4])
    assert study.trials[0].value == pytest.approx(-0.2 + 0.002)
    assert study.trials[0].user_attrs["spread"] == pytest.approx(statistics.stdev([0, 0.004]))


@pytest.mark.parametrize("killed_at", [0, 1, 5, 9])
def test_search_killed_and_resumed_ends_as_if_never_killed(tmp_path: Path, killed_at: int) -> None:
    whole = open_study(tmp_path / "whole.db")
    _search(whole)
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


def test_trials_table_has_a_row_a_trial_and_a_column_a_parameter() -> None:
    table = trials_table(_study([(DONE, 0.5), (PRUNED, 0.3), (FAILED, None)]).trials, ["x"])
    assert table.columns == ["number", "state", "value", "spread", "seconds", "x"]
    assert table["state"].to_list() == ["complete", "pruned", "fail"]
    assert table["value"].to_list() == [0.5, 0.3, None]
    assert trials_table([], ["x"]).columns == table.columns


# The search space.


def _present(**ranker) -> Choice:
    return Choice(ranker=Ranker(**ranker), depth=50, groups=("lexical", "fusion", "centrality", "judgement"))


@pytest.mark.parametrize("ranker", [{}, {"num_leaves": 500, "lambda_l2": 0.0, "min_data_in_leaf": 0}])
def test_search_space_holds_the_present_choice(ranker: dict[str, float]) -> None:
    present = _present(**ranker)
    parameters = to_parameters(present, present)
    for name, distribution in search_space(present).items():
        assert distribution._contains(distribution.to_internal_repr(parameters[name])), name
    assert to_choice(parameters, present) == present


def test_search_space_switches_groups_but_those_that_always_stay() -> None:
    present = _present()
    switches = {name for name in search_space(present) if name.startswith("group.")}
    assert switches == {"group.centrality", "group.judgement"}
    drawn = {**to_parameters(present, present), "group.judgement": False, "num_leaves": 20, "depth": 10}
    choice = to_choice(drawn, present)
    assert choice.groups == ("lexical", "fusion", "centrality")
    assert choice.depth == 10
    assert choice.ranker == Ranker(num_leaves=20)


def test_choice_keeps_the_features_of_its_groups() -> None:
    everything = registered()
    choice = _present().model_copy(update={"groups": groups_of(everything)})
    assert choice.features(everything) == everything
    kept = choice.model_copy(update={"groups": ALWAYS}).features(everything)
    assert groups_of(kept) == ALWAYS
    assert len(kept) == sum(each.group in ALWAYS for each in everything)


def test_choice_learns_from_the_pairs_that_some_run_ranks_within_its_depth() -> None:
    table = pl.DataFrame(
        {
            "query_id": ["a", "a", "a", "b", "b"],
            "relevance": [1, 0, 0, 0, 1],
            "bm25_rank": [9.0, 2.0, 9.0, 1.0, 9.0],
            "bm25_context_rank": [9.0, 9.0, 9.0, 9.0, 9.0],
            "dense_rank": [2.0, float("nan"), 3.0, 9.0, 9.0],
        }
    )
    choice = _present().model_copy(update={"depth": 2})
    # Nothing relevant is left of b.
    assert choice.training(table).equals(table[:2])
    assert choice.training(table.drop("bm25_rank")).equals(table.drop("bm25_rank"))


def test_read_choice_gives_back_what_was_written(tmp_path: Path) -> None:
    write_json(tmp_path / "best.json", _present(num_leaves=20).model_dump(mode="json"))
    assert read_choice(tmp_path / "best.json") == _present(num_leaves=20)


def test_read_choice_names_the_value_out_of_range(tmp_path: Path) -> None:
    values = _present().model_dump(mode="json")
    values["ranker"]["learning_rate"] = 2
    write_json(tmp_path / "best.json", values)
    with pytest.raises(InputError, match=r"best\.json: ranker\.learning_rate: .*dvc repro tune"):
        read_choice(tmp_path / "best.json")


# The objective.


def _table(queries: int, size: int = 12, seed: int = 0) -> pl.DataFrame:
    """One or two relevant rows a query, with the greatest signal; the queries in three folds."""
    random = np.random.default_rng(seed)
    signal = np.concatenate([random.permutation(size) for _ in range(queries)]).astype(np.float32)
    noise = {name: random.random(queries * size).astype(np.float32) for name in NAMES}
    ranks = {name: np.tile(np.arange(1, size + 1, dtype=np.float32), queries) for name in NAMES[:3]}
    return pl.DataFrame(
        {
            "query_id": np.repeat([f"q{query:03}" for query in range(queries)], size),
            "passage_id": [f"p{row}" for row in range(queries * size)],
            "relevance": np.where(signal == size - 1, 2, signal == size - 2).astype(np.int8),
            **noise,
            **ranks,
            "dense_score": signal + random.normal(0, 2, queries * size).astype(np.float32),
        }
    )


def _objective(queries: int = 60) -> Objective:
    table = _table(queries)
    judgements = table.filter(pl.col("relevance") > 0).select("query_id", "passage_id", "relevance")
    unfound = pl.DataFrame({"query_id": ["q000"], "passage_id": ["unfound"], "relevance": [1]})
    judgements = pl.concat([judgements, unfound.cast({"relevance": pl.Int8})])
    folds = table.select("query_id").unique(maintain_order=True).with_row_index("fold")
    folds = folds.select("query_id", fold=(pl.col("fold") % 3).cast(pl.Int8))
    return make_objective(table, judgements, folds, _features(), threads=1)


def _features() -> FeatureSet:
    return registered().named(NAMES)


CHOICE = Choice(
    ranker=Ranker(num_leaves=4, min_data_in_leaf=5, num_iterations=20, early_stopping_rounds=5),
    depth=50,
    groups=groups_of(_features()),
)


@given(st.integers(0, 1000))
def test_dcg_over_ideals_is_the_ndcg_of_the_evaluation(seed: int) -> None:
    table = _table(4, size=13, seed=seed)
    scores = np.random.default_rng(seed).random(table.height)
    unfound = [{"query_id": f"q00{query}", "passage_id": "unfound", "relevance": query} for query in range(4)]
    judged = table.filter(pl.col("relevance") > 0).select("query_id", "passage_id", "relevance")
    judged = pl.concat([judged, pl.DataFrame(unfound, schema=judged.schema)]).sort("query_id")
    ndcg = dcg(scores, to_groups(table, NAMES)) / ideals(judged)["ideal"].to_numpy()
    run = table.select("query_id", "passage_id", run=pl.lit("run"), score=pl.Series(scores))
    run = run.with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("query_id"))
    assert ndcg == pytest.approx(per_query(judged, run.cast({"rank": pl.Int32}))["nDCG@10"].to_numpy())


def test_dcg_by_hand_takes_equal_scores_in_row_order() -> None:
    groups = Groups(np.zeros((5, 1), np.float32), np.array([0, 1, 2, 0, 1]), np.array([3, 2]))
    values = dcg(np.array([0.5, 0.5, 0.1, 0.2, 0.9]), groups)
    assert values == pytest.approx([1 / np.log2(3) + 2 / np.log2(4), 1.0])


def test_measure_learns_and_is_the_same_beside_other_trainings() -> None:
    objective = _objective()
    alone = {fold: objective.measure(CHOICE, fold, 7) for fold in objective.folds}
    assert list(alone) == [0, 1, 2]
    assert all(0.5 < value < 1 for value in alone.values())
    study = optuna.create_study()
    together = repeat(
        study,
        lambda choice, fold, seed: objective.measure(CHOICE, fold, seed),
        choices=["", " "],
        folds=objective.folds,
        seeds=[7],
        workers=3,
    )
    assert set(together[""]) == set(together[" "]) == {statistics.fmean(alone.values())}


def test_measure_counts_judged_questions_without_a_relevant_candidate_as_zero() -> None:
    objective = _objective()
    lost = pl.DataFrame({"query_id": ["z"], "fold": [0], "ideal": [1.0]})
    lost = lost.cast({"fold": objective.ideals.schema["fold"]}).select(objective.ideals.columns)
    judged = objective.ideals.filter(pl.col("fold") == 0).height
    more = Objective(
        objective.learned, objective.measured, pl.concat([objective.ideals, lost]), objective.features, 1
    )
    assert more.measure(CHOICE, 0, 7) == pytest.approx(
        objective.measure(CHOICE, 0, 7) * judged / (judged + 1)
    )


def test_measure_where_nothing_is_left_to_learn_from_is_zero() -> None:
    objective = _objective(6)
    table = objective.learned.with_columns(pl.lit(9.0, pl.Float32).alias(name) for name in NAMES[:3])
    deep = Objective(table, table, objective.ideals, objective.features, 1)
    assert deep.measure(CHOICE.model_copy(update={"depth": 2}), 0, 7) == 0.0


def test_measure_takes_no_relevance_of_its_fold_into_the_training() -> None:
    objective = _objective()
    spoilt = objective.learned.with_columns(
        relevance=pl.when(pl.col("fold") == 0)
        .then(2 - pl.col("relevance"))
        .otherwise("relevance")
        .cast(pl.Int8)
    )
    other = Objective(spoilt, objective.measured, objective.ideals, objective.features, 1)
    assert other.measure(CHOICE, 0, 7) == objective.measure(CHOICE, 0, 7)
    assert other.measure(CHOICE, 1, 7) != objective.measure(CHOICE, 1, 7)


def test_sampled_takes_whole_questions_by_the_seed() -> None:
    objective = _objective()
    few, again, other = (objective.sampled(240, seed).learned for seed in (1, 1, 2))
    assert few.height == 240
    assert few["query_id"].value_counts()["count"].to_list() == [12] * 20
    assert few.equals(again)
    assert not few.equals(other)
    assert objective.sampled(10_000, 1) is objective
    assert objective.sampled(240, 1).measured is objective.measured


def test_digest_is_of_features_and_judgements() -> None:
    objective, same = _objective(), _objective()
    changed = Objective(
        objective.learned.with_columns(pr=pl.col("pr") + 1),
        objective.measured,
        objective.ideals,
        _features(),
        1,
    )
    judged = Objective(
        objective.learned,
        objective.measured,
        objective.ideals.with_columns(ideal=pl.col("ideal") + 1),
        _features(),
        1,
    )
    assert objective.digest == same.digest
    assert len({each.digest for each in (objective, changed, judged)}) == 3


def test_training_questions_in_one_fold_are_an_error() -> None:
    table = _table(4)
    folds = table.select("query_id").unique().with_columns(fold=pl.lit(0, pl.Int8))
    judged = table.select("query_id", "passage_id", "relevance")
    with pytest.raises(InputError, match="found all in one"):
        make_objective(table, judged, folds, _features(), threads=1)
    with pytest.raises(InputError, match="found none"):
        make_objective(table, judged, folds[:0], _features(), threads=1)
