"""From a question and its sources to an answer in a language model's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from rulerank.answer.claims import Answer, Claim
from rulerank.answer.model.reply import replied_to
from rulerank.answer.model.request import Request
from rulerank.answer.verification.nearest import quotes_for
from rulerank.files import make_folder
from rulerank.llm import LanguageModel, Ledger
from rulerank.llm.replies import Replies
from rulerank.passages import Passage
from rulerank.settings import ModelAnswers


def with_settings(model: LanguageModel, settings: ModelAnswers, log: Path | None = None) -> LanguageModel:
    """Return a model with the time-outs, retries, token budget and prices of the settings.

    Parameters
    ----------
    model : LanguageModel
        As `rulerank.llm.configured` found it.
    settings : ModelAnswers
        The section `answer.model` of params.yaml.
    log : Path, optional
        A JSON Lines file to which each request is added: tokens, seconds, cost.

    """
    if log is not None:
        make_folder(log.parent)
    ledger = Ledger(settings.token_budget, log, settings.prompt_price, settings.completion_price)
    return replace(model, timeout=settings.timeout, retries=settings.retries, ledger=ledger)


def model_answer(
    question: str,
    sources: Sequence[Passage],
    as_of: date,
    *,
    model: LanguageModel,
    anchor: Mapping[str, str] | None = None,
    settings: ModelAnswers | None = None,
    replies: Replies | None = None,
) -> Answer:
    """Ask a language model, once more if its first reply cannot be read or was cut off.

    Parameters
    ----------
    question : str
        The question as asked.
    sources : sequence of Passage
        In ranked order; the first is P1.
    as_of : date
        The day whose law is asked about.
    model : LanguageModel
        The model that answers.
    anchor : mapping of str to str, optional
        What the question is about, by slot: RefWalk's `Anchor` as `dataclasses.asdict` returns it.
    settings : ModelAnswers, optional
        Style, temperature, and the length of the answer and of the text shown; by default those of
        `ModelAnswers()`.
    replies : Replies, optional
        Where replies are kept; a kept one is not asked for again.

    Returns
    -------
    Answer
        Not verified: claims may be false, and may cite passages that were not shown. Each quotes the
        statement of each cited passage that is nearest to it. An answer without claims says why. One whose
        reply was cut off twice, or could not be asked for again, is `incomplete`.

    Raises
    ------
    UnansweredError
        The endpoint refuses the question.
    ModelError
        The model cannot be reached, or the token budget is spent.

    """
    if not sources:
        return Answer(question, as_of, (), (), "no passage was found")
    request = Request(question, tuple(sources), as_of, dict(anchor or {}), settings or ModelAnswers(), model)
    replied = replied_to(request, Replies() if replies is None else replies)
    known = {source.passage_id: source for source in sources}
    claims = tuple(_quoting(claim, known) for claim in replied.reading.claims)
    because = None
    if not claims:
        because = "the language model found no rule that answers the question"
        if replied.fault:
            because = f"the language model's reply could not be read: {replied.fault}"
    return Answer(question, as_of, claims, tuple(sources), because, incomplete=replied.cut)


def _quoting(claim: Claim, known: Mapping[str, Passage]) -> Claim:
    cited = [known[each] for each in claim.passages if each in known]
    ids = {passage.passage_id for passage in cited}
    changing = {each for passage in cited for each in passage.voided_by if each in ids}
    return replace(
        claim,
        quotes=tuple(quote for passage in cited for quote in quotes_for(claim.text, passage)),
        changed_by=tuple(each for each in claim.passages if each in changing),
    )
