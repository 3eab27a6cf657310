"""The published files of SearchFireSafety: small files of the same form."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulerank.corpora import read_corpus
from rulerank.corpora.multiple_choice import ChoiceQuestion, read_choice_questions
from rulerank.errors import InputError


def article(doc_id: int, law: str, level: str, section: str, text: str, *links: int | None) -> dict[str, Any]:
    return {
        "doc_id": doc_id,
        "semantic_id": f"{law.replace(' ', '-')}_{section}",
        "collection_name": "창고 안전법",
        "law_level": level,
        "law_name": law,
        "chapter": section,
        "chapter_description": "점검",
        "text": text,
        "related_doc_ids": list(links),
    }


ARTICLES = [
    article(
        7, "창고 안전법", "법률", "3조", "제3조(점검) 창고의 관리자는 매년 점검하여야 한다.", 4, 7, 99, None
    ),
    article(4, "창고 안전법 시행령", "대통령령", "별표2-1호", "점검의 기준", 7, 7),
    article(9, "선반의 기술기준(KSS 101)", "행정규칙", "2.1", "“선반”이란 물건을 얹는 판을 말한다."),
]
REAL = [
    {
        "question_id": 1,
        "question": "창고는 언제 점검하나요?",
        "answer": "매년.",
        "related_doc_ids": [7, 4, 7],
    },
    {"question_id": 2, "question": "누가 점검하나요?", "answer": "관리자.", "related_doc_ids": [50]},
]
CHOICE = {
    "question_id": 1,
    "related_doc_ids": [4, 7],
    "question": "점검의 기준은 무엇인가요?",
    **{f"option_{number}": f"보기 {number}" for number in range(1, 6)},
    "answer_full": 2,
    "answer_partial": 5,
}


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


@pytest.fixture
def published(write: Callable[[str, Any], Path]) -> Path:
    write("realworld_qa.jsonl", lines(*REAL))
    write("multihop_qa_mcq.jsonl", lines(CHOICE))
    return write("legal_docs.jsonl", lines(*ARTICLES)).parent


def test_articles_are_the_passages_of_their_laws(published: Path) -> None:
    corpus = read_corpus(published)

    shown = corpus.passages.select(
        "passage_id", "document_id", "section", "title", "tier", "kind", "position"
    )
    assert shown.rows() == [
        ("4", "창고 안전법 시행령", "별표2-1호", "점검", 2, "rule", 0),
        ("7", "창고 안전법", "3조", "점검", 1, "rule", 0),
        ("9", "선반의 기술기준(KSS 101)", "2.1", "점검", 4, "definition", 0),
    ]
    assert corpus.documents["title"].to_list() == [
        "창고 안전법 시행령",
        "창고 안전법",
        "선반의 기술기준(KSS 101)",
    ]


def test_links_are_the_curated_references(published: Path) -> None:
    corpus = read_corpus(published)

    assert corpus.references is not None
    links = [("4", "7"), ("7", "4"), ("7", "99")]
    assert corpus.references.rows() == [(*ends, "REFERENCES", "") for ends in links]
    assert "legal_docs.jsonl: 1 rows from a passage to itself left out" in corpus.problems
    assert "legal_docs.jsonl: 1 rows to an unknown passage give no edge" in corpus.problems


def test_two_hop_questions_are_learned_from_and_real_ones_are_measured(published: Path) -> None:
    corpus = read_corpus(published)

    assert corpus.queries.rows() == [
        ("multihop-1", "점검의 기준은 무엇인가요?", "train", "multihop", None, None),
        ("realworld-1", "창고는 언제 점검하나요?", "test", "realworld", None, None),
    ]
    assert corpus.judgements.rows() == [
        ("multihop-1", "4", 1),
        ("multihop-1", "7", 1),
        ("realworld-1", "7", 1),
        ("realworld-1", "4", 1),
    ]
    assert (
        "realworld_qa.jsonl: question realworld-2: has no relevant passage in the corpus; left out"
        in corpus.problems
    )


def test_articles_alone_are_a_corpus_without_questions(published: Path) -> None:
    for name in ("realworld_qa.jsonl", "multihop_qa_mcq.jsonl"):
        (published / name).unlink()

    assert read_corpus(published).queries.height == 0


@pytest.mark.parametrize(
    ("name", "record", "said"),
    [
        ("legal_docs.jsonl", ARTICLES[0], r"legal_docs\.jsonl:2: .*doc_id once, found 7 also on line 1"),
        ("realworld_qa.jsonl", REAL[0], r"realworld_qa\.jsonl:2: .*question_id once, found 1 also on line 1"),
    ],
)
def test_an_id_that_occurs_twice_names_both_lines(
    published: Path, name: str, record: dict[str, Any], said: str
) -> None:
    (published / name).write_text(lines(record, record), encoding="utf-8")

    with pytest.raises(InputError, match=said):
        read_corpus(published)


def test_a_line_without_its_law_is_named(published: Path) -> None:
    record = {key: value for key, value in ARTICLES[2].items() if key != "law_name"}
    (published / "legal_docs.jsonl").write_text(lines(*ARTICLES[:2], record), encoding="utf-8")

    with pytest.raises(InputError, match=r"legal_docs\.jsonl:3.*law_name: field required"):
        read_corpus(published)


def test_choice_questions_have_options_and_two_right_answers(published: Path) -> None:
    assert read_choice_questions(published / "multihop_qa_mcq.jsonl") == [
        ChoiceQuestion(
            "1",
            "점검의 기준은 무엇인가요?",
            ("4", "7"),
            ("보기 1", "보기 2", "보기 3", "보기 4", "보기 5"),
            full=2,
            partial=5,
        )
    ]


def test_an_option_beyond_the_fifth_is_an_error(published: Path) -> None:
    path = published / "multihop_qa_mcq.jsonl"
    path.write_text(lines(CHOICE | {"answer_full": 6}), encoding="utf-8")

    with pytest.raises(InputError, match=r"multihop_qa_mcq\.jsonl:1:\d+: record: answer_full"):
        read_choice_questions(path)
