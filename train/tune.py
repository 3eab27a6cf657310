"""Stage tune: search for better ranker settings on the training folds."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import statistics
import sys
from pathlib import Path
from typing import Any

import lightgbm
import optuna
import polars as pl
from optuna.trial import FrozenTrial
from rich.progress import Progress

from rulerank.evaluate.tracking import use_store
from rulerank.files import replacing_folder, write_json
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.tuning.objective import Objective, make_objective, split_folds
from rulerank.learn.tuning.search import counted, open_study, repeat, search
from rulerank.learn.tuning.search_space import search_space, to_choice, to_parameters
from rulerank.learn.tuning.trials import SPREAD, best_trial, spread, trials_table
from rulerank.pipeline.chosen import known_features
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import CHOICE, FEATURE_TABLE, TABLES, TUNING
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings
from rulerank.tables import FEATURES

SEARCHED, REPEATED = 300_000, 750_000
"""Training pairs used by a trial, and those used to confirm the winner.

They bound the training time, whatever the size of the table.
"""

CACHE = Path(".cache/tuning")
TAG = "rulerank.tuning"
"""The hash of a search and its outcome: the same result is logged once."""


@stage("tune", reads=[FEATURE_TABLE, TABLES], writes=[TUNING], params=["tune", "ranker", "seed", "threads"])
def main(settings: Settings) -> Outcome:
    """Write `outputs/tuning`."""
    outputs = Outputs()
    columns = FEATURES.scan(FEATURE_TABLE).collect_schema().names()
    features = known_features(settings).named(FEATURES.further(columns))
    present = Choice(ranker=settings.ranker, groups=features.groups)
    best, figures, trials = (
        present,
        {"trials": 0, "tuned": False},
        trials_table([], search_space(present)),
    )
    if settings.tune.trials:
        threads = max(1, settings.threads // settings.tune.workers)
        folds = outputs.training_folds
        table = FEATURES.read(FEATURE_TABLE)
        objective = make_objective(table, outputs.judgements, folds, features, threads)
        best, figures, trials = _tune(objective, present, settings)
    with replacing_folder(TUNING) as folder:
        write_json(folder / CHOICE.name, best.model_dump(mode="json"))
        trials.write_csv(folder / "trials.csv")
    return Outcome(figures)


def _tune(
    objective: Objective, present: Choice, settings: Settings
) -> tuple[Choice, dict[str, Any], pl.DataFrame]:
    """Search, and take the winner if it beats the params on folds on which the search did not measure."""
    sample = objective.sampled(SEARCHED, settings.seed)
    digest = _digest(sample, present, settings)
    study = open_study(CACHE / f"{digest}.db")
    with Progress(transient=True, disable=not sys.stderr.isatty()) as progress:
        winner = _search(study, sample, present, settings, progress)
        won, stood = _confirm(study, objective, (winner, present), settings, progress)
    trials = counted(study, settings.tune.trials)
    figures = _figures(trials, won, stood)
    _log(trials, figures, digest, settings)
    chosen = winner if figures["tuned"] else present
    return chosen, figures, trials_table(trials, search_space(present))


def _search(
    study: optuna.Study, sample: Objective, present: Choice, settings: Settings, progress: Progress
) -> Choice:
    """Run the trials that the study lacks, and return the choice of the best."""
    tune, seed = settings.tune, settings.seed
    task = progress.add_task("trials", total=tune.trials)
    search(
        study,
        search_space(present),
        to_parameters(present, present),
        lambda drawn, fold: sample.measure(to_choice(drawn, present), fold, seed),
        folds=split_folds(sample.folds, tune.folds)[0],
        trials=tune.trials,
        workers=tune.workers,
        seed=seed,
        finished=lambda: progress.advance(task),
    )
    return to_choice(best_trial(counted(study, tune.trials)).params, present)


def _confirm(
    study: optuna.Study,
    objective: Objective,
    choices: tuple[Choice, Choice],
    settings: Settings,
    progress: Progress,
) -> tuple[list[float], list[float]]:
    """Return the means of two choices over the folds not searched, by seed; equal ones are measured once."""
    tune = settings.tune
    _, folds = split_folds(objective.folds, tune.folds)
    written = [choice.model_dump_json() for choice in choices]
    different = list(dict.fromkeys(written))
    task = progress.add_task("confirming the winner", total=len(different) * len(folds) * tune.seeds)
    again = repeat(
        study,
        # Each seed also draws its own training questions.
        lambda choice, fold, seed: objective.sampled(REPEATED, seed).measure(
            Choice.model_validate_json(choice), fold, seed
        ),
        choices=different,
        folds=folds,
        # Not the seed of the search, to which the winner may owe its win.
        seeds=[settings.seed + further for further in range(1, tune.seeds + 1)],
        workers=tune.workers,
        finished=lambda: progress.advance(task),
    )
    won, stood = (again[each] for each in written)
    return won, stood


def _figures(trials: list[FrozenTrial], won: list[float], stood: list[float]) -> dict[str, Any]:
    best = best_trial(trials)
    return {
        "trials": len(trials),
        "best_trial": best.number,
        "best": best.value,
        "best_spread": best.user_attrs[SPREAD],
        "winner_mean": statistics.fmean(won),
        "winner_sd": spread(won),
        "untuned_mean": statistics.fmean(stood),
        "untuned_sd": spread(stood),
        "tuned": statistics.fmean(won) > statistics.fmean(stood),
    }


def _digest(sample: Objective, present: Choice, settings: Settings) -> str:
    """Name the study by everything that its values depend on."""
    space = {
        name: optuna.distributions.distribution_to_json(each) for name, each in search_space(present).items()
    }
    folds = split_folds(sample.folds, settings.tune.folds), [*map(sample.stopping_fold, sample.folds)]
    # Another version or number of threads may round differently.
    learner = [lightgbm.__version__, sample.threads]
    chosen = present.model_dump(mode="json")
    parts = [sample.digest, chosen, space, folds, settings.seed, SEARCHED, REPEATED, learner]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def _log(trials: list[FrozenTrial], figures: dict[str, Any], digest: str, settings: Settings) -> None:
    """Log the search to MLflow: one run, and within it one run per trial."""
    # Without trials nothing is logged, which saves the seconds that this import takes.
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    import mlflow

    logging.getLogger("mlflow").setLevel(logging.WARNING)
    result = hashlib.sha256(json.dumps([digest, figures], sort_keys=True).encode()).hexdigest()
    use_store(settings.track.store)
    mlflow.set_experiment(settings.track.experiment)
    if mlflow.search_runs(filter_string=f"tags.`{TAG}` = '{result}'", output_format="list"):
        return
    with mlflow.start_run(run_name=f"tuning {result[:8]}", tags={TAG: result}):
        best = best_trial(trials)
        mlflow.log_params({**best.params, **{f"tune.{k}": v for k, v in settings.tune.model_dump().items()}})
        mlflow.log_metrics({name: float(value) for name, value in figures.items()})
        for trial in trials:
            with mlflow.start_run(run_name=f"trial {trial.number}", nested=True):
                mlflow.log_params(trial.params)
                mlflow.set_tag("state", trial.state.name.lower())
                if trial.value is not None:
                    mlflow.log_metrics({"ndcg_at_10": trial.value, SPREAD: trial.user_attrs[SPREAD]})


if __name__ == "__main__":
    main.run()
