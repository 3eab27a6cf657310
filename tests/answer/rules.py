"""Small rulebooks for the tests of answers: numbered rules of one act, and what changes what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import polars as pl

from rulerank.answer import Answer, Extractive, Law, Relevance
from rulerank.answer.verify import verified
from rulerank.authority.commencement import dated
from rulerank.authority.in_force import InForce, Voiding, voidings
from rulerank.graph.citations.extract import extract
from rulerank.graph.citations.loading import load_grammar
from rulerank.passages import Passage
from rulerank.tables import DOCUMENTS, PASSAGES

DAY = date(2024, 5, 1)
SECTIONS = {"english_rulebook": "{}", "korean": "제{}조", "us_cfr": "7.{}"}
RELEVANCE = Relevance({"anchor": 5.0, "mask": 2.0})


def passage(number: int, text: str, voided_by: tuple[str, ...] = ()) -> Passage:
    own = {"passage_id": f"p{number}", "section": str(number), "text": text}
    return Passage(**own, document_id="act", document="Act", voided_by=voided_by)


def changes(*pairs: tuple[int, int], since: Mapping[int, date] | None = None) -> tuple[Voiding, ...]:
    """Return the voidings of rules by others, given as pairs of numbers."""
    return tuple(Voiding(f"p{by}", f"p{of}", "", (since or {}).get(by)) for by, of in pairs)


def answered(
    texts: Sequence[str],
    question: str = "What must be done?",
    voiding: tuple[Voiding, ...] = (),
    **known: Any,
) -> Answer:
    sources = [passage(number, text) for number, text in enumerate(texts, start=1)]
    law = Law(InForce(voiding, DAY), {each.passage_id: each for each in sources}, **known)
    return Extractive(law, RELEVANCE)(question, sources, DAY)


def as_verified(texts: Sequence[str], voiding: tuple[Voiding, ...], *, day: date = DAY, **known: Any) -> str:
    """Answer from rules, which know what voids them, and require that every claim is borne out."""
    in_force = InForce(voiding, day)
    sources = [
        passage(number, text, in_force.voided_by(f"p{number}")) for number, text in enumerate(texts, start=1)
    ]
    law = Law(in_force, {each.passage_id: each for each in sources}, **known)
    answer = verified(Extractive(law, RELEVANCE)("What must be done?", sources, day))
    assert answer.dropped == ()
    return answer.text


def changes_read(texts: Sequence[str], grammar: str = "english_rulebook") -> tuple[Voiding, ...]:
    """Return what the numbered rules of one act say that they change."""
    passages = pl.DataFrame(
        [
            {
                "passage_id": f"p{number}",
                "document_id": "act",
                "section": SECTIONS[grammar].format(number),
                "title": "",
                "text": text,
                "tier": 3,
                "kind": "rule",
                "position": number,
            }
            for number, text in enumerate(texts, start=1)
        ],
        schema_overrides=dict(PASSAGES.columns),
    ).with_columns(effective_from=pl.lit(None, pl.Date), scope=pl.lit(None, pl.String))
    documents = pl.DataFrame(
        [{"document_id": "act", "title": "Harbour Rules", "aliases": ["Harbour Rules"]}],
        schema=dict(DOCUMENTS.columns),
    )
    edges = extract(passages, documents, load_grammar(grammar)).edges
    return tuple(voidings(edges, dated(passages)))


def as_read(*texts: str, day: date = DAY, grammar: str = "english_rulebook") -> str:
    """Answer from the numbered rules of one act, with the changes that their own words make."""
    return as_verified(texts, changes_read(texts, grammar), day=day)
