"""The search for better ranker settings: Optuna trials in a file, so that a killed search resumes.

With one worker, the same search gives the same trials, killed and resumed or not, because each trial draws
from a generator seeded by its place. With several workers, what a trial is suggested depends on which others
have already finished, and two searches may differ.
"""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from functools import partial
from itertools import product
from pathlib import Path
from threading import Event, Lock
from typing import Any

import optuna
from lightgbm.basic import LightGBMError
from optuna.distributions import BaseDistribution
from optuna.trial import FrozenTrial, TrialState

from rulerank.learn.tuning.trials import SPREAD, spread

COUNTED = (TrialState.COMPLETE, TrialState.PRUNED)
"""Trials that count; failed trials and those in progress in a killed search are run again."""

PLACE = "place"
"""The attribute of a trial that holds its place in the search, which gives the seed of its sampler."""


def open_study(path: Path) -> optuna.Study:
    """Open the study in a SQLite file, or start it.

    Trials that were in progress when an earlier search was killed are marked as failed.
    """
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    path.parent.mkdir(parents=True, exist_ok=True)
    study = optuna.create_study(
        study_name="ranker",
        storage=optuna.storages.RDBStorage(
            f"sqlite:///{path}", engine_kwargs={"connect_args": {"timeout": 60}}
        ),
        direction="maximize",
        # Prune only between folds. Within a fold, a median over rounds would cut every slow learner.
        pruner=optuna.pruners.MedianPruner(n_startup_trials=4),
        load_if_exists=True,
    )
    for trial in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        study.tell(trial.number, state=TrialState.FAIL)
    return study


def counted(study: optuna.Study, trials: int) -> list[FrozenTrial]:
    """Return the trials that count among the first `trials` places, in their order and numbered by it.

    So the result of a search is the same after a longer one, or one that was killed.
    """
    by_place = {trial.user_attrs[PLACE]: trial for trial in study.get_trials(states=COUNTED)}
    found = [by_place[place] for place in range(trials) if place in by_place]
    for trial in found:
        trial.number = trial.user_attrs[PLACE]
    return found


def search(
    study: optuna.Study,
    space: dict[str, BaseDistribution],
    first: Mapping[str, Any],
    measure: Callable[[dict[str, Any], int], float],
    *,
    folds: Sequence[int],
    trials: int,
    workers: int,
    seed: int,
    finished: Callable[[], object] = lambda: None,
) -> None:
    """Run as many trials as the study lacks.

    Parameters
    ----------
    study : optuna.Study
        From `open_study`.
    space : dict of str to distribution
        What a trial draws from.
    first : mapping of str to value
        Parameters of the first trial.
    measure : callable
        Takes a trial's parameters and a fold, returns the value to maximise. A trial's value is the mean
        over the folds. A `LightGBMError` fails the trial; other errors end the search.
    folds : sequence of int
        Measured in this order; a trial whose mean so far is below the median of the others is pruned.
    trials : int
        Trials in the study at the end, including the completed and pruned ones of earlier searches. One that
        fails is only replaced by the next search.
    workers : int
        Threads that run trials.
    seed : int
        Seed of the sampler.
    finished : callable, optional
        Called after each trial.

    """
    done = study.get_trials(deepcopy=False, states=COUNTED)
    waiting = study.get_trials(deepcopy=False, states=(TrialState.WAITING,))
    if not waiting and all(trial.params != first for trial in done):
        study.enqueue_trial(dict(first))
    asking, stopped = Lock(), Event()

    def attempt(place: int) -> None:
        with asking:
            study.sampler = optuna.samplers.TPESampler(seed=seed + place)
            trial = study.ask(space)
            trial.set_user_attr(PLACE, place)
        values: list[float] = []
        try:
            for step, fold in enumerate(folds, start=1):
                if stopped.is_set():
                    raise CancelledError
                values.append(measure(trial.params, fold))
                trial.report(statistics.fmean(values), step)
                if step < len(folds) and trial.should_prune():
                    trial.set_user_attr(SPREAD, spread(values))
                    study.tell(trial, state=TrialState.PRUNED)
                    return
            trial.set_user_attr(SPREAD, spread(values))
            study.tell(trial, statistics.fmean(values))
        except BaseException as error:
            study.tell(trial, state=TrialState.FAIL)
            if not isinstance(error, LightGBMError):
                raise

    taken = {trial.user_attrs[PLACE] for trial in done}
    left = [place for place in range(trials) if place not in taken]
    _in_parallel([partial(attempt, place) for place in left], workers, finished, stopped)


def repeat(
    study: optuna.Study,
    measure: Callable[[str, int, int], float],
    *,
    choices: Sequence[str],
    folds: Sequence[int],
    seeds: Sequence[int],
    workers: int,
    finished: Callable[[], object] = lambda: None,
) -> dict[str, list[float]]:
    """Measure choices, and return for each the mean over the folds under every seed.

    Parameters
    ----------
    study : optuna.Study
        Keeps each measurement, so none is made twice.
    measure : callable
        Takes a choice, a fold and a seed.
    choices : sequence of str
        In the form that `measure` takes.
    folds, seeds : sequence of int
        Every combination is measured.
    workers : int
        Threads that measure.
    finished : callable, optional
        Called after each measurement.

    """

    def key(choice: str, seed: int, fold: int) -> str:
        return hashlib.sha256(f"{seed} {fold} {choice}".encode()).hexdigest()

    def measured(choice: str, seed: int, fold: int) -> None:
        study.set_user_attr(key(choice, seed, fold), measure(choice, fold, seed))

    known = study.user_attrs
    wanted = [job for job in product(choices, seeds, folds) if key(*job) not in known]
    _in_parallel([partial(measured, *job) for job in wanted], workers, finished, Event())
    known = study.user_attrs
    return {
        choice: [statistics.fmean(known[key(choice, seed, fold)] for fold in folds) for seed in seeds]
        for choice in choices
    }


def _in_parallel(
    jobs: Iterable[Callable[[], object]], workers: int, finished: Callable[[], object], stopped: Event
) -> None:
    """Run jobs in threads; the first error, or Ctrl-C, cancels all that have not begun."""
    with ThreadPoolExecutor(workers) as executor:
        futures = [executor.submit(job) for job in jobs]
        try:
            for future in as_completed(futures):
                future.result()
                finished()
        except BaseException:
            stopped.set()
            executor.shutdown(wait=False, cancel_futures=True)
            raise
