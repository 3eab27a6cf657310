"""Stage sample: write the generated corpus that is the default of everything."""

from __future__ import annotations

from pathlib import Path

from rulerank.console import reported
from rulerank.corpora.sample import write_sample
from rulerank.settings import load_settings
from rulerank.timing import timed

ROOT = Path("data/sample")


def main() -> None:
    """Write `data/sample`."""
    settings = load_settings().sample
    with timed("sample"):
        write_sample(ROOT, seed=settings.seed, questions=settings.questions)


if __name__ == "__main__":
    with reported():
        main()
