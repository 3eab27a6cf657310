"""Stage first_pass: train the ranker whose list the second pass looks at, and one without each fold.

It has no feature made from training judgements, so that one list serves the rankers with and without them.
"""

from __future__ import annotations

from pathlib import Path

from rulerank.console import reported
from rulerank.features.chosen import chosen
from rulerank.files import replacing_folder, write_json
from rulerank.learn.ranker.choice import Choice, groups_of
from rulerank.learn.ranker.first_pass import fit_first_passes, save_first_passes
from rulerank.learn.ranker.recipe import training_rows
from rulerank.learn.workspace import FIRST_PASSES, Workspace
from rulerank.settings import load_settings
from rulerank.tables import FEATURES
from rulerank.timing import timed


def main() -> None:
    """Write `outputs/first_pass`: nothing, where no feature of the second pass is used."""
    settings = load_settings()
    features = chosen(settings)
    with timed("first_pass"):
        passes = {}
        if len(features.of_pass(2)):
            alone = features.of_pass(1).without("judgement")
            table = FEATURES.read(Path("outputs/pairs.parquet"))
            training = training_rows(table, Workspace().training_folds)
            choice = Choice(ranker=settings.ranker, groups=groups_of(alone))
            passes = fit_first_passes(training, alone, choice, settings.seed, settings.threads)
        with replacing_folder(FIRST_PASSES) as folder:
            save_first_passes(passes, folder)
    write_json(
        Path("outputs/figures/first_pass.json"),
        {name: {"rounds": each.booster.current_iteration()} for name, each in passes.items()},
    )


if __name__ == "__main__":
    with reported():
        main()
