"""Compare answers with those that the authority gave: ROUGE, BERTScore, and a language model as the judge.

    python -m experiments.free_answers --data FILE.jsonl [--bundle FOLDER] [--questions 100]

Each line of the file has a `question` and an `answer`, as SearchFireSafety's realworld_qa.jsonl does. An
exported ranker answers every question in the rules' own words. If RULERANK_LLM_URL and RULERANK_LLM_MODEL
name a language model, it answers too, from the same passages, and grades both; its replies are kept in
.cache/free_answers.jsonl. A question that is not answered scores 0. Prints a table, and writes it to
outputs/free_answers/table.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import polars as pl
import typer

from experiments.analysers import Enquiry, read_answered
from rulerank.answer import Answerer
from rulerank.answer.model import model_answer, with_settings
from rulerank.console import printable, progress, reported
from rulerank.evaluate.free_answers import FreeJudge, Grade, Rouge, bert_score, rouge, win_rate
from rulerank.evaluate.report import markdown_table
from rulerank.files import write_text
from rulerank.llm import LanguageModel, configured
from rulerank.llm.replies import Replies
from rulerank.ranker import Ranker
from rulerank.settings import load_settings

REPLIES, WRITTEN = Path(".cache/free_answers.jsonl"), Path("outputs/free_answers/table.md")
RULES, BY_MODEL = "in the rules' words", "by the language model"

_PAGE = """\
# Free answers

{questions} questions of {name}, compared with the authority's answers; a question without an answer scores 0.
`rouge_1`, `rouge_2` and `rouge_l` are F1 over the terms of the ranker's analyser, `bert_score` is F1 over the
tokens of its pretrained encoder, which cuts long texts.

{table}{judged}"""


def main(
    data: Annotated[Path, typer.Option("--data", help="JSON Lines with `question` and `answer`.")],
    bundle: Annotated[Path, typer.Option("--bundle", help="An exported ranker.")] = Path("outputs/bundle"),
    questions: Annotated[int | None, typer.Option(min=1, help="Only the first ones; all by default.")] = None,
) -> None:
    """Print one row per way of answering."""
    with reported():
        enquiries = read_answered(data)[:questions]
        settings, model = load_settings(), configured()
        ranker = Ranker.load(bundle, threads=settings.threads)
        answerers: dict[str, Answerer | None] = {RULES: None}
        if model is not None:
            answerers[BY_MODEL] = partial(
                model_answer,
                model=with_settings(model, settings.answer.model),
                settings=settings.answer.model,
                replies=Replies(REPLIES),
            )
        said = {
            name: [
                " ".join(claim.text for claim in ranker.answer(each.question, answerer=answerer).claims)
                for each in progress(enquiries, name)
            ]
            for name, answerer in answerers.items()
        }
        table = pl.DataFrame(
            [{"answers": name, **measured(each, enquiries, ranker)} for name, each in said.items()]
        )
        page = _PAGE.format(
            questions=len(enquiries),
            name=printable(data.name),
            table=markdown_table(table),
            judged="" if model is None else "\n" + _judged(said, enquiries, model),
        )
        write_text(WRITTEN, page)
    typer.echo(page)


def measured(said: Sequence[str], enquiries: Sequence[Enquiry], ranker: Ranker) -> Mapping[str, float]:
    """Return the share of the questions that are answered, and the mean of each measure."""
    expected, bundle = [each.answer for each in enquiries], ranker.bundle
    terms = zip(bundle.analyser(list(said)), bundle.analyser(expected), strict=True)
    by_words = np.mean([rouge(one, other) for one, other in terms], axis=0)
    likeness = bert_score(*(bundle.token_encoder.tokens(side, "passage") for side in (said, expected)))
    return {
        "answered": float(np.mean([bool(each) for each in said])),
        **Rouge(*by_words.tolist())._asdict(),
        "bert_score": float(likeness[:, 2].mean()),
    }


def _judged(said: Mapping[str, Sequence[str]], enquiries: Sequence[Enquiry], model: LanguageModel) -> str:
    """Return the grades of both ways of answering, and how often the model's answer is preferred."""
    judge = FreeJudge(model, Replies(REPLIES))
    rows = []
    for name, answers in said.items():
        grades: list[Grade | None] = [
            judge.grade(each.question, each.answer, answer) if answer else "wrong"
            for each, answer in zip(progress(enquiries, f"grading: {name}"), answers, strict=True)
        ]
        rows.append({"answers": name, **_shares(grades)})
    preferred = [
        judge.prefer(each.question, each.answer, one, other)
        for each, one, other in zip(
            progress(enquiries, "preferring"), said[BY_MODEL], said[RULES], strict=True
        )
    ]
    rate = f"Win rate of the answers {BY_MODEL} over those {RULES}: {win_rate(preferred):.4f}"
    left_out = f"{preferred.count(None)} could not be read and are left out"
    return f"{markdown_table(pl.DataFrame(rows))}\n{rate} (ties count half; {left_out}).\n"


def _shares(grades: Sequence[Grade | None]) -> Mapping[str, float]:
    """Return the shares of the grades that could be read, NaN if none could, and the number of the others."""
    unread = grades.count(None)
    graded = len(grades) - unread or float("nan")
    shares = {grade: grades.count(grade) / graded for grade in ("right", "partly")}
    return {**shares, "unread": unread}


if __name__ == "__main__":
    typer.run(main)
