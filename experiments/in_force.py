"""Check on many generated questions whether answers state the law in force, which the generator knows.

    python experiments/in_force.py            # 1,000 questions to the exported ranker of the sample

Prints one line of JSON: the number of questions, of answers, of answers that quote a changed rule, and of
those that miss the change or state a figure that is no longer in force.
"""

from __future__ import annotations

import json
import tempfile
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from rulerank.console import reported
from rulerank.corpora import read_corpus
from rulerank.corpora.sample import write_sample
from rulerank.corpora.sample.truth import changed_provisions
from rulerank.errors import InputError
from rulerank.evaluate.answers.measures import cited
from rulerank.evaluate.stale import stale_claims
from rulerank.pipeline.paths import BUNDLE
from rulerank.ranker import Ranker
from rulerank.settings import load_settings


def main(
    questions: Annotated[int, typer.Option(min=1, help="Questions to generate.")] = 1000,
    bundle: Annotated[Path, typer.Option(help="The exported ranker of the sample.")] = BUNDLE,
) -> None:
    """Answer generated questions and count the answers that miss a change."""
    with reported():
        ranker = Ranker.load(bundle)
        seed = load_settings(Path("params.yaml")).sample.seed
        with tempfile.TemporaryDirectory() as folder:
            write_sample(Path(folder) / "sample", seed=seed, questions=questions)
            corpus = read_corpus(Path(folder) / "sample")
        if not corpus.passages["text"].equals(ranker.bundle.passages["text"]):
            raise InputError(
                bundle, "expected the ranker of the sample, found another. Run `make reproduce`."
            )
        changed = {each.passage_id: each for each in changed_provisions(seed)}
        answers = [ranker.answer(text, as_of=date.max) for text in corpus.queries["text"]]
        stale = [answer for answer in answers if stale_claims(answer, changed)]
        about = [answer for answer in answers if changed.keys() & set(cited(answer))]
        print(  # noqa: T201
            json.dumps(
                {
                    "questions": len(answers),
                    "answered": sum(bool(answer.claims) for answer in answers),
                    "quote a changed rule": len(about),
                    "miss its change": len(stale),
                }
            )
        )


if __name__ == "__main__":
    typer.run(main)
