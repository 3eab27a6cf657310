"""Stage sample: write the generated corpus that is the default of everything."""

from __future__ import annotations

from rulerank.corpora.sample import write_sample
from rulerank.pipeline.paths import SAMPLE
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings


@stage("sample", reads=[], writes=[SAMPLE], params=["sample"], figures=False)
def main(settings: Settings) -> Outcome:
    """Write `data/sample`."""
    write_sample(SAMPLE, seed=settings.sample.seed, questions=settings.sample.questions)
    return Outcome()


if __name__ == "__main__":
    main.run()
