"""Which of the registered features a pipeline run uses."""

from __future__ import annotations

from rulerank.errors import SettingsError
from rulerank.features.feature_set import FeatureSet
from rulerank.features.registry import registered
from rulerank.retrieve.generator import BUILT_IN, generator_class
from rulerank.settings import Settings


def known_features(settings: Settings) -> FeatureSet:
    """Return every available feature, including those of runs by external generators.

    Raises
    ------
    SettingsError
        A generator's name would give its features the names of another's.

    """
    runs = settings.candidates.runs
    try:
        return registered(generator_class(run).name for run in runs if run not in BUILT_IN)
    except ValueError as error:
        raise SettingsError(f"params.yaml: candidates.runs: {error} and run again.") from error


def chosen(settings: Settings) -> FeatureSet:
    """Return the features that params.yaml asks for.

    Raises
    ------
    SettingsError
        A name in `extract.features` is not a feature, or belongs to a group that is switched off, or all
        features named are made from the list of the first pass.

    """
    features = known_features(settings)
    features = features if settings.extract.judgement else features.without("judgement")
    features = features if settings.late.epochs > 0 else features.without("late")
    features = features if settings.translation.rounds > 0 else features.without("translation")
    if settings.extract.features is None:
        return features
    try:
        named = features.named(list(settings.extract.features))
    except ValueError as error:
        raise SettingsError(
            f"params.yaml: extract.features: {error} Correct the name and run again."
        ) from error
    if not len(named.of_pass(1)):
        raise SettingsError(
            "params.yaml: extract.features: expected a feature that the first pass can learn from, found "
            f"only those of the list it makes: {', '.join(named.names)}. Add another and run again."
        )
    return named
