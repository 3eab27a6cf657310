"""Stage first_pass: train the ranker whose list the second pass uses, and one without each fold.

It uses no feature built from training judgements, so one list serves the rankers with and without them.
"""

from __future__ import annotations

from rulerank.files import replacing_folder
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.first_pass import fit_first_passes
from rulerank.learn.ranker.lending import with_lent_rows
from rulerank.learn.ranker.recipe import training_rows
from rulerank.learn.ranker.saved_first_pass import save_first_passes
from rulerank.pipeline.chosen import chosen
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import FIRST_PASSES, OTHER_PAIRS, PAIRS, TABLES
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings
from rulerank.tables import FEATURES


@stage(
    "first_pass",
    reads=[PAIRS, OTHER_PAIRS, TABLES],
    writes=[FIRST_PASSES],
    params=["data", "extract", "late", "ranker", "seed", "threads", "translation"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/first_pass`; it stays empty if no feature of the second pass is used."""
    features = chosen(settings)
    passes = None
    if len(features.of_pass(2)):
        alone = features.of_pass(1).without("judgement")
        own, others = settings.data.root.name, settings.ranker.others
        training = training_rows(FEATURES.scan(PAIRS), Outputs().training_folds)
        training = with_lent_rows(training, own, alone, others, OTHER_PAIRS)
        choice = Choice(ranker=settings.ranker, groups=alone.groups)
        passes = fit_first_passes(training, alone, choice, settings.seed, settings.threads)
    with replacing_folder(FIRST_PASSES) as folder:
        save_first_passes(passes, folder)
    return Outcome({"rounds": passes.full.trees.rounds} if passes else {})


if __name__ == "__main__":
    main.run()
