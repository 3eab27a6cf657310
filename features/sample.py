"""Stage sample: write the generated corpus that is the default everywhere, and the Korean one."""

from __future__ import annotations

from rulerank.corpora.sample import write_sample
from rulerank.pipeline.paths import KOREAN_SAMPLE, SAMPLE
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings


@stage("sample", reads=[], writes=[SAMPLE, KOREAN_SAMPLE], params=["sample"], figures=False)
def main(settings: Settings) -> Outcome:
    """Write `data/sample` and `data/sample_korean`."""
    write_sample(SAMPLE, seed=settings.sample.seed, questions=settings.sample.questions)
    write_sample(
        KOREAN_SAMPLE, seed=settings.sample.seed, questions=settings.sample.korean, language="korean"
    )
    return Outcome()


if __name__ == "__main__":
    main.run()
