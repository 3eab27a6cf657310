"""A folder of RegML as one corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from rulerank.corpora.corpus import Corpus, name_documents, unite
from rulerank.corpora.kinds import kind_of
from rulerank.corpora.references import collect_references
from rulerank.corpora.regml.comments import questions_of
from rulerank.corpora.regml.files import Regulation, newest_regulations
from rulerank.corpora.regml.paragraphs import Provision, provisions
from rulerank.tables import DOCUMENTS, JUDGEMENTS, PASSAGES, QUERIES

TIER = 3
"""Rules of an agency, made under a statute."""


def read_regml(root: Path) -> Corpus:
    """Read a folder of RegML files, `<part>/<document>.xml` or `<document>.xml`.

    Every part is a document; the version that took effect last is read. Every paragraph is a passage;
    subparts, sections, appendices and paragraphs without text are headings. The references within a part are
    the curated table. The official interpretations are the questions, all of them training questions, since
    no split of them is published.

    Raises
    ------
    InputError
        A file is malformed or is not RegML; line and column are named.

    """
    read = {regulation: provisions(regulation) for regulation in newest_regulations(root)}
    rows = [row for regulation, found in read.items() for row in _rows(regulation, found)]
    passages = PASSAGES.check(pl.DataFrame(rows, schema=dict(PASSAGES.columns), orient="row"), root)
    names = {regulation.part: regulation.names for regulation in read}
    documents = DOCUMENTS.check(name_documents(list(names), names), root)
    stated_in = {each.label: each.stated_in for found in read.values() for each in found if each.stated_in}
    asked = unite({each.path.name: questions_of(each, stated_in) for each in read})
    references, repairs = collect_references(
        (row for found in read.values() for row in _references(found)), passages, root
    )
    return Corpus(
        documents,
        passages,
        QUERIES.check(asked.queries, root),
        JUDGEMENTS.check(asked.judgements, root),
        references,
        asked.problems + repairs,
    )


def _rows(regulation: Regulation, found: Sequence[Provision]) -> Iterator[tuple[object, ...]]:
    for position, each in enumerate(found):
        kind = kind_of(each.section, each.text, TIER)
        place = (each.label, regulation.part, each.section, each.title, each.text)
        yield (*place, TIER, kind, position, regulation.effective, None)


def _references(found: Sequence[Provision]) -> Iterator[tuple[str, str, str]]:
    """Yield source, target and words of every reference within the corpus."""
    for provision in found:
        for each in provision.content.walk() if provision.content else ():
            if each.name == "ref" and each.attributes.get("reftype") == "internal":
                yield provision.label, each.attributes.get("target", ""), " ".join(each.text.split())
