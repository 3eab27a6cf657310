"""Ask a language model SearchFireSafety's multiple-choice questions with all or part of the evidence.

    python experiments/choice.py --data FOLDER [--questions 200]

Each question is asked three times: with both of its articles, with only the first (where the right answer is
that it cannot be answered), and with the first and what it links to. Prints the rates. RULERANK_LLM_URL and
RULERANK_LLM_MODEL name the model, and its replies are kept in .cache/choice.jsonl.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from rulerank.console import reported
from rulerank.corpora import Corpus, read_corpus
from rulerank.corpora.fire_safety import MULTIHOP
from rulerank.corpora.multiple_choice import ChoiceQuestion, read_choice_questions
from rulerank.errors import InputError, SettingsError
from rulerank.evaluate.choice.ask import Chooser
from rulerank.evaluate.choice.score import change_rates, choice_rates
from rulerank.evaluate.statute_search import links_of
from rulerank.llm import MODEL, URL, configured
from rulerank.llm.replies import Replies
from rulerank.retrieve.context import prefixed

REPLIES = Path(".cache/choice.jsonl")


def main(
    data: Annotated[Path, typer.Option("--data", help="The folder of SearchFireSafety's files.")],
    questions: Annotated[int | None, typer.Option(min=1, help="Only the first ones; all by default.")] = None,
) -> None:
    """Print the rates as JSON."""
    with reported():
        model = configured()
        if model is None:
            raise SettingsError(f"expected a language model in {URL} and {MODEL}, found none. Set both.")
        corpus = read_corpus(data)
        texts = dict(
            zip(corpus.passages["passage_id"], prefixed(corpus.passages, corpus.documents), strict=True)
        )
        asked = [
            each
            for each in read_choice_questions(data / MULTIHOP)[:questions]
            if set(each.passages) <= set(texts)
        ]
        if not asked:
            raise InputError(
                data / MULTIHOP, "expected questions on articles of the corpus, found none. Check the file."
            )
        shown = contexts(asked, corpus)
        choose = Chooser(model, Replies(REPLIES))
        chosen = {
            name: [
                choose(question, [texts[key] for key in keys])
                for question, keys in zip(asked, lists, strict=True)
            ]
            for name, lists in shown.items()
        }
        right = {
            name: [choice == question.full for choice, question in zip(choices, asked, strict=True)]
            for name, choices in chosen.items()
        }
        figures = {
            "questions": len(asked),
            "model": model.name,
            **dataclasses.asdict(choice_rates(asked, chosen["full"], chosen["partial"])),
            "links": dataclasses.asdict(change_rates(right["partial"], right["linked"])),
        }
        typer.echo(json.dumps(figures, indent=2))


def contexts(asked: Sequence[ChoiceQuestion], corpus: Corpus) -> Mapping[str, list[list[str]]]:
    """Return the passages shown with each question: all of its own, the first, the first with its links."""
    links: dict[str, list[str]] = {}
    edges = links_of(corpus.passages, corpus.documents, corpus.references)
    for source, target in edges.select("source_id", "target_id").iter_rows():
        links.setdefault(source, []).append(target)
    return {
        "full": [list(each.passages) for each in asked],
        "partial": [[each.passages[0]] for each in asked],
        "linked": [[each.passages[0], *links.get(each.passages[0], [])] for each in asked],
    }


if __name__ == "__main__":
    typer.run(main)
