"""The command `rulerank answer`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulerank.commands.arguments import AsJson, AsOf, BundlePath, Depth, ModelName
from rulerank.commands.output import print_json
from rulerank.console import progress, say
from rulerank.errors import InputError
from rulerank.files import (
    add_line,
    json_line,
    make_folder,
    require_lines_of,
    require_outputs,
    require_page,
    write_text,
)
from rulerank.refwalk.anchor import AnchorSource
from rulerank.settings import MOST_EXAMPLES, AnswerStyle

if TYPE_CHECKING:
    from rulerank.answer import Answer, Answerer
    from rulerank.bundle import Bundle
    from rulerank.settings import ModelAnswers


def answer(
    bundle: BundlePath,
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="In plain words.")] = None,
    k: Depth = 10,
    model: ModelName = "ranker",
    as_of: AsOf = None,
    llm: Annotated[
        str | None,
        typer.Option(
            "--llm", metavar="URL", help="Let a language model answer; RULERANK_LLM_MODEL names it."
        ),
    ] = None,
    style: Annotated[
        AnswerStyle | None, typer.Option(help="Style of a language model's answer: list or per-rule.")
    ] = None,
    examples: Annotated[
        int | None,
        typer.Option(min=0, max=MOST_EXAMPLES, help="Worked examples to show the language model first."),
    ] = None,
    anchor: Annotated[
        AnchorSource | None,
        typer.Option(
            help="Tell the language model what the question is about, as read by rules, llm or auto."
        ),
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option(
            "--settings", help="A params.yaml whose section answer.model has the language model's settings."
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option("--log", help="Also log the tokens, seconds and cost of each request to this file."),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", help="A file of questions: ObliQA's JSON or BEIR's JSONL."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="File for the answers, one JSON object per line; a rerun resumes."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", help="Also write the answer as an HTML page, in a new file or in place of another page."
        ),
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option("--audit", help="Also add what the answers rest on to this file, as JSON Lines."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question from the rules in force, each claim with its passages.

    The claims are in the rules' own words. A rule that has been changed is stated with its change, and both
    are cited. If the rules are unlikely to hold an answer, the answer says so.

    Example: rulerank answer outputs/bundle "For how many years must the dive log be kept?"
    """
    import rulerank
    from rulerank.answer.records import AUDIT_BEGINNING
    from rulerank.llm import MODEL

    _require_one_way(question, questions, out, html, as_json)
    # A batch rewrites the file of its grounds before it adds to it.
    whole, added = ([html, audit], [out, log]) if questions is not None else ([html], [audit, out, log])
    require_outputs(*whole, extended=added, inputs=[questions, settings], sealed=bundle)
    require_page(html)
    if audit is not None and questions is None:
        make_folder(audit.parent)
        require_lines_of(audit, AUDIT_BEGINNING)
    day = as_of.date() if as_of else date.today()
    asking = {"style": style, "examples": examples, "anchor": anchor, "settings": settings, "log": log}
    if llm is None:
        _refuse(asking)
    model_settings = _model_settings(settings, style, examples)
    answerer = None if llm is None else _by_model(llm, model_settings, anchor, log)
    ranker = rulerank.load(bundle)

    def ask(text: str) -> Answer:
        return ranker.answer(text, k, model=model, as_of=day, answerer=answerer)

    if questions is not None and out is not None:
        common = {
            "as_of": day.isoformat(),
            "bundle": ranker.bundle.manifest["digest"],
            "model": model,
            "k": k,
            "llm": None if llm is None else os.environ.get(MODEL),
        }
        if llm is not None:
            common["asked"] = {**model_settings.asked, "anchor": None if anchor is None else anchor.value}
        workers = 1 if llm is None else model_settings.workers
        _batch(ask, questions, out, common, audit, workers)
        return
    _one(ask, question or "", ranker.bundle, html, audit, as_json)


def _require_one_way(
    question: str | None, questions: Path | None, out: Path | None, html: Path | None, as_json: bool
) -> None:
    """Raise InputError unless one question or a file of them is asked, with the options that go with it."""
    if (question is None) == (questions is None) or (questions is None) != (out is None):
        raise InputError("answer", "expected a question, or --questions with --out. Give one of them.")
    if html is not None and questions is not None:
        raise InputError("--html", "expected one question, found a file of them. Leave one of the two out.")
    if as_json and questions is not None:
        raise InputError("--json", "expected one question, found a file of them. --out is JSON Lines anyway.")


def _refuse(asking: Mapping[str, object]) -> None:
    """Refuse options that say how a language model is asked, where none is."""
    for name, value in asking.items():
        if value is not None:
            raise InputError(
                f"--{name}", "is only for answers by a language model. Add --llm URL, or leave it out."
            )


def _model_settings(path: Path | None, style: AnswerStyle | None, examples: int | None) -> ModelAnswers:
    """Return the section `answer.model` of a file, or its defaults, with what the options change."""
    from rulerank.settings import ModelAnswers, load_settings

    read = ModelAnswers() if path is None else load_settings(path).answer.model
    given = {"style": style, "examples": examples}
    return read.model_copy(update={name: value for name, value in given.items() if value is not None})


def _by_model(url: str, settings: ModelAnswers, anchor: AnchorSource | None, log: Path | None) -> Answerer:
    """Return an answerer that uses the language model at `url`."""
    from rulerank.answer.model import model_answer, with_settings
    from rulerank.llm import MODEL, URL, configured

    if not os.environ.get(MODEL):
        raise InputError("--llm", f"expected the name of its model in {MODEL}, found none. Set it.")
    found = configured({**os.environ, URL: url})
    if found is None:
        raise InputError("--llm", "expected the address of a language model, found none. Give one.")
    model = with_settings(found, settings, log)
    ask = partial(model_answer, model=model, settings=settings)
    if anchor is None:
        return ask
    from rulerank.refwalk.answering import anchored
    from rulerank.refwalk.build import anchors_by

    return anchored(ask, anchors_by(anchor, model))


def _one(
    ask: Callable[[str], Answer],
    question: str,
    bundle: Bundle,
    html: Path | None,
    audit: Path | None,
    as_json: bool,
) -> None:
    from rulerank.answer.records import answer_record, audit_record

    answered = ask(question)
    # Files first: whatever reads what is printed may close it before the end.
    if html is not None:
        from rulerank.evaluate.answer_page import answer_page

        write_text(html, answer_page(answered, bundle.passages))
    if audit is not None:
        record = audit_record("", answered, bundle.manifest["digest"])
        add_line(audit, json_line(record))
    if as_json:
        print_json(answer_record("", answered))
    else:
        _print(answered)


def _batch(
    ask: Callable[[str], Answer],
    questions: Path,
    out: Path,
    common: dict[str, object],
    audit: Path | None,
    workers: int,
) -> None:
    from rulerank.corpora.question_texts import read_question_texts
    from rulerank.ranker.batch import answer_all

    asked = read_question_texts(questions)
    declined = [
        not answered.claims
        for _, answered in progress(answer_all(asked, out, common, ask, audit, workers), "answering")
    ]
    say(f"{len(declined)} of {len(asked)} questions answered now, {sum(declined)} of them declined: {out}")


def _print(answered: Answer) -> None:
    say(answered.text)
    if answered.claims:
        say()
        cited = {each for claim in answered.claims for each in claim.passages}
        for number, passage in enumerate(answered.sources, start=1):
            if passage.passage_id in cited:
                say(f"[P{number}] {passage.place}  {passage.passage_id}")
