"""The command `rulerank answer`."""

from __future__ import annotations

import typer

from rulerank.commands.arguments import BundlePath, Depth, ModelName, Question


def answer(bundle: BundlePath, question: Question, k: Depth = 10, model: ModelName = "ranker") -> None:
    """Print every obligation that answers a question, in the rules' own words, with its passages.

    The ranking is cut where its scores fall off. The obligations of the
    passages that remain are quoted, each with the numbers of its passages. A
    voided passage is quoted after what voids it. If no passage states an
    obligation, the answer says so.

    Example: rulerank answer outputs/bundle "Who must keep the register?"
    """
    import rulerank

    answered = rulerank.load(bundle).answer(question, k, model=model)
    typer.echo(answered.text)
    if answered.bullets:
        typer.echo()
        for number, passage in enumerate(answered.sources, start=1):
            typer.echo(f"[P{number}] {passage.place}  {passage.passage_id}")
