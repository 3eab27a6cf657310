from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from rulerank.corpora.sample.english import sentence_case
from rulerank.tables import KINDS
from rulerank.text import analyse

CITATION = re.compile(
    r"\b(?:[Rr]ule|[Ss]ection|[Aa]rticle|[Pp]aragraph) (\d[\d.]*\d)"
    r"(?: of (?:the )?(Act|[A-Z][a-z]+(?: [A-Z][a-z]+)* (?:Decree|Rules|Manual)|Notice \d))?"
)


def test_corpus_is_a_rulebook_of_five_tiers(sample: Any) -> None:
    assert len(sample.documents) >= 12
    assert len(sample.corpus) >= 800
    assert {row["metadata"]["tier"] for row in sample.corpus.values()} == {1, 2, 3, 4, 5}
    assert {row["metadata"]["kind"] for row in sample.corpus.values()} == set(KINDS)
    assert {row["metadata"]["document_id"] for row in sample.corpus.values()} == set(sample.documents)
    assert all(names[0] == key and len(names) >= 3 for key, names in sample.documents.items())


def test_headings_alone_have_no_text(sample: Any) -> None:
    for row in sample.corpus.values():
        heading = row["metadata"]["kind"] == "heading"
        assert bool(row["title"]) == heading
        assert bool(row["text"]) != heading


def test_every_section_has_its_ancestors_and_follows_in_order(sample: Any) -> None:
    positions: Counter[str] = Counter()
    for key, row in sample.corpus.items():
        document, section = row["metadata"]["document_id"], row["metadata"]["section"]
        positions[document] += 1
        assert key == f"{document}-{section}"
        assert row["metadata"]["position"] == positions[document]
        if "." in section:
            assert f"{document}-{section.rpartition('.')[0]}" in sample.corpus


def test_documents_stand_in_order_of_authority(sample: Any) -> None:
    tiers = [row["metadata"]["tier"] for row in sample.corpus.values()]
    assert all(left <= right for left, right in pairwise(tiers))


def test_every_citation_leads_to_a_passage(sample: Any) -> None:
    called = {name.removeprefix("the "): key for key, names in sample.documents.items() for name in names}
    found = 0
    for row in sample.corpus.values():
        for section, name in CITATION.findall(row["text"]):
            document = called[name] if name else row["metadata"]["document_id"]
            assert f"{document}-{section}" in sample.corpus, row["text"]
            found += 1
    assert found > 200


def test_changes_come_later_than_what_they_change(sample: Any) -> None:
    scopes: dict[str, list[dict[str, Any]]] = {}
    for row in sample.corpus.values():
        if row["metadata"]["scope"]:
            scopes.setdefault(row["metadata"]["scope"], []).append(row["metadata"])
    assert len(scopes) > 20
    for members in scopes.values():
        first, *changes = sorted(members, key=lambda member: str(member["effective_from"]))
        assert changes
        assert first["tier"] in (2, 3)
        assert all(change["effective_from"] > first["effective_from"] for change in changes)


def test_passages_are_distinct(sample: Any) -> None:
    texts = Counter(row["text"] for row in sample.corpus.values() if row["text"])
    assert len(texts) > 0.98 * sum(texts.values())


def test_most_passages_have_a_near_miss(sample: Any) -> None:
    """Another passage, of another actor, figure and document, shares two fifths of their terms."""
    terms = [set(found) for found in analyse([row["text"] for row in sample.corpus.values() if row["text"]])]
    columns = {term: column for column, term in enumerate(sorted(set.union(*terms)))}
    matrix = np.zeros((len(terms), len(columns)), dtype=np.float32)
    for row, found in enumerate(terms):
        matrix[row, [columns[term] for term in found]] = 1
    shared = matrix @ matrix.T
    sizes = matrix.sum(axis=1)
    overlap = shared / (sizes[:, None] + sizes - shared)
    np.fill_diagonal(overlap, 0)
    assert np.mean(overlap.max(axis=1) >= 0.4) > 0.4


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(r"[{}|_]", id="placeholder"),
        pytest.param(r"\b([A-Za-z]+) \1\b", id="doubled word"),
        pytest.param(r"\b[Aa] (?!use|uni)[aeiou]\w*", id="a before a vowel"),
        pytest.param(r"\b[Aa]n (?!hour)[^aeiouAEIO“\W]\w*", id="an before a consonant"),
        pytest.param(r"  | [,.;:?]|[,.;?]{2}|\s$|^\s", id="stray mark or space"),
        pytest.param(r"(?:^|[.?!] )“?[a-z]", id="sentence without a capital"),
    ],
)
def test_texts_and_questions_read_well(sample: Any, mistake: str) -> None:
    texts = [row["text"] for row in (*sample.corpus.values(), *sample.queries.values()) if row["text"]]
    assert [text for text in texts if re.search(mistake, text)] == []


def test_passages_and_questions_end_as_sentences_do(sample: Any) -> None:
    assert [row["text"] for row in sample.corpus.values() if not re.search(r"(^|[.:;])$", row["text"])] == []
    assert [row["text"] for row in sample.queries.values() if not row["text"].endswith("?")] == []


def test_sentence_case_capitalises_sentences_and_a_leading_quoted_term() -> None:
    assert sentence_case("“quay” is here. is it? yes.") == "“Quay” is here. Is it? Yes."
    assert sentence_case("(a) keep watch;") == "(a) keep watch;"
