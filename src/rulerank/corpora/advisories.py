"""Conversion of published security advisories and their patch notes into documents and questions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from rulerank.corpora.authority import write_authority
from rulerank.corpora.records import read_lines, read_list
from rulerank.corpora.voided import VoidedPair
from rulerank.errors import InputError

PAIRS, QUESTIONS = "ghsa_real_pairs.json", "ghsa_freeform_cache.jsonl"
DISTRACTORS = 2000
SEED = 42

_PRODUCTS = (
    "amberqueue",
    "boxwood-cms",
    "cinderjs",
    "driftproxy",
    "emberstore",
    "fernauth",
    "glasspipe",
    "harborgate",
    "inkwell-api",
    "junipermail",
    "kestrel-db",
    "lanternweb",
    "marlinfs",
    "nimbuskit",
    "oakrouter",
    "pebblechat",
    "quillserver",
    "rookcache",
    "sablelog",
    "tidewiki",
)
_SEVERITIES = ("critical", "high", "moderate")
_ATTACKS = (
    "remote code execution",
    "SQL injection",
    "cross-site scripting",
    "path traversal",
    "privilege escalation",
    "denial of service",
)


class _Pair(BaseModel):
    id: str
    cve_id: str
    product: str
    disclosure_text: str
    patch_text: str
    severity: str = ""


class _Question(BaseModel):
    id: str
    query: str


def convert_advisories(folder: Path, to: Path) -> None:
    """Write the advisories of `folder` in the generic format: both documents of each pair, then distractors.

    The distractors disclose flaws of invented products for which no patch exists. The seed is fixed.

    Raises
    ------
    InputError
        A file is missing or malformed, or a question belongs to no pair.

    """
    pairs = [_voided(record) for record in read_list(folder / PAIRS, _Pair, "id")]
    known = {pair.id: pair for pair in pairs}
    queries = []
    for line, question in read_lines(folder / QUESTIONS, _Question):
        if question.id not in known:
            raise InputError(
                folder / QUESTIONS,
                f"expected the id of a pair, found {question.id!r}. Remove the line.",
                line=line,
            )
        queries.append(known[question.id].question(question.query))
    if not queries:
        raise InputError(folder / QUESTIONS, "expected one question per line, found none. Check the file.")
    sides = zip(*(pair.documents() for pair in pairs), strict=True)
    documents = [document for side in sides for document in side]
    write_authority(to, [*documents, *distractors(DISTRACTORS)], queries)


def _voided(record: _Pair) -> VoidedPair:
    return VoidedPair(
        id=record.id,
        texts={"disclosure": record.disclosure_text, "patch": record.patch_text},
        scope={"product": record.product, "cve_id": record.cve_id},
    )


def distractors(count: int) -> Iterator[dict[str, Any]]:
    """Yield disclosures of flaws in invented products, each with its own scope; a larger count adds more."""
    chance = random.Random(SEED)  # noqa: S311
    for number in range(count):
        product, severity, attack = (chance.choice(each) for each in (_PRODUCTS, _SEVERITIES, _ATTACKS))
        version = f"{chance.randint(1, 9)}.{chance.randint(0, 9)}"
        cve = f"CVE-2023-{90000 + number}"
        yield {
            "id": cve,
            "type": "disclosure",
            "text": (
                f"{cve} is a {severity} vulnerability in {product}. The flaw allows {attack}. "
                f"Versions up to {version} are affected. An attacker who can reach the service can use it. "
                "No patch is available yet. Restrict access until the maintainers publish one."
            ),
            "timestamp": None,
            "scope": {"product": product, "cve_id": cve},
        }
