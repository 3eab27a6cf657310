"""Answers as JSON objects: one for the user, one for the audit."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rulerank.answer.claims import Answer, Claim

ANSWER_BEGINNING, AUDIT_BEGINNING = b'{"query_id": ', b'{"bundle": '
"""The beginning of every line of these records, which distinguishes their files from others."""


def answer_record(query_id: str, answer: Answer) -> dict[str, Any]:
    """Return an answer as one line of a batch."""
    return {
        "query_id": query_id,
        "question": answer.question,
        "answered": bool(answer.claims),
        "as_of": answer.as_of.isoformat(),
        "claims": [_claim(claim) for claim in answer.claims],
        "abstained_because": answer.abstained_because,
        "incomplete": answer.incomplete,
    }


def audit_record(query_id: str, answer: Answer, digest: str) -> dict[str, Any]:
    """Return everything that an answer rests on: the ranker, the evidence, the claims kept and dropped.

    Parameters
    ----------
    query_id : str
        The question's id.
    answer : Answer
        The verified answer.
    digest : str
        The digest of the exported ranker, from its manifest.

    """
    return {
        "bundle": digest,
        **answer_record(query_id, answer),
        "evidence": [
            {
                "passage_id": passage.passage_id,
                "place": passage.place,
                "text": passage.text,
                "voided_by": list(passage.voided_by),
            }
            for passage in answer.sources
        ],
        "dropped": [{"claim": _claim(each.claim), "because": each.because} for each in answer.dropped],
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "text": claim.text,
        "modality": claim.modality,
        "passages": list(claim.passages),
        "quotes": [asdict(quote) for quote in claim.quotes],
        "changed_by": list(claim.changed_by),
    }
