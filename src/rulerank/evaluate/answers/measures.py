"""Measures of answers: what is cited, what is quoted, what is declined."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from rulerank.answer import Answer, Claim
from rulerank.arrays import FloatArray
from rulerank.authority.supersession import Supersession
from rulerank.authority.tca import tca
from rulerank.obligations import DUTIES, Statement, statements
from rulerank.passages import Passage
from rulerank.text import tokens

_READING = re.compile(r" \[(?:(?:which is to be )?read as|→) [^\]]*\]")
"""The note on how words are read, where the claim puts it after them."""


def cited(answer: Answer) -> list[str]:
    """Return the ids of the passages that an answer cites, each once, in order."""
    return list(dict.fromkeys(each for claim in answer.claims for each in claim.passages))


def citation_scores(found: Collection[str], relevant: Collection[str]) -> dict[str, float]:
    """Return precision, recall and F1 of the cited against the relevant passages; 0 if there are none."""
    hits = len(set(found) & set(relevant))
    return {
        "precision": hits / len(set(found)) if found else 0.0,
        "recall": hits / len(set(relevant)) if relevant else 0.0,
        "f1": 2 * hits / (len(set(found)) + len(set(relevant))) if hits else 0.0,
        "complete": float(bool(relevant) and hits == len(set(relevant))),
    }


def rolled_up(passage_ids: Iterable[str], rules: Mapping[str, str]) -> set[str]:
    """Return the rules that passages belong to, by the passages' ids."""
    return {rules.get(each, each) for each in passage_ids}


def rules_of(passages: pl.DataFrame) -> dict[str, str]:
    """Return the rule of each passage: its document and its section up to the first bracket.

    A passage without a section is a rule by itself, so that a document without sections is not one rule.
    """
    section = pl.col("section").str.replace(r"\.?\(.*$", "").str.strip_chars(". ")
    rule = pl.concat_str("document_id", section, separator=" ")
    named = passages.select("passage_id", rule=pl.when(section == "").then("passage_id").otherwise(rule))
    return dict(named.iter_rows())


def answer_scores(
    answer: Answer, relevant: Sequence[str], order: Supersession, rows: Mapping[str, int]
) -> dict[str, float]:
    """Return the measures of one answer: shares of its claims, and whether the quoted passages control.

    Parameters
    ----------
    answer : Answer
        Any answer.
    relevant : sequence of str
        The passages judged relevant.
    order : Supersession
        Over the whole corpus, on the day of the answer.
    rows : mapping of str to int
        The row of each passage in that order.

    """
    shown = {passage.passage_id: passage for passage in answer.sources}
    quoted = np.array([rows[each] for each in cited(answer) if each in rows], np.int64)
    gold = np.array([rows[each] for each in relevant if each in rows], np.int64)
    claims = answer.claims
    return {
        "answered": float(bool(claims)),
        "claims": float(len(claims)),
        "dropped": float(len(answer.dropped)),
        "invented": _share(not set(claim.passages) <= shown.keys() for claim in claims),
        "modality_kept": _share(_modality_kept(claim, shown) for claim in claims),
        "verbatim": _share(_verbatim(claim, shown) for claim in claims),
        "tca": float(bool(claims) and tca(order, quoted, gold)),
    }


def coverage(answer: Answer, given: Sequence[Passage]) -> tuple[int, int]:
    """Return how many duties of the given passages an answer quotes, and how many duties there are."""
    quotes: dict[str, list[tuple[int, int]]] = {}
    for claim in answer.claims:
        for quote in claim.quotes:
            quotes.setdefault(quote.passage_id, []).append((quote.start, quote.end))
    duties = [
        (passage.passage_id, statement)
        for passage in given
        for statement in statements(passage.text)
        if statement.modality in DUTIES
    ]
    held = sum(_quoted(statement, quotes.get(passage_id, [])) for passage_id, statement in duties)
    return held, len(duties)


def risk_coverage(confidence: FloatArray, quality: FloatArray) -> pl.DataFrame:
    """Return the mean quality of the answered questions by the share of questions answered.

    Parameters
    ----------
    confidence : array of shape (questions,)
        The questions with the lowest confidence are declined first. Equal ones, and those whose confidence is
        NaN, are declined in no particular order: each counts with the mean quality of them all.
    quality : array of shape (questions,)
        The quality that each answer has, or would have if it were not declined.

    """
    _, tied = np.unique(confidence, return_inverse=True)
    expected = (np.bincount(tied, quality) / np.bincount(tied))[tied]
    order = np.argsort(-np.asarray(confidence), kind="stable")
    count = np.arange(1, len(order) + 1)
    mean = np.cumsum(expected[order]) / count
    return pl.DataFrame({"coverage": count / max(len(order), 1), "risk": 1 - mean})


def declined_at(wrong: float, answerable: FloatArray, unanswerable: FloatArray) -> float:
    """Return the share of the unanswerable questions that can be declined at a price.

    Parameters
    ----------
    wrong : float
        The price: the greatest share of the answerable questions that may be declined, too.
    answerable, unanswerable : arrays of shape (questions,)
        The confidence in the answer to each question; those below one value are declined.

    """
    border = np.append(np.sort(answerable), np.inf)[int(wrong * len(answerable))]
    return float(np.mean(np.asarray(unanswerable) < border))


def _share(values: Iterable[bool]) -> float:
    known = list(values)
    return float(np.mean(known)) if known else float("nan")


def _words(claim: Claim, shown: Mapping[str, Passage]) -> list[str]:
    return [
        " ".join(shown[quote.passage_id].text[quote.start : quote.end].split())
        for quote in claim.quotes
        if quote.passage_id in shown
    ]


def _verbatim(claim: Claim, shown: Mapping[str, Passage]) -> bool:
    """Return whether the claim quotes something and has every word of the quoted rules in order."""
    changing = set(claim.changed_by)
    own = [quote for quote in claim.quotes if quote.passage_id not in changing] or list(claim.quotes)
    said = " ".join(tokens(_READING.sub("", claim.text)))
    texts = [" ".join(tokens(shown[each.passage_id].text[each.start : each.end])) for each in own]
    return bool(texts) and all(text in said for text in texts)


def _modality_kept(claim: Claim, shown: Mapping[str, Passage]) -> bool:
    """Return whether one of the quoted statements has the modality that the claim declares."""
    read = statements(" ".join(_words(claim, shown)))
    return claim.modality is None or any(statement.modality == claim.modality for statement in read)


def _quoted(statement: Statement, quotes: Sequence[tuple[int, int]]) -> bool:
    return all(
        any(start <= span.start and span.end <= end for start, end in quotes) for span in statement.spans
    )
