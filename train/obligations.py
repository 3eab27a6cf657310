"""Stage obligations: train the classifier that distinguishes obligations from other sentences."""

from __future__ import annotations

from rulerank.learn.obligations.fit import fit
from rulerank.learn.obligations.labelled import read_labelled
from rulerank.obligations.classifier import save_classifier
from rulerank.pipeline.paths import OBLIGATIONS
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings


@stage("obligations", reads=[], writes=[OBLIGATIONS], params=["answer.obligations", "seed"])
def main(settings: Settings) -> Outcome:
    """Write `outputs/obligations`; it holds no classifier if `answer.obligations` is null."""
    if settings.answer.obligations is None:
        save_classifier(None, OBLIGATIONS)
        return Outcome({"sentences": 0})
    labelled = read_labelled(settings.answer.obligations)
    classifier, choice = fit(labelled.sentences, labelled.obligations, settings.seed)
    save_classifier(classifier, OBLIGATIONS)
    return Outcome(
        {
            "sentences": len(labelled.sentences),
            "repeats": labelled.repeats,
            "conflicts": labelled.conflicts,
            "terms": len(classifier.vocabulary),
            "strength": choice.strength,
            "frequency": choice.frequency,
        }
    )


if __name__ == "__main__":
    main.run()
